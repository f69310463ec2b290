"""The board as a Model: a variable a cell, true if it lives.

``plain`` is the rules. ``blocks`` adds that of nine cells in a square no more than six live, which every
still life satisfies (Bosch, Trick 2004) and a solver does not find by itself.

References
----------
Bosch, Trick (2004), Constraint programming and hybrid formulations for three Life designs. Annals of
Operations Research 130.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cpmines.engine import Assignment
from cpmines.grid import neighbour_table, numbered
from cpmines.model import Model
from cpmines.problem import Modelling, Reading
from cpmines_stilllife.problem import Size, StillLife

__all__ = ["MODELLING", "blocks", "plain"]

MOST_IN_A_BLOCK = 6


def plain(instance: Size) -> Model:
    """A live cell has two or three live neighbours; a dead one has not three: fewer, or more."""
    model = Model()
    rows, cols = instance.rows, instance.cols
    live = model.variables(rows * cols)
    around = neighbour_table(rows, cols)
    neighbours = np.where(around >= 0, live[around], 0)
    model.between_rows(neighbours, 2, 3, only_if=live)
    fewer, more = model.variables(len(live)), model.variables(len(live))
    model.between_rows(np.column_stack([live, fewer, more]), 1, 3)
    model.between_rows(neighbours, 0, 2, only_if=fewer)
    model.between_rows(neighbours, 4, 8, only_if=more)
    for three in along_the_border(instance):
        model.clause(*(-live[three]).tolist())
    return model


def along_the_border(instance: Size) -> Iterator[np.ndarray]:
    """Cells of the border whose common neighbour outside would be born: flat indices of three in a row."""
    index = np.arange(instance.rows * instance.cols).reshape(instance.rows, instance.cols)
    for line in (index[0], index[-1], index[:, 0], index[:, -1]):
        yield from (line[start : start + 3] for start in range(len(line) - 2))


def blocks(instance: Size) -> Model:
    """`plain`, and at most `MOST_IN_A_BLOCK` live cells in each square of nine."""
    model = plain(instance)
    live = numbered(instance.rows, instance.cols)
    for row in range(instance.rows - 2):
        for col in range(instance.cols - 2):
            model.between(live[row : row + 3, col : col + 3].ravel(), 0, MOST_IN_A_BLOCK)
    return model


def cells(instance: Size) -> np.ndarray:
    """The variables of the cells, as they lie on the board."""
    return numbered(instance.rows, instance.cols)


def decode(instance: Size, assignments: Sequence[Assignment], complete: bool) -> StillLife:
    size = instance.rows * instance.cols
    return StillLife.of(assignments[0][:size].reshape(instance.rows, instance.cols))


def demand(instance: Size, model: Model) -> None:
    """As many live cells as possible."""
    model.maximise(cells(instance).ravel())


def literals(instance: Size) -> int:
    return (3 * 9 + 3 + 12 + 9) * instance.rows * instance.cols


MODELLING = Modelling(
    {"blocks": blocks, "plain": plain}, {"most": Reading(decode, demand=demand)}, literals, cells
)
