"""Deduction against the definition, its judge, the shipped and the real boards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cpmines
from cpmines import registry
from cpmines.answer import Answer, Limits, Status
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.engines.cpsat import CpSat
from cpmines.files import expected_answer, instance_files, read, shipped
from cpmines.modelled import Modelled
from cpmines.positions import generate as positions
from cpmines.problems.deduction.backends import direct
from cpmines.problems.deduction.problem import FORCED, PROBLEM, SAFE, Deductions
from cpmines.run import run
from tests.conftest import REAL

LIMITS = Limits()
ASKED = PROBLEM.ask()
POSITION = Position.parse("3 4\n.1.1\n11..\n...*\n")


def deductions(*rows: str) -> Deductions:
    codes = {
        **{str(clue): clue for clue in range(9)},
        "*": MINE,
        "?": UNKNOWN,
        "s": SAFE,
        "m": FORCED,
        "x": 20,
    }
    return Deductions(np.array([[codes[character] for character in row] for row in rows]))


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (["m1s1", "11s?"], "the answer is 2x4, the board is 3x4"),
        (["m2s1", "11s?", "sss*"], "row 1, column 2: a known cell was changed"),
        (["x1s1", "11s?", "sss*"], "row 1, column 1: neither safe, mine nor open"),
        (["m1m1", "11??", "sss*"], "row 1, column 2: the clue is 1, 2 mines around claimed"),
        (
            ["s1s1", "11s?", "???*"],
            "row 1, column 2: the clue is 1, too many cells around are claimed to be safe",
        ),
    ],
)
def test_judge(rows: list[str], fault: str) -> None:
    assert PROBLEM.judge(POSITION, ASKED, deductions("m1s1", "11s?", "sss*")) == []
    assert fault in PROBLEM.judge(POSITION, ASKED, deductions(*rows))


def test_text_and_json() -> None:
    value = cpmines.solve("deduction", "3 5\n.1.2*\n.1...\n.....\n").value
    rows = ["?1?2*", "?1???", "sss??"]
    assert PROBLEM.to_json(value) == {"cells": rows}
    assert PROBLEM.draw(POSITION, value).splitlines() == rows
    assert PROBLEM.headline(value) == "3 safe, 0 mines, 8 open"
    assert PROBLEM.verdict(POSITION, Answer.solved(value)) == "\n".join(rows)
    assert PROBLEM.verdict(POSITION, Answer.infeasible()) == "NO"


@pytest.mark.parametrize("fields", [{}, {"cells": ["s", "ss"]}, {"cells": ["x"]}, {"cells": [["s"]]}])
def test_other_fields_are_no_value(fields: dict[str, object]) -> None:
    with pytest.raises((KeyError, ValueError)):
        PROBLEM.from_json(fields)


@pytest.mark.parametrize("backend", ["direct", "brute", "cpsat", "sat", "sat:lingeling"])
def test_totals_decide(backend: str) -> None:
    found = cpmines.solve("deduction", "1 5 1\n.1.1.\n", backend)
    assert found.value.rows() == ["s1m1s"]
    found = cpmines.solve("deduction", "1 5 4\n.1.1.\n", backend)
    assert found.status is Status.INFEASIBLE


@pytest.mark.parametrize("name", ["cpsat", "sat"])
def test_engines_agree_with_direct_on_games(name: str) -> None:
    rng = np.random.default_rng(4)
    for total in (False, True):
        for share in (0.3, 0.6):
            position = positions.game(rng, 9, 9, 10, share, total)
            found, expected = (run("deduction", position, backend, LIMITS) for backend in (name, "direct"))
            assert found.value.rows() == expected.value.rows()


class Simple:
    """An engine that has no way of its own to a cover."""

    summary, packages = CpSat.summary, CpSat.packages

    def prepare(self, model: object, limits: Limits) -> object:
        return CpSat().prepare(model, limits)  # type: ignore[arg-type]


def test_every_engine_can_cover() -> None:
    modelling = registry.modelling("deduction")
    assert modelling is not None
    backend = Modelled(modelling, Simple())  # type: ignore[arg-type]
    rng = np.random.default_rng(1)
    for _ in range(40):
        position = positions.tiny(rng)
        answer, expected = backend.prepare(position, ASKED, LIMITS)(), direct.solve(position, LIMITS)
        assert answer.status == expected.status
        if answer.value is not None:
            assert answer.value.rows() == expected.value.rows()


@pytest.mark.parametrize("path", instance_files(shipped() / "deduction"), ids=lambda path: path.name)
def test_shipped_instances(path: Path) -> None:
    (position,) = PROBLEM.parse(read(path), str(path))
    answer, expected = direct.solve(position, LIMITS), expected_answer(path)
    assert expected is not None
    assert answer.status == expected["status"]
    if answer.value is not None:
        assert PROBLEM.to_json(answer.value) == expected["value"]
        assert PROBLEM.judge(position, ASKED, answer.value) == []


BOARDS = REAL / "consistency"


def agree_on_real_boards(largest: int) -> None:
    done = 0
    for path in instance_files(BOARDS):
        (position,) = PROBLEM.parse(read(path), str(path))
        if position.cells.size <= largest:
            runs = [
                run("deduction", position, name, Limits(seconds=120)) for name in ("direct", "cpsat", "sat")
            ]
            rows = [None if found.value is None else found.value.rows() for found in runs]
            assert rows[0] == rows[1] == rows[2], path.name
            done += 1
    assert done > 30


@pytest.mark.skipif(not BOARDS.exists(), reason="the collection of real boards is not there")
def test_real_boards_that_are_small() -> None:
    agree_on_real_boards(300)


@pytest.mark.slow
@pytest.mark.skipif(not BOARDS.exists(), reason="the collection of real boards is not there")
def test_real_boards() -> None:
    agree_on_real_boards(10_000)
