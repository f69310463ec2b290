"""A placement of mines that satisfies all clues and the total, or the proof that there is none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.network import Network
from cpmines.inference.propagation import Propagated
from cpmines.inference.search import search
from cpmines.inference.spectrum import Spectrum, spectrum

__all__ = ["witness"]

Values = NDArray[np.int8]

BLOCK = 4096
"""Cells of the components that are searched together: few searches, and no restart that costs much."""


def witness(known: Propagated, limits: Limits) -> NDArray[np.bool_] | None:
    """A placement that completes what propagation left open, bool (rows, cols); None if there is none.

    Raises
    ------
    LimitError
        The search is not through, which it says; there is no answer then.
    """
    network = Network.of(known, limits)
    left, free = known.mines_left, known.unknowns - len(network.cells)
    values = solve(network, limits, np.zeros(len(network.cells), np.int8))
    if values is not None and left is not None:
        values = meet_total(network, values, range(left - free, left + 1), limits)
    if values is None:
        return None
    return known.placement(network.cells, values)


def solve(network: Network, limits: Limits, phase: Values) -> Values | None:
    """Values that satisfy the sums of all components, near to `phase`; None if there are none."""
    values = np.empty_like(phase)
    for first, last in network.blocks(BLOCK):
        cells = slice(network.cell_ends[first], network.cell_ends[last])
        found = search(network.part(first, last), limits, phase[cells])
        if found is None:
            return None
        values[cells] = found
    return values


def meet_total(network: Network, few: Values, window: range, limits: Limits) -> Values | None:
    """Values with a number of ones in `window`, given some that satisfy the sums; None if there are none.

    What is cheap comes first: other values, then the spectra of the components, small ones first, then one
    search of everything with the total as a sum.
    """
    for values in approach(network, few, window, limits):
        if ones(values) in window:
            return values
    try:
        return combine(network, values, window, limits)
    except LimitError as limit:
        if limit.stop == Stop.TIME_LIMIT:
            raise
    return search(network.with_total(window[0], window[-1]), limits, values)


def ones(values: Values) -> int:
    return int(values.sum(dtype=np.int64))


def approach(network: Network, few: Values, window: range, limits: Limits) -> Iterator[Values]:
    """Values with more and more suitable numbers of ones: `few`, many, and both spliced, cut by bisection.

    A search that begins with the values of one solution here and of another there repairs only the seam.
    """
    yield few
    if ones(few) >= window[0]:
        return
    many = solve(network, limits, np.ones_like(few))
    assert many is not None
    yield many
    low, high = 0, len(few) if ones(many) > window[-1] else 0
    while high - low > 1:
        cut = (low + high) // 2
        spliced = solve(network, limits, np.concatenate([many[:cut], few[cut:]]))
        assert spliced is not None
        yield spliced
        low, high = (cut, high) if ones(spliced) < window[0] else (low, cut)


def combine(network: Network, values: Values, window: range, limits: Limits) -> Values | None:
    """Change one component after the other, small ones first, until the number of ones is in `window`.

    None if no combination of the numbers that the components allow is in it. The sets of numbers are bits.
    """
    sizes = np.diff(network.cell_ends)
    wanted = (1 << window[-1] + 1) - (1 << max(window[0], 0)) if window[-1] >= 0 else 0
    fixed = ones(values)
    reached, chosen = [1], list[tuple[slice, Spectrum]]()
    for component in np.argsort(sizes, kind="stable").tolist():
        cells = slice(network.cell_ends[component], network.cell_ends[component + 1])
        found = spectrum(network.part(component, component + 1), limits)
        fixed -= ones(values[cells])
        chosen.append((cells, found))
        reached.append(sumset(reached[-1], found.counts))
        if hits := reached[-1] << fixed & wanted:
            return settle(values, reached, chosen, hits.bit_length() - 1 - fixed)
    return None


def sumset(a: int, b: int) -> int:
    """Bits of all sums of a number in `a` and one in `b`."""
    total = 0
    for k in bits(b):
        total |= a << k
    return total


def bits(number: int) -> Iterator[int]:
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def settle(values: Values, reached: list[int], chosen: list[tuple[slice, Spectrum]], target: int) -> Values:
    """`values` with the chosen components changed so that these hold `target` ones."""
    values = values.copy()
    for before, (cells, found) in zip(reversed(reached[:-1]), reversed(chosen), strict=True):
        here = next(k for k in bits(found.counts) if target >= k and before >> target - k & 1)
        values[cells] = found.solution(here)
        target -= here
    return values
