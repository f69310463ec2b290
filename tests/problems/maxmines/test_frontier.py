"""The reductions of the frontier: each switched off, and each against what it bounds."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.problems.maxmines import generate
from cpmines.problems.maxmines.backends import direct
from cpmines.problems.maxmines.digits import NEWEST
from cpmines.problems.maxmines.frontier import Frontier, Reductions, lines_of
from cpmines.problems.maxmines.meeting import meet
from cpmines.problems.maxmines.problem import PROBLEM, MaxMines, Rectangle
from cpmines.problems.maxmines.steps import CONTENT, NEEDS
from cpmines.problems.maxmines.strips import MOST_LINES, WHOLE, WIDEST_STRIP, Strip, strips
from tests.effort import spread

NO_LIMITS = Limits()
SWITCHES = [Reductions(*chosen) for chosen in product((False, True), repeat=3)]
SIZES = spread([size for size in generate.every(7, 2) if size.rows <= size.cols], 30)


def mines(size: Rectangle, kept: Reductions) -> int:
    proof = direct.prove(size, NO_LIMITS, kept, theorems=False)
    assert PROBLEM.judge(size, PROBLEM.ask(), MaxMines.of(proof.board)) == []
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


def best_below(
    strip: Strip, lines: int, above: list[int], begun: list[int] | None = None, most: int = -1
) -> int:
    """The most in `lines` lines below one of codes, by the rules, over all boards; fewer than 0 for none.

    With `begun`, the codes of the first cells of the next line, which then is not among the `lines`.
    """
    first = 0 if begun is None else len(begun)
    gains = np.array([strip.gain(place) for place in range(strip.width)])
    for cells in product((False, True), repeat=strip.width * (lines + (begun is not None)) - first):
        fixed = [code >= NEEDS for code in begun or []]
        board = np.array([*fixed, *cells], np.bool_).reshape(-1, strip.width)
        if right_below(strip, board, above, begun or []):
            most = max(most, int((board @ gains).sum() - gains[:first] @ fixed))
    return most


def right_below(strip: Strip, board: np.ndarray, above: list[int], begun: list[int]) -> bool:
    """Is `board` valid below the codes `above`, and if its first cells have the codes `begun`?"""
    lines, width = board.shape

    def at_cut(place: int) -> bool:
        return (strip.left and place == 0) or (strip.right and place == width - 1)

    def allowed(code: int, to_come: np.ndarray, place: int) -> bool:
        if code < NEEDS:
            return int(to_come.sum()) <= code
        return code == CONTENT or at_cut(place) or not to_come.all()

    for place, code in enumerate(above):
        if not allowed(code, board[:1, max(place - 1, len(begun), 0) : place + 2], place):
            return False
    whole = np.vstack([np.array(above) >= NEEDS, board])
    for line, place in np.ndindex(lines, width):
        near = slice(max(place - 1, 0), place + 2)
        block = whole[line : line + 3, near]
        if line == 0 and place < len(begun):
            row = board[0, len(begun) : place + 2]
            if not allowed(begun[place], np.append(row, board[1:2, near]), place):
                return False
        elif block.all() and not at_cut(place) if board[line, place] else block.sum() > strip.around:
            return False
    return True


def index_of(strip: Strip, codes: list[int], newest: int, within: bool) -> int:
    """The entry of a table for codes in the order of its axes, that of the newest cell at `newest`."""
    index = 0
    for axis, code in enumerate(codes):
        digits = NEWEST[within] if axis == newest else NEWEST[0]
        index = index * int(digits[-1]) + int(digits[code])
    return index


@pytest.mark.parametrize("cuts", list(product((False, True), repeat=2)))
@pytest.mark.parametrize("around", [1, 2, 4, 7])
def test_tables_of_strips_by_the_definition(cuts: tuple[bool, bool], around: int) -> None:
    codes = (*range(min(around, 3) + 1), NEEDS, CONTENT)
    for width in (1, 2, 3):
        strip = Strip(width, around, *cuts)
        strip.extend(2, NO_LIMITS)
        for lines in (0, 1, 2):
            for above in spread(list(product(*[codes] * (width - 1), sorted({*codes, min(around, 4)}))), 25):
                entry = strip.ends[lines][index_of(strip, list(above), width - 1, False)]
                assert max(int(entry), -1) == best_below(strip, lines, list(above))


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("around", [1, 3, 5])
def test_tables_within_a_line_by_the_definition(right: bool, around: int) -> None:
    """The cell above the newest one has one neighbour to come; that to the left of it, none."""
    codes = (*range(min(around, 3) + 1), NEEDS, CONTENT)
    strip = Strip(3, around, True, right)
    strip.extend(2, NO_LIMITS)
    for lines in (0, 1):
        cells = list(product(codes, sorted({*codes, min(around, 4)}), codes, codes))
        for first, newest, above, last in spread(cells, 200):
            entry = strip.within[lines][index_of(strip, [first, newest, above, last], 1, True)]
            wanted = best_below(strip, lines, [CONTENT, above, last], [first, newest])
            assert max(int(entry), -1) == wanted, (lines, first, newest, above, last)


def test_bounds_hold_on_the_way_to_every_best_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the optimum as the target, and without dominance, the states of best boards stay."""
    rng = np.random.default_rng(8)
    for _ in range(60):
        size = generate.rectangle(rng, 2, 8)
        width, length = sorted((size.rows, size.cols))
        optimum = direct.prove(size, NO_LIMITS, Reductions(bounds=False)).mines
        parts = strips(width, size.around, length, NO_LIMITS)
        pruning = direct.Pruning(parts, length, optimum)
        found = direct.sweep(
            (width, length, size.around),
            pruning,
            optimum - 1,
            NO_LIMITS,
            Reductions(False),
            direct.SearchEffort(),
        )
        assert found is not None, size
        assert found.sum() == optimum


