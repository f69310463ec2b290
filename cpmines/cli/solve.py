"""``cpmines solve``: one answer for each instance."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.cli._asked import ProblemCommand, ask_option
from cpmines.cli._inputs import (
    BACKEND,
    Named,
    exit_code,
    instances,
    limit_options,
    make_ready,
    report_error,
    sources,
    style_option,
    workers_option,
)
from cpmines.cli._outputs import OutputFile, OutputFolder
from cpmines.cli._progress import progress_bar
from cpmines.cli._say import document, say, say_lines
from cpmines.errors import InputError, UsageError
from cpmines.problem import Trust
from cpmines.process.spread import by_processes, cores
from cpmines.question import Asked
from cpmines.report.text import solved_text
from cpmines.run import SCHEMA, Run, chosen, run

if TYPE_CHECKING:
    from cpmines.cli._certify import Certifier

__all__ = ["command"]

ALONE = 0.3
"""Seconds before more processes are started: most folders are done by then."""


def show(named: Named, found: Run[Any], style: str, certificate: Path | None = None) -> None:
    """Print one answer and where its certificate is; a value that the judge rejected is not given."""
    if found.faults:
        why = "; ".join(found.faults)
        say(f"cpmines: {named.label}: the answer of {found.backend} can't be trusted: {why}", err=True)
    elif found.error:
        say(f"cpmines: {named.label}: {found.backend} failed: {found.error}", err=True)
    if style == "json":
        import json

        where = {} if certificate is None else {"certificate": str(certificate)}
        document(json.dumps({**found.to_json(), **where}))
    elif style == "judge":
        say_lines(verdict(named, found))
    elif found.trusted:
        say_lines(solved_text(named.instance, found))
        if certificate is not None:
            say(f"certificate: {certificate}")
    if found.value is not None and found.trusted and style != "judge":
        show_listing(named, found, style)


def verdict(named: Named, found: Run[Any]) -> str:
    """What the origin's judge expects, which knows one question only."""
    problem = registry.problem(found.problem)
    if not (found.trusted and found.decided):
        return "UNKNOWN"
    if found.status is Status.SOLVED and problem.printed:
        printed = problem.ask(problem.printed).question
        if lacking := printed.lacking(found.value):
            told = f"the answer to {found.asked} has no {' and no '.join(lacking)}"
            say(f"cpmines: {named.label}: the origin's judge asks {printed.name}; {told}", err=True)
            return "UNKNOWN"
    return problem.verdict(named.instance, found.answer)


def show_listing(named: Named, found: Run[Any], style: str) -> None:
    """Print the boards that were asked for besides the answer, each as it is made."""
    from cpmines.board import mine_rows

    number = Counter[str]()
    for name, mines in registry.problem(found.problem).listing(named.instance, found.asked, found.value):
        number[name] += 1
        if style == "json":
            import json

            record = {"schema": SCHEMA, "problem": found.problem, "instance": found.instance}
            record |= found.asked.to_json()
            document(json.dumps({**record, name: number[name], "mines": mine_rows(mines)}))
        else:
            say_lines("\n".join([f"{name} {number[name]}", *mine_rows(mines)]))


def every_instance(problem: str, inputs: Sequence[str], asked: Asked) -> Iterator[Named | InputError]:
    """The instances of all inputs; what can't be read comes as its error, in its place."""
    for source in sources(problem, inputs or ("-",)):
        if isinstance(source, InputError):
            yield source
            continue
        try:
            yield from instances(source, asked)
        except InputError as error:
            yield error


class Solving(NamedTuple):
    """What is done with each instance."""

    problem: str
    backend: str
    asked: Asked
    limits: Limits

    def solve(self, named: Named | InputError) -> tuple[Named | InputError, Run[Any] | None]:
        if isinstance(named, InputError):
            return named, None
        return named, run(
            self.problem, named.instance, self.backend, self.limits, self.asked, label=named.label
        )

    def watched(self, named: Named | InputError) -> tuple[Named | InputError, Run[Any] | None]:
        """The same in this process, with a bar."""
        label = "" if isinstance(named, InputError) else named.label
        with progress_bar(self.limits, label) as limits:
            return self._replace(limits=limits).solve(named)

    def all(
        self, every: Iterator[Named | InputError], workers: int | None
    ) -> Iterator[tuple[Named | InputError, Run[Any] | None]]:
        """All of them in their order; what is not done after `ALONE` seconds, by several processes."""
        first = list(islice(every, 2))
        waiting, workers = chain(first, every), workers or cores()
        if len(first) == 1 or workers == 1:
            yield from map(self.watched, waiting)
            return
        begun = time.monotonic()
        for named in waiting:
            found = self.briefly(begun + ALONE - time.monotonic(), named)
            if found is None:
                waiting = chain([named], waiting)
                break
            yield found
        yield from by_processes(self.solve, waiting, workers)

    def briefly(
        self, seconds: float, named: Named | InputError
    ) -> tuple[Named | InputError, Run[Any] | None] | None:
        """The same if it takes no longer than so many seconds, else None."""
        if seconds <= 0:
            return None
        if self.limits.seconds is not None and self.limits.seconds <= seconds:
            return self.solve(named)
        _, found = done = self._replace(limits=replace(self.limits, seconds=seconds)).solve(named)
        # A backend may also fail because it was broken off.
        short = found is not None and (found.answer.stop is Stop.TIME_LIMIT or not found.trusted)
        return None if short else done


