"""JSON lines for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cpmines.compare import Comparison
from cpmines.run import SCHEMA

__all__ = ["comparison_lines"]


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """A line for each run, as `solve` prints it, and one for each conflict, with the field ``conflict``."""
    for found in comparison.runs:
        yield json.dumps(found.to_json())
    for conflict in comparison.conflicts:
        claims = [
            {"author": said.author, "status": str(said.status), "value": dict(said.fields)}
            for said in conflict.claims
        ]
        record = {
            "schema": SCHEMA,
            "problem": comparison.problem,
            "instance": comparison.instance,
            **comparison.asked.to_json(),
            "conflict": conflict.reason,
            "claims": claims,
        }
        yield json.dumps(record)
