"""A SAT solver that is asked again and again, within limits.

A small formula, as the clues around a place are, is solved here: the solver comes back after a number of
conflicts, and time, memory and Ctrl-C are looked at. Any other has a process, which can be ended.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.errors import EngineError, LimitError
from cpmines.oracle import worker as program
from cpmines.oracle.worker import Dialogue
from cpmines.process.solver import WORKERS
from cpmines.process.worker import address_space
from cpmines.remote import ask

__all__ = ["SatSession", "blocks_of", "refutation"]

SOLVER = "glucose4"
"""Incremental, gives cores, and its proofs are clauses by unit propagation alone. Of PySAT's other solvers,
minisat22 and relatives write none, maplesat's are off by one variable, cadical's can hold clauses that only
keep satisfiability."""


def blocks_of(clauses: Iterable[Sequence[int]]) -> list[NDArray[np.int32]]:
    """The clauses by their width, int32 (number, width); empty ones are not among them."""
    by_width: dict[int, array[int]] = {}
    for clause in clauses:
        by_width.setdefault(len(clause), array("i")).extend(clause)
    return [np.frombuffer(literals, np.int32).reshape(-1, n) for n, literals in by_width.items() if n]


def refutation(blocks: Sequence[NDArray[np.int32]], limits: Limits, solver: str = SOLVER) -> list[str] | None:
    """The lines of a DRAT proof that the clauses have no model; None if they have one.

    Raises
    ------
    LimitError, EngineError
    """
    request = {"method": "refute", "solver": solver}
    lines: list[str] | None = ask(program.__file__, request, blocks, limits)["proof"]
    return lines


CLOSING = 5.0
"""Seconds for a solver to be deleted."""

SLICED = frozenset({"glucose4", "minicard"})
"""Solvers that come back after a number of conflicts."""
CONFLICTS = 2000
"""Between two looks at the limits; with a formula of that size some hundredths of a second."""
NEAR_LITERALS, NEAR_MEMORY = 200_000, 256 << 20
"""Literals of a formula that is solved here, at most, and bytes of a limit, at least, as it is only looked at
now and then: what `CONFLICTS` conflicts learn is a few megabytes."""


class SatSession:
    """The solver with clauses, to be used as a context. It has a process for itself, or is here.

    What needs no answer is sent with the next question, so that a question to a process is one message and
    its answer another: about 50 microseconds.

    Parameters
    ----------
    blocks
        Clauses by their width, int32 (number, width).
    at_most
        Literals of which at most so many are true, for ``minicard``.

    Raises
    ------
    LimitError, EngineError
        From each question, see `cpmines.process.solver.Worker.receive`; the session is then over.
    """

    def __init__(
        self,
        blocks: Sequence[NDArray[np.int32]],
        limits: Limits,
        solver: str = SOLVER,
        *,
        at_most: tuple[Sequence[int], int] | None = None,
    ) -> None:
        self.limits = limits
        self.unsent: list[tuple[str, Any]] = []
        self.values: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.core: list[int] = []
        self.asking = False
        self.near: Dialogue | None = None
        few = sum(block.size for block in blocks) <= NEAR_LITERALS
        if few and solver in SLICED and limits.memory >= NEAR_MEMORY:
            self.used = address_space()
            widths = ((block.shape[1], array("i", block.tobytes())) for block in blocks)
            self.near = Dialogue(solver, widths, at_most)
            return
        self.worker = WORKERS.take(program.__file__)
        request = {"method": "session", "solver": solver, "at_most": at_most}
        try:
            self.worker.request(request, blocks, limits)
        except BaseException:
            WORKERS.give_back(self.worker)
            raise

    @classmethod
    def of(cls, clauses: Iterable[Sequence[int]], limits: Limits) -> SatSession:
        """A session with clauses of any width."""
        listed = list(clauses)
        session = cls(blocks_of(listed), limits)
        if any(len(clause) == 0 for clause in listed):
            session.add(())
        return session

    def __enter__(self) -> SatSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the process back; one that is still at work, or that does not come to an end, is ended."""
        if self.near is not None:
            self.near.solver.delete()
            return
        try:
            if not self.asking:
                # Not under the limits, which may be used up: an error of that would hide the one on its way.
                self.limits = Limits(CLOSING).begin()
                self._ask("end", None)
        except (LimitError, EngineError):
            pass
        finally:
            WORKERS.give_back(self.worker)

    def _ask(self, name: str, content: Any) -> Any:
        if self.near is not None:
            steps, self.unsent = [*self.unsent, (name, content)], []
            return self.near.answer(steps, self._in_slices)
        # Stays true if the answer does not come, whatever the reason.
        self.asking = True
        self.worker.send([*self.unsent, (name, content)])
        self.unsent = []
        answer = self.worker.receive(self.limits)[1]
        self.asking = False
        return answer

    def _in_slices(self, assumptions: list[int]) -> bool:
        """Solve here. Raises `LimitError`."""
        assert self.near is not None
        answer = None
        while answer is None:
            self.near.solver.conf_budget(CONFLICTS)
            # Else PySAT takes Ctrl-C itself, and raises an error of its own.
            answer = self.near.solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
            if answer is None:
                self.limits.check()
                self.limits.require(address_space() - self.used, "the solver")
        return bool(answer)

    def add(self, clause: Sequence[int]) -> None:
        """From now on the clause has to hold."""
        self.unsent.append(("add", list(clause)))

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first."""
        self.unsent.append(("prefer", list(literals)))

    def satisfiable(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a model in which the assumptions hold?

        If so, `values` are those of its variables, bool; else `core` are assumptions that no model has
        together.
        """
        self.limits.check()
        values, self.core = self._ask("solve", list(assumptions))
        if values is None:
            return False
        self.values = np.frombuffer(values, np.bool_)
        return True

    def model(self) -> set[int]:
        """The literals of the model found last, true or false by their sign."""
        variables = np.arange(1, len(self.values) + 1)
        return set(np.where(self.values, variables, -variables).tolist())

    def implied(self, assumption: int) -> set[int]:
        """The literals that unit propagation derives from an assumption."""
        return set(self._ask("propagate", [assumption]))

    def small_core(self, rounds: int = 4) -> list[int]:
        """The last core again and again, until it stays as it is or for `rounds` times."""
        current = self.core
        for _ in range(rounds):
            self.satisfiable(current)
            if len(self.core) >= len(current):
                break
            current = self.core
        return current
