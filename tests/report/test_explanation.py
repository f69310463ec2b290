"""Explanations in words, text, SVG and HTML."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from cpmines.board import Position
from cpmines.errors import UsageError
from cpmines.explain import Explainable, explain_cell, explain_conflict, solve_stepwise
from cpmines.explain.argument import ByCases
from cpmines.explain.results import Contradiction
from cpmines.positions.generate import rings
from cpmines.problems.mosaic.problem import Puzzle
from cpmines.report.explanation import html, text
from cpmines.report.explanation.telling import tell_cell, tell_conflict, tell_none, tell_solution
from cpmines.report.explanation.words import Words, listed

BOARD = Position.parse("3 5 3\n.....\n12221\n00000\n")
STUCK = Position.parse("2 3\n.1.\n.2.\n")


def conflict_words(board: str) -> str:
    position = Position.parse(board)
    found = explain_conflict(position)
    assert found is not None
    return Words(position.shape[1]).conflict(found)


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (
            "2 3\n.1.\n.2.\n",
            "The 2 at row 2, column 2 needs 2 mines. All are in cells that the 1 at row 1, column 2 counts "
            "too, and it allows only 1.",
        ),
        ("1 3\n*0.\n", "The 0 at row 1, column 2 has 1 mine, too many."),
        ("2 2\n4.\n..\n", "The 4 at row 1, column 1 needs 4 mines and has only 3 unknown cells."),
        ("2 2\n3*\n0.\n", "The 3 at row 1, column 1 still needs 2 mines and has only 1 unknown cell."),
        ("1 1\n3\n", "The 3 at row 1, column 1 needs 3 mines and has no unknown cell."),
        ("1 2 0\n*.\n", "The total of 0 mines has 1 mine, too many."),
    ],
)
def test_conflicts_in_words(board: str, words: str) -> None:
    assert conflict_words(board).startswith(words)


def test_the_other_arguments_in_words() -> None:
    board = Position.parse("3 4\n....\n.11.\n....\n")
    clues = Explainable.of(board).board.clues
    assert Words(4).conflict(Contradiction(clues, False, ByCases())) == (
        "No placement meets the 1 at row 2, column 2 and the 1 at row 2, column 3 together: all ways end "
        "in a contradiction."
    )
    assert Words(4).argument(ByCases(), {0: False}, clues).endswith("agree: row 1, column 1 is safe.")


def test_chains_and_splits_in_words() -> None:
    board = rings(np.random.default_rng(0), 3, 4)
    words = conflict_words(str(board))
    assert words.startswith("Either row ")
    assert " Or it is safe: " in words


def test_steps_in_words() -> None:
    (step,) = solve_stepwise(BOARD).steps
    assert Words(5).step(step) == (
        "The 2 at row 2, column 2 needs 2 mines. The 1 at row 2, column 1 allows 1 of them, and beside those "
        "there is room for 1, in row 1, column 3. So row 1, column 3 is a mine."
    )
    said = [Words(3).step(step) for step in solve_stepwise(Position.parse("1 3\n.2.\n")).steps]
    assert said == [
        "The 2 at row 1, column 2 needs 2 mines and has only 2 unknown cells: "
        "row 1, columns 1 and 3 are mines."
    ]
    said = [Words(3).step(step) for step in solve_stepwise(Position.parse("1 3\n*1.\n")).steps]
    assert said == ["The 1 at row 1, column 2 has its mine already: row 1, column 3 is safe."]


def test_lists() -> None:
    assert [listed(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"], ["a, b", "c", "d"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
        "a, b; c and d",
    ]
    assert Words(10).cells([0, 1, 3, 12, 13, 14]) == "row 1, columns 1, 2 and 4 and row 2, columns 3 to 5"


def lines(board: Position | Puzzle) -> list[str]:
    return [line.plain for line in text.body(tell_solution("x", solve_stepwise(board)))]


def test_boards_in_text() -> None:
    assert lines(BOARD)[2:6] == [
        "      1  2  3  4",
        "   1  o  o  M  .",
        "   2 [1][2] 2  2",
        "   3  ·  ·  ·  ·",
    ]
    assert lines(Puzzle.parse("1 3\n.2.\n"))[-2:] == ["       1   2   3", "   1   .  2 .  ."]


def test_every_format_tells_the_same() -> None:
    solution = tell_solution("x", solve_stepwise(BOARD))
    page = html.document(solution)
    for part in solution.parts:
        assert part.sentence in page
    assert [step["sentence"] for step in solution.value["steps"]] == [
        part.sentence for part in solution.parts[:-1]
    ]
    assert solution.value["steps"][0]["mines"] == [{"row": 0, "col": 2}]
    assert len(solution.value["open"]) == 4


def test_pages_stand_alone_and_are_well_formed() -> None:
    found = explain_conflict(STUCK)
    assert found is not None
    told = [
        tell_conflict('<b>"&', Explainable.of(STUCK).board, found, 1),
        tell_none('<b>"&', Explainable.of(BOARD).board),
        tell_solution('<b>"&', solve_stepwise(BOARD)),
        tell_cell('<b>"&', Explainable.of(BOARD).board, explain_cell(BOARD, 0, 0)),
        tell_cell('<b>"&', Explainable.of(BOARD).board, explain_cell(BOARD, 0, 2)),
        tell_solution("x", solve_stepwise(Puzzle.parse("2 2\n4.\n..\n"))),
    ]
    for each in told:
        page = html.document(each)
        assert page.startswith("<!doctype html>")
        assert '<b>"&' not in page
        assert not re.search(r"""(src|href)\s*=|@import|url\(|<script""", page)
        assert "prefers-color-scheme: dark" in page
        assert "$" not in page
        for drawing in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
            ElementTree.fromstring(drawing)
        assert page.count("<figure>") == len(each.parts)


def test_a_board_too_large_for_a_picture() -> None:
    board = Position.parse("400 400\n" + 400 * (400 * "." + "\n"))
    with pytest.raises(UsageError, match="at most 100000 cells"):
        html.document(tell_none("x", Explainable.of(board).board))
