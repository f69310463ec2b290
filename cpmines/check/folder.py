"""The files of a certificate: a folder with ``answer.json``, ``instance.txt`` and what the claim needs."""

from __future__ import annotations

import hashlib
import json
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cpmines.check.verdict import Rejected
from cpmines.errors import InputError

__all__ = ["ANSWER", "FORMAT", "INSTANCE", "Files", "certificates", "digest"]

ANSWER, INSTANCE = "answer.json", "instance.txt"
FORMAT = "cpmines certificate 2"
FORMATS = "cpmines certificate "
LARGEST = 1 << 30
"""Bytes of a file beyond which it is refused."""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Files:
    """A certificate's folder, and what its ``answer.json`` says."""

    path: Path
    answer: dict[str, Any]

    @classmethod
    def open(cls, path: Path) -> Files:
        """Raises `InputError` if the folder is no certificate."""
        try:
            answer = parse_json(_read(path / ANSWER))
        except OSError as error:
            raise InputError(f"{ANSWER}: {error.strerror}", "a certificate", str(path)) from None
        except (ValueError, RecursionError) as error:
            what = f"{ANSWER} that is not JSON ({error})"
            raise InputError(what, "a certificate", str(path)) from None
        said = answer.get("format") if isinstance(answer, dict) else None
        if isinstance(said, str) and said.startswith(FORMATS) and said != FORMAT:
            expected = f"the format {FORMAT!r}: write it anew with `cpmines solve --certificate`"
            raise InputError(f"a certificate of the format {said[:40]!r}", expected, str(path))
        if said != FORMAT:
            raise InputError(f"{ANSWER} of another format", f"the format {FORMAT!r}", str(path))
        return cls(path, answer)

    def bytes(self, name: str) -> bytes:
        """A file that ``answer.json`` names, with the digest that it names. Raises `Rejected`."""
        expected = self.answer.get("sha256")
        if not isinstance(expected, dict) or name not in expected:
            raise Rejected(f"{ANSWER} does not name {name}, which the claim needs")
        try:
            data = _read(self.path / name)
        except (OSError, ValueError) as error:
            raise Rejected(f"{name}: {error.strerror if isinstance(error, OSError) else error}") from None
        if digest(data) != expected[name]:
            raise Rejected(f"{name} was changed after it was written: its SHA-256 is another")
        return data

    def text(self, name: str) -> str:
        """`bytes` as UTF-8. Raises `Rejected`."""
        try:
            return self.bytes(name).decode("ascii")
        except UnicodeDecodeError:
            raise Rejected(f"{name} has bytes that are no ASCII text") from None

    def json(self, name: str) -> Any:
        """`bytes` as JSON. Raises `Rejected`."""
        try:
            return parse_json(self.text(name))
        except (ValueError, RecursionError) as error:
            raise Rejected(f"{name} is not JSON ({error})") from None


def _read(file: Path) -> bytes:
    """Raises OSError, or ValueError for what is no regular file, or too large."""
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("no regular file")
    if status.st_size > LARGEST:
        raise ValueError(f"more than {LARGEST} bytes")
    return file.read_bytes()


def parse_json(data: bytes | str) -> Any:
    """JSON in which no object has a name twice: readers differ in which of the two they take.

    Raises
    ------
    ValueError, RecursionError
    """
    return json.loads(data, object_pairs_hook=_fields)


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name is there twice")
    return fields


def certificates(path: Path) -> list[Path]:
    """The folder itself if it is a certificate, else all below it, in the order of their names.

    Raises
    ------
    InputError
        There are none.
    """
    try:
        if (path / ANSWER).is_file():
            return [path]
        found = sorted(file.parent for file in path.rglob(ANSWER)) if path.is_dir() else []
        what = "a folder without certificates" if path.is_dir() else "no such folder"
    except OSError as error:
        found, what = [], str(error.strerror)
    if not found:
        raise InputError(what, f"a certificate, that is a folder with {ANSWER}", str(path))
    return found
