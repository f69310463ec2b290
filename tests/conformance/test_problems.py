"""What every problem has to offer."""

from __future__ import annotations

import pytest

from cpmines import registry
from cpmines.answer import Status
from cpmines.errors import InputError
from tests.conformance.conftest import by_brute_force, tiny_instances

JUNK = [
    b"",
    b"\n",
    b"# nothing\n",
    b"x\n",
    b"1 1\r\n.\r\n",
    b"\xef\xbb\xbf1 1\n0\n",
    b"-1 -1\n",
    b"0 0\n",
    b"1\t1\n0\n",
    b"99999999999999999999999 2 3\n",
    b"1000000000000 1000000000000\n1\n",
    b"1000000000000000000\n",
    b"\x1f\x8b\x08\x00junk",
    b"\x00\xff\xfe\x00",
    b"1 1 1 1 1 1\n",
]


def test_text_round_trip(problem: str) -> None:
    question = registry.problem(problem)
    for instance in tiny_instances(problem, 300):
        text = question.render(instance)
        (again,) = question.parse(text)
        assert again == instance
        assert question.render(again) == text
        assert question.parse(text.encode(), "file") == [instance]


def test_tiny_instances_are_balanced(problem: str) -> None:
    """A backend that always says the same must not pass."""
    heads: dict[str, int] = {}
    for instance in tiny_instances(problem, 600):
        found = by_brute_force(problem, instance)
        assert found.status in (Status.SOLVED, Status.INFEASIBLE)
        question = registry.problem(problem)
        head = str(found.status) if found.value is None else question.headline(found.value)
        heads[head] = heads.get(head, 0) + 1
    assert max(heads.values()) <= 0.75 * sum(heads.values()), heads


def test_shrinking_ends(problem: str) -> None:
    question = registry.problem(problem)
    for instance in tiny_instances(problem, 5):
        steps = 0
        while (simpler := next(iter(registry.generators(problem).shrink(instance)), None)) is not None:
            assert question.render(simpler) != question.render(instance)
            instance, steps = simpler, steps + 1
            assert steps < 1000


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_an_input_error_with_a_place(problem: str, junk: bytes) -> None:
    with pytest.raises(InputError, match=r"^file:\d+(:\d+)?: found .*, expected ") as error:
        registry.problem(problem).parse(junk, "file")
    assert "\n" not in str(error.value)


def test_question_is_one_line(problem: str) -> None:
    question = registry.problem(problem)
    assert question.question
    assert "\n" not in question.question
    assert question.warm_up
