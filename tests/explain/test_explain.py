"""Explanations of boards of the sizes that people play, checked by CP-SAT; wrong sets; limits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from cpmines import files
from cpmines.answer import Limits, Status, Stop
from cpmines.board import Position
from cpmines.clues import Clue
from cpmines.engines.cpsat import ENGINE
from cpmines.errors import LimitError, UsageError, WrongAnswerError
from cpmines.explain import (
    Certain,
    Contradiction,
    Explainable,
    Open,
    Step,
    check,
    conflicts,
    explain_cell,
    explain_conflict,
    solve_stepwise,
    steps,
)
from cpmines.explain import cell as cell_module
from cpmines.explain.clues import ball, holders, matters
from cpmines.explain.oracle import ClueOracle
from cpmines.explain.rules import NOTHING, one, two
from cpmines.inference.exact import infer
from cpmines.model import Model
from cpmines.positions.generate import game, revealed
from cpmines.problems.mosaic.generate import changed, unique
from tests.conftest import REAL
from tests.effort import some
from tests.explain.brute import TOTAL, Filling, Shown, around, numbers
from tests.explain.test_brute import argument_holds


def clues_of(board: Shown) -> tuple[Clue, ...]:
    return Explainable.of(board).board.clues


STUCK = Position.parse("2 3\n.1.\n.2.\n")


def possible(board: Shown, places: list[int], known: Filling) -> bool:
    """CP-SAT's word on these clues: a third method, and a third reading of the board."""
    model, shown = Model(), numbers(board)
    mines = model.variables(board.shape[0] * board.shape[1])
    if isinstance(board, Position):
        codes = board.cells.ravel()
        model.fix(mines[codes == -1])
        model.fix(-mines[codes >= 0])
    model.fix([int(mines[cell]) if mine else -int(mines[cell]) for cell, mine in known.items()])
    for place in places:
        model.between(mines[sorted(around(board, place))], shown[place], shown[place])
    return ENGINE.prepare(model, Limits())(1).status is Status.SOLVED


def minimal(board: Shown, found: Contradiction | Certain | Step, known: Filling) -> bool:
    """Do the clues decide what they are said to, and no longer without any one of them?"""
    places = [clue.place for clue in found.clues]
    return not possible(board, places, known) and all(
        possible(board, [other for other in places if other != place], known) for place in places
    )


def wrong_boards() -> Iterator[Position]:
    """Boards of 16 x 30 with a wrong clue, as they come from a game."""
    rng = np.random.default_rng(5)
    while True:
        position = game(rng, share=rng.choice([0.4, 0.6, 0.8]), total=False)
        cells = position.cells.copy()
        cell = rng.choice(np.flatnonzero(cells > 0))
        cells.flat[cell] += 1 if cells.flat[cell] == 1 else -1
        yield Position(cells)


def test_fifty_explanations_are_minimal() -> None:
    explained = 0
    for board in wrong_boards():
        found = explain_conflict(board)
        if found is not None:
            assert minimal(board, found, {})
            argument_holds(found.argument, found.clues, {})
            explained += 1
        if explained == some(50, 15):
            break


@pytest.mark.parametrize(
    "name",
    [
        "game/expert_60_changed_1.txt",
        "game/expert_97_total_off_by_1_high.txt",
        "adversarial/chain_99x100_broken.txt",
        "adversarial/rings_4x5.txt",
        "large/random_100_30_changed.txt",
    ],
)
def test_shipped_conflicts_are_minimal(name: str) -> None:
    board = Position.parse(files.read(files.shipped() / "consistency" / name))
    found = explain_conflict(board)
    assert found is not None
    assert minimal(board, found, {})


