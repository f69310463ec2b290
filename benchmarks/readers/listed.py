"""The readers that there are, each with valid samples; a test holds that no module that reads is missing."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np

from benchmarks.readers.certificates import certificate_readers
from benchmarks.readers.records import record_readers
from benchmarks.readers.texts import text_readers
from benchmarks.readers.trial import Read, Reader, Sample
from cpmines import files, registry
from cpmines.problem import Problem

__all__ = ["readers"]

SMALL = 400
"""Bytes of shipped instances that are samples."""
SHIPPED = 3


def readers(folder: Path) -> list[Reader]:
    """All readers; those that read files do so in `folder`, which is filled and emptied."""
    problems = registry.problem_names()
    return [
        *(instances(name) for name in problems),
        *(arrays(name) for name in ("reconstruction", "mosaic")),
        gzipped(folder),
        *text_readers(),
        *record_readers(folder),
        *certificate_readers(folder),
    ]


def reading(problem: Problem[object, object]) -> Read:
    """All the ways into a problem, from the command line and from Python."""
    asked = [
        question.plain for question in problem.questions if not any(one.required for one in question.options)
    ]
    ways = [one for one in asked if one.question.relaxed] + asked[:1]

    def read(data: bytes) -> object:
        for one in ways:
            problem.read(data, "sample", one)
        return problem.parse(data.decode("utf-8", "surrogateescape"))

    return read


def instances(name: str) -> Reader:
    problem = registry.problem(name)
    there = [path for path in files.instance_files(files.shipped() / name) if path.suffix == ".txt"]
    small = [path for path in there if path.stat().st_size < SMALL]
    texts = [
        *map(str.encode, problem.warm_up),
        *(path.read_bytes() for path in small[:: len(small) // SHIPPED or 1]),
    ]
    modules = ("text", "board", "files", f"problems.{name}.problem")
    return Reader(f"instance: {name}", modules, tuple(Sample(text, reading(problem)) for text in texts))


def array(entries: object, dtype: str, order: str = "C", version: tuple[int, int] | None = None) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, np.array(entries, dtype, order=order), version)  # type: ignore[call-overload]
    return file.getvalue()


def arrays(name: str) -> Reader:
    table = [[1, 2, 1], [1, 2, 1]]
    samples = [
        array(table, "i1"),
        array(table, "<i8", "F"),
        array(table, ">u2", version=(2, 0)),
        array(table, "u1", version=(3, 0)),
    ]
    read = registry.problem(name).parse
    return Reader(f".npy: {name}", ("npy", "files"), tuple(Sample(data, read) for data in samples))


def gzipped(folder: Path) -> Reader:
    path = folder / "sample.txt.gz"
    parse = registry.problem("validation").parse

    def read(data: bytes) -> object:
        path.write_bytes(data)
        return parse(files.read(path), "sample")

    texts = ("3 3\n111\n1*1\n111\n", "9 9\n" + 9 * "000000000\n")
    packed = [gzip.compress(text.encode(), level) for text in texts for level in (0, 9)]
    inside = [Sample(text.encode(), lambda data: read(gzip.compress(data))) for text in texts]
    return Reader("gzip", ("files",), (*(Sample(data, read) for data in packed), *inside))
