"""The backends that a Model and an engine make together: state the problem, translate, run, decode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

import numpy as np

from cpmines import served
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.engine import Assignment, Counter, Covering, Engine, Outcome, Tally
from cpmines.errors import EngineError, LimitError
from cpmines.model import Model
from cpmines.problem import Modelling, Solve, Trust

__all__ = ["Modelled", "Tallied"]

I = TypeVar("I")  # noqa: E741
V = TypeVar("V")

BYTES_PER_LITERAL = 200
"""Memory of a Model and its translation, per literal; measured with CP-SAT, the largest."""


E = TypeVar("E", Engine, Counter)


@dataclass(frozen=True)
class _OnModel(Generic[I, V, E]):
    """What backends on one formulation of a problem have in common."""

    modelling: Modelling[I, V]
    engine: E
    formulation: Callable[[I], Model]

    trust = Trust.EXACT

    @property
    def summary(self) -> str:
        return self.engine.summary

    @property
    def packages(self) -> tuple[str, ...]:
        return self.engine.packages

    def state(self, instance: I, limits: Limits) -> Model:
        """The Model of an instance. Raises `LimitError`."""
        limits.require(self.modelling.literals(instance) * BYTES_PER_LITERAL, "the model")
        model = self.formulation(instance)
        limits.check()
        return model


@dataclass(frozen=True)
class Modelled(_OnModel[I, V, Engine]):
    """Backend of an exact engine on one formulation of a problem."""

    def prepare(self, instance: I, limits: Limits) -> Solve[V]:
        model = self.state(instance, limits)
        if self.modelling.cover:
            covering = self._covering(instance, model, limits)
            return lambda: self.answer(instance, model, covering())
        search = served.search(self.engine, model, limits)

        def solve() -> Answer[V]:
            outcome = search(1 if model.objective is not None else self.modelling.solutions)
            return self.answer(instance, model, outcome)

        return solve

    def _covering(self, instance: I, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """The engine's own way to a cover, or one that works with every engine."""
        if isinstance(self.engine, Covering):
            return served.cover(self.engine, model, limits)
        return lambda: self._cover(instance, limits)

    def _cover(self, instance: I, limits: Limits) -> Outcome:
        """Ask again and again for an assignment with as many new values as possible, until there is none."""
        found: list[Assignment] = []
        while True:
            limits.check()
            model = self.formulation(instance)
            if found:
                seen = np.stack(found)
                same = np.flatnonzero(seen.all(axis=0) | ~seen.any(axis=0))
                fresh = np.where(found[0][same], -(same + 1), same + 1).tolist()
                model.clause(*fresh)
                model.maximise(fresh)
            outcome = served.search(self.engine, model, limits)(1)
            if outcome.status is Status.INFEASIBLE and found:
                return Outcome(Status.SOLVED, assignments=tuple(found), complete=True)
            if not outcome.assignments:
                return outcome
            found += outcome.assignments

    def answer(self, instance: I, model: Model, outcome: Outcome) -> Answer[V]:
        """The claim on the instance that follows from the engine's claim on its Model.

        Raises
        ------
        EngineError
            The engine's claim can't be true.
        """
        if faults := outcome.faults(model):
            raise EngineError("; ".join(faults))
        statistics = {**dict(asdict(model.size())), **outcome.statistics}
        if outcome.bound is not None:
            statistics["bound"] = outcome.bound
        if outcome.status in (Status.UNKNOWN, Status.INFEASIBLE):
            return Answer(outcome.status, None, outcome.stop, outcome.note, statistics)
        value = self.modelling.decode(instance, outcome.assignments, outcome.complete)
        return Answer(outcome.status, value, outcome.stop, outcome.note, statistics)


@dataclass(frozen=True)
class Tallied(_OnModel[I, V, Counter]):
    """Backend of an exact counter on one formulation of a problem whose answer follows from counts."""

    def prepare(self, instance: I, limits: Limits) -> Solve[V]:
        model = self.state(instance, limits)
        if model.objective is not None:
            raise LimitError(Stop.DECLINED, "a counter finds no optimum")
        count = served.count(self.engine, model, limits)
        return lambda: self.answer(instance, model, count())

    def answer(self, instance: I, model: Model, tally: Tally) -> Answer[V]:
        """The claim on the instance that follows from the counts."""
        statistics = {**dict(asdict(model.size())), **tally.statistics}
        if tally.count == 0:
            return Answer(Status.INFEASIBLE, statistics=statistics)
        if tally.witness is None or not model.holds(tally.witness):
            raise EngineError(f"the counter counts {tally.count} assignments and shows none")
        assert self.modelling.tallied is not None
        return Answer(Status.SOLVED, self.modelling.tallied(instance, tally), statistics=statistics)
