"""Backends against brute force, against reconstruction where nothing is hidden, against a count by rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import cpmines
from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.errors import LimitError
from cpmines.inference.search import search
from cpmines.problems.mosaic import generate
from cpmines.problems.mosaic.backbone import OPEN, backbone, pinned
from cpmines.problems.mosaic.backends import direct
from cpmines.problems.mosaic.network import network_of
from cpmines.problems.mosaic.problem import GAP, PROBLEM, Puzzle
from cpmines.run import run
from cpmines.sums import model
from cpmines.sums.boards import Boards
from tests.effort import some

NO_LIMITS = Limits()
FACTS, UNIQUE = PROBLEM.ask("facts"), PROBLEM.ask("unique")
facts = direct.ANSWERS["facts"]


def count_by_rows(sums: np.ndarray) -> int:
    """Number of boards, from the rows one after the other; shares nothing with the package."""
    rows, cols = sums.shape
    lines = [[line >> col & 1 for col in range(cols)] for line in range(1 << cols)]
    triples = np.array([[sum(line[max(k - 1, 0) : k + 2]) for k in range(cols)] for line in lines])
    states = {(0, line): 1 for line in range(1 << cols)}
    for row in range(rows):
        following: Counter[tuple[int, int]] = Counter()
        for (above, here), number in states.items():
            rest = sums[row] - triples[above] - triples[here]
            for below in np.flatnonzero(((triples == rest) | (sums[row] == GAP)).all(axis=1)).tolist():
                following[here, below] += number
        states = following
    return sum(number for (_, below), number in states.items() if below == 0)


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (8, 4), (12, 5), (7, 6)])
def test_count_agrees_with_a_count_by_rows(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows)
    for round_ in range(12):
        family = (generate.random, generate.changed)[round_ % 2]
        puzzle = family(rng, rows, cols, rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.9))
        answer = facts(puzzle, NO_LIMITS)
        number = count_by_rows(puzzle.sums)
        assert (answer.status == Status.SOLVED) == (number > 0)
        if answer.value is not None:
            assert answer.value.solutions == number
            assert PROBLEM.judge(puzzle, FACTS, answer.value) == []


def test_a_puzzle_without_gaps_is_a_reconstruction() -> None:
    rng = np.random.default_rng(1)
    for side in (5, 8, 11, 20):
        puzzle = generate.random(rng, side, side, 0.4, 1.0)
        found = cpmines.solve("mosaic", str(puzzle), ask="facts").value
        other = cpmines.solve("reconstruction", str(puzzle)).value
        assert found.solutions == other.solutions
        assert np.array_equal(found.forced, other.forced)


def test_no_sum_at_all() -> None:
    value = facts(Puzzle(np.full((30, 40), GAP)), NO_LIMITS).value
    assert value.solutions == 1 << 1200
    assert (value.forced == -1).all()


@pytest.mark.parametrize(
    "sums", [[[2]], [[5, -1], [-1, -1]], [[-1, -1, -1], [-1, 9, -1], [-1, -1, 1]], [[3, -1, 0]], [[2, -1, 0]]]
)
def test_sums_that_do_not_fit(sums: list[list[int]]) -> None:
    assert facts(Puzzle(np.array(sums)), NO_LIMITS).status == Status.INFEASIBLE


def test_nine_equal_cells() -> None:
    value = facts(Puzzle.parse("3 3\n...\n.4.\n...\n"), NO_LIMITS).value
    assert value.solutions == 126


def test_without_room_for_tables_the_search_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object) -> None:
        raise LimitError(Stop.MEMORY_LIMIT)

    monkeypatch.setattr(direct.Prepared, "counted", no_room)
    rng = np.random.default_rng(2)
    seen: Counter[str] = Counter()
    for _ in range(300):
        puzzle = generate.tiny(rng)
        brute = run("mosaic", puzzle, "brute", NO_LIMITS, registry.problem("mosaic").ask("facts"))
        answers = {name: direct.ANSWERS[name](puzzle, NO_LIMITS) for name in ("facts", "forced", "count")}
        if brute.value is None:
            seen["none"] += 1
            assert {answer.status for answer in answers.values()} == {Status.INFEASIBLE}
            continue
        several = Status.FEASIBLE if brute.value.solutions > 1 else Status.SOLVED
        expected = {"facts": several, "forced": Status.SOLVED, "count": several}
        assert {name: answer.status for name, answer in answers.items()} == expected
        for name, answer in answers.items():
            assert PROBLEM.judge(puzzle, PROBLEM.ask(name), answer.value) == []
            assert answer.value.solutions == (1 if brute.value.solutions == 1 else None)
            if name != "count" or several == Status.SOLVED:
                assert np.array_equal(answer.value.forced, brute.value.forced)
        seen[PROBLEM.headline(answers["facts"].value)] += 1
    assert seen["unique"] > 20
    assert seen["not unique"] > 20


def test_backbone_gives_up_in_time() -> None:
    puzzle = generate.random(np.random.default_rng(3), 8, 8, 0.5, 0.3)
    network = network_of(puzzle.sums, NO_LIMITS)
    part = network.part(0, 1)
    values = search(part, NO_LIMITS, np.zeros(len(part.cells), np.int8))
    assert backbone(part, values, NO_LIMITS, 0) is None
    found = backbone(part, values, NO_LIMITS, 1000)
    for cell in range(len(values)):
        other = search(pinned(part, cell, 1 - int(values[cell])), NO_LIMITS, values)
        assert (found[cell] == OPEN) == (other is not None)


def test_model_is_the_definition() -> None:
    rng = np.random.default_rng(4)
    for _ in range(100):
        puzzle = generate.tiny(rng)
        statement = model.plain(puzzle)
        for board in rng.random((4, *puzzle.shape)) < rng.random():
            right = PROBLEM.judge(puzzle, FACTS, Boards(board)) == []
            assert statement.holds(board.ravel()) == right
        assert statement.size().literals <= model.literals(puzzle)


def test_engines_leave_the_number_open_beyond_their_limit() -> None:
    puzzle = Puzzle(np.full((3, 4), GAP))
    answer = registry.backend("mosaic", "cpsat").prepare(puzzle, FACTS, NO_LIMITS.begin())()
    assert answer.status == Status.FEASIBLE
    assert list(PROBLEM.to_json(answer.value)) == ["mines", "unique", "other"]


def test_many_unique_puzzles() -> None:
    for seed in range(some(5, 2)):
        puzzle = generate.unique(np.random.default_rng(seed), 20, 20, share=0.6)
        assert facts(puzzle, NO_LIMITS).value.solutions == 1
