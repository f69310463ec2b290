"""The reductions of the frontier: each switched off, and each against what it bounds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.problems.maxmines import direct, generate
from cpmines.problems.maxmines._frontier import Frontier, Reductions, lines_of
from cpmines.problems.maxmines._meeting import meet
from cpmines.problems.maxmines._steps import CONTENT, NEEDS
from cpmines.problems.maxmines._strips import MOST_LINES, Strip, memory, strips
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle

NO_LIMITS = Limits()
SWITCHES = [Reductions(*chosen) for chosen in product((False, True), repeat=3)]
SIZES = [size for size in generate.every(7, 2) if size.rows <= size.cols]


def mines(size: Rectangle, kept: Reductions) -> int:
    proof = direct.prove(size, NO_LIMITS, kept, theorems=False)
    assert PROBLEM.judge(size, MaxMines.of(proof.board)) == []
    assert proof.mines == proof.ceiling
    return proof.mines


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds on small boards too, and hardly any search for a good board that would hide a wrong proof."""
    monkeypatch.setattr(direct, "NARROW", 2)
    monkeypatch.setattr(direct, "BEAM", 1)


@pytest.mark.usefixtures("narrow")
def test_no_reduction_changes_an_optimum() -> None:
    for size in SIZES:
        values = {kept: mines(size, kept) for kept in SWITCHES}
        assert len(set(values.values())) == 1, (size, values)


def test_each_reduction_leaves_fewer_states() -> None:
    size = Rectangle(8, 8, 4)
    efforts = {kept: direct.prove(size, NO_LIMITS, kept).effort.total for kept in SWITCHES}
    for kept, total in efforts.items():
        for name in ("dominance", "bounds", "meeting"):
            if getattr(kept, name):
                without = Reductions(**{**vars(kept), name: False})
                assert total < efforts[without], (kept, name)


def best_below(width: int, lines: int, bound: int, above: list[int], cuts: tuple[bool, bool]) -> int:
    """The most mines in `lines` lines below a line of codes, by the rules, over all boards; -1 for none."""
    best = -1
    for cells in product((False, True), repeat=width * lines):
        board = np.array(cells).reshape(lines, width)
        if right_below(board, bound, above, cuts):
            best = max(best, int(board.sum()))
    return best


def right_below(board: np.ndarray, bound: int, above: list[int], cuts: tuple[bool, bool]) -> bool:
    lines, width = board.shape
    for place, code in enumerate(above):
        near = board[:1, max(place - 1, 0) : place + 2]
        at_cut = (cuts[0] and place == 0) or (cuts[1] and place == width - 1)
        if code < NEEDS and near.sum() > code:
            return False
        if code == NEEDS and not at_cut and near.all():
            return False
    whole = np.vstack([np.array(above) >= NEEDS, board])
    for line, place in np.ndindex(lines, width):
        block = whole[line : line + 3, max(place - 1, 0) : place + 2]
        at_cut = (cuts[0] and place == 0) or (cuts[1] and place == width - 1)
        if board[line, place] and not at_cut and block.all():
            return False
        if not board[line, place] and block.sum() > bound:
            return False
    return True


@pytest.mark.parametrize("cuts", list(product((False, True), repeat=2)))
@pytest.mark.parametrize("bound", [1, 2, 4, 7])
def test_tables_of_strips_by_the_definition(cuts: tuple[bool, bool], bound: int) -> None:
    for width in (1, 2, 3):
        strip = Strip(width, bound, *cuts)
        for lines in (0, 1, 2):
            table = strip.table(lines, NO_LIMITS)
            codes = (*range(min(bound, 3) + 1), NEEDS, CONTENT)
            for above in product(*[codes] * (width - 1), sorted({*codes, min(bound, 4)})):
                index = int("".join(map(str, above)), 8)
                assert max(int(table[index]), -1) == best_below(width, lines, bound, list(above), cuts)


def test_bounds_hold_on_the_way_to_every_best_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the optimum as the target, and without dominance, the states of best boards stay."""
    rng = np.random.default_rng(8)
    for _ in range(60):
        size = generate.rectangle(rng, 2, 8)
        width, length = sorted((size.rows, size.cols))
        optimum = direct.prove(size, NO_LIMITS, Reductions(bounds=False)).mines
        parts = strips(width, size.bound, length, NO_LIMITS)
        pruning = direct.Pruning(parts, length, optimum)
        found = direct.sweep(
            (width, length, size.bound), pruning, optimum - 1, NO_LIMITS, Reductions(False), direct.Effort()
        )
        assert found is not None, size
        assert found.sum() == optimum


def test_strips_are_cut_evenly_and_into_two_at_least() -> None:
    assert [part.width for part in strips(13, 4, 13, NO_LIMITS).parts] == [7, 6]
    assert [part.width for part in strips(20, 4, 20, NO_LIMITS).parts] == [7, 7, 6]
    assert strips(13, 4, 13, NO_LIMITS).cuts == (6, 12)
    small = strips(13, 4, 13, Limits(memory=2 * memory(4, 13)))
    assert [part.width for part in small.parts] == [4, 3, 3, 3]
    assert [(part.left, part.right) for part in small.parts][1] == (True, True)


def test_two_frontiers_meet_in_the_best_board() -> None:
    for size in SIZES[::3]:
        width, length = size.rows, size.cols
        frontiers = []
        for lines in (length - length // 2, length // 2):
            frontier = Frontier.start(width, size.bound, NO_LIMITS)
            for line, steps in enumerate(lines_of(width, length)[:lines]):
                frontier.place_line(steps, line)
            frontiers.append(frontier)
        best, pair = meet(*frontiers, 0)
        assert best == mines(size, Reductions(False, False, False))
        assert pair is not None
        halves = [part.board(len(part.choices), n) for part, n in zip(frontiers, pair, strict=True)]
        board = np.concatenate([halves[0], halves[1][::-1]])
        assert PROBLEM.judge(Rectangle(length, width, size.bound), MaxMines.of(board)) == []
        assert meet(*frontiers, best) == (best, None)


def test_a_limit_leaves_the_bound_that_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "BEAM", 50)
    proof = direct.prove(Rectangle(12, 12, 4), Limits(memory=5 << 20))
    assert proof.stop is Stop.MEMORY_LIMIT
    assert 85 <= proof.mines <= 94 <= proof.ceiling < 115


def test_boards_longer_than_the_tables_are_solved_without_bounds() -> None:
    size = Rectangle(8, MOST_LINES + 1, 7)
    with_theorems = direct.prove(size, NO_LIMITS)
    assert with_theorems.mines == with_theorems.ceiling
    assert with_theorems.mines == direct.prove(size, NO_LIMITS, Reductions(bounds=False)).mines
