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

__all__ = ["BACKEND", "BACKENDS", "ENGINE", "ENGINES", "Planted"]

ENOUGH = Limits(60)
CALLS = itertools.count()


@dataclass(frozen=True)
class Planted:
    """The engine `sat`, up to what one of the functions does to what it says."""

    outcome: Callable[[Model, Outcome, int], Outcome] = lambda model, found, count: found
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
        search = sat.ENGINE.prepare(model, self.limits(limits))
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


ENGINES: dict[str, tuple[Planted, str]] = {
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
    "no limit": (Planted(limits=lambda limits: Limits(6).begin()), "interrupt"),
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
