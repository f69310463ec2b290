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
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.board import UNKNOWN, Position
from cpmines.errors import UsageError, WrongAnswerError
from cpmines.files import expected_answer, instance_files, read, shipped
from cpmines.inference.exact import Inference
from cpmines.positions import generate as positions
from cpmines.problems.counting.backends import direct
from cpmines.problems.counting.problem import PROBLEM, Counts
from cpmines.problems.counting.text import percent
from cpmines.problems.counting.values import digits
from cpmines.question import Asked
from cpmines.run import run

LIMITS = Limits()
TEXT = "3 5\n.1.2*\n.1...\n.....\n"
POSITION = Position.parse(TEXT)
CHANCES = PROBLEM.ask()


def value(position: Position = POSITION, asked: Asked = CHANCES) -> Counts:
    found = direct.BACKEND.prepare(position, asked, LIMITS)().value
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
    assert PROBLEM.from_json(PROBLEM.to_json(found)).count == 1 << 25600
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
        (replace(value(), count=0), "a count of 0 bits for 11 unknown cells"),
        (replace(value(), count=1 << 12), "a count of 13 bits for 11 unknown cells"),
        (replace(value(), by_mines={0: 24}), "counts for 0 to 0 mines, 1 to 12 are possible"),
        (
            replace(value(), probability=np.zeros((1, 1))),
            "the array of probabilities is 1x1, the board is 3x5",
        ),
    ],
)
def test_judge(wrong: Counts, fault: str) -> None:
    assert PROBLEM.judge(POSITION, CHANCES, value()) == []
    assert fault in PROBLEM.judge(POSITION, CHANCES, wrong)[0]


def with_fraction(cell: tuple[int, int], fraction: Fraction | None) -> Counts:
    found = value(asked=PROBLEM.ask(fractions=True))
    assert found.fractions is not None
    fractions = found.fractions.copy()
    fractions[cell] = fraction
    return replace(found, fractions=fractions)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (value(), "no fractions, which were asked for"),
        (with_fraction((0, 0), Fraction(1, 7)), "row 1, column 1: the fraction is another number"),
        (with_fraction((0, 0), None), "row 1, column 1: the fraction is another number"),
        (with_fraction((0, 1), Fraction(1)), "row 1, column 2: the fraction is another number"),
        (
            replace(value(), fractions=np.full((1, 5), None)),
            "the array of fractions is 1x5, the board is 3x5",
        ),
    ],
)
def test_judge_of_fractions(wrong: Counts, fault: str) -> None:
    asked = PROBLEM.ask(fractions=True)
    assert PROBLEM.judge(POSITION, asked, value(asked=asked)) == []
    assert PROBLEM.judge(POSITION, asked, wrong) == [fault]


def test_judge_of_listed_placements() -> None:
    asked = PROBLEM.ask(layouts=5)
    found = value(asked=asked)
    assert PROBLEM.judge(POSITION, asked, found) == []
    layouts = tuple(found.layouts or ())
    assert PROBLEM.judge(POSITION, asked, replace(found, layouts=layouts)) == []
    assert [name for name, _ in PROBLEM.listing(POSITION, asked, found)] == ["placement"] * 5
    few = replace(found, layouts=layouts[:4])
    assert PROBLEM.judge(POSITION, asked, few) == ["4 placements, expected 5"]
    assert PROBLEM.judge(POSITION, asked, replace(few, count=None)) == []
    assert PROBLEM.judge(POSITION, asked, replace(found, layouts=None)) == [
        "no placements, which were asked for"
    ]
    twice = replace(found, layouts=(layouts[0],) * 5)
    assert PROBLEM.judge(POSITION, asked, twice) == ["a placement is listed twice"]
    for wrong in (few, replace(found, layouts=(*layouts, layouts[0]), count=None)):
        with pytest.raises(WrongAnswerError, match="expected 5"):
            list(PROBLEM.listing(POSITION, asked, wrong))


