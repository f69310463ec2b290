"""``python -m benchmarks faults``: each command under each fault, and whether it keeps its word."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Group

from benchmarks.faults.planted import FAULTS, Fault, disk
from benchmarks.interrupts.cases import Case, case, cpmines, prepare
from benchmarks.interrupts.tries import MARK, WORST, end_marked, leftovers, marked
from cpmines.report.tables import console, table, titled
from cpmines.report.text import seconds_text

__all__ = ["command"]

LONGEST = 60.0
ACTING = 1.0, 0.15
"""Seconds until something is done to a command that runs, and between two times."""
ALLOWED = (0, 2, 3)

CASES = (
    case("list mosaic"),
    case("solve consistency ../boards"),
    case("solve deduction ../board.txt --backend sat --time-limit 10"),
    case("solve deduction ../board.txt --backend cpsat --time-limit 10"),
    case("solve deduction ../many --backend sat --workers 2 --time-limit 10"),
    case("solve maxmines ../size.txt --backend", "program:cat", name="solve, by program:"),
    case("solve deduction ../board.txt --certificate proofs"),
    case("solve maxmines ../size.txt --picture board.png", outputs=["board.png"]),
    case("compare --problem deduction ../boards --time-limit 5"),
    case("fuzz consistency --rounds 40 --backend direct --backend sat --workers 2"),
    case("table maxmines --max-side 7 --checkpoint records.jsonl"),
    case("analyse ../large.txt --format html -o game.html", outputs=["game.html"]),
    case("explain ../board.txt"),
    case("export deduction ../large.txt --format opb -o large.opb", outputs=["large.opb"]),
    case("check ../proofs"),
    case("campaign run ../spec.toml --store mine.db --workers 2", outputs=["mine.db"]),
    case("campaign report ../made.db -o report.html", outputs=["report.html"]),
)

VARYING = re.compile(r"\(.*?\)|[\d.,]+ (s|ms|µs|us|seconds)|[\d.]+x|\s+")
"""Times, in an answer."""


@dataclass(frozen=True)
class Outcome:
    """What a command came to under a fault.

    Attributes
    ----------
    troubles
        What is wrong with that; empty if nothing is.
    """

    case: Case
    fault: Fault
    code: int
    seconds: float
    said: str
    troubles: tuple[str, ...]


def act(fault: Fault, folder: Path, mark: str, process: subprocess.Popen[bytes]) -> None:
    """Wait for the end, and do what the fault is meanwhile."""
    end, pause = time.monotonic() + LONGEST, ACTING[0] if fault.act else LONGEST
    while time.monotonic() < end:
        with suppress(subprocess.TimeoutExpired):
            process.wait(pause)
            return
        pause = ACTING[1]
        if fault.act == "kill":
            for pid, _ in [one for one in marked(mark) if one[0] != process.pid][:1]:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        if fault.act == "read-only":
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], capture_output=True)
    process.kill()


def outcome(one: Case, fault: Fault, folder: Path, sizes: dict[str, int], right: bytes) -> Outcome:
    """Run a command under a fault in an empty folder of its own, and look at what it left."""
    mark, begun = f"{os.getpid()} {time.monotonic()}", time.monotonic()
    words = [*cpmines(), *one.words]
    with disk(folder, fault.room), tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        environment = {**fault.environment(folder), MARK: mark}
        settings = {"cwd": folder, "stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
        process = subprocess.Popen(words, env=environment, preexec_fn=fault.begin(), **settings)  # type: ignore[call-overload]
        act(fault, folder, mark, process)
        code, seconds = process.wait(), time.monotonic() - begun
        children, _ = end_marked(mark)
        out.seek(0)
        err.seek(0)
        answer, said = out.read(), err.read().decode(errors="replace")
        troubles = [f"left running: {name}" for name in children]
        troubles += [f"left: {name}" for name in leftovers(one, folder, sizes)]
    if code not in ALLOWED:
        troubles.append(f"exit code {code}")
    if any(word in said for word in WORST):
        troubles.append("a traceback")
    if code and not said.strip() and not answer.strip():
        troubles.append("no word of what happened")
    if code == 0 and right and plain(answer) != plain(right) and one.words[0] in ("solve", "check", "list"):
        troubles.append("another answer")
    return Outcome(one, fault, code, seconds, said or answer.decode(errors="replace"), tuple(troubles))


def plain(answer: bytes) -> str:
    """An answer without its times."""
    return VARYING.sub(" ", answer.decode(errors="replace"))


def reference(one: Case, folder: Path) -> tuple[dict[str, int], bytes]:
    """What the command leaves, names and sizes, and says if nothing fails."""
    done = subprocess.run([*cpmines(), *one.words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    return {path.name: path.stat().st_size for path in folder.iterdir()}, done.stdout


def outcome_table(done: Sequence[Outcome]) -> Group:
    """A line for each fault: exit codes, and what is wrong."""
    codes = sorted({one.code for one in done})
    names = [f"exit {code}" for code in codes]
    made = table("fault", *names, "troubles", "slowest", numbers=(*names, "troubles", "slowest"))
    for fault in dict.fromkeys(one.fault for one in done):
        some = [one for one in done if one.fault == fault]
        counts = [str(sum(one.code == code for one in some)) for code in codes]
        troubles = str(sum(bool(one.troubles) for one in some))
        made.add_row(fault.name, *counts, troubles, seconds_text(max(one.seconds for one in some)))
    return titled(f"faults: {len({one.case for one in done})} commands under each", made)


def outcome_text(one: Outcome) -> str:
    head = f"{one.fault.name}: {shlex.join(one.case.words)}: exit {one.code} in {one.seconds:.1f} s"
    last = [f"    {line:.200}" for line in one.said.strip().splitlines()[-3:]]
    return "\n".join([head, *(f"  TROUBLE {trouble:.200}" for trouble in one.troubles), *last])


@click.command(name="faults")
@click.option("--fault", "named", default="", help="Faults with this in their names.")
@click.option("--only", default="", help="Commands with this in their names.")
@click.option("--verbose", is_flag=True, help="Also what was said where nothing is wrong.")
def command(named: str, only: str, verbose: bool) -> None:
    """Run commands on a machine that fails, and see that nothing is lost and nothing wrong.

    Each ends with 0 and the right answer, or with 2 or 3 and a word on what happened; without a traceback,
    without processes or damaged files that are left. Linux; disks of its own are for root only. Exit code 1
    if something is wrong.

    \b
    Example:
      python -m benchmarks faults --fault memory --only campaign
    """
    done: list[Outcome] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        prepare(folder)
        for one in (one for one in CASES if only in one.name):
            place = Path(tempfile.mkdtemp(dir=folder))
            sizes, right = reference(one, place)
            for fault in (fault for fault in FAULTS if named in fault.name):
                place = Path(tempfile.mkdtemp(dir=folder))
                try:
                    done.append(outcome(one, fault, place, sizes, right))
                except PermissionError as error:
                    click.echo(f"{fault.name}: not tried: {error}", err=True)
                    continue
                if done[-1].troubles or verbose:
                    click.echo(outcome_text(done[-1]), err=True)
    console().print(outcome_table(done))
    troubled = [one for one in done if one.troubles]
    click.echo(f"\n{len(done)} runs, {len(troubled)} with something wrong")
    click.echo("\n".join(map(outcome_text, troubled[:20])))
    sys.exit(1 if troubled else 0)
