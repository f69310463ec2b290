"""What must hold between the answers to two positions."""

from __future__ import annotations

from typing import Any

from cpmines.board import UNKNOWN
from cpmines.numerals import decimal
from cpmines.positions.relations import Layout, position_relations
from cpmines.relation import Fields, looked_up

__all__ = ["RELATIONS"]


def follow(fields: Fields, layout: Layout) -> Fields:
    """Counts multiply; a cell is as likely a mine as before, one that was added in half of the placements."""
    found: dict[str, Any] = {}
    if "probability" in fields:
        own = [[0.5 if cell == UNKNOWN else None for cell in row] for row in layout.second.cells.tolist()]
        found["probability"] = looked_up(fields["probability"], layout.origin, own)
    if "by_mines" in fields:
        ways = layout.by_mines({int(mines): int(count) for mines, count in fields["by_mines"].items()})
        found["count"] = decimal(sum(ways.values()))
        found["by_mines"] = {str(mines): decimal(count) for mines, count in sorted(ways.items())}
    return found


RELATIONS = position_relations(follow)
