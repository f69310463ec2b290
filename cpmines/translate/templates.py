"""Cardinality constraints as clauses: one template for each shape of row.

A template is written over places: 1 to n are the literals of a row, n + 1 is its enforcing literal if it has
one, and what follows are auxiliary variables. `cpmines.translate.clauses` puts the literals of the rows in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits

__all__ = ["ENCODINGS", "Template", "template"]

Clauses = list[list[int]]

ENCODINGS = (
    "direct",
    "pairwise",
    "seqcounter",
    "sortnetwrk",
    "cardnetwrk",
    "bitwise",
    "ladder",
    "totalizer",
    "mtotalizer",
    "kmtotalizer",
)
"""`direct` forbids each subset that is one too large, without auxiliaries; the others are PySAT's."""

AT_MOST_ONE = frozenset({"pairwise", "bitwise", "ladder"})
"""Encodings of "at most one"; rows with another bound are encoded as by `direct`."""

LARGEST_DIRECT = 500
"""Clauses for one bound beyond which `direct` gives way. Up to eight literals, those of a clue, it is by far
the fastest to solve: 0.2 s against 1.3 s (totalizer) to 7.9 s (mtotalizer) on a board of 150 x 150."""

LARGEST_TOTALIZER = 5_000
"""Literals times bound up to which `totalizer` takes its place, then `kmtotalizer`: its clauses grow less,
0.2 s to build against 2.2 s for the total of mines of a board of 40 x 40."""


def _network_size(length: int, bound: int) -> int:
    return 3 * length * length.bit_length() ** 2


GROWING: dict[str, Callable[[int, int], int]] = {
    "pairwise": lambda length, bound: length * length // 2,
    "seqcounter": lambda length, bound: 2 * length * bound,
    "totalizer": lambda length, bound: 3 * length * bound,
    **dict.fromkeys(("sortnetwrk", "cardnetwrk", "mtotalizer", "kmtotalizer"), _network_size),
}
"""Encodings that can outgrow the memory: about how many clauses they make of a row."""

BYTES_PER_CLAUSE = 150
"""Of a clause as a list, before it is an array."""


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


def template(shape: tuple[int, int, int, bool], encoding: str, limits: Limits) -> Template:
    """Clauses for ``lo <= sum of the literals <= hi``.

    Parameters
    ----------
    shape
        Length, lo, hi and whether the row has an enforcing literal.
    encoding
        One of `ENCODINGS`.

    Raises
    ------
    LimitError
        The clauses of this one row need more than the memory.

    Notes
    -----
    An assignment of the row's literals (and the enforcing one) can be extended to the auxiliary variables if
    and only if it satisfies the row, so models projected on them are the row's solutions.
    """
    length, lo, hi, enforced = shape
    last = length + enforced
    top = last
    clauses: Clauses = []
    if max(lo, 0) > min(hi, length):
        clauses = [[]]
    else:
        if hi < length:
            clauses, top = _at_most(range(1, length + 1), hi, top, encoding, limits)
        if lo > 0:
            more, top = _at_most(range(-1, -length - 1, -1), length - lo, top, encoding, limits)
            clauses = clauses + more
    if enforced:
        clauses = _guarded(clauses, last)
    elif [] in clauses:
        # The solvers differ in what they make of an empty clause.
        top = last + 1
        clauses = [[top], [-top]]
    return Template(top - last, _by_width(clauses))


def _at_most(
    literals: Sequence[int], bound: int, top: int, encoding: str, limits: Limits
) -> tuple[Clauses, int]:
    """At most `bound` (0 <= bound < length) are true; new variables begin at top + 1. Returns the new top."""
    if bound == 0:
        return [[-literal] for literal in literals], top
    if bound == len(literals) - 1:
        return [[-literal for literal in literals]], top
    if encoding == "direct" or (encoding in AT_MOST_ONE and bound != 1):
        if comb(len(literals), bound + 1) <= LARGEST_DIRECT:
            return [[-literal for literal in subset] for subset in combinations(literals, bound + 1)], top
        encoding = "totalizer" if len(literals) * bound <= LARGEST_TOTALIZER else "kmtotalizer"
    if encoding in GROWING:
        size = GROWING[encoding](len(literals), bound) * BYTES_PER_CLAUSE
        limits.require(size, f"a row of {len(literals)} literals in {encoding}")
    from pysat.card import CardEnc, EncType

    try:
        formula = CardEnc.atmost(list(literals), bound, top_id=top, encoding=getattr(EncType, encoding))
    except Exception as error:
        # PySAT turns Ctrl-C into an error of its own.
        if "keyboard interrupt" in str(error):
            raise KeyboardInterrupt from error
        raise
    limits.check()
    return formula.clauses, max(formula.nv, top)


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
    widths: dict[int, Clauses] = {}
    for clause in clauses:
        widths.setdefault(len(clause), []).append(clause)
    return tuple(np.array(widths[width], np.int32) for width in sorted(widths))
