"""What is told of an explanation, part after part: a title, a sentence, and the board to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cpmines.answer import Status
from cpmines.clues import Clue, ClueBoard
from cpmines.explain.results import Certain, Contradiction, Open, StepByStep
from cpmines.numerals import plural
from cpmines.report.explanation.scene import Scene
from cpmines.report.explanation.summary import cell_json, conflict_json, solution_json
from cpmines.report.explanation.words import Words

__all__ = ["Part", "Told", "tell_cell", "tell_conflict", "tell_none", "tell_solution"]


@dataclass(frozen=True)
class Part:
    """One sentence and one board.

    Attributes
    ----------
    steps
        For a picture of all steps, the one in which each cell is settled; not where cells have clues in them.
    """

    title: str
    sentence: str
    scene: Scene
    steps: Mapping[int, int] | None = None


@dataclass(frozen=True)
class Told:
    """An explanation of a board, for all formats.

    Attributes
    ----------
    name
        Of the board.
    status, value
        As in the JSON record.
    """

    name: str
    board: ClueBoard
    status: Status
    headline: str
    parts: tuple[Part, ...]
    value: Mapping[str, Any]


def fewest(clues: tuple[Clue, ...], smallest: bool) -> str:
    """How many clues, and what is known of that."""
    return f"{plural(len(clues), 'clue')}{', as few as possible' if smallest else ', none of them to spare'}"


def tell_conflict(name: str, board: ClueBoard, found: Contradiction, number: int | None = None) -> Told:
    """One conflict; `number` if there may be more."""
    value = conflict_json(found, board.shape[1])
    parts = (conflict_part(board, found, number),)
    return Told(name, board, Status.INFEASIBLE, "infeasible: clues contradict each other", parts, value)


def tell_none(name: str, board: ClueBoard) -> Told:
    """There is a placement, so there is no conflict."""
    return Told(name, board, Status.SOLVED, "no clues contradict each other", (), {"clues": []})


def tell_cell(name: str, board: ClueBoard, found: Certain | Open) -> Told:
    cols = board.shape[1]
    headline, parts = cell_headline(found, cols), tuple(cell_parts(board, found))
    return Told(name, board, Status.SOLVED, headline, parts, cell_json(found, cols))


def tell_solution(name: str, found: StepByStep) -> Told:
    parts = tuple(solution_parts(found))
    return Told(name, found.board, Status.SOLVED, solution_headline(found), parts, solution_json(found))


def conflict_part(board: ClueBoard, found: Contradiction, number: int | None) -> Part:
    title = f"{'' if number is None else f'conflict {number}, '}{fewest(found.clues, found.smallest)}"
    scene = Scene.of(board, found.clues, {}, {})
    return Part(title, Words(board.shape[1]).conflict(found), scene)


def cell_headline(found: Certain | Open, cols: int) -> str:
    place = Words(cols).place(found.cell)
    if isinstance(found, Open):
        return f"{place} is open: a mine in some placements, safe in others"
    return f"{place} is {'a mine' if found.mine else 'safe'}"


def cell_parts(board: ClueBoard, found: Certain | Open) -> Iterator[Part]:
    """The reason, or two placements."""
    if isinstance(found, Certain):
        fresh = {found.cell: found.mine}
        words = Words(board.shape[1]).certain(found)
        yield Part(fewest(found.clues, found.smallest), words, Scene.of(board, found.clues, {}, fresh))
        return
    for title, mines in (("with a mine", found.with_mine), ("without", found.without)):
        known = dict(enumerate(mines.ravel().tolist()))
        scene = Scene.of(board, (), known, {found.cell: known[found.cell]}, whole=True)
        yield Part(title, "a placement that meets all clues", scene)


def solution_headline(found: StepByStep) -> str:
    """What is settled and what is not."""
    left, steps = found.open_cells, found.steps
    stay = f"{plural(len(left), 'cell')} stay{'s' * (len(left) == 1)} open" if left else "nothing stays open"
    if not steps:
        return f"nothing is certain, {stay}" if left else "every cell is known"
    settled = plural(sum(len(step.known) for step in steps), "cell")
    return f"{plural(len(steps), 'step')} settle{'s' * (len(steps) == 1)} {settled}, {stay}"


def solution_parts(found: StepByStep) -> Iterator[Part]:
    """The steps, then the board with all that is certain."""
    board, known = found.board, dict[int, bool]()
    words, at = Words(board.shape[1]), dict[int, int]()
    for number, step in enumerate(found.steps, 1):
        doubt = "" if step.smallest else ", perhaps not the fewest"
        title = f"step {number}, {plural(len(step.clues), 'clue')}{doubt}"
        yield Part(title, words.step(step), Scene.of(board, step.clues, known, step.known))
        known |= step.known
        at |= dict.fromkeys(step.known, number)
    end = f"{solution_headline(found)}."
    numbers = None if board.own else at
    yield Part("the end", end, Scene.of(board, (), {}, known, whole=True), numbers)
