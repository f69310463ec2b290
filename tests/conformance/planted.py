"""Engines, counters and backends with one fault each, which the checks must find."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cpmines.answer import Answer, Limits, Status
from cpmines.board import Position
from cpmines.engine import Ability, Outcome, Refutation, Search, Tally
from cpmines.engines import sat
from cpmines.model import Model
from cpmines.problem import Function
from cpmines.problems.consistency.backends import brute

__all__ = ["BACKEND", "BACKENDS", "ENGINE", "ENGINES", "LOW_BOUND", "UNPROMISING", "Planted"]

ENOUGH = Limits(60)
CALLS = itertools.count()


@dataclass(frozen=True)
class Planted:
    """The engine `sat`, up to what one of the functions does to what it says."""

    outcome: Callable[[Model, Outcome, int], Outcome] = lambda model, found, count: found
    stated: Callable[[Model], Model] = lambda model: model
    limits: Callable[[Limits], Limits] = lambda limits: limits
    tally: Callable[[Tally], Tally] = lambda found: found
    cored: Callable[[Sequence[int], Any], Any] = lambda assumptions, core: core
    refuted: Callable[[Refutation | None], Refutation | None] = lambda found: found
    promised: frozenset[Ability] = sat.ENGINE.abilities | {Ability.COUNT}

    summary = "sat with a fault"
    packages = ("python-sat",)

    @property
    def abilities(self) -> frozenset[Ability]:
        return self.promised

    def configure(self, options: Sequence[str]) -> Planted:
        return self

    def translate(self, model: Model, limits: Limits) -> Any:
        return sat.ENGINE.translate(model, limits)

    def prepare(self, model: Model, limits: Limits) -> Search:
        search = sat.ENGINE.prepare(self.stated(model), self.limits(limits))
        return lambda count: self.outcome(model, search(count), count)

    def count(self, model: Model, limits: Limits) -> Callable[[], Tally]:
        listed = sat.ENGINE.prepare(model, ENOUGH.begin())(100).assignments
        found = np.array(listed, np.bool_).reshape(len(listed), model.variable_count)
        sizes = np.bincount(found.sum(axis=1), minlength=model.variable_count + 1).tolist()
        witness = found[0] if len(found) else None
        tally = Tally(len(found), tuple(found.sum(axis=0).tolist()), tuple(sizes), witness)
        return lambda: self.tally(tally)

    def core(self, model: Model, assumptions: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
        core: tuple[int, ...] | None = self.cored(assumptions, sat.ENGINE.core(model, assumptions, limits))
        return core

    def refute(self, model: Model, limits: Limits) -> Refutation | None:
        return self.refuted(sat.ENGINE.refute(model, limits))


ENGINE = Planted()
"""Without a fault."""


def one_too_few(model: Model, found: Outcome, count: int) -> Outcome:
    return replace(found, assignments=found.assignments[:-1]) if len(found.assignments) > 1 else found


def flipped(model: Model, found: Outcome, count: int) -> Outcome:
    return replace(found, assignments=tuple(~assignment for assignment in found.assignments))


def twice(model: Model, found: Outcome, count: int) -> Outcome:
    return replace(found, assignments=(*found.assignments[:1], *found.assignments)[:count])


def never_infeasible(model: Model, found: Outcome, count: int) -> Outcome:
    if found.status is Status.INFEASIBLE:
        return replace(found, status=Status.SOLVED, assignments=(np.zeros(model.variable_count, np.bool_),))
    return found


def modified(model: Model, found: Outcome, count: int) -> Outcome:
    model.between([], 0, 0)
    return found


def varying(model: Model, found: Outcome, count: int) -> Outcome:
    return replace(found, assignments=found.assignments[:: -1 if next(CALLS) % 2 else 1])


def changed(
    model: Model,
    bounds: Callable[[int, int, int], tuple[int, int]] = lambda length, lo, hi: (lo, hi),
    weigh: Callable[[Any, Any], Any] = lambda literals, weights: weights,
) -> Model:
    """The Model with other bounds, told the length of a row, and other weights, told the literals."""
    rows, made = model.constraints(), Model()
    made.variables(model.variable_count)
    for k in range(len(rows)):
        lo, hi = bounds(len(rows.row(k)), int(rows.lo[k]), int(rows.hi[k]))
        made.between(rows.row(k), lo, hi, only_if=int(rows.only_if[k]))
    if model.objective is not None:
        literals, weights = model.objective
        made.maximise(literals, weigh(literals, weights))
    return made


def honest_bound(model: Model, found: Outcome, count: int) -> Outcome:
    """The value of what was found as its bound: the fault is in the search alone."""
    if model.objective is None or not found.assignments:
        return found
    return replace(found, bound=model.value(found.assignments[0]))


def low_bound(model: Model, found: Outcome, count: int) -> Outcome:
    if model.objective is None or not found.assignments:
        return found
    return replace(found, bound=model.value(found.assignments[0]) - 995)


def low_bound_if_cut_off(model: Model, found: Outcome, count: int) -> Outcome:
    return low_bound(model, found, count) if found.status is Status.FEASIBLE else found


def misweighed(weigh: Callable[[Any, Any], Any]) -> Planted:
    return Planted(honest_bound, stated=lambda model: changed(model, weigh=weigh))


def misbound(bounds: Callable[[int, int, int], tuple[int, int]]) -> Planted:
    return Planted(stated=lambda model: changed(model, bounds))


class Deaf(Planted):
    """Takes Ctrl-C for a proof that there is no assignment."""

    def prepare(self, model: Model, limits: Limits) -> Search:
        search = super().prepare(model, limits)

        def deaf(count: int) -> Outcome:
            try:
                return search(count)
            except KeyboardInterrupt:
                return Outcome(Status.INFEASIBLE, complete=True)

        return deaf


@dataclass(frozen=True)
class Unpromising:
    """The engine `sat`, which promises nothing: it knows a limit of 8 s, and takes any for best."""

    summary = "sat without promises"
    packages = ("python-sat",)

    def configure(self, options: Sequence[str]) -> Unpromising:
        return self

    def translate(self, model: Model, limits: Limits) -> Any:
        return sat.ENGINE.translate(model, limits)

    def prepare(self, model: Model, limits: Limits) -> Search:
        plain = changed(model)
        plain.objective = None
        search = sat.ENGINE.prepare(plain, Limits(8, seed=limits.seed).begin())
        return lambda count: honest_bound(model, search(1 if model.objective is not None else count), count)


UNPROMISING = Unpromising()
LOW_BOUND = Planted(low_bound)

ENGINES: dict[str, tuple[Planted, str]] = {
    "weights of negative literals doubled": (
        misweighed(lambda literals, weights: weights * np.where(literals < 0, 2, 1)),
        "optimise",
    ),
    "every weight one too high": (misweighed(lambda literals, weights: weights + 1), "optimise"),
    "no optimum": (
        misweighed(lambda literals, weights: np.ones_like(weights)),
        "optimise",
    ),
    "bound below the value": (LOW_BOUND, "optimise"),
    "bound below the value if cut off": (Planted(low_bound_if_cut_off), "nothing impossible"),
    "takes Ctrl-C for infeasible": (Deaf(), "Ctrl-C"),
    "upper bounds of rows of eight one too high": (
        misbound(lambda length, lo, hi: (lo, hi + (length == 8))),
        "finds every",
    ),
    "lower bounds of rows of eight one too low": (
        misbound(lambda length, lo, hi: (lo - (length == 8), hi)),
        "finds every",
    ),
    "upper bounds of rows of nine one too low": (
        misbound(lambda length, lo, hi: (lo, hi - (length == 9 and hi > lo))),
        "finds every",
    ),
    "one too few": (Planted(one_too_few), "finds every"),
    "flipped": (Planted(flipped), "finds every"),
    "one twice": (Planted(twice), "as many"),
    "never infeasible": (Planted(never_infeasible), "finds every"),
    "never complete": (Planted(lambda model, found, count: replace(found, complete=False)), "finds every"),
    "always complete": (Planted(lambda model, found, count: replace(found, complete=True)), "as many"),
    "bound too high": (
        Planted(
            lambda model, found, count: replace(found, bound=None if found.bound is None else found.bound + 1)
        ),
        "optimise",
    ),
    "changes the Model": (Planted(modified), "finds every"),
    "another each time": (Planted(varying), "deterministic"),
    "no limit": (Planted(limits=lambda limits: Limits(2.5).begin()), "interrupt"),
    "always infeasible": (
        Planted(lambda model, found, count: Outcome(Status.INFEASIBLE, complete=True)),
        "tight limits",
    ),
    "counts one more": (Planted(tally=lambda tally: replace(tally, count=tally.count + 1)), "count"),
    "counts by size backwards": (
        Planted(tally=lambda tally: replace(tally, by_size=(tally.by_size or ())[::-1])),
        "count",
    ),
    "shows none": (Planted(tally=lambda tally: replace(tally, witness=None)), "count"),
    "core too small": (Planted(cored=lambda assumptions, core: None if core is None else core[1:]), "core"),
    "core of others": (
        Planted(
            cored=lambda assumptions, core: None if core is None else tuple(-literal for literal in core)
        ),
        "core",
    ),
    "never a core": (Planted(cored=lambda assumptions, core: None), "core"),
    "proof cut short": (
        Planted(refuted=lambda found: None if found is None else replace(found, proof="0\n")),
        "proof",
    ),
    "never a proof": (Planted(refuted=lambda found: None), "proof"),
    "no method for it": (Planted(promised=frozenset({Ability.COUNT})), ""),
}


def backend(solve: Callable[[Position, Limits], Answer[Any]]) -> Function[Any, Any]:
    return Function(solve, "brute force with a fault")


def crowded(position: Position, limits: Limits) -> Answer[Any]:
    """Takes a clue of 3 for one that can't be."""
    return Answer.infeasible() if (position.cells == 3).any() else brute.solve(position, limits)


