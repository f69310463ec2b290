"""What must hold between the answers to two sizes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from cpmines.answer import Status
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.relation import Fields, Related, same

__all__ = ["RELATIONS"]

APART = 3
"""The least M with which an empty cell may have a full column of mines beside it."""
MOST_CELLS = 60


def transposition(rng: np.random.Generator, instance: Rectangle) -> Related[Rectangle]:
    """Rows for columns: the same answer."""
    second = replace(instance, rows=instance.cols, cols=instance.rows)
    names = ("mines", "optimal_boards", "distinct_boards")
    return Related(instance, second, lambda status, fields: (status, same(fields, *names)))


def larger_bound(rng: np.random.Generator, instance: Rectangle) -> Related[Rectangle] | None:
    """What M allows, M + 1 allows."""
    if instance.around == 8:
        return None
    return Related(instance, replace(instance, around=instance.around + 1), partial(at_least, 1))


def doubled(rng: np.random.Generator, instance: Rectangle) -> Related[Rectangle] | None:
    """A board twice, two empty columns between: twice the mines fit, perhaps more."""
    if instance.around < APART or instance.rows * (2 * instance.cols + 2) > MOST_CELLS:
        return None
    return Related(instance, replace(instance, cols=2 * instance.cols + 2), partial(at_least, 2))


def at_least(times: int, status: Status, fields: Fields) -> tuple[Status, Fields]:
    """So many times the mines are possible."""
    return Status.FEASIBLE, {name: times * mines for name, mines in same(fields, "mines").items()}


RELATIONS = {"transposition": transposition, "larger bound": larger_bound, "doubled": doubled}