@pytest.mark.skipif(not REAL.is_dir(), reason="the collection of real boards is not here")
@pytest.mark.parametrize("path", sorted((REAL / "consistency").glob("*.txt")), ids=lambda path: path.stem)
def test_real_boards(path: Path) -> None:
    board = Position.parse(files.read(path))
    found = explain_conflict(board)
    assert (found is not None) == path.stem.startswith("unsat")
    if found is not None:
        assert minimal(board, found, {})
    else:
        inferred = infer(board, Limits())
        assert inferred is not None
        settled = {cell: mine for step in solve_stepwise(board).steps for cell, mine in step.known.items()}
        unknown = np.flatnonzero(board.cells == -2).tolist()
        assert settled == {c: bool(inferred.state.flat[c]) for c in unknown if inferred.state.flat[c] >= 0}


def test_a_smallest_conflict_can_be_smaller() -> None:
    board = Position.parse(files.read(files.shipped() / "consistency/game/expert_60_changed_1.txt"))
    first, fewest = explain_conflict(board), explain_conflict(board, fewest=True)
    assert first is not None
    assert fewest is not None
    assert (len(first.clues), len(fewest.clues), fewest.smallest) == (7, 5, True)
    assert minimal(board, fewest, {})


def test_the_total_is_a_clue() -> None:
    board = Position.parse("1 7 3\n.1...0.\n")
    found = explain_conflict(board)
    assert found is not None
    assert [(clue.place, clue.number) for clue in found.clues] == [(1, 1), (5, 0), (TOTAL, 3)]
    steps_found = solve_stepwise(Position.parse("1 5 2\n.1...\n")).steps
    assert steps_found == ()
    (step,) = solve_stepwise(Position.parse("1 4 2\n.1..\n")).steps
    assert ([clue.place for clue in step.clues], step.mines) == ([1, TOTAL], (3,))


def test_a_broken_clue_stands_alone() -> None:
    for text, place in (("1 3\n*0.\n", 1), ("2 2\n4.\n..\n", 0), ("1 2 0\n*.\n", TOTAL), ("1 1\n3\n", 0)):
        found = explain_conflict(Position.parse(text))
        assert found is not None
        assert ([clue.place for clue in found.clues], found.smallest) == ([place], True)


@pytest.mark.parametrize("text", ["1 1\n.\n", "1 1 1\n.\n", "1 1\n*\n", "1 1\n0\n", "1 9\n.........\n"])
def test_boards_without_anything_to_say(text: str) -> None:
    board = Position.parse(text)
    assert explain_conflict(board) is None
    assert list(conflicts(board)) == []
    solution = solve_stepwise(board)
    assert len(solution.steps) == (board.mines is not None)


def test_cells_that_can_not_be_asked_about() -> None:
    board = Position.parse("2 3\n.1*\n...\n")
    for row, col, message in (
        (2, 0, "row 3, column 1 is not on the board of 2 x 3"),
        (-1, 0, "not on the board"),
        (0, 1, "row 1, column 2 is the clue 1, expected an unknown cell"),
        (0, 2, "row 1, column 3 is a known mine"),
    ):
        with pytest.raises(UsageError, match=message):
            explain_cell(board, row, col)
    with pytest.raises(UsageError, match="no placement"):
        explain_cell(STUCK, 0, 0)
    with pytest.raises(UsageError, match="no placement"):
        solve_stepwise(STUCK)


def test_forced_cells_of_a_game() -> None:
    board = game(np.random.default_rng(3), share=0.6, total=False)
    inferred = infer(board, Limits())
    assert inferred is not None
    for cell in np.flatnonzero(board.cells == -2).tolist()[::12]:
        state = int(inferred.state.flat[cell])
        found = explain_cell(board, *divmod(cell, board.shape[1]))
        assert isinstance(found, Open) == (state < 0)
        if isinstance(found, Certain):
            assert found.mine == state
            assert minimal(board, found, {cell: not found.mine})


def test_a_minimal_set_for_a_cell_may_not_be_a_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    board = revealed(np.random.default_rng(4), 10, 10, share=0.6)
    cells = [cell for step in solve_stepwise(board).steps for cell in step.known]

    def sizes() -> list[int]:
        found = [explain_cell(board, *divmod(cell, 10)) for cell in cells]
        return [len(each.clues) for each in found if isinstance(each, Certain)]

    fewest = sizes()
    monkeypatch.setattr(cell_module, "smallest", lambda *_: None)
    pairs = list(zip(fewest, sizes(), strict=True))
    assert all(a <= b for a, b in pairs)
    assert any(a < b for a, b in pairs)


