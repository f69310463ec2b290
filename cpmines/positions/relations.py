"""What must hold between the answers to two positions: one turned, or walled in among other things.

Walls are known mines, and the clues beside them are so much larger. They keep what is behind them apart from
the position, so that placements multiply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Status
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.grid import neighbour_counts
from cpmines.relation import SYMMETRIES, Fields, Related, Relation, Symmetry

__all__ = ["Layout", "position_relations"]

Ways = Mapping[int, int]

FREE_CELLS = 3
PARTNER = np.array([[UNKNOWN, 1, UNKNOWN]], np.int8)
"""One of two cells is a mine."""
CONTRADICTION = np.array([[UNKNOWN, 1, UNKNOWN], [UNKNOWN, 2, UNKNOWN]], np.int8)
"""Two clues with the same neighbours."""


@dataclass(frozen=True)
class Layout:
    """A position within another.

    Attributes
    ----------
    origin
        int64 of the second board's shape: index of the first one's cell that is there, -1 for none.
    walls
        Known mines that were added.
    ways
        Ways to place mines in what was added, by their number; none if there is no way.
    copies
        How often the first position is there: once or twice.
    """

    first: Position
    second: Position
    origin: NDArray[np.int64]
    walls: int = 0
    ways: Ways | None = None
    copies: int = 1

    def by_mines(self, ways: Ways) -> dict[int, int]:
        """Placements of the second by mines from those of the first, whose known mines are counted in."""
        more = ways if self.copies == 2 else {0: 1} if self.ways is None else self.ways
        found: dict[int, int] = {}
        for mines, count in ways.items():
            for others, times in more.items():
                total = mines + others + self.walls
                found[total] = found.get(total, 0) + count * times
        return found

    def related(self, follow: Callable[[Fields, Layout], Fields]) -> Related[Position]:
        def consequence(status: Status, fields: Fields) -> tuple[Status, Fields]:
            if status is Status.INFEASIBLE or self.ways == {}:
                return Status.INFEASIBLE, {}
            return status, follow(fields, self)

        return Related(self.first, self.second, consequence)


def position_relations(follow: Callable[[Fields, Layout], Fields]) -> dict[str, Relation[Position]]:
    """The relations of a problem about positions.

    Parameters
    ----------
    follow
        Fields of an answer to the first position and the layout, to what follows for the second.
    """

    def relation(build: Callable[[np.random.Generator, Position], Layout | None]) -> Relation[Position]:
        def relate(rng: np.random.Generator, position: Position) -> Related[Position] | None:
            layout = build(rng, position)
            return None if layout is None else layout.related(follow)

        return relate

    def turn(choices: tuple[Symmetry, ...]) -> Callable[[np.random.Generator, Position], Layout]:
        return lambda rng, position: turned_position(position, choices[int(rng.integers(len(choices)))])

    builds = {name: turn(choices) for name, choices in SYMMETRIES.items()}
    return {name: relation(build) for name, build in {**builds, **BUILDS}.items()}


def indices(position: Position) -> NDArray[np.int64]:
    return np.arange(position.cells.size).reshape(position.shape)


def turned_position(position: Position, symmetry: Symmetry) -> Layout:
    return Layout(position, Position(symmetry(position.cells), position.mines), symmetry(indices(position)))


def border(rng: np.random.Generator, position: Position) -> Layout | None:
    """Walls all around, and behind them some unknown cells without a clue if there is no total."""
    free = 0 if position.mines is not None else int(rng.integers(0, FREE_CELLS + 1))
    origin = np.pad(indices(position), ((1, 2), (1, 1)), constant_values=-1)
    cells = np.pad(position.cells, ((1, 2), (1, 1)), constant_values=MINE)
    cells[-1, :free] = UNKNOWN
    return walled(position, cells, origin, {mines: comb(free, mines) for mines in range(free + 1)})


def partner(rng: np.random.Generator, position: Position) -> Layout | None:
    """Below, behind a wall, one mine in two cells."""
    return above(position, PARTNER, {1: 2})


def contradiction(rng: np.random.Generator, position: Position) -> Layout | None:
    """Below, behind a wall, clues that contradict each other."""
    return above(position, CONTRADICTION, {})


def doubled(rng: np.random.Generator, position: Position) -> Layout | None:
    """Twice side by side, a wall between, the second one mirrored. Not with a total, which would tie them."""
    if position.mines is not None:
        return None
    gap = np.full((position.shape[0], 1), -1)
    origin = np.hstack([indices(position), gap, indices(position)[:, ::-1]])
    cells = np.hstack([position.cells, np.full_like(gap, MINE, np.int8), position.cells[:, ::-1]])
    return walled(position, cells, origin, None, copies=2)


def above(position: Position, below: NDArray[np.int8], ways: Ways) -> Layout | None:
    """The position above, other cells below, walls for the rest."""
    rows, cols = position.shape
    height, width = below.shape
    cells = np.full((rows + 1 + height, max(cols, width)), MINE, np.int8)
    origin = np.full(cells.shape, -1)
    cells[:rows, :cols], origin[:rows, :cols] = position.cells, indices(position)
    cells[rows + 1 :, :width] = below
    return walled(position, cells, origin, ways)


def walled(
    position: Position,
    cells: NDArray[np.int8],
    origin: NDArray[np.int64],
    ways: Ways | None,
    copies: int = 1,
) -> Layout | None:
    """The layout; None if a clue beside a wall would be larger than 8."""
    walls = (cells == MINE) & (origin < 0)
    raised = np.where(cells >= 0, cells + neighbour_counts(walls), cells)
    if raised.max() > 8:
        return None
    count = int(walls.sum())
    total = None if position.mines is None else position.mines + count + min(ways or {0: 1}, default=0)
    return Layout(position, Position(raised, total), origin, count, ways, copies)


BUILDS = {"border": border, "partner": partner, "contradiction": contradiction, "doubled": doubled}