def scribbling(position: Position, limits: Limits) -> Answer[Any]:
    answer = brute.solve(position, limits)
    position.cells.base.flat[0] = 0
    return answer


def alternating(position: Position, limits: Limits) -> Answer[Any]:
    return replace(brute.solve(position, limits), note=str(next(CALLS)))


def giving_up(position: Position, limits: Limits) -> Answer[Any]:
    return replace(Answer.declined("too hard"))


def failing(position: Position, limits: Limits) -> Answer[Any]:
    return Answer.solved(1 // (position.cells.size % 5))


def claiming(position: Position, limits: Limits) -> Answer[Any]:
    return brute.solve(position, limits) if limits.memory > 1 else Answer(Status.UNKNOWN)


BACKENDS: dict[str, tuple[Function[Any, Any], str]] = {
    "crowded": (backend(crowded), "agrees with brute force on tiny"),
    "scribbling": (backend(scribbling), "leaves its input"),
    "alternating": (backend(alternating), "same answer"),
    "giving up": (backend(giving_up), "agrees"),
    "failing": (backend(failing), "agrees"),
    "claiming": (backend(claiming), "limits"),
}
BACKEND = BACKENDS["crowded"][0]
CROWDED, SCRIBBLING, ALTERNATING, GIVING_UP, FAILING, CLAIMING = (found for found, _ in BACKENDS.values())


def names() -> Iterator[tuple[str, str]]:
    """Dotted name of each faulty backend, and the check that must find it."""
    for name, (_, check) in BACKENDS.items():
        yield f"{__name__}:{name.upper().replace(' ', '_')}", check
