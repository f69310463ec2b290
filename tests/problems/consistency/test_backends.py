"""Every backend against the definition, on the published examples, and on real boards."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

import cpmines
from cpmines import registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.board import UNKNOWN, Position
from cpmines.files import expected_answer, instance_files, read, shipped
from cpmines.inference import existence
from cpmines.inference.propagation import Propagated
from cpmines.positions import generate as positions
from cpmines.positions import statement
from cpmines.problems.consistency import generate
from cpmines.problems.consistency.backends import brute, direct, propagation, published
from cpmines.problems.consistency.problem import PROBLEM, Placement
from cpmines.run import run
from tests.conftest import REAL
from tests.effort import some

NO_LIMITS = Limits()
ASKED = PROBLEM.ask()
CELLS = arrays(np.int8, array_shapes(min_dims=2, max_dims=2, max_side=4), elements=st.integers(UNKNOWN, 4))


def check(position: Position, answer: Answer[Placement], expected: Status) -> None:
    """The answer is `expected`, or none at all, and its placement is right."""
    assert answer.status in (expected, Status.UNKNOWN), position
    assert answer.value is None or PROBLEM.judge(position, ASKED, answer.value) == []


def test_backends_agree_on_tiny_positions() -> None:
    rng = np.random.default_rng(1)
    open_ = {Status.SOLVED: 0, Status.INFEASIBLE: 0}
    count = some(3000, 500)
    for _ in range(count):
        position = generate.tiny(rng)
        before = position.cells.copy()
        expected = brute.solve(position, NO_LIMITS)
        check(position, expected, expected.status)
        found = direct.solve(position, NO_LIMITS)
        check(position, found, expected.status)
        assert found.status == expected.status
        quick = propagation.solve(position, NO_LIMITS)
        check(position, quick, expected.status)
        open_[expected.status] += quick.status == Status.UNKNOWN
        assert (position.cells == before).all()
    assert min(open_.values()) > count / 20


@settings(max_examples=some(400, 150), deadline=None)
@given(CELLS, st.none() | st.integers(0, 8))
def test_backends_agree_with_the_definition(cells: np.ndarray, mines: int | None) -> None:
    position = Position(cells, None if mines is None else min(mines, cells.size))
    expected = brute.solve(position, NO_LIMITS).status
    assert direct.solve(position, NO_LIMITS).status == expected
    check(position, direct.solve(position, NO_LIMITS), expected)
    check(position, propagation.solve(position, NO_LIMITS), expected)


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
def test_engines_agree_with_direct(engine: str) -> None:
    rng = np.random.default_rng(2)
    backend = registry.backend("consistency", engine)
    for _ in range(200):
        position = generate.tiny(rng)
        answer = backend.prepare(position, ASKED, NO_LIMITS)()
        expected = direct.solve(position, NO_LIMITS).status
        check(position, answer, expected)
        assert answer.status == expected


def test_placements_are_the_solutions_of_the_model() -> None:
    rng = np.random.default_rng(3)
    for _ in range(some(300, 80)):
        position = generate.tiny(rng)
        unknown = int((position.cells == UNKNOWN).sum())
        if unknown > 8:
            continue
        model = statement.plain(position)
        assert model.variable_count == unknown
        assert model.size().literals <= statement.literals(position)
        for bits in np.ndindex(*[2] * unknown):
            assignment = np.array(bits, np.bool_)
            value = Placement(statement.placement(position, assignment))
            assert model.holds(assignment) == (PROBLEM.judge(position, ASKED, value) == [])


@pytest.mark.parametrize("off", [-30, -3, -1, 0, 1, 3, 30])
def test_totals_of_games_agree_with_cpsat(off: int) -> None:
    rng = np.random.default_rng(abs(off))
    engine = registry.backend("consistency", "cpsat")
    for share in (0.3, 0.6, 0.9, 0.97):
        game = positions.game(rng, share=share)
        position = Position(game.cells, (game.mines or 0) + off)
        found = direct.solve(position, NO_LIMITS)
        assert found.status == engine.prepare(position, ASKED, NO_LIMITS)().status
        check(position, found, found.status)


@pytest.mark.parametrize("share", [0.3, 0.4, 0.5, 0.6])
@pytest.mark.parametrize("total", [False, True])
def test_large_random_boards_are_decided(share: float, total: bool) -> None:
    position = positions.revealed(np.random.default_rng(4), 300, 300, share=share, total=total)
    answer = direct.solve(position, Limits(seconds=120).begin())
    assert answer.status == Status.SOLVED
    check(position, answer, Status.SOLVED)


def test_existence_needs_no_placement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where propagation leaves nothing open nor where the circuit is there."""
    exists = PROBLEM.ask("exists")
    texts = ("2 3\n.1.\n11.\n", "1 3\n.1.\n", "2 3\n.1.\n.2.\n")
    expected = [brute.solve(Position.parse(text), NO_LIMITS).status for text in texts]

    def refuse(*_: object) -> object:
        raise AssertionError("a placement is made")

    monkeypatch.setattr(existence, "first_placement", refuse)
    monkeypatch.setattr(Propagated, "placement", refuse)
    for text, status in zip(texts, expected, strict=True):
        found = run("consistency", Position.parse(text), "direct", NO_LIMITS, exists)
        assert (found.status, found.error) == (status, "")
        shown = run("consistency", Position.parse(text), "direct", NO_LIMITS)
        assert bool(shown.error) == (status is Status.SOLVED)
    easy = Position.parse("1 2\n1*\n")
    assert run("consistency", easy, "propagation", NO_LIMITS, exists).status is Status.SOLVED
    assert run("consistency", easy, "propagation", NO_LIMITS).error


