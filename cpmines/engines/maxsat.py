"""MaxSAT solvers of PySAT: the constraints as hard clauses, the objective's literals as soft ones.

Both methods go from above: the solver finds sets of soft clauses that can't all hold, and each lowers the
proved bound, until a solution reaches it. A Model without an objective is a plain SAT instance. A variant
names, in any order, a method, a solver and an encoding of the cardinality constraints as for ``sat``:

``rc2``
    Relaxable cardinality constraints. The default.
``stratified``
    The same with the heaviest soft clauses first; a difference only where weights differ.

References
----------
Ignatiev, Morgado, Marques-Silva (2019), RC2: an efficient MaxSAT solver. JSAT 11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cpmines.answer import Limits
from cpmines.engine import Ability, Outcome, Search
from cpmines.engines.sat import Sat, chosen
from cpmines.model import Model
from cpmines.translate import DEFAULT_ENCODING, net_terms

__all__ = ["ENGINE", "MaxSat"]

METHODS = ("rc2", "stratified")


@dataclass(frozen=True)
class MaxSat:
    """A method, and the SAT solver and encoding that it uses."""

    method: str = "rc2"
    solver: str = "glucose4"
    encoding: str = DEFAULT_ENCODING

    summary = "RC2 of PySAT, core-guided MaxSAT"
    packages = ("python-sat",)
    abilities = frozenset({Ability.INTERRUPT, Ability.OPTIMISE, Ability.DETERMINISTIC})
    only_optimises = True

    @property
    def sat(self) -> Sat:
        """What searches."""
        return Sat(self.solver, self.encoding, self.method)

    def configure(self, options: Sequence[str]) -> MaxSat:
        """This engine with a method, a solver, an encoding: at most one of each."""
        return replace(self, **chosen("maxsat", METHODS, self.method, options))

    def translate(self, model: Model, limits: Limits) -> Any:
        """A `pysat.formula.WCNF`; the Model's variables come first, soft clauses are literals to be true."""
        from pysat.formula import WCNF

        hard = self.sat.translate(model, limits)
        formula = WCNF()
        formula.hard, formula.nv = hard.clauses, hard.nv
        terms = net_terms(model)
        if terms is not None:
            formula.soft = terms.literals.reshape(-1, 1).tolist()
            formula.wght = terms.weights.tolist()
            formula.topw = int(np.sum(terms.weights)) + 1
        return formula

    def cover(self, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """See `cpmines.engine.Covering`: without an objective there is only SAT to ask."""
        return self.sat.cover(model, limits)

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`. The search raises `EngineError` if the solver's process crashes."""
        return self.sat.prepare(model, limits)


ENGINE = MaxSat()
