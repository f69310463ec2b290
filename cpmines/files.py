"""Instances on disk: reading, gzip, walking folders, the shipped collection, expected answers."""

from __future__ import annotations

import gzip
import json
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from cpmines.errors import InputError, UsageError

__all__ = ["expected_answer", "instance_files", "problem_of", "read", "shipped"]

EXPECTED = "expected.jsonl"


def shipped() -> Path:
    """Folder of the instances that come with the package."""
    here = Path(__file__).parent
    installed = here / "instances"
    return installed if installed.is_dir() else here.parent / "instances"


def read(path: Path) -> bytes:
    """The bytes of a file; gzip-compressed ones are decompressed.

    Raises
    ------
    InputError
        It is missing, a folder, not readable, or its compression is damaged.
    """
    source = str(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", "an instance file", source) from None
    except IsADirectoryError:
        raise InputError("a folder", "an instance file", source) from None
    except OSError as error:
        raise InputError(f"{error.strerror}", "a file that can be read", source) from None
    return decompress(data, source)


def decompress(data: bytes, source: str) -> bytes:
    """`data` itself, or what it holds if it is gzip."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        raise InputError("damaged gzip data", "a whole gzip file or plain text", source) from None


def instance_files(path: Path) -> list[Path]:
    """The file itself, or all instance files below a folder in the order of their names."""
    if not path.is_dir():
        return [path]
    found = [file for pattern in ("*.txt", "*.txt.gz") for file in path.rglob(pattern)]
    if not found:
        raise InputError("no instance", "files named *.txt or *.txt.gz", str(path))
    return sorted(found)


def problem_of(path: Path, names: list[str]) -> str:
    """The problem of an instance: the nearest folder above it that is named like one.

    Raises
    ------
    UsageError
        There is no such folder.
    """
    for part in reversed(path.resolve().parts):
        if part in names:
            return part
    raise UsageError(
        f"{path}: no folder above it is named like a problem ({', '.join(names)}); use --problem"
    )


@lru_cache
def expected_answers(file: Path, modified: int) -> dict[str, dict[str, Any]]:
    """The lines of an ``expected.jsonl`` by instance; `modified` tells versions of the file apart."""
    found = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        try:
            record = json.loads(line)
            found[record["instance"]] = record
        except (ValueError, TypeError, KeyError):
            expected = 'a JSON object with "instance"'
            raise InputError("another line", expected, str(file), number) from None
    return found


def expected_answer(path: Path, k: int | None = None) -> dict[str, Any] | None:
    """What ``expected.jsonl`` beside `path` says of it, None if it says nothing.

    Parameters
    ----------
    k
        Number of the instance in its file, from 1, if the file holds several.
    """
    file = path.parent / EXPECTED
    if not file.is_file():
        return None
    name = path.name if k is None else f"{path.name}#{k}"
    return expected_answers(file, file.stat().st_mtime_ns).get(name)
