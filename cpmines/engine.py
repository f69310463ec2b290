"""What an exact solver is: a Model in, assignments out. The solvers themselves stand in `cpmines.engines`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Status, Stop
from cpmines.model import Model
from cpmines.numerals import plural

__all__ = [
    "Ability",
    "Assignment",
    "Counter",
    "Covering",
    "CuttingPlanes",
    "Engine",
    "Explaining",
    "Outcome",
    "Refutation",
    "Refuting",
    "Search",
    "Tally",
    "abilities_of",
    "covers",
    "extra_of",
    "solves",
]

Assignment = NDArray[np.bool_]


class Ability(StrEnum):
    """What an engine promises to do; `cpmines.conformance` has a test of each."""

    INTERRUPT = "interrupt"
    """A search ends at its time limit, wherever it is."""
    PROOF = "proof"
    """It is `Refuting`: it proves that there is no assignment."""
    CORE = "core"
    """It is `Explaining`: it tells which assumptions can't hold together."""
    COUNT = "count"
    """It is a `Counter`: it counts assignments without listing them."""
    OPTIMISE = "optimise"
    """It maximises an objective, and proves the optimum."""
    DETERMINISTIC = "deterministic"
    """The same seed gives the same assignments."""


@dataclass(frozen=True)
class Outcome:
    """What an engine claims of a Model.

    Attributes
    ----------
    status
        `solved`: an assignment, optimal if the Model has an objective. `feasible`: an assignment that is not
        proved optimal. `infeasible`, `unknown`: no assignment.
    assignments
        Distinct assignments, each a bool array of shape (variables,); more than one only if asked for.
    complete
        True if there are no other assignments than these; False if there are or that is not known. Of a
        cover: no variable has a value that these do not show.
    bound
        Proved upper bound of the objective, None if there is none.
    statistics
        The solver's own counters, by its own names.
    """

    status: Status
    stop: Stop = Stop.FINISHED
    assignments: tuple[Assignment, ...] = ()
    complete: bool = False
    bound: int | None = None
    note: str = ""
    statistics: dict[str, float] = field(default_factory=dict)

    def faults(self, model: Model) -> list[str]:
        """Everything that can't be true of this claim on `model`, as far as it shows without solving it.

        Whoever takes an outcome from an engine looks here first.
        """
        if any(assignment.shape != (model.variable_count,) for assignment in self.assignments):
            return [
                f"the engine's assignment has another size than {plural(model.variable_count, 'variable')}"
            ]
        found = [
            f"the engine's assignment breaks {plural(len(broken), 'constraint')} of the model"
            for assignment in self.assignments
            if len(broken := model.violated(assignment))
        ]
        if self.status in (Status.SOLVED, Status.FEASIBLE) and not self.assignments:
            found.append(f"the engine says {self.status} and shows no assignment")
        if self.status is Status.INFEASIBLE and self.assignments:
            found.append("the engine says infeasible and shows an assignment")
        values = [model.value(assignment) for assignment in self.assignments if model.objective is not None]
        if self.bound is not None and max(values, default=self.bound) > self.bound:
            found.append(f"the engine's bound {self.bound} is below its value {max(values)}")
        return found


Search = Callable[[int], Outcome]
"""Run the solver and ask for up to so many distinct assignments (1 for a Model with an objective)."""


@runtime_checkable
class Engine(Protocol):
    """One exact solver with its options. Modules of `cpmines.engines` offer it as ``ENGINE``.

    An engine may also have ``abilities``, a frozenset of `Ability`, none if it does not say; and ``extra``,
    the extra of cpmines that installs its packages; and ``only_optimises``, True if `compare` is to leave it
    out by default where there is nothing to optimise.
    """

    summary: str
    packages: tuple[str, ...]

    def configure(self, options: Sequence[str]) -> Engine:
        """This engine with the options of a variant, the parts of ``name:option/option``.

        Raises
        ------
        UsageError
            If an option is unknown; the message lists what exists.
        """

    def translate(self, model: Model, limits: Limits) -> Any:
        """The solver's native object for `model`."""

    def prepare(self, model: Model, limits: Limits) -> Search:
        """Translate `model`, to be solved under `limits` (whose clock runs)."""