def certifying(folder: Path, limits: Limits, problem: str, asked: Asked) -> Certifier:
    from cpmines.cli._certify import Certifier

    return Certifier(folder, limits, problem, asked)


def require_picture(path: Path) -> None:
    """Raises `UsageError` if the name of a file is that of no picture."""
    from cpmines.report.drawing.picture import PICTURES

    if path.suffix not in PICTURES:
        raise UsageError(f"{path}: the name of a picture ends in {' or '.join(PICTURES)}")


def draw(path: Path, number: int, named: Named, found: Run[Any]) -> None:
    """Write the picture of a value; from the second one on the file has a number in its name."""
    from cpmines.report.drawing.picture import write_picture

    if found.value is None or not found.trusted:
        return
    picture = registry.problem(found.problem).picture(named.instance, found.value)
    if picture is None:
        say(f"cpmines: {named.label}: there is no board to draw", err=True)
        return
    target = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
    write_picture(target, picture, f"{found.problem} {named.label}")


def asked_for(problem: str, backend: str | None, style: str, ask: str | None, given: dict[str, Any]) -> Asked:
    """The question that is asked; for the origin's judge by default its own, if the backend answers that."""
    backends = [backend] if backend else []
    asked = chosen(problem, backends, ask, **given)
    if style != "judge" or ask or asked != chosen(problem, backends):
        return asked
    printed = registry.problem(problem).printed
    answered = registry.problem(problem).questions if backend is None else registry.answered(problem, backend)
    return registry.problem(problem).ask(printed) if printed in {one.name for one in answered} else asked


@click.command(name="solve", cls=ProblemCommand)
@click.argument("problem")
@click.argument("inputs", nargs=-1, metavar="[FILE|FOLDER|-]...")
@ask_option()
@click.option("--backend", help=f"{BACKEND}.  [default: the first exact one that answers the question]")
@limit_options()
@workers_option("all, for several instances")
@style_option("text", "json", "judge", help="For people, for programs, or what the origin's judge expects.")
@click.option("--picture", type=OutputFile(Path("-")), help="Draw the board into this file, .svg or .png.")
@click.option(
    "--certificate",
    type=OutputFolder(),
    metavar="DIR",
    help="Write what proves each answer into a folder inside DIR, for `cpmines check`.",
)
def command(
    problem: str,
    inputs: tuple[str, ...],
    ask: str | None,
    backend: str | None,
    time_limit: float | None,
    memory_limit: int,
    seed: int,
    workers: int | None,
    style: str,
    picture: Path | None,
    certificate: Path | None,
    **given: Any,
) -> int:
    """Solve the instances of PROBLEM in files, folders or standard input, one answer each, in order.

    \b
    Example:
      printf '2 3\\n.1.\\n.2.\\n' | cpmines solve consistency
      cpmines solve maxmines boards.txt --backend sat:glucose4/totalizer --time-limit 60
      cpmines solve reconstruction table.txt --ask count
      cpmines solve deduction boards --certificate proofs && cpmines check proofs
    """
    asked = asked_for(problem, backend, style, ask, given)
    backend = backend or registry.default_backend(problem, asked.question)
    if registry.backend(problem, backend).trust is Trust.UNRELIABLE:
        say(f"cpmines: {backend} is labelled unreliable: its answers may be wrong", err=True)
    make_ready(problem, backend, asked)
    if picture is not None:
        require_picture(picture)
    limits = Limits(time_limit, memory_limit << 20, seed)
    solver = Solving(problem, backend, asked, limits)
    certifier = None if certificate is None else certifying(certificate, limits, problem, asked)
    conflict = bad_input = False
    unanswered = certifier is not None and bool(certifier.refused)
    number = 0
    for named, found in solver.all(every_instance(problem, inputs, asked), workers):
        if isinstance(named, InputError):
            report_error(named)
            bad_input = True
            continue
        assert found is not None
        proof, wrong = (None, False) if certifier is None else certifier.write(named, found)
        show(named, found, style, proof)
        number += 1
        if picture is not None:
            draw(picture, number, named, found)
        conflict |= wrong or bool(found.faults)
        unanswered |= not found.decided
    return exit_code(conflict=conflict, bad_input=bad_input, unanswered=unanswered)
