"""What a certificate of consistency shows: a placement, or that there is none."""

from __future__ import annotations

from cpmines.board import Position
from cpmines.demands.claims import Facts
from cpmines.demands.rules import Rules
from cpmines.positions.problem import placement_faults
from cpmines.positions.rules import statement
from cpmines.problems.consistency.problem import Placement
from cpmines.question import Asked

__all__ = ["RULES"]


def there_is_one(instance: Position, asked: Asked, value: Placement) -> Facts:
    return Facts(shown=value.mines)


RULES = Rules[Position]({"placement": there_is_one, "exists": there_is_one}, statement, placement_faults)
