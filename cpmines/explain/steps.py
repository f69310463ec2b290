"""A board solved step by step, each step with as few clues as possible.

One clue and two clues are tried by rules; more are looked for around each cell that is known to be forced, by
`cpmines.explain.minimal.smallest`, two levels of size after the other.

References
----------
Espasa, Gent, Hoffmann, Jefferson, Lynch (2021), Using small MUSes to explain how to solve pen and paper
puzzles. Bogaerts, Gamba, Guns (2021), A framework for step-wise explaining how to solve constraint
satisfaction problems. Artificial Intelligence 300.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.clues import TOTAL, Clue
from cpmines.errors import UsageError
from cpmines.explain.argument import argue
from cpmines.explain.check import verified
from cpmines.explain.clues import ball, holders, matters
from cpmines.explain.explainable import Explainable
from cpmines.explain.minimal import GaveUpError, shrink, smallest
from cpmines.explain.oracle import ClueOracle
from cpmines.explain.results import Step, StepByStep
from cpmines.explain.rules import NOTHING, Forced, one, two

__all__ = ["StepSolver", "solve_stepwise"]

FIRST_SEARCHED = 3
"""Clues of a step from which on the rules do not find it."""
LAST_SEARCHED = 8
"""Clues of a step up to which it is the smallest; beyond, minimal sets are compared."""
ATTEMPTS = 200
"""Sets of clues tried for a cell and a size before it is left undecided."""
COMPARED = 10
"""Cells whose minimal sets are compared beyond `LAST_SEARCHED`."""


def solve_stepwise(board: Any, *, limits: Limits | None = None) -> StepByStep:
    """All that is certain on a board with a placement, in steps of as few clues as possible.

    Parameters
    ----------
    board
        See `cpmines.explain.explainable.Explainable.of`.

    Raises
    ------
    UsageError
        The board has no placement.
    LimitError, EngineError
        See `cpmines.explain.conflict.explain_conflict`.

    >>> from cpmines.clues import TOTAL, Clue
    >>> found = solve_stepwise(Position.parse("2 4\\n11..\\n....\\n"))
    >>> [(len(step.clues), step.safe, step.mines) for step in found.steps]
    [(2, (2, 6), ())]
    """
    limits = (limits or Limits()).begin()
    subject = Explainable.of(board)
    state = certain(subject, limits)
    found = tuple(StepSolver(subject, state, limits).steps())
    settled = {cell for step in found for cell in step.known}
    left = tuple(cell for cell in subject.board.unknown if cell not in settled)
    return StepByStep(subject.board, found, left)


def certain(subject: Explainable, limits: Limits) -> NDArray[np.int8]:
    """Flat: 1 for a cell that is a mine in all placements, 0 in none, else -1.

    Raises
    ------
    UsageError, LimitError
    """
    state = subject.clues.certain(subject.instance, limits)
    if state is None:
        raise UsageError("the board has no placement, so it can't be solved")
    return state.ravel()


class StepSolver:
    """What is known of a board on the way, and the next step.

    Attributes
    ----------
    clues
        Of the board, with the cells and mines that are left to them; without the total.
    unknown, left
        The cells that are not known, and the mines among them; None without a total.
    todo
        The cells that are forced and not yet known: True for a mine.
    bounds
        For each cell of `todo` a size: fewer clues do not force it.
    """

    def __init__(self, subject: Explainable, state: NDArray[np.int8], limits: Limits) -> None:
        clues = list(subject.board.clues_within(limits))
        self.subject, self.limits = subject, limits
        self.total = clues.pop() if clues and clues[-1].is_total else None
        self.left = None if self.total is None else self.total.mines
        self.clues, self.around = clues, holders(clues)
        self.unknown = dict.fromkeys(subject.board.unknown)
        self.known: dict[int, bool] = {}
        self.todo = {cell: bool(state[cell]) for cell in self.unknown if state[cell] >= 0}
        self.forced = len(self.todo)
        self.bounds = dict.fromkeys(self.todo, FIRST_SEARCHED)
        self.fresh = deque(range(len(clues)))
        self.changed = dict.fromkeys(range(len(clues)))
        self.moved: list[int] = []
        self.proved = True

    def steps(self) -> Iterator[Step]:
        """The steps up to the last cell that is forced, each checked. Raises `LimitError`, `EngineError`."""
        while self.todo:
            self.limits.check(1 - len(self.todo) / self.forced)
            step = self.by_one() or self.by_two() or self.by_search() or self.by_comparison()
            verified(self.subject, step, self.limits, self.known)
            self.take(step)
            yield step

    def take(self, step: Step) -> None:
        """The cells of the step are known from now on."""
        known = step.known
        self.known |= known
        for cell, mine in known.items():
            del self.unknown[cell], self.todo[cell], self.bounds[cell]
            if self.left is not None:
                self.left -= mine
        for index in sorted({index for cell in known for index in self.around.get(cell, ())}):
            self.clues[index] = self.clues[index].given(known)
            self.fresh.append(index)
            self.changed[index] = None
        self.moved += known

    def rest(self) -> Clue | None:
        """The total with what is left to it."""
        if self.total is None or self.left is None:
            return None
        return Clue(TOTAL, self.total.number, tuple(self.unknown), self.left)

    def step(self, clues: Sequence[Clue], forced: Forced, proved: bool = True) -> Step:
        safe, mines = forced
        ordered = sorted(clues, key=lambda clue: (clue.is_total, clue.place))
        targets = dict.fromkeys(mines, True) | dict.fromkeys(safe, False)
        return Step(tuple(ordered), safe, mines, proved, argue(ordered, targets))

    def by_one(self) -> Step | None:
        while self.fresh:
            clue = self.clues[self.fresh.popleft()]
            if clue.cells and (forced := one(clue)) != NOTHING:
                return self.step([clue], forced)
        if self.left in (0, len(self.unknown)) and (total := self.rest()) is not None:
            return self.step([total], one(total))
        return None

    def by_two(self) -> Step | None:
        while self.changed:
            index = next(iter(self.changed))
            first = self.clues[index]
            near = sorted({other for cell in first.cells for other in self.around[cell]} - {index})
            hope = any(cell in self.todo for cell in first.cells)
            for other in near:
                second = self.clues[other]
                if hope or any(cell in self.todo for cell in second.cells):
                    forced = two(first, second)
                    if forced != NOTHING:
                        return self.step([first, second], forced)
            del self.changed[index]
        return self.by_total()

    def by_total(self) -> Step | None:
        """A clue, and the total, which then says how many mines are elsewhere."""
        if self.left is None:
            return None
        for clue in self.clues:
            others = len(self.unknown) - len(clue.cells)
            if clue.cells and others and self.left - clue.mines in (0, others):
                total = self.rest()
                assert total is not None
                return self.step([clue, total], two(clue, total))
        return None

    def by_search(self) -> Step | None:
        """The smallest step of `FIRST_SEARCHED` to `LAST_SEARCHED` clues."""
        self._lower_bounds()
        for size in range(FIRST_SEARCHED, LAST_SEARCHED + 1):
            for cell, bound in self.bounds.items():
                if bound > size:
                    continue
                self.limits.check()
                near = ball(self.clues, self.around, [cell], size)
                if step := self.decide(cell, size, [self.clues[index] for index in near]):
                    return step
                total = self.rest()
                if total is not None and matters(total, size):
                    everything = [*(clue for clue in self.clues if clue.cells), total]
                    if step := self.decide(cell, size, everything):
                        return step
                self.bounds[cell] = size + 1
        return None

    def decide(self, cell: int, size: int, clues: Sequence[Clue]) -> Step | None:
        """The step of `size` clues of these that force the cell, if there are such."""
        opposite = ((cell, not self.todo[cell]),)
        everything = range(len(clues))
        with ClueOracle(clues, self.limits) as oracle:
            if oracle.find(everything, opposite) is not None:
                return None
            try:
                chosen = smallest(oracle, everything, range(size, size + 1), opposite, ATTEMPTS)
            except GaveUpError:
                self.proved = False
                return None
            if chosen is None:
                return None
            if not self.proved:
                return self.alone(clues, shrink(oracle, chosen, opposite), cell)
            return self.step([clues[k] for k in chosen], self.all_of(oracle, chosen))

    def alone(self, clues: Sequence[Clue], chosen: Sequence[int], cell: int) -> Step:
        """The step of a set that may not be a smallest, with only the cell that it is minimal for."""
        forced: Forced = ((), (cell,)) if self.todo[cell] else ((cell,), ())
        return self.step([clues[k] for k in chosen], forced, False)

    def all_of(self, oracle: ClueOracle, chosen: Sequence[int]) -> Forced:
        """All cells that the chosen clues force."""
        counted = sorted({cell for index in chosen for cell in oracle.clues[index].cells} & self.todo.keys())
        forced = [cell for cell in counted if oracle.find(chosen, ((cell, not self.todo[cell]),)) is None]
        safe = tuple(cell for cell in forced if not self.todo[cell])
        return safe, tuple(cell for cell in forced if self.todo[cell])

    def by_comparison(self) -> Step:
        """For the first cells a minimal set that forces them, and the shortest of these."""
        total = self.rest()
        clues = [clue for clue in self.clues if clue.cells] + ([] if total is None else [total])
        found: list[tuple[int, int, list[int]]] = []
        with ClueOracle(clues, self.limits) as oracle:
            for cell in list(self.todo)[:COMPARED]:
                opposite = ((cell, not self.todo[cell]),)
                if oracle.find(oracle.local, opposite) is not None:
                    oracle.find(range(len(clues)), opposite)
                chosen = shrink(oracle, sorted(oracle.core), opposite)
                found.append((len(chosen), cell, chosen))
        _, cell, chosen = min(found)
        return self.alone(clues, chosen, cell)

    def _lower_bounds(self) -> None:
        """A cell may need fewer clues now only if they reach what became known, each two cells far."""
        total = self.rest()
        if total is not None and matters(total, LAST_SEARCHED):
            self.bounds = dict.fromkeys(self.bounds, FIRST_SEARCHED)
        elif self.moved:
            cols = self.subject.shape[1]
            moved = np.stack(np.divmod(self.moved, cols))
            for cell, bound in self.bounds.items():
                if bound > FIRST_SEARCHED:
                    here = np.array(divmod(cell, cols))[:, None]
                    distance = int(np.abs(moved - here).max(axis=0).min())
                    self.bounds[cell] = min(bound, max(FIRST_SEARCHED, (distance + 1) // 2))
        self.moved = []
