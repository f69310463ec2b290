"""What `cpmines.process.worker` does with PySAT's solvers. It imports PySAT and nothing of cpmines."""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Request = dict[str, Any]
Block = tuple[int, "array[int]"]
Reply = Callable[..., None]

LOADED = ("pysat.solvers",)

ONE_SHOT = frozenset({"kissat404", "lingeling"})
"""Solvers that abort if clauses are added after a call: a new one is filled for every call."""

SEEDLESS = frozenset({"ergo"})
"""Solvers that refuse a seed instead of passing over it."""

LARGEST_TOTALIZER = 4_000_000
"""Inputs times bound beyond which the objective is summed by adders: smaller, but they propagate less."""


def clauses_of(blocks: Iterable[Block]) -> Iterator[tuple[int, ...]]:
    for width, literals in blocks:
        yield from zip(*[iter(literals)] * width, strict=True)


class WorkerSolver:
    """A solver that clauses can be added to between calls.

    Parameters
    ----------
    request
        Names the solver (``solver``) and gives the ``seed``, for those that take one.
    """

    def __init__(self, request: Request, blocks: list[Block]) -> None:
        self.name, self.seed, self.blocks = request["solver"], request["seed"], blocks
        self.added: list[Iterable[int]] = []
        self.solver: Any = None

    def _fill(self) -> None:
        from pysat.solvers import Solver

        if self.solver is not None:
            self.solver.delete()
        self.solver = Solver(self.name)
        if self.seed and self.name not in SEEDLESS:
            # Does nothing where a solver has no such parameter.
            self.solver.configure({"rnd-seed" if self.name == "glucose42" else "seed": self.seed})
        add = self.solver.solver.add_clause
        for clause in clauses_of(self.blocks):
            add(clause)
        for extra in self.added:
            add(extra)

    def add(self, clause: Iterable[int]) -> None:
        if self.solver is None or self.name in ONE_SHOT:
            self.added.append(clause)
        else:
            self.solver.add_clause(clause)

    def prefer(self, literals: list[int]) -> None:
        """Try these literals first, where the solver can be told."""
        if self.solver is None:
            self._fill()
        if self.name not in ONE_SHOT:
            with contextlib.suppress(NotImplementedError):
                self.solver.set_phases(literals)

    def solve(self, assumption: int | None = None) -> list[int] | None:
        """The literals of a model, None if there is none; of one in which `assumption` holds."""
        assumed = [] if assumption is None else [assumption]
        if self.name in ONE_SHOT:
            kept = len(self.added)
            self.added += [[literal] for literal in assumed]
            self._fill()
            del self.added[kept:]
            assumed = []
        elif self.solver is None:
            self._fill()
        return (self.solver.get_model() or []) if self.solver.solve(assumptions=assumed) else None

    def statistics(self) -> dict[str, float]:
        with contextlib.suppress(NotImplementedError):
            return dict(self.solver.accum_stats() or {})
        return {}


def pack(model: Iterable[int], variables: int) -> bytes:
    """Byte v - 1 tells whether variable v is true; variables that the solver never met are false."""
    values = bytearray(variables)
    for literal in model:
        if 0 < literal <= variables:
            values[literal - 1] = 1
    return bytes(values)


