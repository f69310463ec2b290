"""Every rule of conflict, one by one, on a stub problem; then bugs planted in real backends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.board import Position
from cpmines.compare import Claim, Failure, compare, find_conflicts, find_faults
from cpmines.engine import Engine
from cpmines.export.statement import statement_asked
from cpmines.model import Model
from cpmines.modelled import Modelled
from cpmines.problem import Function, Problem
from cpmines.problems.consistency.problem import Placement
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.question import Asked, Maximise, Minimise, Option, Question
from cpmines.run import Run, Seconds, run


class Value(SimpleNamespace):
    """Any fields; those that are not there are not known."""


class Stub(Problem[int, Value]):
    """The value is its own JSON; the judge rejects what has a field ``bad``."""

    summary = "?"
    questions = (
        Question("best", "The best.", (), ("best", "count"), Maximise("best")),
        Question("least", "The least.", (), ("best",), Minimise("best"), (Option("limit", int, ""),)),
        Question("nearest", "The nearest.", (), ("best",), Minimise("best"), relaxed=True),
        Question("full", "All of it.", ("best", "count"), ("best",)),
    )

    def parse(self, data: bytes | str, source: str = "-") -> list[int]:
        return [0]

    def render(self, instance: int) -> str:
        return ""

    def size(self, instance: int) -> int:
        return 1

    def describe(self, instance: int) -> str:
        return ""

    def judge(self, instance: int, asked: Asked, value: Value) -> list[str]:
        return [value.bad] if hasattr(value, "bad") else []

    def to_json(self, value: Value) -> dict[str, Any]:
        return vars(value)

    def from_json(self, fields: Mapping[str, Any]) -> Value:
        return Value(**fields)

    def headline(self, value: Value) -> str:
        return ""

    def draw(self, instance: int, value: Value) -> str:
        return ""

    def verdict(self, instance: int, answer: Answer[Value]) -> str:
        return ""


STUB = Stub()
BEST, LEAST, NEAREST = (STUB.ask(name) for name in ("best", "least", "nearest"))


def says(name: str, answer: Answer[Any], asked: Asked = BEST, **more: Any) -> Run[Any]:
    faults = STUB.judge(0, asked, answer.value) if answer.value is not None else []
    return Run("stub", "-", asked, name, answer, Seconds(0, 0), faults=tuple(faults), **more)


def solved(name: str, **value: Any) -> Run[Any]:
    return says(name, Answer.solved(Value(**value)))


def feasible(name: str, **value: Any) -> Run[Any]:
    return says(name, Answer.feasible(Value(**value), Stop.TIME_LIMIT))


NONE = says("none", Answer.infeasible())
UNKNOWN = says("unknown", Answer.unknown(Stop.TIME_LIMIT))
CRASH = says("crash", Answer.unknown(Stop.FINISHED), error="KeyError: 3")


@pytest.mark.parametrize(
    ("runs", "reasons"),
    [
        ([], []),
        ([solved("a", best=3), solved("b", best=3), UNKNOWN], []),
        ([NONE, NONE, UNKNOWN], []),
        ([solved("a", best=0), solved("b", best=0)], []),
        ([solved("a", best=3, witness=1), solved("b", best=3, witness=2)], []),
        ([solved("a", best=3, count=1), solved("b", best=3)], []),
        ([solved("a", best=3), feasible("b", best=2)], []),
        ([solved("a", best=3, bad="no")], ["the judge rejects: no"]),
        ([CRASH, solved("a", best=3)], []),
        ([solved("a", best=3), NONE], ["there is an answer or there is none"]),
        ([feasible("a", best=3), NONE], ["there is an answer or there is none"]),
        ([solved("a", best=3), solved("b", best=4)], ["best differs"]),
        ([solved("a", best=0), solved("b", best=1)], ["best differs"]),
        ([solved("a", best=3, count=1), solved("b"), solved("c", count=2)], ["count differs"]),
        ([solved("a", best=3), feasible("b", best=4)], ["best beats a proved optimum"]),
    ],
)
def test_rules(runs: list[Run[Any]], reasons: list[str]) -> None:
    assert [conflict.reason for conflict in find_conflicts(STUB, runs)] == reasons


def test_a_failure_is_a_fault_and_no_conflict() -> None:
    (failed,) = find_faults(STUB, [CRASH, solved("a", best=3)])
    assert failed == Failure("the backend failed: KeyError: 3", (Claim(CRASH.backend, Status.UNKNOWN, {}),))
    both = find_faults(STUB, [CRASH, solved("a", best=3, bad="no")])
    assert [fault.reason for fault in both] == [failed.reason, "the judge rejects: no"]


@pytest.mark.parametrize(
    ("found", "expected", "reasons"),
    [
        (solved("a", best=3), {"status": "solved", "value": {"best": 3}}, []),
        (solved("a", best=3), {"status": "solved"}, []),
        (UNKNOWN, {"status": "infeasible"}, []),
        (solved("a", best=3), {"status": "solved", "value": {"best": 4}}, ["best differs"]),
        (solved("a", other=3), {"status": "solved", "value": {"other": 4}}, ["other differs"]),
        (solved("a", best=3), {"status": "infeasible"}, ["there is an answer or there is none"]),
        (NONE, {"status": "solved"}, ["there is an answer or there is none"]),
        (feasible("a", best=5), {"status": "solved", "value": {"best": 4}}, ["best beats a proved optimum"]),
    ],
)
def test_expected_answers(found: Run[Any], expected: dict[str, Any], reasons: list[str]) -> None:
    assert [conflict.reason for conflict in find_conflicts(STUB, [found], expected)] == reasons


def test_what_is_minimised_is_beaten_by_less() -> None:
    def runs(*values: tuple[Answer[Any], int]) -> list[Run[Any]]:
        return [says(str(best), answer, LEAST) for answer, best in values]

    less, more = (
        Answer.feasible(Value(best=2), Stop.TIME_LIMIT),
        Answer.feasible(Value(best=4), Stop.TIME_LIMIT),
    )
    proved = Answer.solved(Value(best=3))
    (conflict,) = find_conflicts(STUB, runs((proved, 3), (less, 2)))
    assert conflict.reason == "best beats a proved optimum"
    assert not find_conflicts(STUB, runs((proved, 3), (more, 4)))


def test_answers_to_two_questions_are_not_compared() -> None:
    with pytest.raises(ValueError, match="unpack"):
        find_conflicts(STUB, [solved("a", best=3), says("b", Answer.solved(Value(best=1)), LEAST)])


@pytest.mark.parametrize(
    ("asked", "expected", "reasons"),
    [
        (LEAST, {"status": "infeasible"}, ["there is an answer or there is none"]),
        (LEAST, {"status": "solved", "value": {"best": 4}}, ["best differs"]),
        (LEAST, {"status": "solved", "question": "least", "value": {"best": 4}}, ["best differs"]),
        (LEAST, {"status": "solved", "question": "least", "options": {"limit": 2}, "value": {"best": 4}}, []),
        (LEAST, {"status": "infeasible", "question": "nearest"}, []),
        (NEAREST, {"status": "infeasible"}, []),
        (NEAREST, {"status": "solved", "question": "nearest", "value": {"best": 4}}, ["best differs"]),
    ],
)
def test_expected_answers_to_other_questions(
    asked: Asked, expected: dict[str, Any], reasons: list[str]
) -> None:
    found = says("a", Answer.solved(Value(best=3)), asked)
    assert [conflict.reason for conflict in find_conflicts(STUB, [found], expected)] == reasons


def test_a_rejected_value_that_can_not_be_written_is_a_conflict() -> None:
    problem = registry.problem("maxmines")
    broken = run("maxmines", Rectangle(2, 2, 3), "mine", Limits(), solver=Function(no_board, "broken"))
    (conflict,) = find_conflicts(problem, [broken])
    assert conflict.reason.startswith("the judge rejects: the board is int64 of size ")


def no_board(board: Rectangle, limits: Limits) -> Answer[MaxMines]:
    return Answer.solved(MaxMines(3, np.int64(3)))  # type: ignore[arg-type]


def test_a_conflict_names_both_claims() -> None:
    (conflict,) = find_conflicts(STUB, [solved("a", best=3), solved("b", best=4)])
    assert str(conflict) == "best differs: a says solved (best 3); b says solved (best 4)"


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Offer a backend by the name `PLANTED`."""
    module = ModuleType("planted.here")
    monkeypatch.setitem(sys.modules, "planted.here", module)
    return lambda backend: monkeypatch.setattr(module, "BACKEND", backend, raising=False)