def test_steps_of_games_are_minimal() -> None:
    for seed in range(some(3, 1)):
        known: Filling = {}
        board = revealed(np.random.default_rng(seed), 12, 12, share=0.6)
        for step in solve_stepwise(board).steps:
            target = next(iter(step.known.items()))
            assert minimal(board, step, {**known, target[0]: not target[1]})
            chosen = [clue.place for clue in step.clues]
            for cell, mine in step.known.items():
                assert not possible(board, chosen, {**known, cell: not mine})
            known |= step.known


def test_no_step_overlooks_one_or_two_clues() -> None:
    """Before each step, all clues and pairs of them are tried."""
    for seed in range(4):
        board = revealed(np.random.default_rng(seed), 16, 16, share=0.4, total=seed % 2 == 0)
        known: Filling = {}
        for step in solve_stepwise(board).steps:
            clues = [clue for clue in (clue.given(known) for clue in clues_of(board)) if clue.cells]
            if any(one(clue) != NOTHING for clue in clues):
                assert len(step.clues) == 1
            elif any(two(*pair) != NOTHING for pair in combinations(clues, 2)):
                assert len(step.clues) == 2
            else:
                assert len(step.clues) > 2
            argument_holds(step.argument, step.clues, step.known)
            known |= step.known


def test_bounds_that_are_kept_hide_no_smaller_step(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = [revealed(np.random.default_rng(seed), 30, 30, share=0.4) for seed in range(some(3, 1))]

    def sizes() -> list[list[int]]:
        return [[len(step.clues) for step in solve_stepwise(board).steps] for board in boards]

    def forget(solver: steps.StepSolver) -> None:
        solver.bounds = dict.fromkeys(solver.bounds, steps.FIRST_SEARCHED)

    kept = sizes()
    monkeypatch.setattr(steps.StepSolver, "_lower_bounds", forget)
    assert kept == sizes()
    assert max(map(max, kept)) > 4


def test_a_large_board_is_solved() -> None:
    board = Position.parse(files.read(files.shipped() / "consistency/large/random_100_40.txt"))
    sizes = [len(step.clues) for step in solve_stepwise(board).steps]
    assert (len(sizes), max(sizes)) == (1661, 8)


def test_mosaics() -> None:
    rng = np.random.default_rng(1)
    puzzle = unique(rng, 8, 8, minimal=True)
    solution = solve_stepwise(puzzle)
    assert solution.open_cells == ()
    assert sum(len(step.known) for step in solution.steps) == 64
    explained = [
        board for board in (changed(rng) for _ in range(some(10, 4))) if explain_conflict(board) is not None
    ]
    assert explained
    for board in explained:
        found = explain_conflict(board, fewest=True)
        assert found is not None
        assert minimal(board, found, {})


def test_steps_beyond_the_largest_that_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "LAST_SEARCHED", 2)
    for seed in range(10):
        board = revealed(np.random.default_rng(seed), 8, 8, share=0.5)
        inferred = infer(board, Limits())
        assert inferred is not None
        found = solve_stepwise(board)
        forced = int((inferred.state.ravel()[board.cells.ravel() == -2] >= 0).sum())
        assert sum(len(step.known) for step in found.steps) == forced
        assert all(step.smallest == (len(step.clues) <= 2) for step in found.steps)


