"""What the generators promise."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cpmines.answer import Limits, Status
from cpmines.board import mine_rows
from cpmines.cli import cli
from cpmines.errors import CpminesError, UsageError
from cpmines.problems.mosaic import generate
from cpmines.problems.mosaic.backends import direct
from cpmines.problems.mosaic.problem import GAP, Puzzle

facts = direct.ANSWERS["facts"]


def is_unique(puzzle: Puzzle) -> bool:
    value = facts(puzzle, Limits()).value
    return value is not None and value.solutions == 1


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 6), (3, 3), (5, 5), (7, 4), (8, 8)])
def test_minimal_puzzles_are_unique_and_need_every_sum(rows: int, cols: int) -> None:
    puzzle = generate.unique(np.random.default_rng(rows), rows, cols, minimal=True)
    assert is_unique(puzzle)
    for cell in np.flatnonzero(puzzle.sums != GAP):
        fewer = puzzle.sums.copy()
        fewer.flat[cell] = GAP
        assert not is_unique(Puzzle(fewer))


@pytest.mark.parametrize("share", [0.0, 0.5, 0.8, 1.0])
def test_unique_puzzles_show_the_share_or_what_they_need(share: float) -> None:
    puzzle = generate.unique(np.random.default_rng(1), 9, 10, share=share)
    assert is_unique(puzzle)
    shown = (puzzle.sums != GAP).mean()
    assert shown == pytest.approx(share, abs=0.02) if share >= 0.8 else shown >= share - 0.02


def test_minimal_is_a_flag_of_the_command() -> None:
    words = ["generate", "mosaic", "rows=5", "cols=4", "--seed", "3"]
    flag, value = (CliRunner().invoke(cli, [*words, word]).output for word in ("--minimal", "minimal=true"))
    assert flag == value
    assert Puzzle.parse(flag).shape == (5, 4)
    found = CliRunner().invoke(cli, [*words, "--nothing"], standalone_mode=False)
    assert "no parameter '--nothing'" in str(found.exception)


def test_no_unique_puzzle_is_said() -> None:
    with pytest.raises(UsageError, match=r"no table of 1 x 2 with one board in 500 at density 0\.5"):
        generate.unique(NoChance(np.random.PCG64(1)), 1, 2)


class NoChance(np.random.Generator):
    """Draws the board that shares its table with another one."""

    def random(self, size: object = None, *_: object) -> np.ndarray:  # type: ignore[override]
        return np.array([[0.0, 1.0]])


def test_a_given_board_is_the_only_one(tmp_path: Path) -> None:
    picture = tmp_path / "cat.txt"
    picture.write_text("*..*..\n****.*\n*.**.*\n.****.\n")
    puzzle = generate.unique(np.random.default_rng(1), minimal=True, board=str(picture))
    value = facts(puzzle, Limits()).value
    assert value is not None
    assert value.solutions == 1
    assert mine_rows(value.mines) == picture.read_text().split()
    result = CliRunner().invoke(cli, ["generate", "mosaic", "--minimal", f"board={picture}"])
    assert is_unique(Puzzle.parse(result.output))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*..\n*.\n", ":2: found a row of 2 cells, expected 3 as in row 1"),
        ("*..\n*o.\n", ":2:2: found 'o', expected * or ."),
        ("", ":1: found a row of 0 cells, expected at least one"),
        ("*.\n", ": several boards have the same sums, which differ in row 1, column 1; row 1, column 2"),
        ("*..*..*.\n", "; row 1, column 5; 2 more cells"),
    ],
)
def test_boards_that_make_no_puzzle_are_refused(tmp_path: Path, text: str, message: str) -> None:
    picture = tmp_path / "board.txt"
    picture.write_text(text)
    with pytest.raises(CpminesError, match=re.escape(message)) as caught:
        generate.unique(np.random.default_rng(1), board=str(picture))
    assert str(caught.value).startswith(str(picture))


def test_changed_puzzles_have_mostly_no_board() -> None:
    rng = np.random.default_rng(2)
    answers = [facts(generate.changed(rng, 8, 8, 0.5, 0.9), Limits()).status for _ in range(40)]
    assert answers.count(Status.INFEASIBLE) >= 30


@pytest.mark.parametrize("family", generate.FAMILIES)
def test_families_repeat_with_the_seed(family: str) -> None:
    make = generate.FAMILIES[family]
    first, again = (make(np.random.default_rng(3), rows=6, cols=5) for _ in range(2))
    assert first == again
    assert first.shape == (6, 5)


def test_shrinking_ends_at_the_smallest_puzzle() -> None:
    puzzle = generate.random(np.random.default_rng(4), 4, 5)
    while (simpler := next(generate.shrink(puzzle), None)) is not None:
        puzzle = simpler
    assert puzzle == Puzzle.parse("1 1\n.\n")