PLANTED = "planted.here:BACKEND"


def conflicts_on(problem: str, count: int = 200, asked: Asked | None = None) -> Iterator[bool]:
    """Is there one, for tiny instances one after the other?"""
    rng = np.random.default_rng(5)
    asked = asked or registry.problem(problem).ask()
    drawn = (registry.generators(problem).tiny(rng) for _ in range(count))
    both = ["brute", PLANTED]
    return (bool(compare(problem, one, both, Limits(seconds=60), asked).conflicts) for one in drawn)


def spoilt_rows(model: Model, spoil: Any) -> Model:
    """The Model with the bounds of each row changed by `spoil`."""
    rows = model.constraints()
    made = Model()
    made.variables(model.variable_count)
    for k in range(len(rows)):
        lo, hi = spoil(int(rows.lo[k]), int(rows.hi[k]))
        made.between(rows.row(k), lo, hi, only_if=int(rows.only_if[k]))
    if model.objective is not None:
        made.maximise(*model.objective)
    return made


@pytest.mark.parametrize("engine", ["cpsat", "sat"])
@pytest.mark.parametrize("problem", ["consistency", "maxmines", "reconstruction", "validation"])
@pytest.mark.parametrize(
    "spoil",
    [lambda lo, hi: (lo, hi + 1), lambda lo, hi: (lo, hi - 1), lambda lo, hi: (lo - 1, hi)],
    ids=["hi+1", "hi-1", "lo-1"],
)
def test_a_wrong_bound_in_a_model_is_found(problem: str, engine: str, spoil: Any, plant: Any) -> None:
    statement = registry.modelling(problem)
    assert statement is not None
    asked = statement_asked(problem)
    plain = next(iter(statement.formulations_of(asked.name).values()))

    def spoilt(instance: Any) -> Model:
        return spoilt_rows(plain(instance), spoil)

    wrong = replace(statement, formulations={"spoilt": spoilt})
    configured = registry.engine(engine).configure([])
    assert isinstance(configured, Engine)
    plant(Modelled(wrong, configured))
    assert any(conflicts_on(problem, 60, asked))


