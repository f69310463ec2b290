"""CP-SAT of OR-Tools, on its own linear and Boolean constraints.

The variant ``workers=N`` searches with N threads; with 1, the default, a run can be repeated exactly.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Status, Stop
from cpmines.engine import Ability, Assignment, Outcome, Search
from cpmines.errors import EngineError, UsageError
from cpmines.model import Literals, Model
from cpmines.process.aside import aside
from cpmines.translate import net_terms

__all__ = ["ENGINE", "CpSat"]

CHUNK = 10_000
"""Constraints between two looks at the clock."""

STATUS = {
    "OPTIMAL": Status.SOLVED,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "UNKNOWN": Status.UNKNOWN,
}
"""Native status to claim. MODEL_INVALID is none: a Model always has a valid translation."""

MOST_WORKERS = 1024


@dataclass(frozen=True)
class CpSat:
    """CP-SAT with a number of threads."""

    workers: int = 1

    summary = "CP-SAT of OR-Tools"
    packages = ("ortools",)

    @property
    def abilities(self) -> frozenset[Ability]:
        """With one worker a run can be repeated."""
        repeatable = {Ability.DETERMINISTIC} if self.workers == 1 else set()
        return frozenset({Ability.INTERRUPT, Ability.OPTIMISE} | repeatable)

    def configure(self, options: Sequence[str]) -> CpSat:
        """This engine with ``workers=N``."""
        engine = self
        for option in options:
            name, _, value = option.partition("=")
            small = value.isascii() and value.isdigit() and len(value) <= 4
            if name != "workers" or not small or not 1 <= int(value) <= MOST_WORKERS:
                raise UsageError(
                    f"cpsat has no option {option!r:.80}; there is: workers=N, 1 to {MOST_WORKERS}"
                )
            engine = replace(engine, workers=int(value))
        return engine

    def translate(self, model: Model, limits: Limits) -> Any:
        """A `ortools.sat.python.cp_model.CpModel`; its variable v - 1 is variable v of the Model."""
        from ortools.sat.python import cp_model

        return cp_model.CpModel(self._state(model, limits))

    def _state(self, model: Model, limits: Limits) -> Any:
        """The `CpModelProto` inside: a call of the modelling interface for each constraint takes several
        times as long, and importing that interface (with pandas) longer than the solver itself.
        """
        from ortools.sat.python.cp_model_helper import CpModelProto

        proto = CpModelProto()
        for first in range(0, model.variable_count, CHUNK):
            limits.check()
            for _ in range(min(CHUNK, model.variable_count - first)):
                proto.variables.add().domain.extend((0, 1))
        for shape, literals, only_if in model.constraints().groups():
            _add_group(proto.constraints, shape, literals, only_if, limits)
        terms = net_terms(model)
        if terms is not None:
            # Negated, because the native objective is minimised: value = factor * (sum + offset).
            variables, coefficients, constant = terms.over_variables()
            objective = proto.objective
            objective.vars.extend(variable - 1 for variable in variables)
            objective.coeffs.extend(-coefficient for coefficient in coefficients)
            objective.scaling_factor = -1.0
            objective.offset = -float(constant)
        return proto

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`. The search raises `EngineError` on a native status unknown here."""
        native = self._state(model, limits)

        def search(count: int) -> Outcome:
            wanted = 1 if model.objective is not None else count
            return self._search(native, model, wanted, limits)

        return search

    def cover(self, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """See `cpmines.engine.Covering`: each solution must have new values, as many as possible."""
        native = self._state(model, limits)

        def search() -> Outcome:
            outcome = self._search(native, model, 1, limits)
            found = list(outcome.assignments)
            while outcome.status is Status.SOLVED:
                seen = np.stack(found)
                same = np.flatnonzero(seen.all(axis=0) | ~seen.any(axis=0)).astype(np.int32)
                fresh = np.where(found[0][same], -(same + 1), same + 1)
                native.constraints.add().bool_or.literals.extend(_references(fresh).tolist())
                native.clear_objective()
                native.objective.vars.extend(same.tolist())
                native.objective.coeffs.extend((-np.sign(fresh)).tolist())
                outcome = self._search(native, model, 1, limits)
                found += outcome.assignments
            if outcome.status is Status.INFEASIBLE and found:
                return replace(outcome, status=Status.SOLVED, assignments=tuple(found))
            return outcome

        return search

    def _search(self, native: Any, model: Model, count: int, limits: Limits) -> Outcome:
        from ortools.sat.python.cp_model_helper import SatParameters, SolutionCallback, SolveWrapper

        parameters = SatParameters()
        parameters.random_seed = limits.seed
        parameters.num_workers = 1 if count > 1 else self.workers
        parameters.max_memory_in_mb = max(1, limits.memory >> 20)
        parameters.catch_sigint_signal = False
        parameters.enumerate_all_solutions = count > 1
        if limits.left() != math.inf:
            parameters.max_time_in_seconds = limits.left()
        found: list[Assignment] = []

        class Collect(SolutionCallback):
            def OnSolutionCallback(self) -> None:  # noqa: N802
                if len(found) < count:
                    found.append(_assignment(self.Response()))  # type: ignore[no-untyped-call]
                if len(found) >= count:
                    self.StopSearch()

        solver: Any = SolveWrapper()
        solver.set_parameters(parameters)
        callback = Collect()
        if count > 1:
            solver.add_solution_callback(callback)
        response = aside(lambda: solver.solve(native), solver.stop_search)
        status = _claim(response.status.name)
        if count == 1 and status in (Status.SOLVED, Status.FEASIBLE):
            found = [_assignment(response)]
        return _outcome(model, response, status, found, count, limits)


ENGINE = CpSat()


def _claim(native: str) -> Status:
    if native not in STATUS:
        raise EngineError(f"CP-SAT ended with status {native}")
    return STATUS[native]


def _assignment(response: Any) -> Assignment:
    return np.fromiter(response.solution, np.bool_, len(response.solution))


def _outcome(
    model: Model, response: Any, status: Status, found: list[Assignment], count: int, limits: Limits
) -> Outcome:
    complete = status is Status.INFEASIBLE or (status is Status.SOLVED and count > 1)
    stop = Stop.FINISHED
    if model.objective is None and len(found) >= count:
        status = Status.SOLVED
    elif status in (Status.FEASIBLE, Status.UNKNOWN):
        stop = _limit_met(limits)
        status = Status.FEASIBLE if found else Status.UNKNOWN
    bound = None
    if model.objective is not None and status is not Status.INFEASIBLE:
        bound = math.floor(response.best_objective_bound + 1e-6)
    statistics = {
        "conflicts": float(response.num_conflicts),
        "branches": float(response.num_branches),
        "wall_time": float(response.wall_time),
    }
    return Outcome(status, stop, tuple(found), complete, bound, statistics=statistics)


def _limit_met(limits: Limits) -> Stop:
    """CP-SAT does not say it. It also stops well before its time if the next step would take longer."""
    if limits.seconds is None:
        return Stop.MEMORY_LIMIT
    late = limits.left() < 0.05 * limits.seconds
    return Stop.TIME_LIMIT if late or 0 < _peak_memory() < limits.memory else Stop.MEMORY_LIMIT


def _peak_memory() -> int:
    """Bytes that this process has had in memory at most; 0 where that is not known."""
    if sys.platform != "linux":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _add_group(
    constraints: Any, shape: tuple[int, int, int, bool], literals: Literals, only_if: Literals, limits: Limits
) -> None:
    """Add all rows of one shape, each as the native constraint that says it best."""
    length, lo, hi, enforced = shape
    lo, hi = max(lo, 0), min(hi, length)
    if lo == 0 and hi == length:
        return
    # What "at most one" says of a literal that stands twice is not documented; a sum is clear.
    variables = np.sort(np.abs(literals), axis=1)
    repeated = bool((variables[:, 1:] == variables[:, :-1]).any())
    if lo > hi:
        # The row is false; what is left of it is that the enforcing literal is.
        rows = -only_if[:, None] if enforced else literals[:, :0]
        _add_boolean(constraints, "bool_or", rows, limits)
    elif lo <= 1 and hi == length:
        rows = np.concatenate([literals, -only_if[:, None]], axis=1) if enforced else literals
        _add_boolean(constraints, "bool_or", rows, limits)
    elif hi == length - 1 and lo == 0:
        rows = np.concatenate([-literals, -only_if[:, None]], axis=1) if enforced else -literals
        _add_boolean(constraints, "bool_or", rows, limits)
    elif hi == 1 and length > 1 and not enforced and not repeated:
        _add_boolean(constraints, "exactly_one" if lo == 1 else "at_most_one", literals, limits)
    else:
        _add_linear(constraints, (lo, hi), literals, only_if, limits)


def _references(literals: Literals) -> Literals:
    """Native literals: v - 1 for variable v, -v for its negation."""
    return np.where(literals > 0, literals - 1, literals)


def _rows(limits: Limits, *columns: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """The rows of arrays of equal length, as lists and numbers."""
    for first in range(0, len(columns[0]), CHUNK):
        limits.check()
        yield from zip(*(column[first : first + CHUNK].tolist() for column in columns), strict=True)


def _add_boolean(constraints: Any, kind: str, literals: Literals, limits: Limits) -> None:
    for (row,) in _rows(limits, _references(literals)):
        getattr(constraints.add(), kind).literals.extend(row)


def _add_linear(
    constraints: Any, bounds: tuple[int, int], literals: Literals, only_if: Literals, limits: Limits
) -> None:
    """Rows of ``lo <= sum <= hi``; a negative literal is 1 minus its variable."""
    length = literals.shape[1]
    if length == 0:
        return
    lo, hi = bounds
    negative = np.count_nonzero(literals < 0, axis=1)
    variables, signs = np.abs(literals) - 1, np.sign(literals)
    ones = [1] * length
    rows = _rows(limits, variables, signs, negative, only_if, _references(only_if))
    for places, coefficients, shift, guard, enforcing in rows:
        constraint = constraints.add()
        linear = constraint.linear
        linear.vars.extend(places)
        linear.coeffs.extend(coefficients if shift else ones)
        linear.domain.extend((lo - shift, hi - shift))
        if guard:
            constraint.enforcement_literal.append(enforcing)
