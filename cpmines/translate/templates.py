"""Cardinality constraints as clauses: one template for each shape of row.

A template is written over places: 1 to n are the literals of a row, n + 1 is its enforcing literal if it has
one, and what follows are auxiliary variables. `cpmines.translate.clauses` puts the literals of the rows in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.translate.encodings import Clauses, at_most

__all__ = ["Shape", "Template", "made", "template"]

Shape = tuple[int, int, int, bool]
"""Of a row: its length, lo, hi, and whether it has an enforcing literal."""

SHORT = 16
"""Literals of a row whose template is kept; its clauses are at most a few thousand in any encoding."""

LONG = 500
"""Literals of a row from which on another process makes its clauses. A first one takes 0.2 s to start."""


@dataclass(frozen=True)
class Template:
    """Clauses of a shape of row.

    Attributes
    ----------
    auxiliary
        Number of auxiliary variables of a row.
    blocks
        The clauses by width: int32 arrays of shape (clauses, width), width at least 1, entries +- places.
    """

    auxiliary: int
    blocks: tuple[NDArray[np.int32], ...]

    @property
    def literals(self) -> int:
        return sum(block.size for block in self.blocks)


def template(shape: Shape, encoding: str, limits: Limits) -> Template:
    """Clauses for ``lo <= sum of the literals <= hi``.

    Parameters
    ----------
    encoding
        See `cpmines.translate.encodings`.

    Raises
    ------
    LimitError
        The clauses of this one row need more than the memory, or the time is up.

    Notes
    -----
    An assignment of the row's literals (and the enforcing one) can be extended to the auxiliary variables if
    and only if it satisfies the row, so models projected on them are the row's solutions.
    """
    length, lo, hi, _ = shape
    if length <= SHORT:
        return _kept(shape, encoding)
    if length < LONG or not any(0 < bound < length - 1 for bound in (hi, length - lo)):
        return made(shape, encoding, limits)
    from cpmines.translate.apart import made_apart

    return made_apart(shape, encoding, limits)


@lru_cache(maxsize=4096)
def _kept(shape: Shape, encoding: str) -> Template:
    """Of short rows there are few, they need next to nothing, and every board has them."""
    return made(shape, encoding, Limits())


def made(shape: Shape, encoding: str, limits: Limits) -> Template:
    """A template that is not kept, made here and now."""
    length, lo, hi, enforced = shape
    last = length + enforced
    top = last
    clauses: Clauses = []
    if max(lo, 0) > min(hi, length):
        clauses = [[]]
    else:
        if hi < length:
            clauses, top = at_most(range(1, length + 1), hi, top, encoding, limits)
        if lo > 0:
            more, top = at_most(range(-1, -length - 1, -1), length - lo, top, encoding, limits)
            clauses = clauses + more
    if enforced:
        clauses = _guarded(clauses, last)
    elif [] in clauses:
        # The solvers differ in what they make of an empty clause.
        top = last + 1
        clauses = [[top], [-top]]
    return Template(top - last, _by_width(clauses))


def _guarded(clauses: Clauses, guard: int) -> Clauses:
    """The clauses, to hold only if place `guard` is true.

    Clauses with a positive auxiliary literal hold anyway if all auxiliary variables are true, those with a
    negative one if all are false. So the guard is needed only in the others, whichever are fewer.
    """

    def free(clause: list[int], sign: int) -> bool:
        return any(sign * literal > guard for literal in clause)

    sign = max((1, -1), key=lambda sign: sum(free(clause, sign) for clause in clauses))
    return [clause if free(clause, sign) else [-guard, *clause] for clause in clauses]


def _by_width(clauses: Clauses) -> tuple[NDArray[np.int32], ...]:
    lengths = np.fromiter(map(len, clauses), np.int64, len(clauses))
    literals = np.fromiter(chain.from_iterable(clauses), np.int32, int(lengths.sum()))
    starts = np.cumsum(lengths) - lengths
    blocks = []
    for width in np.unique(lengths).tolist():
        block = literals[starts[lengths == width, None] + np.arange(width)]
        block.flags.writeable = False  # a template may be kept
        blocks.append(block)
    return tuple(blocks)
