"""Instances on disk: reading, gzip, walking folders, the shipped collection, expected answers."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from cpmines.answer import Status
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural
from cpmines.outputs import spare

if TYPE_CHECKING:
    from gzip import GzipFile

    import numpy as np
    from numpy.typing import NDArray

    from cpmines.text import Document

__all__ = [
    "expected_answer",
    "instance_files",
    "is_file",
    "problem_of",
    "read",
    "read_most",
    "read_sums",
    "sample",
    "shipped",
    "short_name",
    "spread",
]

LARGEST = 1 << 31
"""Bytes of an input, unpacked, beyond which it is refused."""

PART = 1 << 24
"""Bytes that are read at once."""

T = TypeVar("T")

EXPECTED = "expected.jsonl"
PATTERNS = ("*.txt", "*.txt.gz", "*.npy")


def shipped() -> Path:
    """Folder of the instances that come with the package."""
    here = Path(__file__).parent
    installed = here / "instances"
    return installed if installed.is_dir() else here.parent / "instances"


SAMPLE, SAMPLE_BYTES = 3, 2000
"""How many files of a folder, and instances of a file, stand for all of them; most bytes of such a file."""


def spread(items: Sequence[T]) -> Sequence[T]:
    """At most `SAMPLE` of the items, from all over them."""
    return items[:: max(1, -(-len(items) // SAMPLE))]


def sample() -> list[Path]:
    """A few files of each folder of the shipped instances, of all sizes but the large ones."""
    by_folder: dict[Path, list[Path]] = {}
    for path in instance_files(shipped()):
        if path.stat().st_size <= SAMPLE_BYTES and path.suffix != ".gz":
            by_folder.setdefault(path.parent, []).append(path)
    return [
        path
        for inside in by_folder.values()
        for path in spread(sorted(inside, key=lambda path: (path.stat().st_size, path.name)))
    ]


def short_name(path: Path) -> str:
    """A shipped instance is named from its problem's folder on."""
    folder = shipped()
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def read(path: Path) -> bytes:
    """The bytes of a file; gzip-compressed ones are decompressed.

    Raises
    ------
    InputError
        It is missing, a folder, not readable, or its compression is damaged.
    """
    source = str(path)
    try:
        with path.open("rb") as file:
            spare(os.fstat(file.fileno()))
            data = read_most(file)
    except FileNotFoundError:
        raise InputError("no such file", "an instance file", source) from None
    except IsADirectoryError:
        raise InputError("a folder", "an instance file", source) from None
    except OSError as error:
        raise InputError(f"{error.strerror}", "a file that can be read", source) from None
    except MemoryError:
        raise InputError("more bytes than there is memory for", "an instance file", source) from None
    return decompress(data, source)


def is_file(path: Path) -> bool:
    """As `Path.is_file`; false also for a name that is longer than any file's."""
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def read_most(file: IO[bytes] | GzipFile) -> bytes:
    """What there is, at most one byte more than `LARGEST`.

    In parts: the interpreter asks the system for as much memory as is to be read at the most.
    """
    found = io.BytesIO()
    while (left := LARGEST + 1 - found.tell()) and (part := file.read(min(left, PART))):
        found.write(part)
    return found.getvalue()


def decompress(data: bytes, source: str) -> bytes:
    """`data` itself, or what it holds if it is gzip."""
    if data.startswith(b"\x1f\x8b"):
        data = _unzip(data, source)
    if len(data) > LARGEST:
        raise InputError(f"more than {LARGEST} bytes", "an instance", source)
    return data


def _unzip(data: bytes, source: str) -> bytes:
    import gzip
    import zlib

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return read_most(file)
    except MemoryError:
        raise InputError("more bytes than there is memory for", "an instance file", source) from None
    except (OSError, EOFError, zlib.error):
        raise InputError("damaged gzip data", "a whole gzip file or plain text", source) from None