def test_judge_of_samples() -> None:
    asked = PROBLEM.ask(sample=2)
    found = value(asked=asked)
    first, second = found.samples or ()
    assert PROBLEM.judge(POSITION, asked, replace(found, samples=(first, first))) == []
    assert [name for name, _ in PROBLEM.listing(POSITION, asked, found)] == ["sample"] * 2
    for wrong in ((first, ~second), (first,), (first, second, first)):
        assert PROBLEM.judge(POSITION, asked, replace(found, samples=wrong))
        with pytest.raises(WrongAnswerError):
            list(PROBLEM.listing(POSITION, asked, replace(found, samples=wrong)))


def test_placements_are_made_as_they_are_taken() -> None:
    position = Position(np.full((60, 60), UNKNOWN))
    for asked in (PROBLEM.ask(layouts=10**30), PROBLEM.ask(sample=10**30)):
        found = value(position, asked)
        assert PROBLEM.judge(position, asked, found) == []
        boards = found.layouts or found.samples
        assert boards is not None
        first, again = (list(islice(boards, 3)) for _ in range(2))
        assert len({mines.tobytes() for mines in first}) == 3
        np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize("backend", ["direct", "brute", "cpsat", "sat"])
def test_options(backend: str) -> None:
    found = cpmines.solve("counting", TEXT, backend, density="1/5", fractions=True).value
    assert found.fractions[0].tolist() == [Fraction(1, 6), None, Fraction(1, 3), None, None]
    assert found.probability[2, 4] == 0.2
    fields = PROBLEM.to_json(found)
    assert fields["fractions"][0] == ["1/6", None, "1/3", None, None]
    assert PROBLEM.to_json(PROBLEM.from_json(fields)) == fields
    for layouts, listed in ((100, 24), (7, 7), (0, 0)):
        found = cpmines.solve("counting", TEXT, backend, layouts=layouts).value
        assert found.count == 24
        assert len({mines.tobytes() for mines in found.layouts}) == listed


def test_samples_depend_on_the_seed_alone() -> None:
    first, second, third = (
        np.stack(list(cpmines.solve("counting", TEXT, sample=5, seed=seed).value.samples))
        for seed in (1, 1, 2)
    )
    assert (first == second).all()
    assert (first != third).any()
    for backend in ("brute", "sat"):
        declined = run("counting", POSITION, backend, LIMITS, PROBLEM.ask(sample=1)).answer
        assert declined.note == f"{backend} does not answer the question sample"


