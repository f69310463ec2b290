"""What stands between records and a figure: missing runs, conflicts, what can't be trusted."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cpmines.campaign.record import Category, StopReason
from cpmines.campaign.statistics.costs import GROUP, UNIT
from cpmines.campaign.store import Store
from cpmines.campaign.task import asked_of
from cpmines.campaign.verdict import disputes
from cpmines.certificate import refusal
from cpmines.numerals import plural

if TYPE_CHECKING:
    import pandas

__all__ = ["Finding", "FindingKind", "check"]

NOTABLE = 0.05
"""Mean CPU seconds from which on a spread is looked at; below, the clock and the caches are what varies."""

LARGEST_VARIATION = 0.2
"""Standard deviation of CPU times, in parts of their mean, beyond which repeated runs are unstable."""


SPARED = 0.9
"""Part of the CPU limit that a run has used at the most if another limit is what ended it."""


class FindingKind(StrEnum):
    """What kind of finding it is, the gravest first."""

    CONFLICT = "conflict"
    CERTIFICATE = "certificate"
    ERROR = "error"
    MISSING = "missing"
    UNSTABLE = "unstable"
    ENVIRONMENT = "environment"


@dataclass(frozen=True)
class Finding:
    """Something that stands between records and a figure.

    Attributes
    ----------
    message
        What was found, in a sentence.
    problem, question, instance, instance_key, backends
        What it is about; empty where it is about all.
    command
        A command line that shows it again and, if it is a conflict, makes it small; empty if there is none.
    """

    kind: FindingKind
    message: str
    problem: str = ""
    question: str = ""
    instance: str = ""
    instance_key: str = ""
    backends: tuple[str, ...] = ()
    command: str = ""


def check(frame: pandas.DataFrame, store: Store) -> tuple[Finding, ...]:
    """Everything that is wrong with the records in `frame`, or with what is missing in it; the gravest first.

    Parameters
    ----------
    frame
        From `cpmines.campaign.frame.frame`, or a part of it.
    store
        Where it comes from: knows the plan, the instances and their expected answers.
    """
    gates: tuple[Callable[[pandas.DataFrame, Store], Iterator[Finding]], ...] = (
        conflicts,
        certificates,
        errors,
        missing,
        unstable,
        crowded,
        environments,
    )
    return tuple(finding for gate in gates for finding in gate(frame, store))


def again(command: str, store: Store, row: Any, backends: Iterable[str]) -> str:
    """A command line that gives a row's instance and question, and `backends`, to ``cpmines`` `command`."""
    taken = f"cpmines campaign export {shlex.quote(str(store.path))} --instance {row.instance_key[:12]}"
    named = [word for name in backends for word in ("--backend", name)]
    return f"{taken} | cpmines {command} {shlex.join([*asked_of(row).words(), *named])}"


def about(row: Any) -> tuple[str, str, str, str]:
    """What a finding is about that is of one row."""
    return row.problem, row.question, row.instance, row.instance_key


def place(row: Any) -> str:
    """The same for people."""
    return f"{row.problem} ({row.question}) {row.instance}"


