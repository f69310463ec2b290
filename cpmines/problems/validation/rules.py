"""What a certificate of a validation shows: nothing beyond the list of wrong cells, which the judge makes."""

from __future__ import annotations

from cpmines.board import Board
from cpmines.demands.claims import Judged
from cpmines.demands.rules import Rules
from cpmines.problems.validation.problem import Validity
from cpmines.question import Asked

__all__ = ["RULES"]


def shown(instance: Board, asked: Asked, value: Validity) -> Judged:
    return Judged()


RULES = Rules[Board]({"wrong": shown, "valid": shown})
