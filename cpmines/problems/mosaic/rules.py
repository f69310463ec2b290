"""What a certificate of a mosaic shows: a board, whether it is alone, how many there are, what they share."""

from __future__ import annotations

from cpmines.demands.claims import Claim
from cpmines.demands.rules import Rules
from cpmines.question import Asked
from cpmines.sums import rules
from cpmines.sums.boards import Boards
from cpmines.sums.table import Table

__all__ = ["RULES"]


def said(instance: Table, asked: Asked, value: Boards) -> Claim:
    return rules.claim(value)


CERTIFIED = ("unique", "board", "count", "forced", "facts")
RULES = Rules[Table](dict.fromkeys(CERTIFIED, said), rules.statement, rules.faults, rules.UNSTATED)
