"""A SAT solver that can be stopped, and its proofs."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

from cpmines.answer import Limits
from cpmines.check.formula import Clause

__all__ = ["ProofSolver", "proof_of"]

SOLVER = "glucose4"
"""Its proofs are clauses by unit propagation alone. Of PySAT's solvers, minisat22 and relatives write none,
maplesat's are off by one variable, cadical's can hold clauses that only keep satisfiability."""
POLL = 0.05


class ProofSolver:
    """The solver with clauses, to be used as a context."""

    def __init__(self, clauses: Iterable[Sequence[int]], limits: Limits, *, with_proof: bool = False) -> None:
        from pysat.solvers import Solver

        self.limits = limits
        self.solver: Any = Solver(SOLVER, with_proof=with_proof)
        for clause in clauses:
            self.add(clause)

    def __enter__(self) -> ProofSolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        self.solver.add_clause(list(clause))

    def satisfiable(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a model? The solver runs in a thread, so that a limit or Ctrl-C can end it.

        Raises
        ------
        LimitError
        """
        self.limits.check()
        results: list[bool | None] = []

        def work() -> None:
            results.append(self.solver.solve_limited(assumptions=list(assumptions), expect_interrupt=True))

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(POLL)
                self.limits.check()
        finally:
            if thread.is_alive():
                self.solver.interrupt()
                thread.join()
            self.solver.clear_interrupt()
        return bool(results[0])

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first."""
        self.solver.set_phases(list(literals))

    def model(self) -> set[int]:
        """The true literals of the model found last."""
        return set(self.solver.get_model())

    def implied(self, assumption: int) -> set[int]:
        """The literals that unit propagation derives from an assumption."""
        return set(self.solver.propagate([assumption])[1])

    def core(self) -> list[int]:
        """Assumptions of the last call that no model has together."""
        return list(self.solver.get_core() or ())

    def small_core(self, core: Sequence[int], rounds: int = 4) -> list[int]:
        """A core again and again, until it stays as it is or for `rounds` times."""
        current = list(core)
        for _ in range(rounds):
            self.satisfiable(current)
            smaller = self.core()
            if len(smaller) >= len(current):
                break
            current = smaller
        return current


def proof_of(clauses: Iterable[Clause], limits: Limits) -> list[Clause] | None:
    """The clauses that a refutation derives one by one, the last one empty; None if there is a model.

    Deletions are left out: without them every step remains derivable by unit propagation.
    """
    listed = list(clauses)
    if () in listed:
        return [()]
    with ProofSolver(listed, limits, with_proof=True) as oracle:
        if oracle.satisfiable():
            return None
        lines = oracle.solver.get_proof() or []
    steps = [
        tuple(map(int, line.split()[:-1])) for line in lines if line.strip() and not line.startswith("d")
    ]
    return [step for step in steps if step] + [()]
