"""An optimum by an engine that only finds assignments: more is demanded until there is no more."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import numpy as np

from cpmines.answer import Limits, Status, Stop
from cpmines.engine import Assignment, Outcome, Search
from cpmines.errors import LimitError, WrongAnswerError
from cpmines.model import Model
from cpmines.translate import net_terms

__all__ = ["tightened"]

MOST_LITERALS = 10**5
"""Of the row that demands more: a literal stands in it as often as its weight says."""


def tightened(prepare: Callable[[Model, Limits], Search], model: Model, limits: Limits) -> Search:
    """Search for the optimum of `model` by Models without an objective.

    An assignment is asked for, then one whose value is larger by the least that is possible, and so on; that
    there is none proves the last one optimal. So nothing but `infeasible` and assignments, which are
    looked at, is believed. A run out of time gives the last one.

    Parameters
    ----------
    prepare
        Of the engine, see `cpmines.engine.Engine`.

    Raises
    ------
    LimitError
        Also declined: the weights are too large to be written as repeated literals.
    """
    terms = net_terms(model)
    assert terms is not None
    unit = max(1, int(np.gcd.reduce(terms.weights)))
    total = int(terms.weights.sum()) // unit
    if total > MOST_LITERALS:
        raise LimitError(Stop.DECLINED, f"weights of {total} in all, expected at most {MOST_LITERALS}")
    literals = np.repeat(terms.literals, terms.weights // unit)
    plain = deepcopy(model)
    plain.objective = None
    first = prepare(plain, limits)

    def search(count: int) -> Outcome:
        demanding, step = deepcopy(plain), first
        best: Assignment | None = None
        rounds = 1
        try:
            while (outcome := step(1)).assignments:
                if faults := outcome.faults(demanding):
                    raise WrongAnswerError(faults[0])
                best = outcome.assignments[0]
                reached = (model.value(best) - terms.constant) // unit
                if reached == total:
                    break
                demanding.between(literals, reached + 1, total)
                step = prepare(demanding, limits)
                rounds += 1
        except LimitError as limit:
            outcome = Outcome(Status.UNKNOWN, Stop(limit.stop), note=limit.note)
        return _concluded(model, best, replace(outcome, statistics=outcome.statistics | {"rounds": rounds}))

    return search


def _concluded(model: Model, best: Assignment | None, last: Outcome) -> Outcome:
    """What the best assignment and the last outcome say together."""
    if best is None:
        return last
    if last.status is Status.UNKNOWN:
        return replace(last, status=Status.FEASIBLE, assignments=(best,), complete=False, bound=None)
    return replace(last, status=Status.SOLVED, assignments=(best,), complete=False, bound=model.value(best))
