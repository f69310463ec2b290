"""The command lines that are interrupted: every command and engine, and what starts processes of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cpmines import registry
from cpmines.errors import UsageError

__all__ = ["Case", "case", "cases", "cpmines", "prepare"]

LEAVES_CHILDREN = "program:sh -c 'sleep 600 & (setsid sleep 600 &) ; cat >&2; exec sleep 600'"
"""A program that has started others, one of them in a session of its own."""

SPEC = """
repeats = 2
[limits]
cpu_time = 5
memory = 1024
[[group]]
instances = ["boards"]
problem = "deduction"
backends = ["direct", "sat", "cpsat"]
"""


@dataclass(frozen=True)
class Case:
    """A command line; it finds the files that `prepare` makes in the folder above the current one.

    Attributes
    ----------
    outputs
        Names of files that it writes: afterwards each is whole, or is not there.
    """

    name: str
    words: tuple[str, ...]
    outputs: tuple[str, ...] = ()


def cpmines() -> list[str]:
    """The beginning of a command line, as the console script has it."""
    return [sys.executable, "-c", "import sys; from cpmines.__main__ import main; sys.exit(main())"]


def case(line: str, *more: str, name: str = "", outputs: Sequence[str] = ()) -> Case:
    return Case(name or line, (*line.split(), *more), tuple(outputs))


def made(folder: Path, line: str, *, to: str = "") -> None:
    """Have cpmines itself make something. Raises `subprocess.CalledProcessError`."""
    done = subprocess.run([*cpmines(), *line.split()], cwd=folder, check=True, capture_output=True)
    if to:
        (folder / to).write_bytes(done.stdout)


def prepare(folder: Path) -> None:
    """Boards, tables, a formula with its solution, certificates and a store."""
    for size, name in ((12, "board.txt"), (60, "large.txt")):
        made(folder, f"generate deduction rows={size} cols={size} --seed 1", to=name)
    made(folder, "generate deduction rows=9 cols=9 --count 4 -o boards")
    made(folder, "generate deduction rows=40 cols=40 --count 30 -o many")
    made(folder, "generate mosaic rows=20 cols=20 share=0.3 --seed 2", to="mosaic.txt")
    made(folder, "generate reconstruction rows=30 cols=30 --seed 1", to="sums.txt")
    made(folder, "generate validation rows=300 cols=300 --seed 1", to="finished.txt")
    (folder / "size.txt").write_text("9 9 3\n")
    made(folder, "export consistency board.txt --format cnf -o board.cnf")
    (folder / "answer.txt").write_text("s UNSATISFIABLE\n")
    made(folder, "solve deduction board.txt --certificate proofs")
    (folder / "spec.toml").write_text(SPEC)
    made(folder, "campaign run spec.toml --store made.db --workers 2")


def engines(problem: str) -> list[str]:
    """Those that are installed and answer what is asked of `problem`."""
    there = []
    for name in registry.engine_names():
        try:
            registry.backend(problem, name)
        except UsageError:
            continue
        there.append(name)
    return there


def cases() -> list[Case]:
    """All of them."""
    return [
        *(case(line) for line in ("--help", "list", "list mosaic", "backends", "solve --help")),
        case("generate counting rows=60 cols=60 --count 200 -o made"),
        *(case(f"solve deduction ../large.txt --backend {name}") for name in engines("deduction")),
        *(case(f"solve maxmines ../size.txt --backend {name}") for name in ("direct", "sat", "cpsat")),
        case("solve consistency ../large.txt"),
        case("solve counting ../large.txt"),
        case("solve mosaic ../mosaic.txt --ask count"),
        case("solve reconstruction ../sums.txt --ask fewest"),
        case("solve validation ../finished.txt"),
        case("solve deduction ../many --backend sat --workers 2"),
        case("solve maxmines ../size.txt --backend", LEAVES_CHILDREN, name="solve, by program:"),
        case("solve deduction ../board.txt --certificate proofs"),
        case("solve maxmines ../size.txt --picture board.png", outputs=["board.png"]),
        case("compare --problem deduction ../boards"),
        case("compare --brief"),
        case("fuzz consistency --seconds 20 --backend direct --backend sat"),
        case("fuzz mosaic --seconds 20 --backend direct --backend cpsat --workers 2"),
        case("table maxmines --max-side 8 --checkpoint records.jsonl"),
        case("table maxmines --max-side 8 --workers 2"),
        case("analyse ../board.txt --format html -o game.html", outputs=["game.html"]),
        case("analyse ../large.txt"),
        case("explain ../board.txt"),
        case("explain ../mosaic.txt --problem mosaic --format html -o told.html", outputs=["told.html"]),
        case("export deduction ../large.txt --format opb -o large.opb", outputs=["large.opb"]),
        case("import-solution ../board.cnf ../answer.txt"),
        case("check ../proofs"),
        case("backends test sat --problem validation"),
        case("problems test validation"),
        case("campaign run ../spec.toml --store mine.db --workers 1", outputs=["mine.db"]),
        case("campaign run ../spec.toml --store mine.db --workers 2", outputs=["mine.db"]),
        case("campaign status ../made.db"),
        case("campaign report ../made.db -o report.html", outputs=["report.html"]),
        case("campaign export ../made.db -o made.csv", outputs=["made.csv"]),
    ]
