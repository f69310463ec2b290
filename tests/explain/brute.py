"""Explanations by going through all placements and all sets of clues: the definition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.problems.mosaic.problem import GAP, Puzzle

TOTAL = -1
Shown = Position | Puzzle
Filling = dict[int, bool]


def around(board: Shown, place: int) -> set[int]:
    """The cells that the clue at `place` counts, known or not."""
    rows, cols = board.shape
    if place == TOTAL:
        return set(range(rows * cols))
    at, to = divmod(place, cols)
    block = {
        row * cols + col
        for row, col in product(range(at - 1, at + 2), range(to - 1, to + 2))
        if 0 <= row < rows and 0 <= col < cols
    }
    return block - {place} if isinstance(board, Position) else block


def numbers(board: Shown) -> dict[int, int]:
    """The clues by place."""
    if not isinstance(board, Position):
        return {place: int(board.sums.flat[place]) for place in np.flatnonzero(board.sums != GAP).tolist()}
    found = {place: int(board.cells.flat[place]) for place in np.flatnonzero(board.cells >= 0).tolist()}
    return found if board.mines is None else {**found, TOTAL: board.mines}


class Brute:
    """All ways to fill the unknown cells, and for each the clues that it meets."""

    def __init__(self, board: Shown) -> None:
        self.numbers = numbers(board)
        position = isinstance(board, Position)
        cells = board.cells.ravel().tolist() if position else [UNKNOWN] * board.sums.size
        mines = {cell for cell, code in enumerate(cells) if code == MINE}
        self.unknown = [cell for cell, code in enumerate(cells) if code == UNKNOWN]
        counted = {place: around(board, place) for place in self.numbers}
        self.fillings: list[tuple[Filling, frozenset[int]]] = []
        for choice in product((False, True), repeat=len(self.unknown)):
            filling = dict(zip(self.unknown, choice, strict=True))
            placed = mines | {cell for cell, mine in filling.items() if mine}
            met = {place for place, number in self.numbers.items() if len(counted[place] & placed) == number}
            self.fillings.append((filling, frozenset(met)))

    def possible(self, places: frozenset[int], known: Filling) -> bool:
        return any(places <= met and known.items() <= filling.items() for filling, met in self.fillings)

    def minimal(self, known: Filling) -> Iterator[frozenset[int]]:
        """All minimal sets of clues that can't be met together with what is known, small ones first."""
        found: list[frozenset[int]] = []
        maximal = {met for filling, met in self.fillings if known.items() <= filling.items()}
        for size in range(len(self.numbers) + 1):
            for chosen in map(frozenset, combinations(self.numbers, size)):
                if not any(chosen <= met for met in maximal) and not any(part <= chosen for part in found):
                    found.append(chosen)
                    yield chosen
