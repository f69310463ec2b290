"""Where elimination is too wide: cases by the values of a few cells, answered one by one and added up.

Every case is compiled when its turn comes and dropped after it, so that only the largest one has to fit into
the memory. The cells are those that promise to bring the width down the most.

References
----------
Pearl (1988), Probabilistic reasoning in intelligent systems, section 4.4 (conditioning).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.board import UNKNOWN, Position
from cpmines.errors import LimitError
from cpmines.inference.chance import open_chances
from cpmines.inference.component import Component
from cpmines.inference.cutset import branches, cutset
from cpmines.inference.enumeration import enumerate_placements
from cpmines.inference.exact import OPEN, Inference, complete, infer
from cpmines.inference.layouts import Sampler, draw
from cpmines.inference.network import Network
from cpmines.inference.propagation import Propagated, propagate

__all__ = ["Answers", "Cases", "answers", "placements", "sampler"]

Floats = NDArray[np.float64]
Mines = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class CaseSummary:
    """What is kept of the cases: `weights` of those that have placements, and what they have together."""

    weights: list[int]
    count: int
    by_mines: dict[int, int] | None
    probability: Floats
    state: NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Cases:
    """All answers on a position by cases; properties are those of `Inference`.

    Attributes
    ----------
    known
        The position, propagated.
    cells
        Flat indices of the cells whose values make the cases.
    """

    known: Propagated
    cells: tuple[int, ...]
    density: Fraction | None
    limits: Limits

    def each(self) -> Iterator[Inference]:
        """The cases that have placements, compiled one after the other.

        Raises
        ------
        LimitError
        """
        for done, known in branches(self.known, self.cells, self.limits):
            self.limits.check(done)
            found = complete(known, self.limits, density=self.density)
            if found is not None:
                yield found

    @cached_property
    def summary(self) -> CaseSummary | None:
        """None if there is no placement."""
        weights: list[int] = []
        by_mines: Counter[int] | None = Counter()
        count = total = 0
        probability = np.zeros(self.known.position.shape)
        state = np.empty(0, np.int8)
        for found in self.each():
            weights.append(weight(found))
            own, counts = weights[-1], found.by_mines
            probability = shared(own, total) * found.probability + shared(total, own) * probability
            state = np.where(state == found.state, state, OPEN) if total else found.state
            count, total = count + found.count, total + own
            by_mines = None if by_mines is None or counts is None else by_mines + Counter(counts)
        if not weights:
            return None
        probability = np.where(state == OPEN, open_chances(probability), state)
        numbers = None if by_mines is None else dict(sorted(by_mines.items()))
        return CaseSummary(weights, count, numbers, probability, state)

    @property
    def _summary(self) -> CaseSummary:
        assert self.summary is not None
        return self.summary

    @property
    def count(self) -> int:
        return self._summary.count

    @property
    def by_mines(self) -> dict[int, int] | None:
        return self._summary.by_mines

    @property
    def probability(self) -> Floats:
        return self._summary.probability

    @property
    def state(self) -> NDArray[np.int8]:
        return self._summary.state

    @property
    def components(self) -> tuple[Component, ...]:
        """Of the first case."""
        return next(self.each()).components

    @property
    def free_cells(self) -> Mines:
        return self.known.others(Network.of(self.known, self.limits).cells)

    @cached_property
    def ratios(self) -> NDArray[np.object_]:
        """object (rows, cols): the exact probabilities, None in known cells."""
        weights = self._summary.weights
        result = np.full(self.known.position.shape, None, np.object_)
        unknown = self.known.position.cells == UNKNOWN
        result[unknown] = Fraction(0)
        for found, own in zip(self.each(), weights, strict=True):
            result[unknown] += found.ratios[unknown] * Fraction(own, sum(weights))
        return result

    @property
    def rounded(self) -> Floats:
        unknown = self.known.position.cells == UNKNOWN
        result = self.state.astype(np.float64)
        result[unknown] = self.ratios[unknown].astype(np.float64)
        return result

    @property
    def ratios_are_cheap(self) -> bool:
        return False

    def placements(self) -> Iterator[Mines]:
        """All placements, each once."""
        for found in self.each():
            yield from enumerate_placements(found)

    def sample(self, count: int, seed: int) -> Iterator[Mines]:
        """Independent placements; for each a case is drawn and compiled again. There is a placement."""
        rng = random.Random(seed)
        for _ in range(count):
            found = next(islice(self.each(), draw(rng, self._summary.weights), None))
            yield next(Sampler.of(found)(1, rng.randrange(1 << 31)))


Answers = Inference | Cases


def placements(found: Answers) -> Iterator[Mines]:
    """All placements, each once, bool (rows, cols); those of cases one case after the other.

    Raises
    ------
    LimitError
        Time is up, between two placements or before the first one.
    """
    return found.placements() if isinstance(found, Cases) else enumerate_placements(found)


def sampler(found: Answers) -> Callable[[int, int], Iterator[Mines]]:
    """What draws independent placements, by their number and a seed; see `Sampler`. Raises `LimitError`."""
    return found.sample if isinstance(found, Cases) else Sampler.of(found)


def shared(own: int, others: int) -> float:
    return float(Fraction(own, own + others))


def weight(found: Inference) -> int:
    """What the placements of a case are worth together, up to a factor that all cases have."""
    if found.density is None:
        return found.count
    if found.by_mines is None:
        raise LimitError(Stop.MEMORY_LIMIT, "the cases can't be weighed: their counts by mines are too many")
    p, q = found.density.numerator, found.density.denominator - found.density.numerator
    most = found.position.cells.size
    return sum(count * p**mines * q ** (most - mines) for mines, count in found.by_mines.items())


def answers(position: Position, limits: Limits, *, density: float | Fraction | None = None) -> Answers | None:
    """As `infer`; by cases where elimination is too wide.

    Raises
    ------
    LimitError
        Time or memory are up, or the cases of a few cells are too wide as well.
    ValueError
        As `infer`.
    """
    try:
        return infer(position, limits, density=density)
    except LimitError as limit:
        if limit.stop == Stop.TIME_LIMIT:
            raise
    known = propagate(position, limits)
    chosen = None if density is None else Fraction(density)
    found = Cases(known, cutset(known, limits), chosen, limits)
    return None if found.summary is None else found
