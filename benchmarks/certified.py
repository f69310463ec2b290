"""Certificates to try: boards whose answers have one of each kind, and files that claim what one likes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cpmines import registry
from cpmines.check.folder import ANSWER, FORMAT, INSTANCE, digest

__all__ = ["CERTIFIED", "claiming"]

CERTIFIED = {
    "ring": ("consistency", "3 4\n.3.2\n2**.\n.3.2\n"),
    "total": ("consistency", "1 11 3\n.1..1..1..1\n"),
    "witness": ("consistency", "2 3\n.1.\n.1.\n"),
    "settled": ("deduction", "2 5\n.....\n.121.\n"),
    "open": ("deduction", "3 5\n.1...\n.2.2.\n..1..\n"),
    "total-settles": ("deduction", "1 5 1\n.1...\n"),
    "counted": ("counting", "3 4 3\n.1..\n..1.\n....\n"),
    "small": ("maxmines", "4 4 3\n"),
    "tables": ("maxmines", "5 5 4\n"),
    "theorem": ("maxmines", "6 6 8\n"),
    "mosaic": ("mosaic", "3 3\n1..\n.4.\n..2\n"),
    "reason": ("reconstruction", "2 2\n11\n12\n"),
    "board": ("reconstruction", "3 3\n121\n121\n121\n"),
    "wrong-clue": ("validation", "2 3\n1*1\n12.\n"),
}
"""Problems and instances, by a name."""


def claiming(
    problem: str, evidence: str, text: str, files: Mapping[str, str | bytes], value: Any = None, **asked: Any
) -> dict[str, bytes]:
    """The files of a certificate with these ones; without a value it claims that none is there."""
    written = {INSTANCE: text, **files}
    data = {name: part.encode() if isinstance(part, str) else part for name, part in written.items()}
    answer = {
        "format": FORMAT,
        "problem": problem,
        "question": registry.problem(problem).questions[0].name,
        "status": "infeasible" if value is None else "solved",
        **({} if value is None else {"value": value}),
        "evidence": evidence,
        "sha256": {name: digest(part) for name, part in data.items()},
        **asked,
    }
    return {**data, ANSWER: json.dumps(answer).encode()}
