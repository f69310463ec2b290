"""tididi, tree decision diagrams: the Model compiled to one diagram, on which counting is a walk.

The diagram is over the Model's variables alone, in their order: no clauses and no further variables. One walk
counts; with weights it counts by the number of true variables; one more for each variable tells in how many
assignments it is true.

References
----------
A canonical generalization of OBDD, arXiv 2604.05537.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cpmines.answer import Limits
from cpmines.engine import Ability
from cpmines.model import Model
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import RemoteCounter

__all__ = ["ENGINE", "LOADED", "METHODS", "Tididi"]

LOADED = ("tididi",)


@dataclass(frozen=True)
class Tididi(RemoteCounter):
    """tididi on a linear order of the variables."""

    file = __file__
    summary = "tididi, tree decision diagrams"
    packages = ("tididi",)
    extra = "count"
    abilities = frozenset({Ability.INTERRUPT, Ability.COUNT, Ability.DETERMINISTIC})

    def translate(self, model: Model, limits: Limits) -> Any:
        """A `tididi.Circuit` over the variables of the Model, which has at least one."""
        return diagram(model)


ENGINE = Tididi()


def diagram(model: Model) -> Any:
    """The conjunction of the rows, in their order."""
    import tididi

    order = tididi.Vtree.linear(list(range(1, model.variable_count + 1)))
    whole = tididi.one(order)
    constraints = model.constraints()
    bounds = zip(constraints.lo.tolist(), constraints.hi.tolist(), constraints.only_if.tolist(), strict=True)
    for k, (lo, hi, guard) in enumerate(bounds):
        row = _sum(order, sorted(constraints.row(k).tolist(), key=abs), lo, hi)
        whole &= row | tididi.literal(order, -guard) if guard else row
    return whole


def _sum(order: Any, literals: list[int], lo: int, hi: int) -> Any:
    """Between `lo` and `hi` of `literals` are true: by the number of the last ones that are."""
    import tididi

    sums = [tididi.one(order)]
    for literal in reversed(literals):
        true, false = (tididi.literal(order, sign * literal) for sign in (1, -1))
        with_it = [tididi.zero(order), *(true.copy() & part.copy() for part in sums)]
        without = [*(false.copy() & part for part in sums), tididi.zero(order)]
        sums = [one | other for one, other in zip(with_it, without, strict=True)]
    return tididi.or_many([tididi.zero(order), *sums[max(lo, 0) : max(hi + 1, 0)]])


def count(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """The fields of a `Tally`; see `cpmines.remote.RemoteCounter`."""
    model: Model = request["model"]
    variables = model.variable_count
    circuit = diagram(model)
    nodes = circuit.node_count()
    # A polynomial in the number of true variables, as its value at a power of two that exceeds every count.
    width = variables + 1
    weights = dict.fromkeys(range(1, variables + 1), (1, 1 << width))
    packed = int(circuit.weighted_count(weights))
    by_size = tuple(packed >> width * size & (1 << width) - 1 for size in range(variables + 1))
    chosen = circuit.copy().satisfying_assignment()
    counter = circuit.counter()
    total, true = counter.model_count(), []
    for v in range(1, variables + 1):
        counter.observe([v])
        true.append(counter.model_count())
        counter.clear(v)
    return {
        "count": total,
        "true": tuple(true),
        "by_size": by_size,
        "witness": None if chosen is None else _witness(chosen, variables),
        "statistics": {"nodes": float(nodes)},
    }


def _witness(literals: list[Any], variables: int) -> bytes:
    values = np.zeros(variables, np.bool_)
    values[[literal.variable - 1 for literal in literals if literal.sign]] = True
    return values.tobytes()


METHODS = {"count": count}
