"""Single placements out of an `Inference`: any one, or random ones."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from cpmines.inference import sets
from cpmines.inference.exact import Inference
from cpmines.inference.valuation import PrecisionError, Valuation

__all__ = ["Sampler", "assemble", "first_placement", "value_at"]

Mines = NDArray[np.bool_]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

DRAWN = 53
"""Bits of a random float."""


def assemble(found: Inference, holding: NDArray[np.bool_], free: NDArray[np.bool_]) -> Mines:
    """The placement in which the groups in `holding` hold; bool (rows, cols).

    Parameters
    ----------
    holding
        bool (groups,): groups of variables one after the other.
    free
        bool (free cells,).
    """
    reduced = found.reduced
    mines = found.settled.copy()
    mines[found.free_cells] = free
    inside = reduced.variable >= 0
    group = found.group_starts[reduced.variable[inside]] + reduced.group[inside]
    mines[found.network.cells[inside]] = holding[group] != (reduced.flipped[inside] == 1)
    return mines.reshape(found.position.shape)


def descend(
    found: Inference,
    valuation: Valuation,
    values: Floats,
    exponents: Longs,
    powers: list[int],
    draws: Floats,
) -> Longs:
    """The value of each variable; int64 (variables,). See `cpmines.inference.kernels.circuit.descend`.

    Parameters
    ----------
    values, exponents
        As `Valuation.floats` returns them.
    powers
        Mines in each component.
    draws
        float64 (tables,), 0 for the first possibility.
    """
    from cpmines.inference.kernels import circuit as kernels

    circuit, variables = found.circuit, len(found.reduced.sizes)
    nodes, chosen = np.zeros(len(circuit.parents), np.int32), np.zeros(len(circuit.parents), np.int64)
    starts, ends = circuit.row_starts[circuit.roots], circuit.row_starts[circuit.roots + 1]
    for k, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        # Lists, since an array costs more than the few rows that are in it.
        passed = list(accumulate(value_at(valuation, values, node, powers[k]) for node in range(start, end)))
        root = circuit.roots[k]
        nodes[root] = start + bisect_right(passed, float(draws[root]) * passed[-1])
        chosen[root] = powers[k]
    # A table that was scaled by itself has other units than the products of the tables it was joined from.
    own, joined = exponents.copy(), circuit.parents >= 0
    np.subtract.at(own, circuit.parents[joined], exponents[joined])
    draws = np.ldexp(draws, own)
    kernels.descend(valuation.nodes, variables, circuit.tables, values, draws, nodes, chosen, valuation.pulse)
    return nodes[:variables] - circuit.row_starts[:variables]


def value_at(valuation: Valuation, values: Floats, node: int, power: int) -> float:
    """The coefficient of a node's polynomial, 0 where it has none."""
    start, end = int(valuation.offset[node]), int(valuation.offset[node + 1])
    place = power - int(valuation.low[node])
    return float(values[start + place]) if 0 <= place < end - start else 0.0


def first_placement(found: Inference) -> Mines:
    """A placement, bool (rows, cols): always the same one. Raises `LimitError`."""
    possible = found.circuit.possible.astype(np.float64)
    valuation, powers, lacking = found.plain, [0] * len(found.circuit.roots), 0
    if found.target is not None:
        valuation = found.graded
        inside = next(sets.bits(found.sums(0, found.free)))
        extra = sets.split(found.set_levels, inside)
        powers = [low + more for (low, _), more in zip(found.spectra, extra, strict=False)]
        lacking = found.target - sum(powers)
    values, exponents = valuation.floats(possible, clip=True)
    holding = descend(found, valuation, values, exponents, powers, np.zeros(len(found.circuit.parents)))
    rank = np.arange(found.group_starts[-1]) - np.repeat(found.group_starts[:-1], found.reduced.sizes)
    held = rank < np.repeat(holding, found.reduced.sizes)
    return assemble(found, held, np.arange(found.free) < lacking)