def conflicts(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Values that the judge rejects, claims against the expected answer, claims against each other."""
    wrong = frame[frame["category"] == Category.WRONG]
    for _, rows in wrong.groupby([*UNIT, "instance", "backend"], sort=False):
        first = rows.iloc[0]
        fault = next((row[0] for row in rows["faults"] if row), "")
        why = f"the judge rejects: {fault}" if fault else "it differs from the expected answer"
        command = again(f"fuzz {first.problem} -", store, first, [first.backend])
        message = f"{first.backend} is wrong on {place(first)}: {why}"
        yield Finding(FindingKind.CONFLICT, message, *about(first), (first.backend,), command)
    for rows, found in disputes(frame[frame["category"] != Category.WRONG]):
        first = rows.iloc[0]
        names = tuple(dict.fromkeys(said.author for conflict in found for said in conflict.claims))
        reasons = "; ".join(map(str, found))
        command = again(f"fuzz {first.problem} -", store, first, names)
        message = f"conflict on {place(first)}: {reasons}"
        yield Finding(FindingKind.CONFLICT, message, *about(first), names, command)


def certificates(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Where certificates are asked for and there are none, and runs whose certificate the check rejected."""
    wanted = frame[frame["certificate_limit"] > 0]
    for (problem, question), _ in wanted.groupby(GROUP, sort=False):
        if why := refusal(problem, question.partition(" ")[0]):
            yield Finding(FindingKind.CERTIFICATE, why, problem, question)
    refused = frame[frame["certificate"].str.startswith("rejected")]
    for row in refused.itertuples():
        message = f"certificate of {row.backend} on {place(row)}: {row.certificate}"
        command = again(f"solve {row.problem} - --certificate proofs", store, row, [row.backend])
        command = f"{command}; cpmines check proofs"
        yield Finding(FindingKind.CERTIFICATE, message, *about(row), (row.backend,), command)


def errors(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Backends that fail: how often, and the first time how."""
    failed = frame[frame["category"] == Category.ERROR]
    for (problem, question, backend), rows in failed.groupby([*GROUP, "backend"], sort=False):
        first = rows.iloc[0]
        count = f"{plural(len(rows), 'run')} of {problem} ({question})"
        message = f"{backend} failed in {count}, first on {first.instance}: {first.error}"
        command = again(f"compare - --problem {problem}", store, first, [backend])
        yield Finding(FindingKind.ERROR, message, *about(first), (backend,), command)


def missing(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Planned runs that have not been made."""
    counts = Counter((task.problem, task.question, task.backend) for task in store.missing())
    for (problem, question, backend), count in counts.items():
        message = f"{plural(count, 'planned run')} of {backend} on {problem} ({question}) missing"
        yield Finding(FindingKind.MISSING, message, problem, question, backends=(backend,))


def unstable(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Repeated runs whose CPU times vary so much that a figure of a few of them says little."""
    columns = [*UNIT, "instance", "backend", "version"]
    decided = frame[frame["category"] == Category.RIGHT]
    spread = decided.groupby(columns, sort=False)["cpu"].agg(["mean", "std", "count"]).reset_index()
    spread["variation"] = spread["std"] / spread["mean"]
    notable = spread[(spread["count"] > 1) & (spread["mean"] >= NOTABLE)]
    for row in notable[notable["variation"] > LARGEST_VARIATION].itertuples():
        times = f"CPU time varies by {row.variation:.0%} of {row.mean:.3g} s over {plural(row.count, 'run')}"
        message = f"{row.backend} on {place(row)}: {times}"
        yield Finding(FindingKind.UNSTABLE, message, *about(row), (row.backend,))


def crowded(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Runs that met the wall limit before the CPU limit: they waited for something, mostly for a core."""
    late = frame[(frame["reason"] == StopReason.TIME_LIMIT) & (frame["wall"] >= frame["wall_limit"])]
    late = late[late["cpu"] < SPARED * late["time_limit"]]
    for (problem, question, backend), rows in late.groupby([*GROUP, "backend"], sort=False):
        count = f"{plural(len(rows), 'run')} of {backend} on {problem} ({question})"
        message = f"{count} met the wall limit with CPU time to spare"
        yield Finding(FindingKind.UNSTABLE, message, problem, question, backends=(backend,))


def environments(frame: pandas.DataFrame, store: Store) -> Iterator[Finding]:
    """Records of machines or installations that differ: their times can't be compared."""
    keys = frame["environment"].value_counts()
    if len(keys) > 1:
        known = store.environments()
        first, *others = (known.get(key, {}) for key in keys.index)
        names = sorted({name for other in others for name in other if other[name] != first.get(name)})
        message = f"{len(keys)} environments, which differ in {', '.join(names)}"
        yield Finding(FindingKind.ENVIRONMENT, message)
