"""SAT solvers of PySAT, on a translation of the Model to clauses.

A variant names, in any order, a solver (``cadical195``), an encoding of the cardinality constraints
(``totalizer``; see `cpmines.translate.encoding_names`), and how an objective is maximised:

``tighten``
    Solutions are improved until none is better; a run out of time gives the best one. The default.
``rc2``
    Core-guided: the bound is lowered until a solution reaches it; a run out of time gives the bound.

Solvers run in a process of their own, so every limit holds for every solver.

References
----------
Ignatiev, Morgado, Marques-Silva (2018), PySAT: a Python toolkit for prototyping with SAT oracles. SAT 2018.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cpmines.answer import Limits, Status
from cpmines.engine import Ability, Outcome, Refutation, Search
from cpmines.errors import UsageError
from cpmines.model import Model
from cpmines.oracle import worker
from cpmines.oracle.facts import SOLVERS
from cpmines.oracle.session import SatSession, refutation
from cpmines.oracle.worker import ONE_SHOT
from cpmines.process.solver import Transcript, converse
from cpmines.remote import outcome_of
from cpmines.translate import DEFAULT_ENCODING, Cnf, Terms, encode, encoding_names, net_terms

__all__ = ["ENGINE", "Sat", "chosen", "solver_names"]

METHODS = ("tighten", "rc2")

UNRELIABLE = frozenset({"maplesat"})
"""Solvers of PySAT that are not offered: MapleSAT crashes (SIGSEGV) on one in five small random formulas."""

WITHOUT_RC2 = ONE_SHOT | {"cadical103"}
"""Solvers that RC2 can't use: it adds clauses between calls, and has literals propagated."""