def read_sums(
    data: bytes | str,
    source: str,
    least: int,
    rows_of: Callable[[Document, int, int], NDArray[np.int8]],
    *,
    fitting: bool = True,
) -> NDArray[np.int8]:
    """A table of 3x3 sums as text, ``rows cols`` and the rows, or as an ``.npy`` array; int8 (rows, cols).

    Parameters
    ----------
    least
        The smallest number in an array.
    rows_of
        Reads so many rows of so many entries of a text.
    fitting
        No entry may be above the size of its block.

    Raises
    ------
    InputError
    """
    from cpmines.grid import above_block
    from cpmines.npy import MAGIC
    from cpmines.text import Document

    if isinstance(data, bytes) and data.startswith(MAGIC):
        sums = npy_table(data, source, least)
        misfit = above_block(sums) if fitting else None
        place = misfit and (misfit[0] + 1, misfit[1] + 1)
    else:
        document = Document(data, source)
        rows, cols = document.header("rows and columns", 2)
        first = document.line
        sums = rows_of(document, rows, cols)
        document.end()
        misfit = above_block(sums) if fitting else None
        place = misfit and (first + misfit[0], document.column(first + misfit[0], misfit[1]))
    if misfit and place:
        row, col, most = misfit
        expected = f"at most {most} in row {row + 1}, column {col + 1}, the size of the block there"
        raise InputError(f"the number {sums[row, col]}", expected, source, *place)
    return sums


def npy_table(data: bytes, source: str, least: int) -> NDArray[np.int8]:
    """The array of an ``.npy`` file as a table of numbers from `least` to 9, int8 of shape (rows, cols).

    Raises
    ------
    InputError
        The data is damaged, or another kind of array; its place is that of the first wrong entry.
    """
    import numpy as np

    from cpmines.npy import array_of, read_header

    file = io.BytesIO(data)
    try:
        header = read_header(file)
    except ValueError:
        raise InputError("a damaged numpy array", "an array of whole numbers", source, 1) from None
    if len(header.shape) != 2 or 0 in header.shape or header.dtype.kind not in "iu":
        raise InputError(str(header), "whole numbers in rows and columns", source, 1)
    if (left := len(data) - file.tell()) != header.size:
        raise InputError(f"{header} in {plural(left, 'byte')}", "as many as it says", source, 1)
    array = array_of(memoryview(data)[file.tell() :], header)
    wrong = (array < least) | (array > 9)
    if wrong.any():
        row, col = divmod(int(wrong.argmax()), array.shape[1])
        expected = f"a number from {least} to 9"
        raise InputError(f"the number {array[row, col]}", expected, source, row + 1, col + 1)
    return np.ascontiguousarray(array, np.int8)


def instance_files(path: Path) -> list[Path]:
    """The file itself, or all instance files below a folder in the order of their names.

    A path that does not exist here may be one of the shipped collection: ``maxmines/origin``.

    Raises
    ------
    InputError
        There are none.
    """
    try:
        if not path.exists() and (shipped() / path).exists():
            path = shipped() / path
        if not path.exists():
            raise InputError("no such file", "an instance file or a folder of them", str(path))
        if not path.is_dir():
            return [path]
        found = [file for pattern in PATTERNS for file in path.rglob(pattern)]
    except OSError as error:
        raise InputError(f"{error.strerror}", "an instance file or a folder of them", str(path)) from None
    if not found:
        raise InputError("no instance", f"files named {', '.join(PATTERNS)}", str(path))
    return sorted(found)


def problem_of(path: Path, names: list[str]) -> str:
    """The problem of an instance: the nearest folder above it that is named like one.

    Raises
    ------
    UsageError
        There is no such folder.
    """
    try:
        parts = path.resolve().parts
    except (OSError, RuntimeError) as error:
        raise InputError(f"no such place ({error})", "an instance file", str(path)) from None
    for part in reversed(parts):
        if part in names:
            return part
    raise UsageError(
        f"{path}: no folder above it is named like a problem ({', '.join(names)}); use --problem"
    )


@lru_cache
def expected_answers(file: Path, modified: int) -> dict[str, dict[str, Any]]:
    """The lines of an ``expected.jsonl`` by instance; `modified` tells versions of the file apart."""
    import json

    found = {}
    for number, line in enumerate(read(file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            Status(record["status"])
            dict(record.get("value", {}))
            dict(record.get("options", {}))
            name = record["instance"]
            beside = file.parent / name.partition("#")[0]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            expected = 'a JSON object with "instance", a "status" and perhaps a "value" with fields'
            raise InputError("another line", expected, str(file), number) from None
        if not is_file(beside):
            raise InputError(f"an answer to {name}", "the name of a file beside it", str(file), number)
        found[name] = record
    return found


def expected_answer(path: Path, k: int | None = None) -> dict[str, Any] | None:
    """What ``expected.jsonl`` beside `path` says of it, None if it says nothing.

    Parameters
    ----------
    k
        Number of the instance in its file, from 1, if the file holds several.
    """
    file = path.parent / EXPECTED
    if not is_file(file):
        return None
    name = path.name if k is None else f"{path.name}#{k}"
    return expected_answers(file, file.stat().st_mtime_ns).get(name)