@pytest.mark.parametrize("problem", ["consistency", "maxmines", "reconstruction", "validation"])
def test_a_backend_that_always_refuses_is_found(problem: str, plant: Any) -> None:
    plant(Function(lambda instance, limits, **options: Answer.infeasible(), "refuses"))
    assert any(conflicts_on(problem))


@pytest.mark.parametrize("problem", ["consistency", "maxmines", "reconstruction", "validation"])
def test_a_backend_that_fails_is_found(problem: str, plant: Any) -> None:
    def fail(instance: Any, limits: Limits, **options: Any) -> Answer[Any]:
        raise ZeroDivisionError("division by zero")

    plant(Function(fail, "fails"))
    instance = registry.generators(problem).tiny(np.random.default_rng(5))
    found = compare(problem, instance, ["brute", PLANTED], Limits(seconds=60))
    assert found.conflicts == ()
    assert [one.error for one in found.failed] == ["ZeroDivisionError: division by zero"]


def test_solved_means_in_full() -> None:
    """An answer that lacks a field of the question is rejected; the same is right for another question."""
    position, problem = Position.parse("1 2\n1.\n"), registry.problem("consistency")
    backend = Function(lambda position, limits: Answer.solved(Placement(None)), "yes")
    both = replace(backend, solve=dict.fromkeys(("placement", "exists"), backend.solve))
    found = run("consistency", position, "mine", Limits(), solver=both)
    assert found.faults == ("solved without mines, which the question placement asks for",)
    assert find_conflicts(problem, [found])
    assert run("consistency", position, "mine", Limits(), problem.ask("exists"), solver=both).trusted


def test_unknown_conflicts_with_nothing_but_is_not_an_answer() -> None:
    instance = registry.generators("validation").tiny(np.random.default_rng(0))
    comparison = compare("validation", instance, ["brute"], Limits(seconds=1e-9))
    assert comparison.conflicts == ()
    assert comparison.runs[0].status in (Status.SOLVED, Status.UNKNOWN)