def abilities_of(engine: object) -> frozenset[Ability]:
    """What an engine or a backend promises beyond answers; nothing if it does not say."""
    return frozenset(getattr(engine, "abilities", ()))


def solves(solver: Engine | Counter) -> TypeGuard[Engine]:
    """Is it an engine, not only a counter? `isinstance` would look for each member of the protocol."""
    return hasattr(solver, "prepare")


def covers(engine: object) -> TypeGuard[Covering]:
    """Is it `Covering`?"""
    return hasattr(engine, "cover")


def extra_of(engine: object) -> str:
    """The extra of cpmines that installs what the engine needs; empty if none is needed."""
    return str(getattr(engine, "extra", ""))


@runtime_checkable
class Covering(Protocol):
    """An engine with its own way to a cover: assignments that show every value that a variable can have."""

    def cover(self, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """Translate `model`, which has no objective, to be solved under `limits` (whose clock runs)."""


@dataclass(frozen=True)
class Tally:
    """How many assignments a Model has.

    Attributes
    ----------
    count
        Of all assignments.
    true
        For each variable: of those in which it is true.
    by_size
        For each number from 0 to that of the variables: of those with so many true variables; None if that
        was not counted.
    witness
        One of them, None if there is none.
    statistics
        The counter's own, by its own names.
    """

    count: int
    true: tuple[int, ...]
    by_size: tuple[int, ...] | None = None
    witness: Assignment | None = None
    statistics: dict[str, float] = field(default_factory=dict)

    @property
    def forced(self) -> NDArray[np.int8]:
        """For each variable 1 or 0 if all assignments agree on it, of which there is one, and -1 if not."""
        states = [0 if holding == 0 else 1 if holding == self.count else -1 for holding in self.true]
        return np.array(states, np.int8)


@runtime_checkable
class Counter(Protocol):
    """An exact counter. A module of `cpmines.engines` may offer one that is no `Engine`, or both in one."""

    summary: str
    packages: tuple[str, ...]

    def configure(self, options: Sequence[str]) -> Counter:
        """See `Engine.configure`."""

    def count(self, model: Model, limits: Limits) -> Callable[[], Tally]:
        """Translate `model`, which has no objective, to be counted under `limits` (whose clock runs).

        The function raises `LimitError` where a limit is met.
        """


@dataclass(frozen=True)
class Refutation:
    """A formula without a model, and the proof of it.

    Attributes
    ----------
    clauses
        The formula: the constraints of a Model, whose variables come first.
    proof
        In the text form of DRAT (Wetzler, Heule, Hunt 2014), ended by the empty clause.
    """

    clauses: tuple[tuple[int, ...], ...]
    proof: str


@dataclass(frozen=True)
class CuttingPlanes:
    """Pseudo-Boolean constraints that can't all hold, and the proof of it.

    Attributes
    ----------
    formula
        The constraints of a Model in OPB, all of them as ``>=``; variable v of the Model is ``xv``.
    proof
        In the form of VeriPB 1.1, see `cpmines.check.cutting`.
    """

    formula: str
    proof: str


@runtime_checkable
class Refuting(Protocol):
    """An engine that proves that a Model has no assignment."""

    def refute(self, model: Model, limits: Limits) -> Refutation | CuttingPlanes | None:
        """None if there is an assignment; an objective plays no part. Raises `LimitError`."""


@runtime_checkable
class Explaining(Protocol):
    """An engine that says which of some assumptions are at fault."""

    def core(self, model: Model, assumptions: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
        """Some of the literals `assumptions` that can't all hold, not always as few as possible.

        None if all can hold together. Raises `LimitError`.
        """
