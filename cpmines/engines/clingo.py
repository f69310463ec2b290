"""clingo, an answer-set solver: every variable may be chosen, sums are weight rules, constraints forbid.

Each assignment of the Model is one answer set: what the rules define besides follows from it.

References
----------
Gebser, Kaminski, Kaufmann, Schaub (2019), Multi-shot ASP solving with clingo. TPLP 19.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cpmines.answer import Limits
from cpmines.engine import Ability
from cpmines.errors import EngineError
from cpmines.model import Model
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import Remote, ask_core
from cpmines.translate import net_terms

__all__ = ["ENGINE", "LOADED", "METHODS", "Clingo"]

LOADED = ("clingo",)


@dataclass(frozen=True)
class Clingo(Remote):
    """clingo with its default configuration."""

    file = __file__
    summary = "clingo, answer sets with weight rules"
    packages = ("clingo",)
    extra = "asp"
    abilities = frozenset({Ability.INTERRUPT, Ability.CORE, Ability.OPTIMISE, Ability.DETERMINISTIC})

    def translate(self, model: Model, limits: Limits) -> Any:
        """A `clingo.Control`; atom v is variable v of the Model."""
        return program(model, limits.seed)

    def core(self, model: Model, assumptions: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
        """See `cpmines.engine.Explaining`."""
        return ask_core(self.file, model, assumptions, limits)


ENGINE = Clingo()


def program(model: Model, seed: int) -> Any:
    """The Model as a ground program."""
    import clingo

    control = clingo.Control([f"--seed={seed}"], logger=lambda code, text: None)
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(model.variable_count)]
        if atoms != list(range(1, model.variable_count + 1)):
            raise EngineError("clingo numbers its atoms in another way than from 1")
        backend.add_rule(atoms, choice=True)
        constraints = model.constraints()
        bounds = zip(
            constraints.lo.tolist(), constraints.hi.tolist(), constraints.only_if.tolist(), strict=True
        )
        for k, (lo, hi, guard) in enumerate(bounds):
            _add_row(backend, constraints.row(k).tolist(), lo, hi, [guard] if guard else [])
        terms = net_terms(model)
        if terms is not None:
            missed = zip((-terms.literals).tolist(), terms.weights.tolist(), strict=True)
            backend.add_minimize(0, list(missed))
    return control


def _add_row(backend: Any, literals: list[int], lo: int, hi: int, guard: list[int]) -> None:
    """Where `guard` holds, forbid that fewer than `lo` or more than `hi` literals do."""
    if lo > hi:
        backend.add_rule([], guard)
        return
    weighted = [(literal, 1) for literal in literals]
    for bound, forbidden in ((lo, -1), (hi + 1, 1)):
        if lo > 0 if forbidden < 0 else hi < len(literals):
            reached = backend.add_atom()
            backend.add_weight_rule([reached], max(bound, 0), weighted)
            backend.add_rule([], [*guard, forbidden * reached])


def search(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Up to ``count`` answer sets, or better and better ones."""
    model: Model = request["model"]
    control = program(model, request["seed"])
    optimising = model.objective is not None
    control.configuration.solve.models = 0 if optimising else request["count"]
    with control.solve(yield_=True) as handle:
        for answer in handle:
            values = [answer.is_true(variable) for variable in range(1, model.variable_count + 1)]
            reply("assignment", np.array(values, np.bool_).tobytes())
        result = handle.get()
    if result.interrupted or (optimising and not result.exhausted):
        raise EngineError(f"clingo ended with {result}")
    solving = control.statistics["solving"]["solvers"]
    statistics = {name: float(solving[name]) for name in ("choices", "conflicts", "restarts")}
    return {"complete": bool(result.exhausted) and not optimising, "statistics": statistics}


def core_of(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Assumptions that can't hold together, None if all can."""
    control = program(request["model"], request["seed"])
    with control.solve(yield_=True, assumptions=request["assumptions"]) as handle:
        result = handle.get()
        if result.satisfiable:
            return {"core": None}
        if not result.unsatisfiable:
            raise EngineError(f"clingo ended with {result}")
        return {"core": tuple(sorted(set(handle.core()), key=abs))}


METHODS = {"search": search, "core": core_of}
