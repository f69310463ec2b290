"""Checks of an engine or a counter, on Models that are small enough to try every assignment.

Each takes the engine and the effort, and returns what is wrong, with a smallest Model; empty if nothing is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from cpmines import served
from cpmines.answer import Limits, Status, Stop
from cpmines.conformance import abilities
from cpmines.conformance.ctrl_c import interrupted
from cpmines.conformance.models import (
    all_assignments,
    first_fault,
    hard_optimum,
    optimum,
    pigeons,
    random_clauses,
    random_models,
)
from cpmines.conformance.verdict import ENOUGH, TIGHT, CheckResult, Effort, Inspection, verdicts
from cpmines.engine import Ability, Counter, Covering, Engine, abilities_of
from cpmines.errors import LimitError
from cpmines.model import Model
from cpmines.numerals import plural

__all__ = ["checks_of", "engine_checks"]

SHORT, SLACK = 0.5, 5.0
"""Seconds that a search gets which needs far more, and by how much it may exceed them on a busy machine."""
HARD = (partial(pigeons, 14), partial(random_clauses, 500))
"""Resolution is defeated by the first, methods that count as well by the second."""


def engine_checks(engine: Any, effort: Effort = Effort()) -> Iterator[CheckResult]:  # noqa: B008
    """Everything that an engine has to do, and what it says that it can do.

    It is asked as everywhere, by `cpmines.served`: so limits and optima are to hold whatever it promises.
    """
    return verdicts("engine", checks_of(engine), effort)


def checks_of(engine: Any) -> dict[str, Callable[[Effort], Inspection]]:
    """The checks that an engine is put to, by their names."""
    checks: dict[str, Callable[[Any, Effort], Inspection]] = {}
    if isinstance(engine, Engine):
        checks["finds every assignment, and says that these are all"] = finds_all
        checks["gives as many assignments as are asked for"] = gives_some
        checks["gives an answer under tight limits or says why not"] = keeps_tight_limits
        checks["claims nothing impossible of an optimum that it has no time for"] = claims_what_can_be
        checks[promise(Ability.OPTIMISE)] = finds_optimum
    if isinstance(engine, Covering):
        checks["covers every value that a variable can have"] = covers
    if isinstance(engine, Engine | Counter):
        checks[promise(Ability.INTERRUPT)] = ends_at_limit
        checks["ends at Ctrl-C without a claim"] = ends_at_ctrl_c
    declared = abilities_of(engine)
    for ability, check in ({Ability.DETERMINISTIC: repeats} | abilities.CHECKS).items():
        if ability in declared:
            checks[promise(ability)] = check
    return {name: partial(check, engine) for name, check in checks.items()}


def promise(ability: Ability) -> str:
    """The name of the check of an ability."""
    return f"{ability}: {PROMISES[ability]}"


PROMISES = {
    Ability.INTERRUPT: "a hard search ends at its limit",
    Ability.PROOF: "every refutation is accepted by a checker",
    Ability.CORE: "assumptions that are named can't hold together",
    Ability.COUNT: "counts assignments, also by variable",
    Ability.OPTIMISE: "finds every optimum and proves it",
    Ability.DETERMINISTIC: "the same seed gives the same assignments",
}


def finds_all(engine: Engine, effort: Effort) -> Inspection:
    def fault(model: Model) -> str:
        expected = all_assignments(model)
        outcome = served.search(engine, model, ENOUGH.begin())(100)
        found = [tuple(assignment.tolist()) for assignment in outcome.assignments]
        status = Status.SOLVED if expected else Status.INFEASIBLE
        if outcome.status is not status:
            return f"the engine says {outcome.status}, right is {plural(len(expected), 'assignment')}"
        if sorted(found) != sorted(expected):
            return (
                f"{plural(len(found), 'assignment')} given, {len(set(found))} different, of {len(expected)}"
            )
        return "" if outcome.complete else "the engine does not say that these are all"

    return first_fault(random_models(effort.count, effort.seed), fault)


def gives_some(engine: Engine, effort: Effort) -> Inspection:
    def fault(model: Model) -> str:
        expected = all_assignments(model)
        outcome = served.search(engine, model, ENOUGH.begin())(3)
        found = {tuple(assignment.tolist()) for assignment in outcome.assignments}
        if len(found) != len(outcome.assignments) or len(found) != min(3, len(expected)) or found - expected:
            given = plural(len(outcome.assignments), "assignment")
            return f"asked for 3, the engine gives {given} of {len(expected)}"
        return "there are more than the engine says" if outcome.complete and len(expected) > 3 else ""

    return first_fault(random_models(effort.count // 2, effort.seed + 1), fault)


def finds_optimum(engine: Engine, effort: Effort) -> Inspection:
    def fault(model: Model) -> str:
        expected = optimum(model)
        outcome = served.search(engine, model, ENOUGH.begin())(1)
        if expected is None or outcome.status is not Status.SOLVED:
            right = outcome.status is (Status.INFEASIBLE if expected is None else Status.SOLVED)
            return "" if right else f"the engine says {outcome.status}, the optimum is {expected}"
        if faults := outcome.faults(model):
            return "; ".join(faults)
        (assignment,) = outcome.assignments
        if model.value(assignment) != expected or outcome.bound != expected:
            said = f"{model.value(assignment)} with the bound {outcome.bound}"
            return f"the engine gives {said}, the optimum is {expected}"
        return ""

    return first_fault(random_models(effort.count, effort.seed + 2, objective=True), fault)


def covers(engine: Covering, effort: Effort) -> Inspection:
    def fault(model: Model) -> str:
        expected = all_assignments(model)
        outcome = served.cover(engine, model, ENOUGH.begin())()
        found = {tuple(assignment.tolist()) for assignment in outcome.assignments}
        if outcome.status is not (Status.SOLVED if expected else Status.INFEASIBLE) or found - expected:
            return f"the engine says {outcome.status}, right is {plural(len(expected), 'assignment')}"
        differing = [len(set(column)) for column in zip(*expected, strict=True)]
        shown = [len(set(column)) for column in zip(*found, strict=True)]
        return (
            "" if shown == differing else f"of each variable {shown} values are shown, there are {differing}"
        )

    return first_fault(random_models(effort.count, effort.seed + 3), fault)


def repeats(engine: Any, effort: Effort) -> Inspection:
    def answers(model: Model, seed: int) -> Any:
        limits = Limits(60, seed=seed).begin()
        if not isinstance(engine, Engine):
            tally = served.count(engine, model, limits)()
            return tally.count, tally.true, None if tally.witness is None else tally.witness.tolist()
        return [assignment.tolist() for assignment in served.search(engine, model, limits)(3).assignments]

    def fault(model: Model) -> str:
        for seed in (0, effort.seed + 5):
            first, second = (answers(model, seed) for _ in range(2))
            if first != second:
                return f"with seed {seed} first {first}, then {second}"
        return ""

    return first_fault(random_models(min(effort.count, 30), effort.seed + 4), fault)


def keeps_tight_limits(engine: Engine, effort: Effort) -> Inspection:
    def fault(model: Model) -> str:
        possible = bool(all_assignments(model))
        for limits in TIGHT:
            try:
                outcome = served.search(engine, model, limits.begin())(1)
            except LimitError:
                continue
            wrong = Status.INFEASIBLE if possible else Status.SOLVED
            if outcome.status is wrong or (faults := outcome.faults(model)):
                said = outcome.status if outcome.status is wrong else "; ".join(faults)
                return f"under {limits} the engine says {said}"
            if outcome.status is Status.UNKNOWN and outcome.stop is Stop.FINISHED:
                return f"under {limits} the engine says unknown and that it is finished"
        return ""

    return first_fault(random_models(4, effort.seed + 6), fault)


def claims_what_can_be(engine: Engine, effort: Effort) -> Inspection:
    """A search for an optimum that is cut off: bounds and values are looked at that are not the last ones."""
    model = hard_optimum()
    try:
        outcome = served.search(engine, model, Limits(SHORT, seed=effort.seed).begin())(1)
    except LimitError:
        return Inspection(1)
    return Inspection(1, "; ".join(outcome.faults(model)))


def ends_at_limit(engine: Any, effort: Effort) -> Inspection:
    """Only what takes longer than the limit shows something; of the hard Models some may be easy for one."""
    # What is loaded by a first call is not what is timed.
    stop_of(engine, pigeons(2), ENOUGH.begin())
    for cases, hard in enumerate(HARD, 1):
        model = hard()
        begin = time.monotonic()
        stop = stop_of(engine, model, Limits(SHORT).begin())
        spent = time.monotonic() - begin
        if spent > SHORT + SLACK:
            return Inspection(cases, f"a limit of {SHORT} s, and {spent:.2f} s until the engine ended")
        if stop == Stop.TIME_LIMIT:
            return Inspection(cases)
    return Inspection(len(HARD), "no Model was hard enough to show it")


def ends_at_ctrl_c(engine: Any, effort: Effort) -> Inspection:
    """Ctrl-C in a hard search; what comes back instead of it would be taken for an answer."""
    stop_of(engine, pigeons(2), ENOUGH.begin())
    for cases, hard in enumerate(HARD, 1):
        model = hard()
        begin = time.monotonic()
        limits = Limits(SHORT + SLACK).begin()
        stop = interrupted(SHORT, partial(stop_of, engine, model, limits))
        spent = time.monotonic() - begin
        if stop is None:
            return Inspection(cases)
        if spent > SHORT:
            return Inspection(cases, f"after Ctrl-C the search went on, and ended with: {stop}")
    return Inspection(len(HARD), "no Model was hard enough to show it")


def stop_of(engine: Any, model: Model, limits: Limits) -> str:
    """Why the engine, or the counter, stopped."""
    try:
        if isinstance(engine, Engine):
            return served.search(engine, model, limits)(1).stop
        served.count(engine, model, limits)()
    except LimitError as error:
        return error.stop
    return Stop.FINISHED
