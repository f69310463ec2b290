"""An engine that gets every Model said in other words, and must give the same answers.

Variables are renamed and some negated; constraints come in another order, some as two, some as sums of
negations; the objective has its terms in pieces, three times as large, and a constant more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines import served
from cpmines.answer import Limits
from cpmines.engine import Ability, Covering, Engine, Outcome, Search
from cpmines.model import Literals, Model

__all__ = ["Restated", "Restatement", "restated"]

SCALE = 3


class Rows:
    """Constraints in other words, to be stated together: one call for each takes most of the time."""

    def __init__(self) -> None:
        self.literals: list[Literals] = []
        self.bounds: list[tuple[int, int, int]] = []

    def say(self, rng: np.random.Generator, literals: Literals, bounds: tuple[int, int], guard: int) -> None:
        """One constraint, perhaps as a sum of negations, perhaps as two."""
        lo, hi = bounds
        if rng.random() < 0.5:
            literals, lo, hi = -literals, len(literals) - hi, len(literals) - lo
        if rng.random() < 0.3:
            self.literals.append(literals)
            self.bounds.append((lo, len(literals), guard))
            lo = 0
        self.literals.append(literals)
        self.bounds.append((lo, hi, guard))

    def state(self, model: Model) -> None:
        """Add all of them."""
        if not self.bounds:
            return
        matrix = np.zeros((len(self.literals), max(map(len, self.literals))), np.int32)
        for row, literals in zip(matrix, self.literals, strict=True):
            row[: len(literals)] = literals
        lo, hi, guards = np.array(self.bounds, np.int64).T
        model.between_rows(matrix, lo, hi, only_if=guards)


@dataclass(frozen=True)
class Restatement:
    """A Model in other words.

    Attributes
    ----------
    place
        For each variable of the given Model the index of the one that stands for it.
    flipped
        Is that its negation?
    shift
        An objective of the given Model is `SCALE` times as large here, and this much more.
    """

    model: Model
    place: NDArray[np.int64]
    flipped: NDArray[np.bool_]
    shift: int = 0

    @classmethod
    def of(cls, model: Model, rng: np.random.Generator) -> Restatement:
        count = model.variable_count
        found = cls(Model(), rng.permutation(count), rng.random(count) < 0.5)
        found.model.variables(count)
        given = model.constraints()
        literals, guards = found.renamed(given.literals), found.renamed(given.only_if)
        rows = Rows()
        for k in rng.permutation(len(given)):
            shuffled = rng.permutation(literals[given.starts[k] : given.starts[k + 1]])
            rows.say(rng, shuffled, (int(given.lo[k]), int(given.hi[k])), int(guards[k]))
        rows.state(found.model)
        return found if model.objective is None else found._maximise(rng, *model.objective)

    def renamed(self, literals: Literals) -> Literals:
        """The literals that stand for these; 0 for 0."""
        if not len(self.place):
            return literals
        variable = np.abs(literals) - 1
        signs = np.sign(literals) * np.where(self.flipped[variable], -1, 1)
        found: Literals = (signs * (self.place[variable] + 1)).astype(np.int32)
        return found

    def back(self, outcome: Outcome) -> Outcome:
        """What the engine claims of this Model, said of the given one."""
        assignments = tuple(assignment[self.place] ^ self.flipped for assignment in outcome.assignments)
        bound = None if outcome.bound is None else (outcome.bound - self.shift) // SCALE
        return replace(outcome, assignments=assignments, bound=bound)

    def _maximise(
        self, rng: np.random.Generator, literals: Literals, weights: NDArray[np.int64]
    ) -> Restatement:
        terms = self.renamed(literals)
        constant = terms[:1]
        pieces = [terms, terms, constant, -constant]
        shares = [weights, (SCALE - 1) * weights, *[np.ones(len(constant), np.int64)] * 2]
        order = rng.permutation(sum(map(len, pieces)))
        self.model.maximise(np.concatenate(pieces)[order], np.concatenate(shares)[order])
        return replace(self, shift=len(constant))


class Restated:
    """An engine behind other words; a seed decides on them."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine, self.seed = engine, seed
        self.summary, self.packages = engine.summary, engine.packages
        # What the engine does not promise is made up for behind the other words.
        self.abilities = frozenset({Ability.INTERRUPT, Ability.OPTIMISE})

    def configure(self, options: Sequence[str]) -> Engine:
        """See `cpmines.engine.Engine`."""
        return type(self)(self.engine.configure(options), self.seed)

    def restatement(self, model: Model) -> Restatement:
        return Restatement.of(model, np.random.default_rng(self.seed))

    def translate(self, model: Model, limits: Limits) -> Any:
        """The native object for the Model in other words."""
        return self.engine.translate(self.restatement(model).model, limits)

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`."""
        other = self.restatement(model)
        search = served.search(self.engine, other.model, limits)
        return lambda count: other.back(search(count))


class RestatedCovering(Restated):
    """The same for an engine with its own way to a cover."""

    def cover(self, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """See `cpmines.engine.Covering`."""
        assert isinstance(self.engine, Covering)
        other = self.restatement(model)
        search = served.cover(self.engine, other.model, limits)
        return lambda: other.back(search())


def restated(engine: Engine, seed: int) -> Restated:
    """The engine behind other words."""
    return RestatedCovering(engine, seed) if isinstance(engine, Covering) else Restated(engine, seed)
