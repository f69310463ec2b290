"""Reading, rendering, drawing and judging of positions and placements; generators."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from cpmines.answer import Answer, Limits, Status
from cpmines.board import MINE, UNKNOWN, Position, parse_mine_rows
from cpmines.errors import InputError
from cpmines.positions import generate as positions
from cpmines.problems.consistency import generate
from cpmines.problems.consistency.backends import brute, direct
from cpmines.problems.consistency.problem import PROBLEM, Placement
from tests.effort import some

POSITION = Position.parse("3 4 3\n*1..\n.2.1\n....\n")


def placement(*rows: str) -> Placement:
    return Placement(parse_mine_rows(rows))


ASKED = PROBLEM.ask()
RIGHT = placement("*...", "....", ".*.*")


@pytest.mark.parametrize(
    ("value", "faults"),
    [
        (RIGHT, []),
        (Placement(), []),
        (placement("*...", "....", ".*.*", "...."), ["the placement is 4x4, the board is 3x4"]),
        (
            placement("..*.", "...*", ".*.."),
            ["row 1, column 1: the known mine is missing", "row 2, column 4: a mine on a clue"],
        ),
        (
            placement("*...", "....", ".*.."),
            [
                "row 2, column 4: the clue is 1, mines around: 0",
                "the placement has 2 mines, the total is 3",
            ],
        ),
    ],
)
def test_judge_names_every_fault(value: Placement, faults: list[str]) -> None:
    assert PROBLEM.judge(POSITION, ASKED, value) == faults


def test_judge_rejects_every_change_of_one_cell() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        position = generate.tiny(rng)
        answer = direct.solve(position, Limits())
        if answer.value is None or answer.value.mines is None:
            continue
        assert PROBLEM.judge(position, ASKED, answer.value) == []
        for cell in range(position.cells.size):
            mines = answer.value.mines.copy()
            mines.flat[cell] ^= True
            row, col = divmod(cell, position.shape[1])
            block = position.cells[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2]
            matters = (block >= 0).any() or position.cells[row, col] == MINE or position.mines is not None
            assert bool(PROBLEM.judge(position, ASKED, Placement(mines))) == matters


def test_parse_and_render_are_inverse() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        position = generate.tiny(rng)
        assert PROBLEM.parse(PROBLEM.render(position)) == [position]
    assert PROBLEM.parse("# a comment\n1 4 1\n?#-.\n") == [Position.parse("1 4 1\n....\n")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t:1: found the end of the input, expected rows, columns and perhaps the number of mines"),
        ("3\n", "t:1: found 1 number, expected rows, columns and perhaps the number of mines"),
        ("1 2 3 4\n", "t:1: found 4 numbers, expected rows, columns and perhaps the number of mines"),
        ("1 3 4\n...\n", "t:1: found 4 mines, expected 0 to 3 on a 1 x 3 board"),
        ("1 3 -1\n...\n", "t:1: found -1 mines, expected 0 to 3 on a 1 x 3 board"),
        ("0 3\n", "t:1: found a board of 0 x 3, expected at least 1 row and 1 column"),
        ("1 3\n.9.\n", "t:2:2: found '9', expected a clue 0-8, a mine *, or . for unknown"),
        ("2 3\n...\n..x\n", "t:3:3: found 'x', expected a clue 0-8, a mine *, or . for unknown"),
        ("1 3\n...\n...\n", "t:3:1: found '.', expected the end of the input"),
    ],
)
def test_bad_input_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        PROBLEM.parse(text, "t")
    assert str(caught.value) == message


def test_pictures_and_words() -> None:
    assert PROBLEM.draw(POSITION, RIGHT) == "*1..\n.2.1\n.*.*"
    assert PROBLEM.to_json(RIGHT) == {"mines": ["*...", "....", ".*.*"]}
    assert PROBLEM.headline(RIGHT) == "3 mines"
    assert (PROBLEM.to_json(Placement()), PROBLEM.draw(POSITION, Placement())) == ({}, "consistent")
    assert PROBLEM.describe(POSITION) == "3x4, 3 mines"
    assert PROBLEM.verdict(POSITION, Answer.solved(RIGHT)) == "YES"
    assert PROBLEM.verdict(POSITION, Answer.infeasible()) == "NO"
    assert not RIGHT.mines.flags.writeable  # type: ignore[union-attr]


def test_tiny_is_balanced_and_has_the_extremes() -> None:
    rng, count = np.random.default_rng(3), some(2000, 600)
    positions = [generate.tiny(rng) for _ in range(count)]
    solved = sum(brute.solve(position, Limits()).status == Status.SOLVED for position in positions)
    assert 0.4 * count < solved < 0.65 * count
    unknown = np.array([(position.cells == UNKNOWN).mean() for position in positions])
    assert (unknown == 0).sum() > count / 100
    assert (unknown == 1).sum() > count / 100
    assert sum(min(position.shape) == 1 for position in positions) > count / 10
    assert 0.15 * count < sum(position.mines is not None for position in positions) < 0.5 * count


def test_every_family_gives_positions_of_its_kind() -> None:
    for name, family in generate.FAMILIES.items():
        rng = np.random.default_rng(4)
        position = family(rng)  # type: ignore[operator]
        assert PROBLEM.parse(PROBLEM.render(position)) == [position], name
        again = family(np.random.default_rng(4))  # type: ignore[operator]
        assert again == position


def status(position: Position) -> Status:
    return direct.solve(position, Limits()).status


def test_families_keep_their_word() -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        assert status(positions.revealed(rng, total=True)) == Status.SOLVED
        game = positions.game(rng, share=0.6)
        assert status(game) == Status.SOLVED
        assert (game.cells >= 0).sum() >= 0.6 * (16 * 30 - 99)
        rows, cols = (int(size) for size in rng.integers(4, 30, 2))
        assert status(positions.chain(rng, rows, cols)) == Status.SOLVED
        assert status(positions.chain(rng, rows, cols, broken=True)) == Status.INFEASIBLE
        assert status(positions.stuck(rng, 8, 11, broken=0, total=True)) == Status.SOLVED
        assert status(positions.stuck(rng, 8, 11, broken=1)) == Status.INFEASIBLE
        odd = bool((rows + cols) % 2)
        assert (status(positions.rings(rng, rows, cols)) == Status.INFEASIBLE) == odd


def test_shrinking_ends_and_gives_valid_positions() -> None:
    rng = np.random.default_rng(6)
    for _ in range(30):
        position = generate.tiny(rng)
        for smaller in islice(generate.shrink(position), 100):
            assert PROBLEM.parse(PROBLEM.render(smaller)) == [smaller]
            assert smaller != position
        while (smaller := next(generate.shrink(position), None)) is not None:  # type: ignore[assignment]
            position = smaller
        assert str(position) == "1 1\n.\n"


@pytest.mark.parametrize("fields", [{"mines": None}, {"mines": []}, {"mines": ["*", "**"]}, {"mines": ["x"]}])
def test_other_fields_are_no_value(fields: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        PROBLEM.from_json(fields)


def test_a_placement_that_is_not_shown_does_not_answer_the_first_question() -> None:
    assert ASKED.question.lacking(Placement()) == ["mines"]
    assert PROBLEM.ask("exists").question.lacking(Placement()) == []
