"""Minimal sets of clues that can't be met together: one, a smallest one, all of them.

References
----------
Junker (2004), QuickXplain. AAAI 2004. Ignatiev, Previti, Liffiton, Marques-Silva (2015), Smallest MUS
extraction with minimal hitting set dualization. CP 2015. Liffiton, Previti, Malik, Marques-Silva (2016),
Fast, flexible MUS enumeration. Constraints 21.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpmines.explain.oracle import Assumed, ClueOracle, Mask
from cpmines.oracle.session import SatSession

__all__ = ["GaveUpError", "every", "grow", "shrink", "smallest"]


def shrink(oracle: ClueOracle, members: Sequence[int], assumed: Assumed = ()) -> list[int]:
    """A minimal part of `members`, which can't be met together; ascending.

    Clues are left out one after the other, in growing chunks as long as that succeeds; what is left of them
    is cut down to the core each time.
    """
    needed: list[int] = []
    left, size = list(members), 1
    while left:
        oracle.limits.check(1 - len(left) / len(members))
        if oracle.find([*needed, *left[size:]], assumed) is None:
            core = set(oracle.core)
            left = [index for index in left[size:] if index in core]
            size *= 2
        elif size == 1:
            needed.append(left.pop(0))
        else:
            size = max(1, min(size, len(left)) // 2)
    return sorted(needed)


def grow(
    oracle: ClueOracle, members: Sequence[int], values: Mask, within: Sequence[int], assumed: Assumed
) -> set[int]:
    """A maximal part of `within` that can be met together, from `members` that `values` meet."""
    allowed = set(within)
    met = set(members) | (allowed & set(oracle.met(values)))
    for index in within:
        if index not in met:
            found = oracle.find([*met, index], assumed)
            if found is not None:
                met |= {index} | (allowed & set(oracle.met(found)))
    return met


class GaveUpError(Exception):
    """`smallest` has made as many attempts as it was allowed."""


def smallest(
    oracle: ClueOracle,
    within: Sequence[int],
    sizes: range,
    assumed: Assumed = (),
    attempts: int | None = None,
) -> list[int] | None:
    """A smallest part of `within` that can't be met together, if it has one of `sizes`; else None.

    By implicit hitting sets: such a part has a clue in common with every set of clues without which the
    others can be met. A part that has, and still can be met, gives another such set.

    Parameters
    ----------
    sizes
        Ascending; it is known that there is no smaller part.
    attempts
        Parts that are tried before it raises `GaveUpError`.

    Raises
    ------
    LimitError, GaveUpError
    """
    variable = {index: k + 1 for k, index in enumerate(within)}
    correcting: list[list[int]] = []
    tried = 0
    for size in sizes:
        at_most = (list(variable.values()), size)
        with SatSession([], oracle.limits, "minicard", at_most=at_most) as hitting:
            for missing in correcting:
                hitting.add([variable[index] for index in missing])
            while hitting.satisfiable():
                chosen = [index for index, true in zip(within, hitting.values, strict=False) if true]
                values = oracle.find(chosen, assumed)
                if values is None:
                    return chosen
                tried += 1
                if attempts is not None and tried > attempts:
                    raise GaveUpError
                met = grow(oracle, chosen, values, within, assumed)
                missing = [index for index in within if index not in met]
                if not missing:
                    return None
                correcting.append(missing)
                hitting.add([variable[index] for index in missing])
    return None


def every(oracle: ClueOracle, within: Sequence[int]) -> Iterator[list[int]]:
    """All minimal parts of `within` that can't be met together, as they are found.

    By the map of all parts that are not yet known to be met, or not: a large one is taken from it, and shrunk
    or grown (MARCO).
    """
    variable = {index: k + 1 for k, index in enumerate(within)}
    with SatSession([], oracle.limits) as solver:
        solver.prefer(list(variable.values()))
        while solver.satisfiable():
            # Variables that no clause has are not in the model.
            false = {-literal for literal in solver.model() if literal < 0}
            part = [index for index in within if variable[index] not in false]
            values = oracle.find(part)
            if values is None:
                found = shrink(oracle, oracle.core)
                yield found
                solver.add([-variable[index] for index in found])
            else:
                met = grow(oracle, part, values, within, ())
                solver.add([variable[index] for index in within if index not in met])