@pytest.mark.parametrize(
    "asked",
    [
        *({"density": text} for text in ("2", "0", "1", "x", "", "1/0", "nan", "inf", "1e-300000000")),
        *({"density": f"1/1{'0' * 5000}"}, {"layouts": -1}, {"sample": -1}, {"other": 1}),
    ],
)
def test_bad_options(asked: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        PROBLEM.ask(**asked)


@pytest.mark.parametrize(
    "asked",
    [
        {"layouts": 3, "sample": 3},
        {"layouts": 3, "density": "0.2"},
        {"layouts": 3, "fractions": True},
        {"sample": 3, "fractions": True},
    ],
)
def test_one_question_at_a_time(asked: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="one question at a time"):
        PROBLEM.ask(**asked)


def test_no_density_beside_a_total() -> None:
    total = Position(POSITION.cells, 3)
    for asked in (PROBLEM.ask(density="0.2"), PROBLEM.ask(density="0.2", sample=1)):
        assert PROBLEM.refusal(total, asked) == "a density for a position with a total of 3 mines"
        assert PROBLEM.refusal(POSITION, asked) == ""
        with pytest.raises(UsageError, match="a total of 3 mines"):
            cpmines.solve("counting", total, ask=asked.name, **asked.options)
    assert PROBLEM.refusal(total, CHANCES) == ""


def test_a_count_makes_no_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probabilities come from the circuit backwards, which a count does not need."""

    def refuse(*_: object) -> object:
        raise AssertionError("a probability is made")

    for name in ("probability", "rounded", "ratios", "holding", "state"):
        monkeypatch.setattr(Inference, name, property(refuse))
    for asked in (PROBLEM.ask("count"), PROBLEM.ask(layouts=3), PROBLEM.ask(sample=3)):
        assert value(asked=asked).count == 24
    with pytest.raises(AssertionError):
        value()


def test_fractions_of_any_size_are_printed_whole() -> None:
    """Python refuses to write a number of more than 4300 digits; weights of densities are longer."""
    position = Position.parse("4 12\n1.1.1.1.1.1.\n............\n1.1.1.1.1.1.\n............\n")
    asked = PROBLEM.ask(density="1e-900", fractions=True)
    found = value(position, asked)
    fields = PROBLEM.to_json(found)
    assert max(len(text) for row in fields["fractions"] for text in row if text) > 5000
    assert PROBLEM.to_json(PROBLEM.from_json(fields)) == fields
    assert PROBLEM.judge(position, asked, found) == []
    assert PROBLEM.draw(position, found)
    assert digits(Fraction(10**5000 + 1, 7)) == f"1{'0' * 4999}1/7"


@pytest.mark.parametrize(
    "fields",
    [
        {"count": 5},
        {"count": "05"},
        {"count": None},
        {"by_mines": ["1"]},
        {"by_mines": {"01": "5"}},
        {"by_mines": {"1": 5}},
        {"probability": [[0.5], [0.5, 0.5]]},
        {"probability": [[1]]},
        {"probability": [[float("nan")]]},
        {"probability": [["0.5"]]},
        {"probability": []},
        {"fractions": [["2/4"]]},
        {"fractions": [["1/1"]]},
        {"fractions": [["1/0"]]},
        {"fractions": [["0.5"]]},
        {"fractions": [["1e9999999"]]},
        {"fractions": [[0.5]]},
        {"fractions": [["1/2"], []]},
    ],
)
def test_other_fields_are_no_value(fields: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        PROBLEM.from_json(fields)


def test_the_printed_answer_is_the_count() -> None:
    for text, count in (("24\n", 24), ("0", None)):
        answer = PROBLEM.read_verdict(POSITION, text)
        assert (answer.value and answer.value.count) == count
        assert PROBLEM.verdict(POSITION, answer) == text.strip()
    with pytest.raises(UsageError, match="the number of placements"):
        PROBLEM.verdict(POSITION, Answer.solved(Counts()))


def test_engines_count_up_to_a_limit_and_no_further() -> None:
    many = Position(np.full((3, 4), UNKNOWN))
    for backend in ("cpsat", "sat"):
        for asked in (CHANCES, PROBLEM.ask("count")):
            found = run("counting", many, backend, LIMITS, asked)
            assert found.answer.stop is Stop.DECLINED
            assert found.value is None
        found = run("counting", many, backend, LIMITS, PROBLEM.ask(layouts=5))
        assert (found.status, found.value.count, len(found.value.layouts)) == (Status.FEASIBLE, None, 5)
        assert found.answer.note == "600 were found, and there are more"
        assert found.trusted
        assert PROBLEM.headline(found.value) == "consistent"


def test_larger_counts_agree_with_a_sweep() -> None:
    rng = np.random.default_rng(8)
    for share in (0.4, 0.5, 0.6):
        position = positions.revealed(rng, 20, 20, share=share)
        found = value(position)
        assert found.count == sweep_count(position)
        assert found.by_mines is not None
        assert PROBLEM.judge(position, CHANCES, found) == []


@pytest.mark.parametrize("path", instance_files(shipped() / "counting"), ids=lambda path: path.name)
def test_shipped_instances(path: Path) -> None:
    (position,) = PROBLEM.parse(read(path), str(path))
    answer, expected = direct.solve(position, LIMITS), expected_answer(path)
    assert expected is not None
    assert answer.status == expected["status"]
    if answer.value is not None:
        fields = PROBLEM.to_json(answer.value)
        assert {name: fields[name] for name in expected["value"]} == expected["value"]
        assert PROBLEM.judge(position, CHANCES, answer.value) == []


@pytest.mark.parametrize("density", ["1e-300", "1e-400", f"{10**30 - 1}/{10**30}"])
def test_densities_beyond_floats(density: str) -> None:
    """1 mine or 2, of which the second is in a cell beside no clue."""
    found = cpmines.solve("counting", "1 4\n.1..\n", density=density, fractions=True)
    assert found.value.fractions.tolist() == [[Fraction(1, 2), None, Fraction(1, 2), Fraction(density)]]
