"""A contradictory chain of differences in the core of a table: see `core` for the terms.

Columns 0 and j give U[j] + x[i] - d[i, j] in {0, 1} for all rows i. So d[a, j] - d[b, j] = 2 puts a into S
and b out of it, d[b, j] - d[a, j] = 1 says that b is in S if a is, and nothing else is said about S. There is
no S exactly if a chain of such steps leads from a row that is in to one that is out. All differences of the
chain added are a sum over a closed walk: 4 and one more for each step, while its n positive and n negative
cells allow at most n, which is 3 and one more for each step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Terms", "cycle"]

Longs = NDArray[np.int32]
Index = NDArray[np.intp]
Terms = tuple[Index, Index, Longs]
"""Rows, columns and weights of cells."""

Link = tuple[int, int, int]
"""Rows a and b and column j: the sum gets d[a, j] - d[b, j]."""


def cycle(pattern: Longs) -> Terms:
    """Cells of a core without a solution, int32 (R, C), whose weighted sum no solution reaches."""
    gaps = pattern[:, :1] - pattern
    top, spread = gaps.max(axis=0), np.ptp(gaps, axis=0)
    widest = int(spread.argmax())
    if spread[widest] > 2:
        return terms([(int(gaps[:, widest].argmax()), int(gaps[:, widest].argmin()), widest)])
    wide = np.flatnonzero(spread == 2)
    depth = gaps[:, wide] - top[wide]
    inside: dict[int, tuple[int, int]] = {}
    outside: dict[int, tuple[int, int]] = {}
    for found, ends, others in ((inside, depth == 0, depth == -2), (outside, depth == -2, depth == 0)):
        for row in np.flatnonzero(ends.any(axis=1)).tolist():
            column = int(ends[row].argmax())
            found[row] = (int(others[:, column].argmax()), int(wide[column]))
    narrow = np.flatnonzero(spread == 1)
    path = implied(gaps[:, narrow] == top[narrow], list(inside), set(outside))
    (first, *_), last = path[0], path[-1][0]
    links = [(row, before, int(narrow[column])) for row, before, column in path[1:]]
    other, column = inside[first]
    links.append((first, other, column))
    other, column = outside[last]
    links.append((other, last, column))
    return terms(links)


def implied(sets: NDArray[np.bool_], inside: list[int], outside: set[int]) -> list[Link]:
    """The shortest chain from `inside` to `outside`: rows, each with the row before and the set between.

    A row in S that is not in H puts all rows of H into S. Each set leads on once, each row is looked at once:
    linear in the size of `sets`.
    """
    reached = np.zeros(len(sets), np.bool_)
    reached[inside] = True
    before: dict[int, Link] = {row: (row, -1, -1) for row in inside}
    waiting = np.arange(sets.shape[1])
    layer = inside
    while not (met := [row for row in layer if row in outside]):
        lacking = ~sets[np.array(layer)[:, None], waiting]
        leads = lacking.any(axis=0)
        following: list[int] = []
        for column, source in zip(waiting[leads].tolist(), lacking.argmax(axis=0)[leads], strict=True):
            new = np.flatnonzero(sets[:, column] & ~reached).tolist()
            reached[new] = True
            before.update({row: (row, layer[source], column) for row in new})
            following += new
        waiting, layer = waiting[~leads], following
        assert layer, "the core has a solution"
    chain = [before[met[0]]]
    while chain[-1][1] >= 0:
        chain.append(before[chain[-1][1]])
    return chain[::-1]


def terms(links: list[Link]) -> Terms:
    """The cells of a sum of differences, those that cancel left out."""
    weights: dict[tuple[int, int], int] = {}
    for a, b, column in links:
        for cell, weight in (((a, 0), 1), ((a, column), -1), ((b, 0), -1), ((b, column), 1)):
            weights[cell] = weights.get(cell, 0) + weight
    kept = np.array([(*cell, weight) for cell, weight in weights.items() if weight], np.int32)
    return kept[:, 0].astype(np.intp), kept[:, 1].astype(np.intp), kept[:, 2]
