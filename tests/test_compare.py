"""Every rule of conflict, one by one, on a stub problem; then bugs planted in real backends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.compare import compare, find_conflicts
from cpmines.model import Model
from cpmines.problem import Backend, Function, Modelling, Problem
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.run import Run, Seconds, run


class Stub(Problem[int, dict[str, Any]]):
    """The value is its own JSON; the judge rejects what has a field ``bad``."""

    question = "?"
    determined = ("best", "count")
    objective = "best"

    def parse(self, data: bytes | str, source: str = "-") -> list[int]:
        return [0]

    def render(self, instance: int) -> str:
        return ""

    def describe(self, instance: int) -> str:
        return ""

    def judge(self, instance: int, value: dict[str, Any]) -> list[str]:
        return [value["bad"]] if "bad" in value else []

    def to_json(self, value: dict[str, Any]) -> dict[str, Any]:
        return value

    def headline(self, value: dict[str, Any]) -> str:
        return ""

    def draw(self, instance: int, value: dict[str, Any]) -> str:
        return ""

    def verdict(self, instance: int, answer: Answer[dict[str, Any]]) -> str:
        return ""


def says(name: str, answer: Answer[Any], **more: Any) -> Run[Any]:
    faults = Stub().judge(0, answer.value) if answer.value is not None else []
    return Run("stub", "-", name, answer, Seconds(0, 0), faults=tuple(faults), **more)


def solved(name: str, **value: Any) -> Run[Any]:
    return says(name, Answer.solved(value))


def feasible(name: str, **value: Any) -> Run[Any]:
    return says(name, Answer.feasible(value, Stop.TIME_LIMIT))


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
        ([CRASH], ["the backend failed: KeyError: 3"]),
        ([solved("a", best=3), NONE], ["there is an answer or there is none"]),
        ([feasible("a", best=3), NONE], ["there is an answer or there is none"]),
        ([solved("a", best=3), solved("b", best=4)], ["best differs"]),
        ([solved("a", best=0), solved("b", best=1)], ["best differs"]),
        ([solved("a", best=3, count=1), solved("b"), solved("c", count=2)], ["count differs"]),
        ([solved("a", best=3), feasible("b", best=4)], ["best beats a proved optimum"]),
    ],
)
def test_rules(runs: list[Run[Any]], reasons: list[str]) -> None:
    assert [conflict.reason for conflict in find_conflicts(Stub(), runs)] == reasons


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
    assert [conflict.reason for conflict in find_conflicts(Stub(), [found], expected)] == reasons


def test_a_rejected_value_that_can_not_be_written_is_a_conflict() -> None:
    problem = registry.problem("maxmines")
    broken = run("maxmines", Rectangle(2, 2, 3), "mine", Limits(), solver=Function(no_board, "broken"))
    (conflict,) = find_conflicts(problem, [broken])
    assert conflict.reason.startswith("the judge rejects: the board is int64 of size ")


def no_board(board: Rectangle, limits: Limits) -> Answer[MaxMines]:
    return Answer.solved(MaxMines(3, np.int64(3)))  # type: ignore[arg-type]


def test_a_conflict_names_both_claims() -> None:
    (conflict,) = find_conflicts(Stub(), [solved("a", best=3), solved("b", best=4)])
    assert str(conflict) == "best differs: a says solved (best 3); b says solved (best 4)"


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a backend beside a problem's own ones, as an entry point of another distribution would."""

    class Point:
        def __init__(self, backend: Backend[Any, Any]) -> None:
            self.backend = backend

        def load(self) -> Backend[Any, Any]:
            return self.backend

    def put(problem: str, backend: Backend[Any, Any]) -> None:
        points = {f"{problem}.planted": Point(backend)}
        monkeypatch.setattr(
            registry, "_entry_points", lambda group: points if group == "cpmines.backends" else {}
        )

    return put


def conflicts_on(problem: str, count: int = 200) -> int:
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(count):
        instance = registry.generators(problem).tiny(rng)
        found += bool(compare(problem, instance, ["brute", "planted"], Limits(seconds=60)).conflicts)
    return found


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
    from cpmines.modelled import Modelled

    statement = registry.modelling(problem)
    assert statement is not None
    plain = next(iter(statement.formulations.values()))

    def spoilt(instance: Any) -> Model:
        return spoilt_rows(plain(instance), spoil)

    wrong = Modelling({"spoilt": spoilt}, statement.decode, statement.literals, statement.solutions)
    plant(problem, Modelled(wrong, registry.engine(engine).configure([]), spoilt))
    assert conflicts_on(problem, 60)


@pytest.mark.parametrize("problem", ["consistency", "maxmines", "reconstruction", "validation"])
def test_a_backend_that_always_refuses_is_found(problem: str, plant: Any) -> None:
    plant(problem, Function(lambda instance, limits: Answer.infeasible(), "refuses"))
    assert conflicts_on(problem)


@pytest.mark.parametrize("problem", ["consistency", "maxmines", "reconstruction", "validation"])
def test_a_backend_that_fails_is_found(problem: str, plant: Any) -> None:
    def fail(instance: Any, limits: Limits) -> Answer[Any]:
        raise ZeroDivisionError("division by zero")

    plant(problem, Function(fail, "fails"))
    assert conflicts_on(problem, 3) == 3


def test_a_backend_of_another_distribution_is_listed_and_run(plant: Any) -> None:
    direct = registry.backend("validation", "direct")
    plant("validation", direct)
    assert "planted" in registry.backend_names("validation")
    assert registry.backend("validation", "planted") is direct
    assert conflicts_on("validation", 20) == 0


def test_unknown_conflicts_with_nothing_but_is_not_an_answer() -> None:
    instance = registry.generators("validation").tiny(np.random.default_rng(0))
    comparison = compare("validation", instance, ["brute"], Limits(seconds=1e-9))
    assert comparison.conflicts == ()
    assert comparison.runs[0].status in (Status.SOLVED, Status.UNKNOWN)