def test_strips_share_two_columns_where_each_mine_counts_half() -> None:
    for width in range(2, 21):
        for widest in (WIDEST_STRIP, 5):
            found = strips(width, 4, 3, NO_LIMITS, 0, widest)
            gains = np.zeros(width, np.int64)
            for start, part in zip(found.starts, found.parts, strict=True):
                gains[start : start + part.width] += [part.gain(place) for place in range(part.width)]
            assert gains.tolist() == [WHOLE] * width
            assert found.cuts[-1] == width - 1


def test_strips_are_cut_evenly_and_into_two_at_least() -> None:
    assert [part.width for part in strips(13, 4, 13, NO_LIMITS).parts] == [8, 7]
    assert [part.width for part in strips(20, 4, 20, NO_LIMITS).parts] == [8, 8, 8]
    assert (strips(13, 4, 13, NO_LIMITS).cuts, strips(13, 4, 13, NO_LIMITS).starts) == ((7, 12), (0, 6))
    small = strips(13, 4, 13, Limits(memory=3 << 20))
    assert [part.width for part in small.parts] == [5, 4, 4, 4, 4]
    assert [(part.left, part.right) for part in small.parts][1] == (True, True)
    assert small.bytes <= 3 << 20
    with pytest.raises(LimitError, match="bounds of strips of 5 needs"):
        strips(13, 4, 13, Limits(memory=1 << 18))


def test_tables_take_the_memory_that_is_told() -> None:
    for least in (0, 5):
        strip = Strip(6, 4, True, False, least)
        strip.extend(10, NO_LIMITS)
        kept = sum(table.nbytes for tables in (strip.ends, strip.within) for table in tables.values())
        working = 2 * 7 * 6**6 * 2
        assert kept <= strip.memory(10) <= kept + working + 3 * 7 * 6**6 * 2


def test_two_frontiers_meet_in_the_best_board() -> None:
    for size in SIZES[::3]:
        width, length = size.rows, size.cols
        frontiers = []
        for lines in (length - length // 2, length // 2):
            frontier = Frontier.start(width, size.around, NO_LIMITS)
            for line, steps in enumerate(lines_of(width, length)[:lines]):
                frontier.place_line(steps, line)
            frontiers.append(frontier)
        best, pair = meet(*frontiers, 0)
        assert best == mines(size, Reductions(False, False, False))
        assert pair is not None
        halves = [part.board(len(part.choices), n) for part, n in zip(frontiers, pair, strict=True)]
        board = np.concatenate([halves[0], halves[1][::-1]])
        assert PROBLEM.judge(Rectangle(length, width, size.around), PROBLEM.ask(), MaxMines.of(board)) == []
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
