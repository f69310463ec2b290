"""Files end to end: all that stand in the folder of a problem, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.paired import Work
from cpmines import registry
from cpmines.answer import Limits
from cpmines.files import instance_files, read
from cpmines.run import run

__all__ = ["works"]

LIMITS = Limits(seconds=20)
"""A file that takes longer takes as long in both."""


def solved(problem: str, files: list[Path]) -> Callable[[], Any]:
    question = registry.problem(problem)
    found = [instance for file in files for instance in question.parse(read(file), str(file))]
    return lambda: [fields(run(problem, instance, "direct", LIMITS).to_json()) for instance in found]


def fields(record: dict[str, Any]) -> list[Any]:
    return [record.get(name) for name in ("status", "stop", "value", "error")]


def works(folders: Sequence[Path]) -> Iterator[Work]:
    for folder in folders:
        for problem in registry.problem_names():
            files = list(instance_files(folder / problem)) if (folder / problem).is_dir() else []
            if files:
                size = f"{len(files)} files of {folder.name}"
                yield Work(f"{problem}: instances", size, partial(solved, problem, files))
