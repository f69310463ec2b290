"""Why clues can't be met together, or force cells, in a form that can be told.

By counting: a linear combination of the clues with coefficients 1 and -1; which signs do is tried out for few
clues, and climbed to for many. Or clue after clue, if need be from both values of a cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cpmines.clues import Clue

__all__ = ["Argument", "ByCases", "ByChain", "ByCounting", "Link", "Split", "argue"]

MOST_TRIED = 8
"""Clues up to which all signs are tried: 2^8 sums."""
MOST_SPLIT = 40
"""Clues up to which a cell is looked for whose two values both end in a chain."""


@dataclass(frozen=True)
class ByCounting:
    """Two groups of clues: what `more` counts, `less` counts as well, but for `room` mines at most.

    A cell counts as often as a group counts it. If the numbers of `more` exceed those of `less` by more than
    `room`, there is no placement; if by as many, all cells that `more` counts more often are mines, and those
    that `less` counts more often are safe.

    Attributes
    ----------
    needed, given
        Sums of the missing mines of both groups.
    room
        Cells that `more` counts more often, each as often more.
    beside
        Those cells, ascending.
    """

    more: tuple[Clue, ...]
    less: tuple[Clue, ...]
    needed: int
    given: int
    room: int
    beside: tuple[int, ...]


@dataclass(frozen=True)
class Link:
    """A clue that forces cells by itself, once those of the links before are known."""

    clue: Clue
    safe: tuple[int, ...]
    mines: tuple[int, ...]


@dataclass(frozen=True)
class ByChain:
    """Clue after clue, to a contradiction: a clue that can't be met, or what is left of all by counting."""

    links: tuple[Link, ...]
    end: Clue | ByCounting


@dataclass(frozen=True)
class ByCases:
    """No short argument: all possibilities have to be gone through."""


@dataclass(frozen=True)
class Split:
    """A cell that can be neither a mine nor safe."""

    cell: int
    if_mine: ByChain
    if_safe: ByChain


Argument = ByCounting | ByChain | Split | ByCases


def argue(clues: Sequence[Clue], targets: Mapping[int, bool]) -> Argument:
    """An argument that `clues` contradict each other, or without contradiction that they force `targets`.

    A chain towards targets begins with the opposite of the first one.
    """
    for signs in signings(clues):
        found = counting(clues, signs)
        if settles(found, targets):
            return found
    first = dict([next(iter(targets.items()))]) if targets else {}
    supposed = [clue.given({cell: not mine for cell, mine in first.items()}) for clue in clues]
    found_chain = chain(supposed)
    return split(supposed) if isinstance(found_chain, ByCases) else found_chain


def signings(clues: Sequence[Clue]) -> Iterator[Sequence[bool]]:
    """Ways to put the clues into two groups: all, or a few that promise the most."""
    if len(clues) <= MOST_TRIED:
        yield from product((True, False), repeat=len(clues))
        return
    cells = sorted({cell for clue in clues for cell in clue.cells})
    number = {cell: k for k, cell in enumerate(cells)}
    counted = np.zeros((len(clues), len(cells)), np.int64)
    for row, clue in zip(counted, clues, strict=True):
        row[[number[cell] for cell in clue.cells]] = 1
    mines = np.array([clue.mines for clue in clues], np.int64)
    first = coloured(counted)
    for signs in (first, -first):
        yield (climbed(counted, mines, signs) > 0).tolist()


def coloured(counted: NDArray[np.int64]) -> NDArray[np.int64]:
    """1 or -1 for each clue, other than the neighbour's that it is reached from; the last clue has 1."""
    signs = np.zeros(len(counted), np.int64)
    for start in range(len(counted) - 1, -1, -1):
        if signs[start]:
            continue
        signs[start], queue = 1, [start]
        for index in queue:
            for other in np.flatnonzero((counted @ counted[index] > 0) & (signs == 0)).tolist():
                signs[other] = -signs[index]
                queue.append(other)
    return signs


def climbed(
    counted: NDArray[np.int64], mines: NDArray[np.int64], signs: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Signs changed one by one as long as what the first group needs too much becomes more."""
    signs = signs.copy()
    weight, need = signs @ counted, int(signs @ mines)
    while True:
        excess = need - int(np.maximum(weight, 0).sum())
        changed = weight - 2 * signs[:, None] * counted
        after = need - 2 * signs * mines - np.maximum(changed, 0).sum(axis=1)
        best = int(after.argmax())
        if after[best] <= excess:
            return signs
        weight, need = changed[best], need - 2 * int(signs[best] * mines[best])
        signs[best] *= -1


def counting(clues: Sequence[Clue], signs: Sequence[bool]) -> ByCounting:
    more = tuple(clue for clue, sign in zip(clues, signs, strict=True) if sign)
    less = tuple(clue for clue, sign in zip(clues, signs, strict=True) if not sign)
    weight = Counter(cell for clue in more for cell in clue.cells)
    weight.subtract(cell for clue in less for cell in clue.cells)
    beside = tuple(sorted(cell for cell, times in weight.items() if times > 0))
    room = sum(weight[cell] for cell in beside)
    return ByCounting(more, less, sum(c.mines for c in more), sum(c.mines for c in less), room, beside)


def settles(found: ByCounting, targets: Mapping[int, bool]) -> bool:
    """Does the counting show the contradiction, or what all targets are?"""
    if not targets:
        return found.needed - found.given > found.room
    if found.needed - found.given != found.room:
        return False
    often = Counter(cell for clue in found.less for cell in clue.cells)
    often.subtract(cell for clue in found.more for cell in clue.cells)
    return all(often[cell] < 0 if mine else often[cell] > 0 for cell, mine in targets.items())


def chain(clues: Sequence[Clue]) -> ByChain | ByCases:
    """Clue after clue, as long as one forces cells by itself; then by counting."""
    left, links = list(clues), list[Link]()
    while True:
        end = next((clue for clue in left if clue.broken), None)
        if end is not None:
            return ByChain(tuple(links), end)
        clue = next((clue for clue in left if clue.cells and clue.mines in (0, len(clue.cells))), None)
        if clue is None:
            left = [clue for clue in left if clue.cells]
            countings = (counting(left, signs) for signs in signings(left))
            excess = next((found for found in countings if settles(found, {})), None)
            return ByCases() if excess is None else ByChain(tuple(links), excess)
        links.append(Link(clue, *((), clue.cells) if clue.mines else (clue.cells, ())))
        known = dict.fromkeys(clue.cells, clue.mines > 0)
        left = [other.given(known) for other in left if other.place != clue.place]


def split(clues: Sequence[Clue]) -> Split | ByCases:
    """The cell whose two values take the fewest links to a clue that can't be met."""
    best: tuple[int, Split] | None = None
    cells = sorted({cell for clue in clues for cell in clue.cells}) if len(clues) <= MOST_SPLIT else []
    for cell in cells:
        both = [chain([clue.given({cell: mine}) for clue in clues]) for mine in (True, False)]
        if_mine, if_safe = both
        if isinstance(if_mine, ByChain) and isinstance(if_safe, ByChain):
            length = len(if_mine.links) + len(if_safe.links)
            if best is None or length < best[0]:
                best = length, Split(cell, if_mine, if_safe)
    return ByCases() if best is None else best[1]
