"""What can be asked: one question with its options, by its name, by a flag or by an option."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpmines import registry
from cpmines.answer import Answer, Limits
from cpmines.errors import UsageError
from cpmines.problem import Function
from cpmines.question import Asked, Maximise, Minimise, Option, Question, ask, flags_of
from cpmines.run import run

LIMIT = Option("limit", int, "So many boards.", default=20, least=1)
SAMPLE = Option("sample", int, "Draw so many.", required=True, least=0)
DENSITY = Option("density", str, "A fraction.", read=Fraction)
SHARE = Option("share", float, "A part.")
EXACT = Option("exact", bool, "No floats.")
QUESTIONS = (
    Question("board", "One board.", fields=("mines",), options=(EXACT, DENSITY)),
    Question("all", "All boards.", options=(LIMIT,)),
    Question("sample", "Random boards.", options=(SAMPLE, DENSITY)),
    Question("count", "How many.", fields=("count", "unit"), options=(SHARE,)),
)


def test_the_first_question_is_asked_where_nothing_else_is() -> None:
    assert ask(QUESTIONS) == QUESTIONS[0].plain == Asked(QUESTIONS[0])
    assert ask(QUESTIONS, None, all=False, limit=None, exact=False) == ask(QUESTIONS)
    assert ask(QUESTIONS).values() == {"exact": None, "density": None}


@pytest.mark.parametrize(
    ("name", "options", "question", "values"),
    [
        ("count", {}, "count", {"share": None}),
        (None, {"count": True}, "count", {"share": None}),
        (None, {"board": True}, "board", {"exact": None, "density": None}),
        ("count", {"count": True, "share": 0.5}, "count", {"share": 0.5}),
        (None, {"all": True}, "all", {"limit": 20}),
        (None, {"limit": 3}, "all", {"limit": 3}),
        (None, {"sample": 0}, "sample", {"sample": 0, "density": None}),
        (None, {"density": "1/5"}, "board", {"exact": None, "density": Fraction(1, 5)}),
        (None, {"density": "1/5", "sample": 2}, "sample", {"sample": 2, "density": Fraction(1, 5)}),
        (None, {"exact": True}, "board", {"exact": True, "density": None}),
    ],
)
def test_names_flags_and_options_choose(
    name: str | None, options: dict[str, Any], question: str, values: dict[str, Any]
) -> None:
    asked = ask(QUESTIONS, name, **options)
    assert (asked.name, asked.values()) == (question, values)


def test_a_question_whose_name_is_an_option_has_no_flag() -> None:
    assert flags_of(QUESTIONS) == ["board", "all", "count"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("other", {}, "no question 'other'; there are: board, all, sample, count"),
        ("all", {"count": True}, "one question at a time: all, count"),
        (None, {"all": True, "count": True}, "one question at a time: all, count"),
        (None, {"limit": 3, "sample": 1}, "one question at a time: none has limit and sample together"),
        (
            None,
            {"other": 1},
            "no option other for this problem; there are: all, board, count, density, exact",
        ),
        (None, {"all": True, "sample": 3}, "no option sample of the question all; there are: limit"),
        ("count", {"limit": 3}, "no option limit of the question count; there are: share"),
        ("sample", {}, "the question sample needs sample: Draw so many."),
        ("all", {"limit": 0}, "limit 0: expected at least 1"),
        ("all", {"limit": True}, "limit True, expected a value of type int"),
        ("all", {"limit": "3"}, "limit '3', expected a value of type int"),
        ("count", {"share": 1}, "share 1, expected a value of type float"),
        ("sample", {"sample": -1}, "sample -1: expected at least 0"),
    ],
)
def test_what_can_not_be_asked(name: str | None, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        ask(QUESTIONS, name, **options)
    assert str(caught.value).startswith(message)


def test_an_option_as_it_is_by_default_makes_no_other_question() -> None:
    assert ask(QUESTIONS, limit=20) == ask(QUESTIONS, "all")
    assert hash(ask(QUESTIONS, limit=20)) == hash(ask(QUESTIONS, "all"))
    assert ask(QUESTIONS, limit=21) != ask(QUESTIONS, "all")
    assert QUESTIONS[0].with_options({"exact": False}) == QUESTIONS[0].plain


def test_words_and_fields() -> None:
    asked = ask(QUESTIONS, sample=2, density="0.2")
    assert str(asked) == "sample sample=2 density=1/5"
    assert asked.to_json() == {"question": "sample", "options": {"sample": 2, "density": "1/5"}}
    assert ask(QUESTIONS).to_json() == {"question": "board"}


GIVEN = {
    "limit": st.integers(1, 30),
    "sample": st.integers(0, 10**30),
    "density": st.fractions().map(str),
    "share": st.floats(allow_nan=False),
    "exact": st.booleans(),
}


@given(st.data())
def test_a_question_is_asked_again_from_its_fields(data: st.DataObject) -> None:
    """Also after it has been written as JSON, as `expected.jsonl` and stores have it."""
    question = data.draw(st.sampled_from(QUESTIONS))
    options = {
        option.name: data.draw(GIVEN[option.name])
        for option in question.options
        if option.required or data.draw(st.booleans())
    }
    asked = ask(QUESTIONS, question.name, **options)
    assert set(asked.values()) == {option.name for option in question.options}
    fields = json.loads(json.dumps(asked.to_json()))
    for again in (
        ask(QUESTIONS, asked.name, **asked.options),
        ask(QUESTIONS, fields["question"], **fields.get("options", {})),
    ):
        assert again == asked
        assert (hash(again), str(again)) == (hash(asked), str(asked))
        assert again.values() == asked.values()


class Value:
    mines = 0
    count = None


def test_a_field_is_lacking_where_it_is_none_or_not_there() -> None:
    assert QUESTIONS[0].lacking(Value()) == []
    assert QUESTIONS[3].lacking(Value()) == ["count", "unit"]


def test_objectives() -> None:
    assert Maximise("mines").beats(3, 2)
    assert not Maximise("mines").beats(2, 2)
    assert Minimise("distance").beats(2, 3)
    assert not Minimise("distance").beats(3, 3)


def test_what_breaks_off_is_not_the_answer_in_full() -> None:
    """A list below the limit needs a word that there are no more."""
    question = registry.problem("reconstruction")
    (table,) = question.parse("2 2\n22\n22\n")
    right = run("reconstruction", table, "direct", Limits(), question.ask("all")).value
    assert len(right.boards) == 6
    short = Function(
        {
            "all": lambda table, limits, limit: Answer.solved(
                type(right)(right.mines, boards=right.boards[:1])
            )
        },
        "",
    )
    found = run("reconstruction", table, "short", Limits(), question.ask("all"), solver=short)
    fault = "solved without a word that there is no more than 1 board, which the question all asks for"
    assert found.faults == (fault,)
    found = run("reconstruction", table, "short", Limits(), question.ask(limit=1), solver=short)
    assert not found.faults


def test_infeasible_is_no_answer_where_there_always_is_one_nor_with_a_value() -> None:
    question = registry.problem("reconstruction")
    (table,) = question.parse("1 1\n1\n")
    none = Function({"nearest": lambda table, limits: Answer.infeasible()}, "")
    found = run("reconstruction", table, "none", Limits(), question.ask("nearest"), solver=none)
    assert found.faults == ("infeasible, and the question nearest always has an answer",)
    board = run("reconstruction", table, "direct", Limits(), question.ask("board")).value
    both = Function({"board": lambda table, limits: Answer.infeasible(reason=board)}, "")
    found = run("reconstruction", table, "both", Limits(), question.ask("board"), solver=both)
    assert found.faults == ("infeasible, with a value that answers the question board",)


@pytest.mark.parametrize("name", [3, ["count"], True])
def test_a_question_is_a_name(name: object) -> None:
    with pytest.raises(UsageError, match="expected a name"):
        ask(QUESTIONS, name)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no question ''"):
        ask(QUESTIONS, "")


@pytest.mark.parametrize("solve", [{}, None, {"count": None}, 3])
def test_a_backend_answers_something(solve: object) -> None:
    with pytest.raises(TypeError, match="expected a function"):
        Function(solve, "nothing")  # type: ignore[arg-type]
