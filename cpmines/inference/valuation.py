"""Values of the nodes of a circuit: exact integers by residues, floats, and what is possible at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import ceil, prod
from operator import mul
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.circuit import Circuit
from cpmines.inference.integers import primes_up_to

if TYPE_CHECKING:
    from cpmines.inference.kernels.circuit import Nodes
    from cpmines.kernels.pulse import Pulse

__all__ = ["LEAST", "PrecisionError", "Valuation", "exact_leaves", "exact_roots"]

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

A = TypeVar("A", bound=np.generic)

STRETCH = 200_000_000
"""Multiplications between two looks at the clock: a part of a second."""

LEAST = 2.0**-700
"""A table whose largest number is less may have lost to underflow what is not small beside it."""

WORD = 63
"""Counts of so many bits are exact modulo 2^64."""
PRIME_BITS = 30
"""Each prime from 2^30 to 2^31 adds so many bits to what is exact."""


class PrecisionError(LimitError):
    """Probabilities are too far apart for floats."""

    def __init__(self) -> None:
        super().__init__(Stop.DECLINED, "the probabilities are too far apart for floats")


@dataclass(frozen=True, eq=False)
class Valuation:
    """A circuit whose values are polynomials in the number of mines, or plain numbers.

    Attributes
    ----------
    circuit
    low, offset
        int64 (nodes,), (nodes + 1,): the lowest power of each node, and where its coefficients begin.
    """

    circuit: Circuit
    limits: Limits
    low: Longs
    offset: Longs

    @classmethod
    def plain(cls, circuit: Circuit, limits: Limits) -> Valuation:
        """Mines are not counted."""
        return cls(circuit, limits, np.zeros(circuit.nodes, np.int64), np.arange(circuit.nodes + 1))

    @classmethod
    def by_mines(cls, circuit: Circuit, limits: Limits) -> Valuation:
        """Polynomials in the number of mines. Raises `LimitError` if they need too much memory."""
        from cpmines.inference.kernels import circuit as kernels
        from cpmines.kernels.pulse import Pulse

        low, high = np.empty(circuit.nodes, np.int64), np.empty(circuit.nodes, np.int64)
        low[: circuit.leaves] = high[: circuit.leaves] = circuit.leaf_mines
        pairs = circuit.pair_starts, circuit.left, circuit.right
        kernels.ranges(circuit.leaves, *pairs, low, high, Pulse(limits.check))
        offset = np.zeros(circuit.nodes + 1, np.int64)
        np.cumsum(high - low + 1, out=offset[1:])
        limits.require(int(offset[-1]) * 24, "counting by mines")
        return cls(circuit, limits, low, offset)

    @cached_property
    def nodes(self) -> Nodes:
        from cpmines.inference.kernels.circuit import Nodes

        c = self.circuit
        return Nodes(
            row_starts=c.row_starts,
            parents=c.parents,
            pair_starts=c.pair_starts,
            left=c.left,
            right=c.right,
            low=self.low,
            offset=self.offset,
        )

    @cached_property
    def pulse(self) -> Pulse:
        from cpmines.kernels.pulse import Pulse

        return Pulse(self.limits.check)

    @cached_property
    def efforts(self) -> Floats:
        """float64 (tables + 1,): multiplications for the values of all tables before each."""
        lengths = np.diff(self.offset).astype(np.float64)
        passed = np.zeros(len(self.circuit.left) + 1)
        np.cumsum(lengths[self.circuit.left] * lengths[self.circuit.right], out=passed[1:])
        return np.asarray(passed[self.circuit.pair_starts[self.circuit.row_starts]])

    @property
    def work(self) -> int:
        """Multiplications for all values."""
        return int(self.efforts[-1])

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """Ranges of the joined tables between which the clock is looked at."""
        first, last = len(self.circuit.reduced.sizes), len(self.circuit.parents)
        cuts = np.searchsorted(self.efforts, np.arange(STRETCH, self.efforts[-1], STRETCH))
        return list(pairwise([first, *np.unique(cuts[(cuts > first) & (cuts < last)]).tolist(), last]))

    @cached_property
    def spans(self) -> list[tuple[int, list[tuple[int, int, int]]]]:
        """For each component its lowest power; of its nodes begin, end and first power of coefficients."""
        circuit = self.circuit
        low, offset, starts = self.low, self.offset, circuit.row_starts
        found = []
        for first, last in zip(
            starts[circuit.roots].tolist(), starts[circuit.roots + 1].tolist(), strict=True
        ):
            nodes = [k for k in range(first, last) if k >= circuit.leaves or circuit.possible[k]]
            lowest = min(int(low[k]) for k in nodes)
            found.append(
                (lowest, [(int(offset[k]), int(offset[k + 1]), int(low[k]) - lowest) for k in nodes])
            )
        return found

    def at_roots(self, values: NDArray[np.generic]) -> list[tuple[int, list[int]]]:
        """For each component its lowest number of mines and its coefficients from there on."""
        result = []
        for lowest, nodes in self.spans:
            coefficients: list[int] = []
            for start, end, shift in nodes:
                coefficients += [0] * (shift + end - start - len(coefficients))
                for k, x in enumerate(values[start:end].tolist(), shift):
                    coefficients[k] += x
            result.append((lowest, coefficients))
        return result

    def floats(self, weights: Floats, *, clip: bool = False) -> tuple[Floats, Longs]:
        """Values from those of the leaves, and the binary exponent of each table; may raise `PrecisionError`.

        With `clip`, 1 stands for what is possible and 0 for what is not.
        """
        from cpmines.inference.kernels import circuit as kernels

        circuit = self.circuit
        values = np.empty(self.offset[-1])
        values[: circuit.leaves] = weights
        exponents = np.zeros(len(circuit.parents), np.int64)
        least = 1.0
        for first, last in self.stretches:
            least = min(least, kernels.evaluate(self.nodes, first, last, values, exponents, clip, self.pulse))
            self.limits.check()
        if not clip and least < LEAST:
            raise PrecisionError
        return values, exponents

    def slopes(self, values: Floats, seeds: Sequence[Sequence[float]], *, clip: bool = False) -> Floats:
        """Derivatives by the values of the leaves, up to a factor for each variable; float64 (leaves,).

        May raise `PrecisionError`.

        Parameters
        ----------
        seeds
            For each root the derivative by each of its coefficients, as `at_roots` lists them.
        """
        from cpmines.inference.kernels import circuit as kernels

        circuit = self.circuit
        slopes = self._seeded(np.zeros(len(values)), seeds)
        least = 1.0
        for first, last in reversed(self.stretches):
            least = min(
                least, kernels.differentiate(self.nodes, first, last, values, slopes, clip, self.pulse)
            )
            self.limits.check()
        if not clip and least < LEAST:
            raise PrecisionError
        return slopes[: circuit.leaves]

    def _seeded(self, slopes: NDArray[A], seeds: Sequence[Sequence[float]]) -> NDArray[A]:
        for (_, nodes), seed in zip(self.spans, seeds, strict=True):
            for start, end, shift in nodes:
                slopes[start:end] = seed[shift : shift + end - start]
        return slopes

    def residues(self, modulus: int) -> NDArray[np.uint64]:
        """Values modulo a prime below 2^31, or modulo 2^64 if `modulus` is 0. Raises `LimitError`."""
        from cpmines.inference.kernels import circuit as kernels

        circuit = self.circuit
        values = np.empty(self.offset[-1], np.uint64)
        values[: circuit.leaves] = circuit.weights.view(np.uint64)
        for first, last in self.stretches:
            kernels.evaluate_modulo(self.nodes, first, last, values, modulus, self.pulse)
            self.limits.check()
        return values

    def slope_residues(
        self, values: NDArray[np.uint64], seeds: Sequence[Sequence[int]], modulus: int
    ) -> NDArray[np.uint64]:
        """As `slopes`, exact modulo a number; `values` are the `residues` by it. Raises `LimitError`."""
        from cpmines.inference.kernels import circuit as kernels

        circuit = self.circuit
        slopes = self._seeded(np.zeros(len(values), np.uint64), seeds)
        for first, last in reversed(self.stretches):
            kernels.differentiate_modulo(self.nodes, first, last, values, slopes, modulus, self.pulse)
            self.limits.check()
        return slopes[: circuit.leaves]


@cache
def primes() -> list[int]:
    """Primes below 2^31, the largest first: about 46,000."""
    width = 1_000_000
    top = 1 << 31
    prime = np.ones(width, np.bool_)
    for p in primes_up_to(1 << 16).tolist():
        prime[(width - top) % p :: p] = False
    found: list[int] = (top - width + np.flatnonzero(prime))[::-1].tolist()
    return found


def moduli(bits: int) -> list[int]:
    """Numbers modulo which an integer of so many bits is determined; 0 stands for 2^64."""
    return [0] if bits <= WORD else primes()[: ceil((bits + 1) / PRIME_BITS)]


def combine(residues: list[list[int]], modulo: list[int], limits: Limits) -> list[int]:
    """The numbers with the given residues, a list for each modulus (Chinese remainder theorem).

    Raises `LimitError`.
    """
    if len(modulo) == 1:
        return residues[0]
    modulus = prod(modulo)
    units = [modulus // p * pow(modulus // p, -1, p) for p in modulo]
    found = []
    for column in zip(*residues, strict=True):
        limits.check()
        found.append(sum(map(mul, column, units)) % modulus)
    return found


def exact_roots(valuation: Valuation, bits: int, limits: Limits) -> list[tuple[int, list[int]]]:
    """The polynomials of the components, each its lowest power and its coefficients, of up to `bits` bits.

    Coefficients with more bits would be wrong without a word. Raises `LimitError`.
    """
    modulo = moduli(bits)
    shapes: list[tuple[int, list[int]]] = []
    residues = []
    for modulus in modulo:
        limits.check()
        shapes = valuation.at_roots(valuation.residues(modulus))
        residues.append([x % modulus if modulus else x for _, row in shapes for x in row])
    numbers = iter(combine(residues, modulo, limits))
    return [(low, [next(numbers) for _ in row]) for low, row in shapes]


def exact_leaves(
    valuation: Valuation, seeds: Sequence[Sequence[Sequence[int]]], bits: int, limits: Limits
) -> list[list[int]]:
    """For each of the `seeds` the exact derivatives by the values of the leaves, of up to `bits` bits.

    `seeds` are as for `Valuation.slopes`, several of them; one list for each. Raises `LimitError`.
    """
    modulo = moduli(bits)
    residues: list[list[list[int]]] = [[] for _ in seeds]
    for modulus in modulo:
        values = valuation.residues(modulus)
        for rows, seed in zip(residues, seeds, strict=True):
            limits.check()
            slopes = valuation.slope_residues(values, seed, modulus)
            rows.append((slopes % np.uint64(modulus) if modulus else slopes).tolist())
    return [combine(rows, modulo, limits) for rows in residues]