def enumerate_models(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Up to ``count`` models that differ on the Model's variables."""
    oracle = WorkerSolver(request, blocks)
    variables, count, complete = request["variables"], request["count"], False
    for found in range(count):
        model = oracle.solve()
        if model is None:
            complete = True
            break
        values = pack(model, variables)
        reply("assignment", values)
        if variables == 0:
            complete = True
            break
        if found + 1 < count:
            oracle.add([-variable if true else variable for variable, true in enumerate(values, 1)])
    return {"complete": complete, "statistics": oracle.statistics()}


def cover(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Models in which every variable has every value that it can have.

    A value that some model had needs no question; each other one is asked for by an assumption, and the
    solver is told if there is none.
    """
    oracle, variables = WorkerSolver(request, blocks), request["variables"]
    model = oracle.solve()
    if model is not None:
        first = pack(model, variables)
        reply("assignment", first)
        unseen = {v: -v if true else v for v, true in enumerate(first, 1)}
        oracle.prefer(list(unseen.values()))
        while unseen:
            _, literal = unseen.popitem()
            model = oracle.solve(literal)
            if model is None:
                oracle.add([-literal])
                continue
            values = pack(model, variables)
            reply("assignment", values)
            for other in [other for other in unseen if values[other - 1] != first[other - 1]]:
                del unseen[other]
    return {"complete": True, "statistics": oracle.statistics()}


def tighten(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Ask for better models until there is none; every one is replied."""
    literals, weights = request["objective"]
    oracle = WorkerSolver(request, blocks)
    oracle.prefer(literals)
    counter: SequentialCounter | None = None
    found = False
    while (model := oracle.solve()) is not None:
        found = True
        reply("assignment", pack(model, request["variables"]))
        true = set(model)
        missing = sum(
            weight for literal, weight in zip(literals, weights, strict=True) if literal not in true
        )
        if missing == 0:
            break
        if counter is None:
            counter = SequentialCounter(
                [-literal for literal in literals], weights, missing - 1, request["top"]
            )
            for clause in counter.clauses:
                oracle.add(clause)
        for clause in counter.at_most(missing - 1):
            oracle.add(clause)
    return {"complete": not found, "statistics": oracle.statistics()}


def core_guided(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """RC2, Ignatiev et al. 2019: an upper bound falls until a model reaches it; every bound is replied."""
    from pysat.examples.rc2 import RC2, RC2Stratified
    from pysat.formula import WCNF

    literals, weights = request["objective"]
    total = sum(weights)

    base = RC2Stratified if request["method"] == "stratified" else RC2

    class Bounded(base):  # type: ignore[misc, valid-type]
        def process_core(self) -> None:
            super().process_core()
            reply("bound", total - self.cost)

    formula = WCNF()
    formula.hard = [list(clause) for clause in clauses_of(blocks)]
    formula.soft, formula.wght = [[literal] for literal in literals], list(weights)
    formula.nv = request["top"]
    solver = Bounded(formula, solver=request["solver"], adapt=True, exhaust=True)
    model = solver.compute()
    if model is not None:
        reply("assignment", pack(model, request["variables"]))
    return {"complete": model is None, "statistics": {"time": solver.oracle_time()}}


def refute(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """The lines of a DRAT proof that there is no model; None if there is one."""
    from pysat.solvers import Solver

    with Solver(request["solver"], clauses_of(blocks), with_proof=True) as solver:
        return {"proof": None if solver.solve() else solver.get_proof() or []}


class Dialogue:
    """A solver, and what those say who ask it again and again: steps, of which the last one asks.

    Parameters
    ----------
    at_most
        Literals of which at most so many are true, for ``minicard``.
    """

    def __init__(self, name: str, blocks: Iterable[Block], at_most: Any) -> None:
        from pysat.solvers import Solver

        self.solver = Solver(name, clauses_of(blocks))
        if at_most is not None:
            self.solver.add_atmost(*at_most)

    def answer(self, steps: Iterable[tuple[str, Any]], solve: Callable[[list[int]], bool]) -> Any:
        """The answer to the last step: values, or a core; or what is propagated. None if it is the end."""
        for name, content in steps:
            match name:
                case "add":
                    self.solver.add_clause(content)
                case "prefer":
                    self.solver.set_phases(content)
                case "solve" if solve(content):
                    return bytes(literal > 0 for literal in self.solver.get_model() or []), []
                case "solve":
                    return None, self.solver.get_core() or []
                case "propagate":
                    return self.solver.propagate(content)[1]
        self.solver.delete()
        return None


def session(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """Answer what `cpmines.oracle.session` asks, until that is the end."""
    dialogue = Dialogue(request["solver"], blocks, request["at_most"])
    while (answer := dialogue.answer(request["listen"](), dialogue.solver.solve)) is not None:
        reply("answer", answer)
    return {}


class SequentialCounter:
    """Clauses that count the weight of the true literals, and can then be told to keep it low.

    Parameters
    ----------
    literals, weights
        What is counted.
    bound
        The highest bound that will be asked for.
    top
        New variables begin at top + 1.
    """

    def __init__(self, literals: list[int], weights: list[int], bound: int, top: int) -> None:
        self.clauses: list[list[int]] = []
        self.top = top
        self.sums: list[int] = []
        self.bits: list[int] = []
        if sum(weights) * (bound + 1) <= LARGEST_TOTALIZER:
            from pysat.card import ITotalizer

            inputs = [
                literal for literal, weight in zip(literals, weights, strict=True) for _ in range(weight)
            ]
            # The object owns nothing that the clauses need.
            with ITotalizer(inputs, bound, top) as totalizer:
                self.clauses, self.sums = totalizer.cnf.clauses, list(totalizer.rhs)
        else:
            self._add_up(literals, weights)

    def at_most(self, bound: int) -> list[list[int]]:
        """Clauses that keep the weight at or below `bound`."""
        if self.sums:
            return [[-self.sums[bound]]]
        result = []
        for place, bit in enumerate(self.bits):
            if not bound >> place & 1:
                above = [
                    other for higher, other in enumerate(self.bits) if higher > place and bound >> higher & 1
                ]
                result.append([-literal for literal in (bit, *above)])
        return result

    def _add_up(self, literals: list[int], weights: list[int]) -> None:
        """Full and half adders, Eén and Sörensson 2006, section 5.3."""
        columns: list[list[int]] = [[] for _ in range(sum(weights).bit_length())]
        for literal, weight in zip(literals, weights, strict=True):
            for place in range(weight.bit_length()):
                if weight >> place & 1:
                    columns[place].append(literal)
        for place, column in enumerate(columns):
            while len(column) > 1:
                inputs, column[:3] = column[:3], []
                digit, carry = self.top + 1, self.top + 2
                self.top += 2
                self._add(inputs, digit, carry)
                column.append(digit)
                # Out of the last place nothing is carried: the sum of all weights fits.
                if place + 1 < len(columns):
                    columns[place + 1].append(carry)
            if not column:
                self.top += 1
                column.append(self.top)
                self.clauses.append([-self.top])
        self.bits = [column[0] for column in columns]

    def _add(self, inputs: list[int], digit: int, carry: int) -> None:
        for case in range(1 << len(inputs)):
            signs = [case >> place & 1 for place in range(len(inputs))]
            clause = [-literal if sign else literal for literal, sign in zip(inputs, signs, strict=True)]
            total = sum(signs)
            self.clauses.append([*clause, digit if total & 1 else -digit])
            self.clauses.append([*clause, carry if total & 2 else -carry])


METHODS = {
    "enumerate": enumerate_models,
    "cover": cover,
    "tighten": tighten,
    "rc2": core_guided,
    "stratified": core_guided,
    "refute": refute,
    "session": session,
}