@dataclass(frozen=True)
class Sampler:
    """Draws placements, each as likely as its probability: all the same without a density.

    Attributes
    ----------
    valuation, values, exponents
        Of the circuit, see `Valuation.floats`.
    passed
        For each component, the running sums of what its numbers of mines are worth at the density; None where
        the valuation has the density in it, or there is none.
    """

    found: Inference
    valuation: Valuation
    values: Floats
    exponents: Longs
    passed: list[list[int]] | None

    @classmethod
    def of(cls, found: Inference) -> Sampler:
        """All that is computed before the first placement.

        Where placements with different numbers of mines are too far apart for floats, these numbers are drawn
        first, by exact shares; of the placements with the same number each is as likely as the others.

        Raises
        ------
        LimitError
        """
        valuation = found.plain if found.target is None else found.graded
        try:
            return cls(found, valuation, *valuation.floats(found.leaf_weights), None)
        except PrecisionError:
            if found.density is None:
                raise
        worth = found.worth() or []
        weights = found.circuit.weights.astype(np.float64)
        passed = [
            list(accumulate(map(int.__mul__, row, own)))
            for (_, row), own in zip(found.polynomials, worth, strict=True)
        ]
        return cls(found, found.graded, *found.graded.floats(weights), passed)

    def __call__(self, count: int, seed: int) -> Iterator[Mines]:
        """So many independent placements. Raises `LimitError` when the time is up."""
        found = self.found
        rng, exact = np.random.default_rng(seed), random.Random(seed)
        for _ in range(count):
            found.limits.check()
            powers, lacking = self._powers(exact), -1
            if found.target is not None:
                lacking = found.target - sum(powers)
            draws = rng.random(len(found.circuit.parents))
            holding = descend(found, self.valuation, self.values, self.exponents, powers, draws)
            held = first_of_each(rng, found, holding)
            free = coins(rng.random(found.free), found.density or Fraction(1, 2), exact)
            if lacking >= 0:
                free[:] = rng.permutation(found.free) < lacking
            yield assemble(found, held, free)

    def _powers(self, rng: random.Random) -> list[int]:
        """Mines in each component; 0 where they need not be known beforehand."""
        if self.found.target is not None:
            return draw_split(self.found, rng)
        if self.passed is None:
            return [0] * len(self.found.circuit.roots)
        return [
            low + bisect_right(passed, rng.randrange(passed[-1]))
            for (low, _), passed in zip(self.found.polynomials, self.passed, strict=True)
        ]


def coins(draws: Floats, chance: Fraction, rng: random.Random) -> Mines:
    """Which coins fall on the side that has exactly this chance; bool of the shape of `draws`.

    Parameters
    ----------
    draws
        Uniform multiples of 2^-53 from 0 on and below 1. `rng` decides where they can't.
    """
    whole, rest = divmod(chance.numerator << DRAWN, chance.denominator)
    marks = np.ldexp(draws, DRAWN).astype(np.int64)
    fallen = marks < whole
    for place in np.flatnonzero(marks == whole).tolist():
        fallen[place] = rng.randrange(chance.denominator) < rest
    return fallen


def first_of_each(
    rng: np.random.Generator, found: Inference, holding: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Of the groups of each variable as many as `holding` says, at random; bool (groups,)."""
    sizes, starts = found.reduced.sizes, found.group_starts
    owners = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((rng.random(len(owners)), owners))
    held = np.empty(len(owners), np.bool_)
    held[order] = np.arange(len(owners)) - starts[owners] < holding[owners]
    return held


def draw_split(found: Inference, rng: random.Random) -> list[int]:
    """Mines in each component, with the exact probability that all placements with the total have them."""

    def share(left: list[int], right: list[int], total: int) -> int:
        first = max(0, total - len(right) + 1)
        ways = [left[i] * right[total - i] for i in range(first, min(len(left), total + 1))]
        return first + draw(rng, ways)

    everything, window = found.levels[-1][0], found.window
    total = draw(rng, [x * y for x, y in zip(everything, window, strict=True)])
    shares = sets.descend(found.levels, total, share)
    return [low + more for (low, _), more in zip(found.polynomials, shares, strict=False)]


def draw(rng: random.Random, shares: list[int]) -> int:
    """An index, as likely as its share."""
    place = rng.randrange(sum(shares))
    for k, share in enumerate(shares):
        place -= share
        if place < 0:
            return k
    raise AssertionError("shares do not add up")
