"""Refutations by cutting planes: the statement in pseudo-Boolean constraints, and Exact's log on them."""

from __future__ import annotations

from cpmines.answer import Limits
from cpmines.certificate.encode import excluding
from cpmines.check.cutting import FORMULA, PROOF
from cpmines.demands.statement import Rule, Statement
from cpmines.model import Model

__all__ = ["refute_by_cutting"]


def refute_by_cutting(statement: Statement, limits: Limits) -> dict[str, bytes] | None:
    """The files of a refutation, by name; None if a placement fits the statement. Raises `LimitError`."""
    from cpmines.engines.exact import ENGINE

    logged = ENGINE.refute(model_of(statement), limits)
    if logged is None:
        return None
    return {FORMULA: logged.formula.encode(), PROOF: logged.proof.encode()}


def model_of(statement: Statement) -> Model:
    """The statement as a Model; its variables are the cells, as in the rules."""
    model = Model()
    model.variables(statement.rows * statement.cols)
    for _, rule in statement.rules():
        for centre in rule.centres:
            _add(model, rule, centre)
    if statement.total is not None:
        model.between(statement.free_cells(), statement.total.least, statement.total.most)
    return model


def _add(model: Model, rule: Rule, centre: bool) -> None:
    """The rule where the middle has this value: an interval for the others, and clauses for gaps in it."""
    numbers = [number for middle, number in rule.allowed if middle == centre]
    condition = 0 if not rule.middle else rule.middle if centre else -rule.middle
    lo, hi = (min(numbers), max(numbers)) if numbers else (1, 0)
    model.between(list(rule.others), lo, hi, only_if=condition)
    for first, last in rule.gaps(centre):
        if lo < first and last < hi:
            for clause in excluding(rule, centre, first, last):
                model.clause(*clause)
