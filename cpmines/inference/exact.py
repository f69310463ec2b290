"""Exact answers on a position: the number of placements, by mines, probabilities, and what is certain.

`infer` preprocesses the position and compiles what is left to a circuit. Everything else is computed from the
circuit when it is first asked for, and kept.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import UNKNOWN, Position
from cpmines.inference import sets
from cpmines.inference.chance import chance, open_chances
from cpmines.inference.compiled import Compiled
from cpmines.inference.component import Component, components_of
from cpmines.inference.elimination import ATTEMPTS, compile_circuit
from cpmines.inference.integers import dot
from cpmines.inference.network import Network
from cpmines.inference.polynomial import binomials, product, spread_down
from cpmines.inference.propagation import Propagated, propagate
from cpmines.inference.reduction import reduce
from cpmines.inference.valuation import LEAST, PrecisionError, Valuation, exact_leaves, exact_roots
from cpmines.numerals import plural

__all__ = ["OPEN", "Component", "Inference", "complete", "infer"]

Floats = NDArray[np.float64]

OPEN = -1
"""The state of a cell that is a mine in some placements and none in others."""

MOST_BITS = 1 << 28
"""Bits of all counts by mines together, beyond which they are left out."""

CHEAP_RATIOS = 10_000_000
"""Numbers of a machine word, a few seconds of work, that exact ratios may take in passing."""


class Inference(Compiled):
    """All answers on one position that has a placement. Arrays are to be read only."""

    @cached_property
    def count(self) -> int:
        """Number of placements; with a total, of those that have it."""
        if self.target is not None:
            return dot(self.levels[-1][0], self.window, self.limits)
        components = exact_roots(self.plain, self.bits, self.limits)
        return math.prod(row[0] for _, row in components) << self.free

    @cached_property
    def by_mines(self) -> dict[int, int] | None:
        """Number of mines, known ones included -> number of placements, ascending and without zeros.

        None if counting would take more than `MOST_WORK`, or the numbers more than `MOST_BITS` or the memory
        limit.
        """
        if self.position.mines is not None:
            return {self.position.mines: self.count}
        if not self.countable:
            return None
        everything = self.levels[-1][0]
        size = (len(everything) + self.free) ** 2
        if size > min(8 * self.limits.memory, MOST_BITS):
            return None
        lowest = self.fixed + sum(low for low, _ in self.polynomials)
        counts = product(everything, binomials(self.free, 0, self.free + 1, self.limits), self.limits)
        return {mines: count for mines, count in enumerate(counts, lowest) if count}

    @cached_property
    def holding(self) -> list[Fraction]:
        """For each variable the exact probability that one of its groups holds."""
        weights = self.worth()
        if weights is None:
            seeds = [[[1] for _ in self.circuit.roots]]
            slopes = exact_leaves(self.plain, seeds, self.bits, self.limits)
        else:
            longest = max((len(row) for row in weights), default=0)
            shapes = [len(row) for row in weights]
            seeds = [[[int(k == s) for k in range(size)] for size in shapes] for s in range(longest)]
            slopes = exact_leaves(self.graded, seeds, self.bits, self.limits)
        return self._ratios(slopes, weights)

    @property
    def ratios_are_cheap(self) -> bool:
        """Do exact ratios take at most a few seconds?"""
        seeds, words = 1, 1 + self.bits // 30
        if self.target is not None or self.density is not None:
            seeds = max((len(row) for _, row in self.polynomials), default=1)
            words += self.graded.work // max(1, self.circuit.leaves) // 50
        return self.circuit.leaves * seeds * words <= CHEAP_RATIOS

    def worth(self) -> list[list[int]] | None:
        """For each component, what one solution counts by its number of mines; None if all count the same."""
        if self.target is not None:
            return spread_down(self.levels, self.window, self.limits)[: len(self.polynomials)]
        if self.density is None:
            return None
        p, q = self.density.numerator, self.density.denominator - self.density.numerator
        return [[p**k * q ** (len(row) - 1 - k) for k in range(len(row))] for _, row in self.polynomials]

    def _ratios(self, slopes: list[list[int]], weights: list[list[int]] | None) -> list[Fraction]:
        component = self.circuit.components()
        sizes = self.reduced.sizes.tolist()
        starts = self.circuit.row_starts.tolist()
        result = []
        for variable, size in enumerate(sizes):
            holds = total = 0
            worth = [1] if weights is None else weights[component[variable]]
            for value in range(size + 1):
                leaf = starts[variable] + value
                if not self.circuit.possible[leaf]:
                    continue
                self.limits.check()
                ways = sum(row[leaf] * x for row, x in zip(slopes, worth, strict=False) if row[leaf])
                total += math.comb(size, value) * ways
                holds += math.comb(size - 1, value - 1) * ways if value else 0
            result.append(Fraction(holds, total))
        return result

    @cached_property
    def free_ratio(self) -> Fraction:
        """The exact probability of a mine in a free cell; 0 if there is none."""
        if not self.free:
            return Fraction(0)
        if self.target is None:
            return Fraction(1, 2) if self.density is None else self.density
        count = len(self.window)
        lowest = sum(low for low, _ in self.polynomials)
        ways = binomials(self.free - 1, self.target - lowest - count, count, self.limits)[::-1]
        return Fraction(dot(self.levels[-1][0], ways, self.limits), self.count)

    @cached_property
    def rounded(self) -> Floats:
        """float64 (rows, cols): as `probability`, but each from its exact ratio, rounded once."""
        ratios = self.holding
        opposite = np.array([chance(1 - ratio) for ratio in ratios])
        return self._spread(np.array([chance(ratio) for ratio in ratios]), opposite, self.free_ratio)

    @cached_property
    def ratios(self) -> NDArray[np.object_]:
        """object (rows, cols): the exact probability of a mine in each unknown cell, None in the others."""
        both = [(ratio, 1 - ratio) for ratio in self.holding]
        ratios = np.full(self.position.cells.size, None, np.object_)
        unknown = self.position.cells.ravel() == UNKNOWN
        certain = np.array([Fraction(0), Fraction(1)], np.object_)
        ratios[unknown] = certain[self.settled[unknown].astype(np.intp)]
        ratios[self.free_cells] = self.free_ratio
        inside = self.reduced.variable >= 0
        ratios[self.network.cells[inside]] = [
            both[variable][flip]
            for variable, flip in zip(
                self.reduced.variable[inside].tolist(), self.reduced.flipped[inside].tolist(), strict=True
            )
        ]
        return ratios.reshape(self.position.shape)

    def _spread(self, holding: Floats, opposite: Floats, free: Fraction) -> Floats:
        """Probabilities of mines in cells, from those that the groups of a variable hold, and do not hold."""
        result = self.settled.astype(np.float64)
        result[self.free_cells] = chance(free)
        inside = self.reduced.variable >= 0
        variable, flipped = self.reduced.variable[inside], self.reduced.flipped[inside] == 1
        result[self.network.cells[inside]] = np.where(flipped, opposite[variable], holding[variable])
        return np.asarray(result.reshape(self.position.shape))

    @cached_property
    def probability(self) -> Floats:
        """float64 (rows, cols): of a mine; 1 at known mines, 0 at clues. Relative error below 1e-12."""
        valuation, seeds = self.plain, [[1.0] for _ in self.circuit.roots]
        if self.target is not None:
            worths = self.worth()
            assert worths is not None
            valuation, tops = self.graded, [max(row) for row in worths]
            seeds = [[x / top for x in row] for row, top in zip(worths, tops, strict=True)]
        try:
            return self._spread(*self._holding(valuation, seeds), self.free_ratio)
        except PrecisionError:
            return self.rounded

    @cached_property
    def leaf_weights(self) -> Floats:
        """float64 (leaves,): what a leaf counts at the density, up to a factor for each variable."""
        circuit = self.circuit
        weights = circuit.weights.astype(np.float64)
        if self.density is None or not circuit.leaves:
            return weights
        odds = self.density / (1 - self.density)
        if not LEAST < odds < 1 / LEAST:
            raise PrecisionError
        starts = circuit.row_starts[: len(self.reduced.sizes)]
        more = circuit.leaf_mines - np.minimum.reduceat(circuit.leaf_mines, starts)[circuit.owners]
        logs = np.log(np.maximum(weights, 1.0)) + more * math.log(odds)
        logs[~circuit.possible] = -np.inf
        weights = np.exp(logs - np.maximum.reduceat(logs, starts)[circuit.owners])
        if (weights[circuit.possible] < LEAST).any():
            raise PrecisionError
        return np.asarray(weights)

    def _holding(self, valuation: Valuation, seeds: list[list[float]]) -> tuple[Floats, Floats]:
        """float64 (variables,): how likely a group holds, and how likely it does not; see `slopes`."""
        circuit = self.circuit
        if not circuit.leaves:
            return np.empty(0), np.empty(0)
        starts = circuit.row_starts[: len(self.reduced.sizes)]
        values, _ = valuation.floats(self.leaf_weights)
        slopes = valuation.slopes(values, seeds)
        shares = self.leaf_weights * slopes
        if (np.maximum.reduceat(slopes, starts) < LEAST).any() or (
            np.add.reduceat(shares, starts) < LEAST**0.5 * np.maximum.reduceat(slopes, starts)
        ).any():
            raise PrecisionError
        held = np.add.reduceat(shares * circuit.leaf_values, starts)
        missing = np.add.reduceat(shares * (self.reduced.sizes[circuit.owners] - circuit.leaf_values), starts)
        total, certain = held + missing, (held == 0) | (missing == 0)
        held, missing = (
            np.where(certain, part / total, open_chances(part / total)) for part in (held, missing)
        )
        return held, missing

    @cached_property
    def state(self) -> NDArray[np.int8]:
        """int8 (rows, cols): 1 where all placements have a mine, 0 where none has, else `OPEN`."""
        result = self.settled.astype(np.int8)
        result[self.free_cells] = self._free_state
        inside = self.reduced.variable >= 0
        holding = self._holding_states()[self.reduced.variable[inside]]
        flipped = holding ^ self.reduced.flipped[inside]
        result[self.network.cells[inside]] = np.where(holding == OPEN, OPEN, flipped)
        return result.reshape(self.position.shape)

    @property
    def _free_state(self) -> int:
        if self.target is None or not self.free:
            return OPEN
        safe, mine = self.sums(0, self.free - 1) != 0, self.sums(1, self.free) != 0
        return OPEN if safe and mine else int(mine)

    def _holding_states(self) -> NDArray[np.int8]:
        """int8 (variables,): 1 if all groups hold in all placements, 0 if none does in any, else `OPEN`."""
        circuit = self.circuit
        if not circuit.leaves:
            return np.empty(0, np.int8)
        valuation = self.plain if self.target is None else self.graded
        seeds = [[1.0] for _ in circuit.roots] if self.target is None else self._allowed()
        values, _ = valuation.floats(circuit.possible.astype(np.float64), clip=True)
        reached = (valuation.slopes(values, seeds, clip=True) > 0) & circuit.possible
        starts = circuit.row_starts[: len(self.reduced.sizes)]
        lacking = circuit.leaf_values < self.reduced.sizes[circuit.owners]
        some = np.logical_or.reduceat(reached & (circuit.leaf_values > 0), starts)
        others = np.logical_or.reduceat(reached & lacking, starts)
        return np.where(some & others, OPEN, some).astype(np.int8)

    def _allowed(self) -> list[list[float]]:
        """With a total: 1 for each number of mines that a component can have, from its fewest on, else 0."""
        allowed = sets.allowed(self.set_levels, self.sums(0, self.free))
        lengths = [found.bit_length() for _, found in self.spectra]
        return [
            [float(row >> k & 1) for k in range(length)]
            for row, length in zip(allowed, lengths, strict=False)
        ]

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The components that preprocessing leaves, in the order of their first cells."""
        return components_of(self)


