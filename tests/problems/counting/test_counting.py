"""Counting: its judge, its options, its text, and the shipped boards."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import cpmines
from benchmarks.counting import sweep_count
from cpmines.answer import Answer, Limits, Stop
from cpmines.board import UNKNOWN, Position
from cpmines.errors import UsageError, WrongAnswerError
from cpmines.files import expected_answer, instance_files, read, shipped
from cpmines.positions import generate as positions
from cpmines.problems.counting.backends import direct
from cpmines.problems.counting.problem import PROBLEM, Counts, Query
from cpmines.problems.counting.text import percent
from cpmines.run import run

LIMITS = Limits()
TEXT = "3 5\n.1.2*\n.1...\n.....\n"
POSITION = Position.parse(TEXT)


def value(position: Position = POSITION) -> Counts:
    found = direct.solve(position, LIMITS).value
    assert found is not None
    return found


def test_text_and_json() -> None:
    found = value(Position.parse("2 3\n.1.\n...\n"))
    fields = PROBLEM.to_json(found)
    assert fields == {
        "count": "5",
        "by_mines": {"1": "5"},
        "probability": [[0.2, None, 0.2], [0.2, 0.2, 0.2]],
    }
    assert PROBLEM.headline(found) == "5 placements"
    assert PROBLEM.draw(Position.parse("2 3\n.1.\n...\n"), found).splitlines() == [
        "1 mine: 5",
        " 20%   1 20%",
        " 20% 20% 20%",
    ]
    assert PROBLEM.verdict(POSITION, Answer.solved(found)) == "5"
    assert PROBLEM.verdict(POSITION, Answer.infeasible()) == "0"


def test_counts_of_any_size_are_printed_whole() -> None:
    position = Position(np.full((160, 160), UNKNOWN))
    found = replace(value(Position.parse("1 1\n.\n")), count=1 << 25600, by_mines=None)
    text = PROBLEM.to_json(found)["count"]
    assert len(text) == 7707
    assert int(text[-15:]) == pow(2, 25600, 10**15)
    assert PROBLEM.headline(found) == f"{int(text[:6]) / 1e5:.2f}e7706 placements"
    assert value(position).count == 1 << 25600


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0, "0%"),
        (1.0, "100%"),
        (1e-9, "<1%"),
        (1 - 1e-9, ">99%"),
        (0.5, "50%"),
        (0.01, "1%"),
        (0.99, "99%"),
    ],
)
def test_per_cents(probability: float, text: str) -> None:
    assert percent(probability) == text


def spoiled(cell: tuple[int, int], chance: float) -> Counts:
    found = value()
    chances = found.probability.copy()
    chances[cell] = chance
    return replace(found, probability=chances)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (spoiled((0, 0), np.nan), "row 1, column 1: no probability"),
        (spoiled((0, 1), 0.5), "row 1, column 2: a probability for a known cell"),
        (spoiled((0, 0), 1.5), "row 1, column 1: a probability below 0 or above 1"),
        (spoiled((0, 0), 0.9), "mines are expected by the probabilities"),
        (replace(value(), count=25), "the counts by mines do not add up to the count"),
        (replace(value(), count=0), "a count of 0 bits, there are 11 unknown cells"),
        (replace(value(), count=1 << 12), "a count of 13 bits, there are 11 unknown cells"),
        (replace(value(), by_mines={0: 24}), "counts for 0 to 0 mines, 1 to 12 are possible"),
        (
            replace(value(), probability=np.zeros((1, 1))),
            "the array of probabilities is 1x1, the board is 3x5",
        ),
    ],
)
def test_judge(wrong: Counts, fault: str) -> None:
    assert PROBLEM.judge(POSITION, value()) == []
    assert fault in PROBLEM.judge(POSITION, wrong)[0]


def test_judge_of_listed_placements() -> None:
    query = PROBLEM.ask(POSITION, layouts=5, sample=2)
    found = value(query)
    assert PROBLEM.judge(query, found) == []
    layouts, (first, _) = tuple(found.layouts), found.samples
    assert PROBLEM.judge(query, replace(found, layouts=layouts)) == []
    twice = replace(found, layouts=(layouts[0],) * 5)
    assert "a placement is listed twice" in PROBLEM.judge(query, twice)
    assert PROBLEM.judge(query, replace(found, layouts=layouts[:4]))
    names = [name for name, _ in PROBLEM.listing(query, found)]
    assert names == ["placement"] * 5 + ["sample"] * 2
    for wrong in (replace(found, samples=(first, ~first)), replace(found, layouts=layouts[:4])):
        with pytest.raises(WrongAnswerError):
            list(PROBLEM.listing(query, wrong))


def test_placements_are_made_as_they_are_taken() -> None:
    query = PROBLEM.ask(Position(np.full((60, 60), UNKNOWN)), layouts=10**30, sample=10**30)
    found = value(query)
    assert PROBLEM.judge(query, found) == []
    for boards in (found.layouts, found.samples):
        first, again = (list(islice(boards, 3)) for _ in range(2))
        assert len({mines.tobytes() for mines in first}) == 3
        np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("backend", ["direct", "brute", "cpsat", "sat"])
def test_options(backend: str) -> None:
    found = cpmines.solve("counting", TEXT, backend, density="1/5", fractions=True, layouts=100).value
    assert len({mines.tobytes() for mines in found.layouts}) == found.count == 24
    assert found.ratios[0].tolist() == [Fraction(1, 6), None, Fraction(1, 3), None, None]
    assert found.probability[2, 4] == 0.2
    fields = PROBLEM.to_json(found)
    assert fields["fractions"][0] == ["1/6", None, "1/3", None, None]


def test_samples_depend_on_the_seed_alone() -> None:
    first, second, third = (
        np.stack(list(cpmines.solve("counting", TEXT, sample=5, seed=seed).value.samples))
        for seed in (1, 1, 2)
    )
    assert (first == second).all()
    assert (first != third).any()
    for backend in ("brute", "sat"):
        assert run("counting", PROBLEM.ask(POSITION, sample=1), backend, LIMITS).answer.stop is Stop.DECLINED


@pytest.mark.parametrize(
    "asked",
    [
        *({"density": text} for text in ("2", "0", "1", "x", "", "1/0", "nan", "inf", "1e-300000000")),
        *({"density": f"1/1{'0' * 5000}"}, {"layouts": -1}, {"sample": -1}, {"other": 1}),
    ],
)
def test_bad_options(asked: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        PROBLEM.ask(POSITION, **asked)


def test_no_density_beside_a_total() -> None:
    with pytest.raises(UsageError, match="a total of 3 mines"):
        PROBLEM.ask(Position(POSITION.cells, 3), density="0.2")


def test_a_query_is_a_position() -> None:
    query = Query.of(Position.parse("1 2 1\n..\n"))
    assert (query.mines, Query.of(query)) == (1, query)


def test_engines_count_up_to_a_limit_and_no_further() -> None:
    many = Position(np.full((3, 4), UNKNOWN))
    for backend in ("cpsat", "sat"):
        found = run("counting", many, backend, LIMITS)
        assert found.answer.stop is Stop.DECLINED
        assert found.value is None


def test_larger_counts_agree_with_a_sweep() -> None:
    rng = np.random.default_rng(8)
    for share in (0.4, 0.5, 0.6):
        position = positions.revealed(rng, 20, 20, share=share)
        found = value(position)
        assert found.count == sweep_count(position)
        assert found.by_mines is not None
        assert PROBLEM.judge(position, found) == []


@pytest.mark.parametrize("path", instance_files(shipped() / "counting"), ids=lambda path: path.name)
def test_shipped_instances(path: Path) -> None:
    (position,) = PROBLEM.parse(read(path), str(path))
    answer, expected = direct.solve(position, LIMITS), expected_answer(path)
    assert expected is not None
    assert answer.status == expected["status"]
    if answer.value is not None:
        fields = PROBLEM.to_json(answer.value)
        assert {name: fields[name] for name in expected["value"]} == expected["value"]
        assert PROBLEM.judge(position, answer.value) == []


@pytest.mark.parametrize("density", ["1e-300", "1e-400", f"{10**30 - 1}/{10**30}"])
def test_densities_beyond_floats(density: str) -> None:
    """1 mine or 2, of which the second is in a cell beside no clue."""
    found = cpmines.solve("counting", "1 4\n.1..\n", density=density, fractions=True)
    assert found.value.ratios.tolist() == [[Fraction(1, 2), None, Fraction(1, 2), Fraction(density)]]