def test_steps_whose_search_gave_up_are_minimal(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = 0
    for attempts in (0, 2, 5):
        monkeypatch.setattr(steps, "ATTEMPTS", attempts)
        for seed in range(some(4, 1)):
            board = revealed(np.random.default_rng(seed), 20, 20, 0.25, 0.4)
            solution = solve_stepwise(board)
            inferred = infer(board, Limits())
            assert inferred is not None
            unknown = board.cells == -2
            assert len(solution.open_cells) == int((inferred.state[unknown] < 0).sum())
            doubtful += sum(not step.smallest for step in solution.steps)
    assert doubtful > some(10, 5)


def test_a_wrong_set_is_refused() -> None:
    board = Position.parse("2 6\n.1.11.\n.2....\n")
    found = explain_conflict(board)
    assert found is not None
    others = [clue for clue in clues_of(board) if clue not in found.clues]
    more = Contradiction((*found.clues, others[0]), True, found.argument)
    fewer = Contradiction(found.clues[:1], True, found.argument)
    for wrong, message in ((more, "not needed"), (fewer, "can be met together")):
        with pytest.raises(WrongAnswerError, match=message):
            check.verified(Explainable.of(board), wrong, Limits())
    open_board = Position.parse("1 4\n.1..\n")
    with pytest.raises(WrongAnswerError, match="leave the cell open"):
        check.verified(
            Explainable.of(open_board),
            Certain(0, True, tuple(clues_of(open_board)), True, found.argument),
            Limits(),
        )
    step = Step(tuple(clues_of(open_board)), (0,), (), True, found.argument)
    with pytest.raises(WrongAnswerError, match="leave the cell open"):
        check.verified(Explainable.of(open_board), step, Limits())


def test_a_failed_check_is_never_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "possible", lambda *_: True)
    with pytest.raises(WrongAnswerError, match="can be met together"):
        explain_conflict(STUCK)
    with pytest.raises(WrongAnswerError):
        list(conflicts(STUCK))
    with pytest.raises(WrongAnswerError):
        explain_cell(Position.parse("1 3\n.2.\n"), 0, 0)
    with pytest.raises(WrongAnswerError):
        solve_stepwise(Position.parse("1 3\n.2.\n"))


def test_memory_limit() -> None:
    """The formula is within it; what the solver makes of it is not."""
    clues = clues_of(revealed(np.random.default_rng(1), 120, 120, density=0.2, share=0.7))
    for memory in (40 << 20, 1 << 30):
        with ClueOracle(clues, Limits(60, memory).begin()) as oracle:
            if memory == 1 << 30:
                assert oracle.find(range(len(clues))) is not None
                continue
            with pytest.raises(LimitError) as caught:
                oracle.find(range(len(clues)))
            assert caught.value.stop == Stop.MEMORY_LIMIT
            assert "formula needs" not in str(caught.value)


def test_time_limit() -> None:
    board = Position.parse(files.read(files.shipped() / "consistency/large/random_100_70_total_low.txt"))
    with pytest.raises(LimitError, match="time limit"):
        explain_conflict(board, limits=Limits(0.5))


def test_a_ball_holds_all_connected_sets_and_the_total_matters_near_the_end() -> None:
    board = Position.parse("1 9 4\n.1.1.1.1.\n")
    *clues, total = clues_of(board)
    reached = [ball(clues, holders(clues), [0], hops) for hops in range(6)]
    assert reached == [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3]]
    assert matters(total, 1) is False
    assert matters(total, 2) is True
    cells = tuple(range(100))
    limits = [matters(Clue(TOTAL, mines, cells, mines), 2) for mines in (9, 10, 90, 91)]
    assert limits == [True, False, False, True]


def test_boards_are_not_modified() -> None:
    board = game(np.random.default_rng(8), 8, 8, 10, 0.5)
    before = str(board)
    explain_conflict(board)
    solve_stepwise(board)
    assert str(board) == before


def test_clues_are_listed_under_the_clock() -> None:
    """Those of a board of 400 x 400 took half a second beyond every limit."""
    board = Explainable.of(Position.parse("2 3\n.1.\n.2.\n"), "consistency").board
    with pytest.raises(LimitError):
        board.clues_within(Limits(1e-9).begin())
    clues = board.clues_within(Limits())
    assert [(clue.place, clue.cells, clue.mines) for clue in clues] == [
        (1, (0, 2, 3, 5), 1),
        (4, (0, 2, 3, 5), 2),
    ]
    assert board.clues is clues
    assert board.clues_within(Limits(1e-9).begin()) is clues
