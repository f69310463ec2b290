"""Ganak, an exact model counter, on the Model as clauses, projected on the Model's variables.

The variables that the clauses bring are not counted, so every translation has the Model's number of
assignments. Of how many a variable is true, Ganak is asked by one count with it fixed; a count that a
solution of a SAT solver contradicts is an error.

References
----------
Sharma, Roy, Soos, Meel (2019), GANAK: a scalable probabilistic exact model counter. IJCAI 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cpmines.answer import Limits
from cpmines.engine import Ability
from cpmines.errors import EngineError
from cpmines.model import Model
from cpmines.oracle.worker import WorkerSolver, clauses_of, pack
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import RemoteCounter
from cpmines.translate import DEFAULT_ENCODING, encode

__all__ = ["ENGINE", "LOADED", "METHODS", "Ganak"]

LOADED = ("pyganak", "pysat.solvers")


@dataclass(frozen=True)
class Ganak(RemoteCounter):
    """Ganak behind its preprocessor Arjun."""

    file = __file__
    summary = "Ganak, exact projected model counting"
    packages = ("pyganak", "python-sat")
    extra = "count"
    abilities = frozenset({Ability.INTERRUPT, Ability.COUNT, Ability.DETERMINISTIC})

    def request(self, model: Model, limits: Limits) -> tuple[dict[str, Any], Sequence[Any]]:
        cnf = encode(model, DEFAULT_ENCODING, limits)
        return {"variables": model.variable_count, "top": cnf.variables, "solver": "cadical195"}, cnf.blocks


ENGINE = Ganak()


def count(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """The number of models, and with each variable true, projected on the first ``variables``."""
    variables, top = request["variables"], request["top"]
    clauses = [list(clause) for clause in clauses_of(blocks)]
    model = WorkerSolver(request, blocks).solve()
    total = _count(clauses, variables, top, request["seed"])
    if (total == 0) != (model is None):
        raise EngineError(
            f"Ganak counts {total} where a SAT solver finds {'none' if model is None else 'one'}"
        )
    true = [
        _count([*clauses, [v]], variables, top, request["seed"]) if total else 0
        for v in range(1, variables + 1)
    ]
    witness = None if model is None else pack(model, variables)
    return {
        "count": total,
        "true": tuple(true),
        "witness": witness,
        "statistics": {"clauses": float(len(clauses))},
    }


def _count(clauses: list[list[int]], variables: int, top: int, seed: int) -> int:
    import pyganak

    counter = pyganak.Counter(seed=seed)
    counter.new_vars(top)
    counter.add_clauses(clauses)
    counter.set_sampling_set(range(1, variables + 1))
    return int(counter.count())


METHODS = {"count": count}
