"""Finds as files: an instance that can be run again, its right answer, and the command."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import BinaryIO

from cpmines import files, registry
from cpmines.fuzz.checks import Agreement, Metamorphic
from cpmines.fuzz.finds import Find
from cpmines.fuzz.session import FuzzPlan
from cpmines.outputs import appended, write
from cpmines.question import Asked

__all__ = ["again_command", "round_command", "save"]


def save(find: Find, folder: Path, plan: FuzzPlan) -> Path:
    """Write the minimal instance, and a line of ``expected.jsonl`` if the right answer is known.

    If the claims are on it and a related instance, that is written beside it. The name of the file comes from
    the find, so that the same one is there only once.

    Raises
    ------
    UsageError
        The folder can't be written.
    """
    path = folder / f"{find.name}.txt"
    write(path, find.text)
    if isinstance(find.check, Metamorphic) and find.related:
        write(folder / f"{find.name}-{find.check.relation}.txt", find.related)
    if find.expected is not None and files.expected_answer(path) is None:
        record = {
            "instance": path.name,
            **{name: value for asked in find.question for name, value in asked.to_json().items()},
            **find.expected,
            "known_by": "brute force",
            "source": round_command(plan, find.round),
            "note": str(find.conflict),
        }
        with appended(folder / files.EXPECTED) as file:
            file.write(b"\n" * _cut_off(file) + json.dumps(record).encode() + b"\n")
    return path


def _cut_off(file: BinaryIO) -> bool:
    """Does a file that is open for reading end within a line?"""
    if not file.readable() or file.seek(0, os.SEEK_END) == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read() != b"\n"


def round_command(plan: FuzzPlan, number: int) -> str:
    """The command that does one round again."""
    words = ["cpmines", "fuzz", plan.problem, "--size", plan.size, "--seed", str(plan.seed)]
    words += [word for name in plan.backends for word in ("--backend", name)]
    words += asking(plan.problem, plan.asked)
    return shlex.join([*words, "--start", str(number), "--rounds", "1"])


def again_command(find: Find, path: Path) -> str:
    """The command that shows the conflict on the saved instance."""
    backends = [word for name in find.check.backends for word in ("--backend", name)]
    if isinstance(find.check, Agreement) and len(find.check.backends) > 1:
        words = ["cpmines", "compare", str(path), "--problem", find.check.problem]
    else:
        words = ["cpmines", "fuzz", find.check.problem, str(path)]
    return shlex.join([*words, *backends, *asking(find.check.problem, find.check.asked)])


def asking(problem: str, asked: Asked) -> list[str]:
    """The words for a question that is not the problem's first one."""
    return [] if asked == registry.problem(problem).ask() else asked.words()
