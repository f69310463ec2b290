"""One run that is to be made: what it is, and the key under which its record is found again."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cpmines import registry
from cpmines.campaign.record import Conditions
from cpmines.question import Asked

__all__ = ["Instance", "Task", "asked_of", "digest", "writable"]


def digest(content: Any) -> str:
    """SHA-256 of something that JSON can hold, in hexadecimal; the order of keys plays no part."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def writable(content: Any) -> Any:
    """The content as UTF-8 and JSON can hold it: backends say, and files are called, what they like."""
    if isinstance(content, str):
        return content.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(content, float) and not math.isfinite(content):
        return str(content)
    if isinstance(content, Mapping):
        return {writable(str(name)): writable(value) for name, value in content.items()}
    return [writable(part) for part in content] if isinstance(content, (list, tuple)) else content


@dataclass(frozen=True)
class Instance:
    """An instance as a campaign keeps it.

    Attributes
    ----------
    name
        Its file, or its generator with parameters and seed.
    family
        Where it comes from: the folder or the generator.
    size
        See `Problem.size`.
    text
        In the format of the problem.
    expected
        What ``expected.jsonl`` says of it, None if nothing.
    """

    problem: str
    name: str
    family: str
    size: int
    text: str
    expected: dict[str, Any] | None = None

    @property
    def key(self) -> str:
        """Hash of problem and text: the same instance under another name has the same key."""
        return digest([self.problem, self.text])


@dataclass(frozen=True)
class Task(Conditions):
    """One run to be made."""

    @property
    def key(self) -> str:
        """Hash of all that a run depends on; the names under which an instance is met are not among it."""
        content = asdict(self)
        for name in ("instance", "family", "size", "options"):
            del content[name]
        return digest(content)


def asked_of(row: Any) -> Asked:
    """The question of a task or record, or of a row of a frame. Raises `UsageError` if it is none here."""
    return registry.problem(row.problem).ask(row.question.partition(" ")[0], **json.loads(row.options))
