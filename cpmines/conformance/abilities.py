"""Checks of what only some engines can do: count, explain, refute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cpmines import served
from cpmines.check.cutting import check_log
from cpmines.check.refutation import check_proof
from cpmines.check.verdict import Rejected
from cpmines.conformance.models import all_assignments, first_fault, pigeons, random_models
from cpmines.conformance.verdict import ENOUGH, Effort, Inspection
from cpmines.engine import Ability, Counter, CuttingPlanes, Explaining, Refutation, Refuting
from cpmines.model import Model
from cpmines.numerals import plural

__all__ = ["CHECKS"]


def counts(engine: Any, effort: Effort) -> Inspection:
    if not isinstance(engine, Counter):
        return Inspection(0, "the engine has no method count")

    def fault(model: Model) -> str:
        found = sorted(all_assignments(model))
        values = np.array(found, np.bool_).reshape(len(found), model.variable_count)
        tally = served.count(engine, model, ENOUGH.begin())()
        if tally.count != len(found) or list(tally.true) != values.sum(axis=0).tolist():
            return f"the engine counts {tally.count} {tally.true}, there are {len(found)}"
        sizes = np.bincount(values.sum(axis=1), minlength=model.variable_count + 1).tolist()
        if tally.by_size is not None and list(tally.by_size) != sizes:
            return f"by the number of true variables the engine counts {tally.by_size}, there are {sizes}"
        shown = tally.witness
        if (shown is None) if found else (shown is not None):
            return f"the engine shows {shown}, right is {plural(len(found), 'assignment')}"
        return "" if shown is None or model.holds(shown) else "the assignment shown breaks a row"

    return first_fault(random_models(effort.count, effort.seed + 7), fault)


def explains(engine: Any, effort: Effort) -> Inspection:
    if not isinstance(engine, Explaining):
        return Inspection(0, "the engine has no method core")

    def fault(model: Model) -> str:
        rng = np.random.default_rng(effort.seed)
        signs = rng.choice([-1, 1], model.variable_count)
        assumptions = (signs * (rng.permutation(model.variable_count) + 1)).tolist()
        possible = all_assignments(model)
        core = engine.core(model, assumptions, ENOUGH.begin())
        if core is None:
            return "" if _some(possible, assumptions) else f"no core of {assumptions}, which can't all hold"
        if set(core) - set(assumptions):
            return f"core {core} of the assumptions {assumptions}"
        return f"core {core}, which can hold" if _some(possible, core) else ""

    return first_fault(random_models(effort.count, effort.seed + 8), fault)


def _some(assignments: set[tuple[bool, ...]], literals: Any) -> bool:
    """Do all the literals hold in one of the assignments?"""
    return any(all(values[abs(x) - 1] == (x > 0) for x in literals) for values in assignments)


def refutes(engine: Any, effort: Effort) -> Inspection:
    if not isinstance(engine, Refuting):
        return Inspection(0, "the engine has no method refute")

    def fault(model: Model) -> str:
        refutation = engine.refute(model, ENOUGH.begin())
        if refutation is None:
            return "" if possible(model) else "no refutation of a Model without an assignment"
        if possible(model):
            return "a refutation of a Model that has assignments"
        why = _rejected(refutation)
        return f"the proof is not accepted: {why}" if why else ""

    def possible(model: Model) -> bool:
        return model.variable_count < 12 and bool(all_assignments(model))

    return first_fault([*random_models(effort.count, effort.seed + 9), pigeons(4)], fault)


def _rejected(refutation: Refutation | CuttingPlanes) -> str:
    """Why the proof does not refute its formula; empty if it does."""
    try:
        if isinstance(refutation, CuttingPlanes):
            check_log(refutation.formula, refutation.proof)
        else:
            check_proof(refutation.clauses, refutation.proof)
    except Rejected as why:
        return str(why)
    return ""


CHECKS: dict[Ability, Callable[[Any, Effort], Inspection]] = {
    Ability.COUNT: counts,
    Ability.CORE: explains,
    Ability.PROOF: refutes,
}
