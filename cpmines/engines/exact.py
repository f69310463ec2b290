"""Exact, a pseudo-Boolean solver: conflicts are analysed by cutting planes, which can count.

Its package is under the AGPL, which is why it stands in an extra of its own.

References
----------
Elffers, Nordström (2018), Divide and conquer: towards faster pseudo-Boolean solving. IJCAI 2018.
Devriendt, Gocht, Demirović, Nordström, Stuckey (2021), Cutting to the core of pseudo-Boolean optimization:
combining core-guided search with cutting planes reasoning. AAAI 2021.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cpmines.answer import Limits
from cpmines.engine import Ability, CuttingPlanes
from cpmines.errors import EngineError
from cpmines.model import Model
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import Remote, ask, ask_core
from cpmines.translate import linear_rows, net_terms

__all__ = ["ENGINE", "LOADED", "METHODS", "Exact"]

LOADED = ("exact",)
OPTIONS = (("verbosity", "0"), ("inp-purelits", "0"), ("inp-dombreaklim", "0"))
"""Without what keeps only one of several assignments that are equally good."""


@dataclass(frozen=True)
class Exact(Remote):
    """Exact with its default search."""

    file = __file__
    summary = "Exact, pseudo-Boolean search by cutting planes"
    packages = ("exact",)
    extra = "pb"
    abilities = frozenset(Ability) - {Ability.COUNT}

    def translate(self, model: Model, limits: Limits) -> Any:
        """An `exact.Exact`; its variable ``"v"`` is variable v of the Model."""
        return program(model, limits.seed, limits)

    def core(self, model: Model, assumptions: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
        """See `cpmines.engine.Explaining`."""
        opposite = sorted(set(assumptions) & {-literal for literal in assumptions})
        if opposite:
            return -opposite[-1], opposite[-1]
        return ask_core(self.file, model, assumptions, limits)

    def refute(self, model: Model, limits: Limits) -> CuttingPlanes | None:
        """See `cpmines.engine.Refuting`."""
        with tempfile.TemporaryDirectory() as folder:
            prefix = os.path.join(folder, "log")
            request = {"method": "refute", "model": model, "prefix": prefix}
            if ask(self.file, request, [], limits)["satisfiable"]:
                return None
            texts = [Path(f"{prefix}.{end}").read_text(encoding="ascii") for end in ("formula", "proof")]
        return CuttingPlanes(*texts)


ENGINE = Exact()


def program(model: Model, seed: int, limits: Limits, log: str = "") -> Any:
    """The Model as a pseudo-Boolean program; `log`, if any, is the prefix of files with what it derives."""
    import exact

    logging = [("proof-log", log)] if log else []
    native = exact.Exact([*OPTIONS, ("seed", str(seed + 1)), *logging])
    names = [str(variable) for variable in range(1, model.variable_count + 1)]
    for name in names:
        native.addVariable(name)
    for row in linear_rows(model, limits):
        terms = [(weight, str(v)) for v, weight in zip(row.variables, row.coefficients, strict=True)]
        native.addConstraint(terms, row.lo is not None, row.lo or 0, row.hi is not None, row.hi or 0)
    if (objective := net_terms(model)) is not None:
        variables, coefficients, constant = objective.over_variables()
        terms = [(weight, str(v)) for v, weight in zip(variables, coefficients, strict=True)]
        native.setObjective(terms, False, constant)
    return native


def search(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Up to ``count`` assignments, or better and better ones.

    The states in which Exact hands over depend on its own counters, not on a clock, so a run can be repeated.
    """
    model: Model = request["model"]
    native = program(model, request["seed"], Limits())
    names = [str(variable) for variable in range(1, model.variable_count + 1)]
    optimising = model.objective is not None
    found, complete = 0, False
    while optimising or found < request["count"]:
        state = native.runOnce()
        if state == "UNSAT":
            complete = not optimising
            break
        if state not in ("SAT", "PAUSED"):
            raise EngineError(f"Exact ended with {state}")
        if state == "SAT":
            found += 1
            reply("assignment", np.array(native.getLastSolutionFor(names), np.bool_).tobytes())
            native.boundObjByLastSol() if optimising else native.invalidateLastSol(names)
        elif optimising:
            reply("bound", int(native.getDualBound()))
    counters = dict(native.getStats())
    return {"complete": complete, "statistics": {name: counters[name] for name in ("conflicts", "decisions")}}


def core_of(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Assumptions that can't hold together, None if all can."""
    native = program(request["model"], request["seed"], Limits())
    assumed = {str(abs(literal)): literal for literal in request["assumptions"]}
    native.setAssumptions([(name, int(literal > 0)) for name, literal in assumed.items()])
    state = native.runFull(False)
    if state not in ("SAT", "UNSAT", "INCONSISTENT"):
        raise EngineError(f"Exact ended with {state}")
    if state == "SAT":
        return {"core": None}
    return {"core": tuple(assumed[name] for name in native.getLastCore()) if state == "INCONSISTENT" else ()}


def refute(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Search for an assignment; without one, the log stands in the files when the solver is gone."""
    native = program(request["model"], request["seed"], Limits(), request["prefix"])
    state = "PAUSED"
    while state == "PAUSED":
        state = native.runOnce()
    if state not in ("SAT", "UNSAT"):
        raise EngineError(f"Exact ended with {state}")
    del native
    return {"satisfiable": state == "SAT"}


METHODS = {"search": search, "core": core_of, "refute": refute}