def infer(position: Position, limits: Limits, *, density: float | Fraction | None = None) -> Inference | None:
    """Preprocess and compile a position; None if it has no placement.

    Parameters
    ----------
    density
        Probability of a mine in each unknown cell, independently, instead of a total; above 0 and below 1.

    Raises
    ------
    LimitError
        Time or memory are up; also later, when the answers are asked for.
    ValueError
        A density outside of its bounds, or for a position with a total.
    """
    if density is not None and (position.mines is not None or not 0 < density < 1):
        raise ValueError(f"density {density} for a position with {plural(position.mines or 0, 'mine')}")
    known = propagate(position, limits)
    return None if known.contradiction() else complete(known, limits, density=density)


def complete(
    known: Propagated,
    limits: Limits,
    *,
    density: float | Fraction | None = None,
    attempts: int = ATTEMPTS,
) -> Inference | None:
    """`infer` from a propagated position without contradiction; `attempts` as for `compile_circuit`.

    Raises
    ------
    LimitError
    """
    network = Network.of(known, limits)
    reduced = reduce(network, limits)
    circuit = None if reduced is None else compile_circuit(reduced, limits, attempts)
    if reduced is None or circuit is None:
        return None
    chosen = None if density is None else Fraction(density)
    found = Inference(known.position, chosen, limits, known, network, reduced, circuit)
    return found if found.reaches_total else None
