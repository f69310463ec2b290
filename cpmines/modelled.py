"""The backends that a Model and an engine make together: state the problem, translate, run, decode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from cpmines import served
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.engine import Assignment, Counter, Engine, Outcome, Tally, covers
from cpmines.errors import LimitError, WrongAnswerError
from cpmines.model import Model
from cpmines.numerals import plural, readable
from cpmines.problem import Modelling, Solve, Trust
from cpmines.question import Asked, Minimise

__all__ = ["Modelled", "Tallied"]

I = TypeVar("I")  # noqa: E741
V = TypeVar("V")

BYTES_PER_LITERAL = 200
"""Memory of a Model and its translation, per literal; measured with CP-SAT, the largest."""


E = TypeVar("E", Engine, Counter)


@dataclass(frozen=True)
class _OnModel(Generic[I, V, E]):
    """What backends on one formulation of a problem have in common; an empty name is the default one."""

    modelling: Modelling[I, V]
    engine: E
    formulation: str = ""

    trust = Trust.EXACT

    @property
    def summary(self) -> str:
        return self.engine.summary

    @property
    def packages(self) -> tuple[str, ...]:
        return self.engine.packages

    def state(self, instance: I, asked: Asked, limits: Limits) -> Model:
        """The Model of an instance for a question. Raises `LimitError`."""
        there = self.modelling.formulations_of(asked.name)
        if self.formulation and self.formulation not in there:
            said = f"the formulation {self.formulation} does not state the question {asked.name}"
            raise LimitError(Stop.DECLINED, f"{said}; there are: {', '.join(there)}")
        limits.require(self.modelling.literals_of(asked.name, instance) * BYTES_PER_LITERAL, "the model")
        model = self.modelling.state(asked.name, instance, self.formulation)
        limits.check()
        return model


@dataclass(frozen=True)
class Modelled(_OnModel[I, V, Engine]):
    """Backend of an exact engine on one formulation of a problem."""

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(self.modelling.readings)

    def prepare(self, instance: I, asked: Asked, limits: Limits) -> Solve[V]:
        reading = self.modelling.readings[asked.name]
        model = self.state(instance, asked, limits)
        if reading.cover:
            covering = self._covering(instance, asked, model, limits)
            return lambda: self.answer(instance, asked, model, covering())
        search = served.search(self.engine, model, limits)
        wanted = (
            reading.solutions if isinstance(reading.solutions, int) else reading.solutions(**asked.values())
        )
        return lambda: self.answer(
            instance, asked, model, search(1 if model.objective is not None else wanted)
        )

    def _covering(self, instance: I, asked: Asked, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """The engine's own way to a cover, or one that works with every engine."""
        if covers(self.engine):
            return served.cover(self.engine, model, limits)
        return lambda: self._cover(instance, asked, limits)

    def _cover(self, instance: I, asked: Asked, limits: Limits) -> Outcome:
        """Ask again and again for an assignment with as many new values as possible, until there is none."""
        found: list[Assignment] = []
        while True:
            limits.check()
            model = self.modelling.state(asked.name, instance, self.formulation)
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

    def answer(self, instance: I, asked: Asked, model: Model, outcome: Outcome) -> Answer[V]:
        """The claim on the instance that follows from the engine's claim on its Model.

        Raises
        ------
        WrongAnswerError
            The engine's claim can't be true.
        """
        if faults := outcome.faults(model):
            raise WrongAnswerError("; ".join(faults))
        statistics = {**vars(model.size()), **outcome.statistics}
        if outcome.bound is not None:
            # A Model is always maximised.
            least = isinstance(asked.question.objective, Minimise)
            statistics["bound"] = -outcome.bound if least else outcome.bound
        if outcome.status in (Status.UNKNOWN, Status.INFEASIBLE):
            return Answer(outcome.status, None, outcome.stop, outcome.note, statistics)
        decode = self.modelling.readings[asked.name].decode
        value = decode(instance, outcome.assignments, outcome.complete, **asked.values())
        status, note = outcome.status, outcome.note
        if status is Status.SOLVED and asked.lacking(value):
            status = Status.FEASIBLE
            note = note or f"{len(outcome.assignments)} were found, and there are more"
        return Answer(status, value, outcome.stop, note, statistics)


@dataclass(frozen=True)
class Tallied(_OnModel[I, V, Counter]):
    """Backend of an exact counter on one formulation of a problem, for what follows from counts."""

    @property
    def questions(self) -> tuple[str, ...]:
        readings = self.modelling.readings.items()
        return tuple(name for name, reading in readings if reading.tallied is not None)

    def prepare(self, instance: I, asked: Asked, limits: Limits) -> Solve[V]:
        model = self.state(instance, asked, limits)
        count = served.count(self.engine, model, limits)
        return lambda: self.answer(instance, asked, model, count())

    def answer(self, instance: I, asked: Asked, model: Model, tally: Tally) -> Answer[V]:
        """The claim on the instance that follows from the counts."""
        statistics = {**vars(model.size()), **tally.statistics}
        if tally.count == 0:
            return Answer(Status.INFEASIBLE, statistics=statistics)
        if tally.witness is None or not model.holds(tally.witness):
            counted = plural(tally.count, "assignment", readable)
            raise WrongAnswerError(f"the counter counts {counted} and shows none")
        tallied = self.modelling.readings[asked.name].tallied
        assert tallied is not None
        return Answer(Status.SOLVED, tallied(instance, tally, **asked.values()), statistics=statistics)
