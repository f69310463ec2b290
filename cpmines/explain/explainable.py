"""The board that is explained, and what its problem offers for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines import registry
from cpmines.clues import ClueBoard, Clues
from cpmines.demands.rules import Rules
from cpmines.demands.statement import Statement
from cpmines.errors import UsageError
from cpmines.positions.clues import CLUES

__all__ = ["Explainable", "explained"]


@dataclass(frozen=True, eq=False)
class Explainable:
    """An instance in two readings: its clues, and the rules that explanations are checked by."""

    instance: Any
    clues: Clues[Any]
    rules: Rules[Any]
    board: ClueBoard
    statement: Statement

    @classmethod
    def of(cls, instance: Any, problem: str | None = None) -> Explainable:
        """The instance with what its problem offers; without a name that of the first problem that has such.

        Raises
        ------
        UsageError
            The problem offers no clues, or no rules to check them by.
        """
        if isinstance(instance, Explainable):
            return instance
        name = problem or _problem_of(instance)
        clues: Clues[Any] | None = registry.room(name, "clues", "CLUES")
        rules: Rules[Any] | None = registry.room(name, "rules", "RULES")
        if clues is None:
            there = ", ".join(explained())
            raise UsageError(f"boards of {name} are not explained, it has no clues.py; there are: {there}")
        if rules is None or rules.statement is None or rules.faults is None:
            raise UsageError(f"boards of {name} are not explained: there is no rules.py to check it by")
        return cls(instance, clues, rules, clues.board(instance), rules.statement(instance))

    @property
    def shape(self) -> tuple[int, int]:
        return self.board.shape

    def faults(self, mines: NDArray[np.bool_]) -> list[str]:
        """What the judge finds wrong with a placement."""
        assert self.rules.faults is not None
        return self.rules.faults(self.instance, mines)


def explained() -> list[str]:
    """Names of the problems whose boards are explained: first those of positions, the boards of the game.

    Those of other distributions come last: what is taken without a name does not change with what is added.
    """
    clues = {name: registry.room(name, "clues", "CLUES") for name in registry.sound_problems()}
    found = [name for name, known in clues.items() if known is not None]
    return sorted(
        found, key=lambda name: (not registry.folder(name).startswith("cpmines."), clues[name] is not CLUES)
    )


def _problem_of(instance: Any) -> str:
    for name in explained():
        if isinstance(instance, registry.room(name, "clues", "CLUES").kind):
            return name
    raise UsageError(f"{type(instance).__name__} is no board that is explained")