def test_same_seed_same_answer() -> None:
    position = positions.revealed(np.random.default_rng(5), 60, 60, share=0.4, total=True)
    first, second = (PROBLEM.to_json(direct.solve(position, NO_LIMITS).value) for _ in range(2))  # type: ignore[arg-type]
    assert first == second


@pytest.mark.parametrize(
    ("text", "published_says", "right"),
    [
        ("1 1\n0\n", "YES", "YES"),
        ("2 2\n1*\n*1\n", "NO", "NO"),
        ("2 2\n00\n00\n", "YES", "YES"),
        ("2 2\n**\n**\n", "YES", "YES"),
        ("2 2\n11\n11\n", "YES", "NO"),
        ("2 3\n.1.\n.2.\n", "YES", "NO"),
        ("1 1\n1\n", "NO", "NO"),
    ],
)
def test_published_examples_and_faults(text: str, published_says: str, right: str) -> None:
    position = Position.parse(text)
    assert PROBLEM.verdict(position, published.solve(position, NO_LIMITS)) == published_says
    for backend in (brute, direct):
        assert PROBLEM.verdict(position, backend.solve(position, NO_LIMITS)) == right


def test_published_is_right_when_it_says_no() -> None:
    rng = np.random.default_rng(6)
    wrong, count = 0, some(1500, 300)
    for _ in range(count):
        position = Position(generate.tiny(rng).cells)
        expected = brute.solve(position, NO_LIMITS).status
        said = published.solve(position, NO_LIMITS).status
        assert said == expected or (said, expected) == (Status.SOLVED, Status.INFEASIBLE)
        wrong += said != expected
    assert wrong > count / 15


def test_backends_decline_what_they_do_not_take() -> None:
    big = Position(np.full((3, 7), UNKNOWN))
    declined = run("consistency", big, "brute", NO_LIMITS).answer
    assert declined == Answer.declined("21 unknown cells, brute force takes up to 20")
    total = Position.parse("1 1 1\n.\n")
    assert published.solve(total, NO_LIMITS) == Answer.declined(
        "the published text knows no total number of mines"
    )
    stuck = Position.parse("2 3\n.1.\n.2.\n")
    assert propagation.solve(stuck, NO_LIMITS) == Answer.declined(
        "propagation leaves 2 clues and their neighbours open"
    )


@pytest.mark.parametrize("name", ["direct", "propagation", "brute", "published"])
def test_time_limit_holds(name: str) -> None:
    cells = positions.revealed(np.random.default_rng(7), 100, 100, share=0.4).cells
    position = Position(
        cells if name != "brute" else np.full((4, 5), UNKNOWN), None if name != "brute" else 0
    )
    result = cpmines.solve("consistency", position, name, time_limit=1e-9)
    assert (result.status, result.answer.stop) == (Status.UNKNOWN, Stop.TIME_LIMIT)


def test_memory_limit_holds() -> None:
    position = positions.revealed(np.random.default_rng(8), 100, 100, share=0.4)
    for limit in (1000, 200_000, 500_000):
        result = cpmines.solve("consistency", position, "direct", memory_limit=limit)
        assert result.answer.stop == Stop.MEMORY_LIMIT, limit


SHIPPED = instance_files(shipped() / "consistency")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_instances(path: Path) -> None:
    line = expected_answer(path)
    assert line is not None
    expected = Status(line["status"])
    (position,) = PROBLEM.parse(read(path), str(path))
    assert str(position) == PROBLEM.render(position)
    found = direct.solve(position, Limits(seconds=120).begin())
    assert found.status == expected
    check(position, found, expected)
    check(position, propagation.solve(position, NO_LIMITS), expected)


def real_boards() -> list[object]:
    index = REAL / "consistency" / "INDEX.tsv"
    if not index.is_file():
        return []
    with index.open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        pytest.param(
            next((REAL / "consistency").glob(f"{row['name']}.txt*")),
            Status.SOLVED if "consistent=yes" in row["expected"] else Status.INFEASIBLE,
            row["how_verified"],
            id=row["name"],
            marks=pytest.mark.slow if row["size"] == "1632x3600" else (),
        )
        for row in rows
    ]


@pytest.mark.parametrize(("path", "expected", "how"), real_boards())
def test_real_boards(path: Path, expected: Status, how: str) -> None:
    (position,) = PROBLEM.parse(read(path), str(path))
    found = direct.solve(position, NO_LIMITS)
    assert found.status == expected
    check(position, found, expected)
    quick = propagation.solve(position, NO_LIMITS)
    check(position, quick, expected)
    says = {"stuck": Status.UNKNOWN, "solved": Status.SOLVED, "contradiction": Status.INFEASIBLE}
    if position.mines is None and "propagation alone: " in how:
        word = how.split("propagation alone: ")[1].split(";")[0]
        assert quick.status == says[word]
