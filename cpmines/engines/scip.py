"""SCIP, a solver of constraint integer programs: the Model as a 0/1 program.

SCIP computes with floating-point numbers, with the consequences that `cpmines.engines.highs` names. Further
assignments are found by a row that forbids the one before.

References
----------
Achterberg (2009), SCIP: solving constraint integer programs. Math. Prog. Computation 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cpmines.answer import Limits, Status
from cpmines.engine import Ability, Search
from cpmines.errors import EngineError
from cpmines.model import Model
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import Remote
from cpmines.translate import linear_rows, net_terms, require_small

__all__ = ["ENGINE", "LOADED", "METHODS", "Scip"]

LOADED = ("pyscipopt",)

STATUS = {"optimal": Status.SOLVED, "infeasible": Status.INFEASIBLE, "inforunbd": Status.INFEASIBLE}
"""Native status to claim; a 0/1 program is not unbounded, and no native limit is set."""


@dataclass(frozen=True)
class Scip(Remote):
    """SCIP on one thread."""

    file = __file__
    summary = "SCIP, branch and cut with propagation on a 0/1 program"
    packages = ("pyscipopt",)
    extra = "scip"
    abilities = frozenset({Ability.INTERRUPT, Ability.OPTIMISE, Ability.DETERMINISTIC})

    def translate(self, model: Model, limits: Limits) -> Any:
        """A `pyscipopt.Model`; its ``data`` lists the variables, v - 1 for variable v of the Model."""
        return program(model, limits.seed, limits)

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`. Raises `LimitError` for an objective with too large weights."""
        require_small(net_terms(model), "SCIP")
        return super().prepare(model, limits)


ENGINE = Scip()


def program(model: Model, seed: int, limits: Limits) -> Any:
    """The Model as a 0/1 program, which maximises."""
    from pyscipopt import Model as Native
    from pyscipopt import quicksum

    native = Native()
    native.hideOutput()
    native.setParams({"misc/catchctrlc": False, "randomization/randomseedshift": seed})
    cells = [native.addVar(f"x{v}", vtype="B") for v in range(1, model.variable_count + 1)]
    native.data = cells

    def weighted(variables: list[int], coefficients: list[int]) -> Any:
        return quicksum(weight * cells[v - 1] for v, weight in zip(variables, coefficients, strict=True))

    for row in linear_rows(model, limits):
        if not row.variables:
            # SCIP takes no row without variables: one that is false is said by a variable without a value.
            if (row.lo or 0) > 0 or (row.hi or 0) < 0:
                native.addVar("false", vtype="B", lb=1, ub=0)
            continue
        total = weighted(row.variables, row.coefficients)
        if row.lo is not None:
            native.addCons(total >= row.lo)
        if row.hi is not None:
            native.addCons(total <= row.hi)
    if (terms := net_terms(model)) is not None:
        variables, coefficients, constant = terms.over_variables()
        native.setObjective(weighted(variables, coefficients) + constant, "maximize")
    return native


def search(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Up to ``count`` assignments, or better and better ones."""
    from pyscipopt import quicksum

    native = program(request["model"], request["seed"], Limits())
    if request["model"].objective is not None:
        report_progress(native, reply)
    nodes, complete = 0, False
    for _ in range(request["count"]):
        native.optimize()
        status = native.getStatus()
        if status not in STATUS:
            raise EngineError(f"SCIP ended with status {status}")
        nodes += native.getNTotalNodes()
        if STATUS[status] is Status.INFEASIBLE:
            complete = True
            break
        values = best(native)
        reply("assignment", values.tobytes())
        native.freeTransform()
        pairs = zip(native.data, values.tolist(), strict=True)
        native.addCons(quicksum(1 - cell if true else cell for cell, true in pairs) >= 1)
    return {"complete": complete, "statistics": {"nodes": float(nodes)}}


def best(native: Any) -> Any:
    """The best solution, rounded."""
    solution = native.getBestSol()
    return np.array([native.getSolVal(solution, cell) > 0.5 for cell in native.data], np.bool_)


def report_progress(native: Any, reply: Reply) -> None:
    """Have each better solution and each better bound replied."""
    from pyscipopt import SCIP_EVENTTYPE, Eventhdlr

    class Reporter(Eventhdlr):  # type: ignore[misc]
        bound = float("inf")

        def eventinit(self) -> None:
            for event in (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.NODESOLVED):
                self.model.catchEvent(event, self)

        def eventexec(self, event: Any) -> None:
            if event.getType() == SCIP_EVENTTYPE.BESTSOLFOUND:
                reply("assignment", best(self.model).tobytes())
            bound = self.model.getDualbound()
            if abs(bound) < 1e15 and bound < self.bound:
                # The largest integer that the bound allows, with some room for its error.
                self.bound = bound
                reply("bound", int(np.floor(bound + 1e-3)))

    native.includeEventhdlr(Reporter(), "reporter", "replies what is found")


METHODS = {"search": search}