@dataclass(frozen=True)
class Sat:
    """A SAT solver, an encoding and a method of maximising."""

    solver: str = "cadical195"
    encoding: str = DEFAULT_ENCODING
    method: str = "tighten"

    summary = "SAT solvers of PySAT on clauses, several encodings"
    packages = ("python-sat",)

    @property
    def abilities(self) -> frozenset[Ability]:
        """Proofs and cores are the solver's, the rest goes for all."""
        own = {Ability.INTERRUPT, Ability.OPTIMISE, Ability.DETERMINISTIC}
        return frozenset(own) | SOLVERS.get(self.solver, frozenset()) & {Ability.PROOF, Ability.CORE}

    def variants(self) -> list[str]:
        """The solvers, for lists of what an engine can use."""
        return solver_names()

    def configure(self, options: Sequence[str]) -> Sat:
        """This engine with a solver, an encoding, a method: at most one of each."""
        return replace(self, **chosen("sat", METHODS, self.method, options))

    def translate(self, model: Model, limits: Limits) -> Any:
        """The constraints, not the objective, as a `pysat.formula.CNF`. The Model's variables come first."""
        from pysat.formula import CNF

        cnf = encode(model, self.encoding, limits)
        formula = CNF()
        formula.clauses = list(cnf)
        formula.nv = cnf.variables
        return formula

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`. The search raises `EngineError` if the solver's process crashes."""
        cnf = encode(model, self.encoding, limits)
        terms = net_terms(model)
        if terms is not None and len(terms.literals) == 0:
            terms = None

        def search(count: int) -> Outcome:
            wanted = 1 if model.objective is not None else count
            request = self._request(model, cnf, terms, wanted)
            return _outcome(model, cnf, converse(worker.__file__, request, cnf.blocks, limits))

        return search

    def cover(self, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """See `cpmines.engine.Covering`: one solver is asked by assumptions for values not seen yet."""
        cnf = encode(model, self.encoding, limits)

        def search() -> Outcome:
            request = {**self._request(model, cnf, None, 1), "method": "cover"}
            outcome = _outcome(model, cnf, converse(worker.__file__, request, cnf.blocks, limits))
            if outcome.status is Status.FEASIBLE:
                return replace(outcome, status=Status.UNKNOWN, assignments=())
            return outcome

        return search

    def refute(self, model: Model, limits: Limits) -> Refutation | None:
        """See `cpmines.engine.Refuting`. Raises `UsageError` if the solver gives no proofs."""
        self._require(Ability.PROOF)
        cnf = encode(model, self.encoding, limits)
        lines = refutation(cnf.blocks, limits, self.solver)
        if lines is None:
            return None
        # Some solvers leave out the empty clause at the end.
        proof = "\n".join([*lines, *([] if lines and lines[-1].strip() == "0" else ["0"]), ""])
        return Refutation(tuple(map(tuple, cnf)), proof)

    def core(self, model: Model, assumptions: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
        """See `cpmines.engine.Explaining`. Raises `UsageError` if the solver gives no cores."""
        self._require(Ability.CORE)
        cnf = encode(model, self.encoding, limits)
        with SatSession(cnf.blocks, limits, self.solver) as session:
            return None if session.satisfiable(assumptions) else tuple(session.core)

    def _require(self, ability: Ability) -> None:
        if ability not in self.abilities:
            able = ", ".join(name for name, can in SOLVERS.items() if ability in can)
            raise UsageError(f"sat: {self.solver} gives no {ability}; these do: {able}")

    def _request(self, model: Model, cnf: Cnf, terms: Terms | None, count: int) -> dict[str, Any]:
        request = {
            "solver": self.solver,
            "variables": model.variable_count,
            "top": cnf.variables,
            "count": count,
        }
        if terms is None:
            return {**request, "method": "enumerate"}
        divisor = int(np.gcd.reduce(terms.weights))
        weights = (terms.weights // divisor).tolist()
        return {**request, "method": self.method, "objective": (terms.literals.tolist(), weights)}


ENGINE = Sat()


def _outcome(model: Model, cnf: Cnf, transcript: Transcript) -> Outcome:
    statistics = {"variables": float(cnf.variables), "clauses": float(len(cnf))}
    return outcome_of(model, transcript, _scaled_bound(model, transcript.bound), statistics)


def _scaled_bound(model: Model, bound: int | None) -> int | None:
    """The process counts the netted objective, in units of the weights' common divisor."""
    terms = net_terms(model)
    if bound is None or terms is None:
        return None
    return terms.constant + bound * int(np.gcd.reduce(terms.weights))


def chosen(engine: str, methods: Sequence[str], method: str, options: Sequence[str]) -> dict[str, str]:
    """The options of a variant by their kind: at most one each of ``solver``, ``encoding`` and ``method``.

    Parameters
    ----------
    engine
        Its name, for messages.
    methods
        Those that the engine has; `method` is used if none is among the options.

    Raises
    ------
    UsageError
        An option that there is not, two of a kind, or a solver that the method can't use.
    """
    found: dict[str, str] = {}
    for option in options:
        kind, value = _read(engine, methods, option)
        if kind in found:
            raise UsageError(f"{engine} takes one {kind} at a time, got {found[kind]} and {value}")
        found[kind] = value
    method = found.get("method", method)
    if method != "tighten" and (solver := found.get("solver")) in WITHOUT_RC2:
        able = ", ".join(name for name in solver_names() if name not in WITHOUT_RC2)
        raise UsageError(f"{engine}: {method} can't use {solver}; it can use: {able}")
    return found


def _read(engine: str, methods: Sequence[str], option: str) -> tuple[str, str]:
    """Kind and value of one option."""
    if option in encoding_names():
        return "encoding", option
    if option in methods:
        return "method", option
    name = _canonical(option)
    if name is not None and name in solver_names():
        return "solver", name
    kinds = {"solvers": solver_names(), "encodings": encoding_names(), "methods": methods}
    there_are = "; ".join(f"{kind} {', '.join(names)}" for kind, names in kinds.items())
    said = f": solver {name} is not usable here" if name else f" has no option {option!r:.80}"
    raise UsageError(f"{engine}{said}; there are: {there_are}")


def _canonical(alias: str) -> str | None:
    """The full name of a solver that PySAT knows by `alias`."""
    from pysat.solvers import SolverNames

    aliases = {name: values for name, values in vars(SolverNames).items() if isinstance(values, tuple)}
    return next((name for name, values in aliases.items() if alias == name or alias in values), None)


def solver_names() -> list[str]:
    """PySAT's solvers that are part of this build of it, without the `UNRELIABLE` ones."""
    from pysat.solvers import NoSuchSolverError, Solver, SolverNames

    found = []
    for name, aliases in vars(SolverNames).items():
        if isinstance(aliases, tuple) and name not in UNRELIABLE:
            try:
                Solver(name).delete()
            except (NoSuchSolverError, NotImplementedError, ImportError):
                continue
            found.append(name)
    return found
