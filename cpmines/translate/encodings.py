"""Encodings: "at most so many of these literals" as clauses, each by its name.

`binomial` forbids each subset that is one too large, without auxiliary variables; the other shipped ones are
PySAT's. A distribution adds one by an entry point of the group ``cpmines.encodings``: its name -> an
`Encoding`.

References
----------
Frisch, Giannaros (2010), SAT encodings of the at-most-k constraint: some old, some new, some fast, some slow.
ModRef 2010. The name of `binomial` is theirs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING

from cpmines.answer import Limits
from cpmines.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["DEFAULT_ENCODING", "Clauses", "Encoding", "at_most", "encoding_distribution", "encoding_names"]

Clauses = list[list[int]]

DEFAULT_ENCODING = "binomial"

LARGEST_BINOMIAL = 500
"""Clauses for one bound beyond which `binomial` gives way. Up to eight literals, those of a clue, it is by
far the fastest to solve: 0.2 s against 1.3 s (totalizer) to 7.9 s (mtotalizer) on a board of 150 x 150."""

LARGEST_TOTALIZER = 5_000
"""Literals times bound up to which `totalizer` takes its place, then `kmtotalizer`: its clauses grow less,
0.2 s to build against 2.2 s for the total of mines of a board of 40 x 40."""

BYTES_PER_CLAUSE = 150
"""Of a clause as a list, before it is an array."""


@dataclass(frozen=True)
class Encoding:
    """A way to say "at most `bound` of the literals are true".

    Attributes
    ----------
    clauses
        Of literals, a bound and the number of the last variable in use: the clauses, whose auxiliary
        variables have the numbers that follow. It is called for 1 <= bound <= literals - 2 only. An
        assignment of the literals can be extended to the auxiliary variables if and only if at most `bound`
        are true.
    size
        Of the number of literals and the bound: about how many clauses there will be; memory is held against
        it before they are made.
    only_one
        It says "at most one"; other bounds are encoded by `binomial`.
    """

    clauses: Callable[[Sequence[int], int, int], Clauses]
    size: Callable[[int, int], int] = lambda length, bound: 0
    only_one: bool = False


def at_most(
    literals: Sequence[int], bound: int, top: int, encoding: str, limits: Limits
) -> tuple[Clauses, int]:
    """Clauses: at most `bound` (0 <= bound < length) are true. New variables begin at top + 1.

    Returns
    -------
    tuple
        The clauses, and the last variable in use then.

    Raises
    ------
    LimitError
        They need more than the memory, or the time is up.
    UsageError
        There is no such encoding.
    """
    length = len(literals)
    if bound == 0:
        return [[-literal] for literal in literals], top
    if bound == length - 1:
        return [[-literal for literal in literals]], top
    name = _stand_in(encoding, length, bound)
    chosen = known(name)
    limits.require(chosen.size(length, bound) * BYTES_PER_CLAUSE, f"a row of {length} literals in {name}")
    clauses = chosen.clauses(list(literals), bound, top)
    limits.check()
    # Once over all clauses in C: of a long row there are millions.
    return clauses, max(top, *map(max, clauses), -min(map(min, clauses)))


def _stand_in(encoding: str, length: int, bound: int) -> str:
    """The encoding itself, or what is used where it would make too many clauses or says something else."""
    if encoding != DEFAULT_ENCODING and (bound == 1 or not known(encoding).only_one):
        return encoding
    if _few_subsets(length, bound + 1):
        return DEFAULT_ENCODING
    return "totalizer" if length * bound <= LARGEST_TOTALIZER else "kmtotalizer"


def _few_subsets(length: int, size: int) -> bool:
    """Are there at most `LARGEST_BINOMIAL` subsets? The number itself can have thousands of digits."""
    count = 1
    for taken in range(min(size, length - size)):
        count = count * (length - taken) // (taken + 1)  # of subsets of one more, which are not fewer
        if count > LARGEST_BINOMIAL:
            return False
    return True


def _subsets(literals: Sequence[int], bound: int, top: int) -> Clauses:
    return [[-literal for literal in subset] for subset in combinations(literals, bound + 1)]


def _pysat(name: str, literals: Sequence[int], bound: int, top: int) -> Clauses:
    from pysat.card import CardEnc, EncType

    try:
        formula = CardEnc.atmost(list(literals), bound, top_id=top, encoding=getattr(EncType, name))
    except Exception as error:
        # PySAT turns Ctrl-C into an error of its own.
        if "keyboard interrupt" in str(error):
            raise KeyboardInterrupt from error
        raise
    clauses: Clauses = formula.clauses
    return clauses


def _network_size(length: int, bound: int) -> int:
    return 3 * length * length.bit_length() ** 2


SHIPPED: dict[str, Encoding] = {
    "binomial": Encoding(_subsets),
    "pairwise": Encoding(partial(_pysat, "pairwise"), lambda length, bound: length * length // 2, True),
    "seqcounter": Encoding(partial(_pysat, "seqcounter"), lambda length, bound: 2 * length * bound),
    "sortnetwrk": Encoding(partial(_pysat, "sortnetwrk"), _network_size),
    "cardnetwrk": Encoding(partial(_pysat, "cardnetwrk"), _network_size),
    "bitwise": Encoding(partial(_pysat, "bitwise"), only_one=True),
    "ladder": Encoding(partial(_pysat, "ladder"), only_one=True),
    "totalizer": Encoding(partial(_pysat, "totalizer"), lambda length, bound: 3 * length * bound),
    "mtotalizer": Encoding(partial(_pysat, "mtotalizer"), _network_size),
    "kmtotalizer": Encoding(partial(_pysat, "kmtotalizer"), _network_size),
}


@cache
def _foreign() -> dict[str, EntryPoint]:
    """Encodings of other distributions; they can't take the place of one that is here."""
    from importlib.metadata import entry_points

    found = {point.name: point for point in entry_points(group="cpmines.encodings")}
    for clash in found.keys() & SHIPPED:
        warnings.warn(f"{found[clash].value} is not used: there is an encoding {clash}", stacklevel=2)
    return {name: point for name, point in found.items() if name not in SHIPPED}


def encoding_distribution(name: str) -> str:
    """The distribution that adds an encoding; empty if none does."""
    point = _foreign().get(name)
    return point.dist.name if point and point.dist else ""


def encoding_names() -> list[str]:
    """The shipped encodings, the default first, then those of other distributions."""
    return [*SHIPPED, *sorted(_foreign())]


@cache
def known(name: str) -> Encoding:
    """The encoding of this name. Raises `UsageError`."""
    if name in SHIPPED:
        return SHIPPED[name]
    if name not in _foreign():
        raise UsageError(f"no encoding named {name!r:.80}; there are: {', '.join(encoding_names())}")
    try:
        found = _foreign()[name].load()
    except Exception as error:
        raise UsageError(f"encoding {name} can't be loaded: {error}") from error
    if not isinstance(found, Encoding):
        raise UsageError(f"encoding {name} is {type(found).__name__}, expected cpmines.translate.Encoding")
    return found
