"""HiGHS, a solver of mixed-integer programs: the Model as a 0/1 program.

An enforced row is loosened by as much as makes it void where its literal is false. HiGHS computes with
floating-point numbers: values are rounded, every assignment is checked against the Model, and objectives
with too large weights are declined (`cpmines.translate.require_small`). Further assignments are found by a
row that forbids the one before.

References
----------
Huangfu, Hall (2018), Parallelizing the dual revised simplex method. Math. Prog. Computation 10.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from cpmines.answer import Limits, Status
from cpmines.engine import Ability, Search
from cpmines.errors import EngineError
from cpmines.model import Model
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import Remote
from cpmines.translate import Terms, linear_rows, net_terms, require_small

__all__ = ["ENGINE", "LOADED", "METHODS", "Highs"]

LOADED = ("highspy",)
STATUS = {
    "kOptimal": Status.SOLVED,
    "kInfeasible": Status.INFEASIBLE,
    "kUnboundedOrInfeasible": Status.INFEASIBLE,
}
"""Native status to claim; a 0/1 program is not unbounded."""


@dataclass(frozen=True)
class Highs(Remote):
    """HiGHS on one thread."""

    file = __file__
    summary = "HiGHS, branch and cut on a 0/1 program"
    packages = ("highspy",)
    extra = "mip"
    abilities = frozenset({Ability.INTERRUPT, Ability.OPTIMISE, Ability.DETERMINISTIC})

    def translate(self, model: Model, limits: Limits) -> Any:
        """A `highspy.Highs`; its column v - 1 is variable v of the Model."""
        return program(model, limits.seed, limits)

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`. Raises `LimitError` for an objective with too large weights."""
        require_small(net_terms(model), "HiGHS")
        return super().prepare(model, limits)


ENGINE = Highs()


def program(model: Model, seed: int, limits: Limits) -> Any:
    """The Model as a 0/1 program, which maximises."""
    import highspy

    native = highspy.Highs()
    native.setOptionValue("output_flag", False)
    native.setOptionValue("threads", 1)
    native.setOptionValue("random_seed", seed)
    native.setOptionValue("mip_rel_gap", 0.0)
    native.setOptionValue("mip_abs_gap", 0.5)
    rows = list(linear_rows(model, limits))
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = model.variable_count, len(rows)
    program.col_lower_, program.col_upper_ = np.zeros(model.variable_count), np.ones(model.variable_count)
    program.col_cost_, program.offset_ = _costs(net_terms(model), model.variable_count)
    program.sense_ = highspy.ObjSense.kMaximize
    program.integrality_ = [highspy.HighsVarType.kInteger] * model.variable_count
    program.row_lower_ = np.array([-highspy.kHighsInf if row.lo is None else row.lo for row in rows], float)
    program.row_upper_ = np.array([highspy.kHighsInf if row.hi is None else row.hi for row in rows], float)
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = np.array([0, *accumulate(len(row.variables) for row in rows)], np.int32)
    matrix.index_ = np.array([v - 1 for row in rows for v in row.variables], np.int32)
    matrix.value_ = np.array([weight for row in rows for weight in row.coefficients], float)
    if native.passModel(program) == highspy.HighsStatus.kError:
        raise EngineError("HiGHS does not take the program")
    return native


def _costs(terms: Terms | None, columns: int) -> tuple[Any, float]:
    """Coefficients of the columns, and the constant; zeros without an objective."""
    costs = np.zeros(columns)
    if terms is None:
        return costs, 0.0
    variables, coefficients, constant = terms.over_variables()
    costs[np.array(variables, np.int64) - 1] = coefficients
    return costs, float(constant)


def search(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Up to ``count`` assignments, or better and better ones."""
    model: Model = request["model"]
    native = program(model, request["seed"], Limits())
    if model.objective is not None:
        native.cbMipImprovingSolution += lambda event: reply(
            "assignment", _rounded(event.data_out.mip_solution).tobytes()
        )
        native.cbMipLogging += lambda event: _reply_bound(event.data_out.mip_dual_bound, reply)
    nodes, complete = 0, False
    for _ in range(request["count"]):
        native.run()
        status = native.getModelStatus().name
        if status == "kMemoryLimit":
            raise MemoryError
        if status not in STATUS:
            raise EngineError(f"HiGHS ended with status {status}")
        nodes += max(0, native.getInfo().mip_node_count)
        if STATUS[status] is Status.INFEASIBLE:
            complete = True
            break
        values = _rounded(native.getSolution().col_value)
        reply("assignment", values.tobytes())
        signs = np.where(values, -1.0, 1.0)
        native.addRow(1.0 - values.sum(), np.inf, len(values), np.arange(len(values), dtype=np.int32), signs)
    return {"complete": complete, "statistics": {"nodes": float(nodes)}}


def _rounded(values: Any) -> Any:
    return np.asarray(values) > 0.5


def _reply_bound(bound: float, reply: Reply) -> None:
    """The largest integer that the bound allows, with some room for its error."""
    if abs(bound) < 1e15:
        reply("bound", int(np.floor(bound + 1e-3)))


METHODS = {"search": search}
