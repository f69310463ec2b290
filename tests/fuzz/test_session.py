"""Rounds, finds, and what is said of them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cpmines import files, registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.board import Board, Position
from cpmines.compare import compare, find_conflicts
from cpmines.errors import LimitError
from cpmines.fuzz import checks
from cpmines.fuzz.checks import Agreement, Metamorphic, Restating, kind
from cpmines.fuzz.finds import minimised
from cpmines.fuzz.save import again_command, save
from cpmines.fuzz.session import FuzzPlan, Session
from cpmines.problem import Function, Trust
from cpmines.problems.consistency.backends import published
from cpmines.problems.validation.problem import Validity
from cpmines.question import Asked
from cpmines.registry import backends
from cpmines.report.finds import find_json, find_text
from cpmines.run import Run, Seconds, run

LIMITS = Limits(seconds=10)
LOAD = backends._load
EXISTS, PLACEMENT = (registry.problem("consistency").ask(name) for name in ("exists", "placement"))
PUBLISHED = FuzzPlan("consistency", ("brute", "published"), LIMITS, EXISTS, rounds=200)


def printed(problem: str) -> Asked:
    """What the published solution answers."""
    return registry.problem(problem).ask(registry.problem(problem).printed)


@pytest.mark.parametrize(
    ("problem", "shapes"),
    [
        ("consistency", {(1, 2), (2, 1), (2, 2), (2, 3), (3, 2)}),
        ("maxmines", {(1, 1), (1, 2), (2, 1), (2, 2)}),
        ("reconstruction", {(1, 1), (1, 2), (2, 1), (2, 2)}),
    ],
)
def test_published_faults_are_found_and_small(problem: str, shapes: set[tuple[int, int]]) -> None:
    for seed in range(3):
        plan = FuzzPlan(problem, ("brute", "published"), LIMITS, printed(problem), rounds=200, seed=seed)
        (find,) = Session(plan).finds()
        assert find.minimal
        shape = getattr(find.instance, "shape", None) or (find.instance.rows, find.instance.cols)
        assert shape in shapes
        assert any(verdict.startswith("published is wrong") for verdict in find.verdicts)


def test_published_validation_is_right() -> None:
    session = Session(
        FuzzPlan("validation", ("brute", "published"), LIMITS, printed("validation"), rounds=100)
    )
    assert not list(session.finds())
    assert session.tallies["published"].solved == 100


def test_no_step_from_a_find_keeps_the_conflict() -> None:
    (find,) = Session(PUBLISHED).finds()
    for simpler in registry.generators("consistency").shrink(find.instance):
        cases = find.check.cases(simpler)
        assert kind(find.conflict) not in map(kind, find.check.conflicts(simpler, cases))


def test_a_round_can_be_done_again_alone() -> None:
    finds = list(Session(replace(PUBLISHED, finds=4)).finds())
    assert len(finds) == len({find.name for find in finds}) == 4
    for find in finds:
        alone = Session(replace(PUBLISHED, start=find.round, rounds=1, finds=9))
        assert find.name in {other.name for other in alone.finds()}
        assert alone.number == find.round + 1


def test_the_same_find_comes_once() -> None:
    session = Session(replace(PUBLISHED, rounds=100, finds=float("inf")))
    names = [find.name for find in session.finds()]
    assert len(names) == len(set(names)) == len(session.found)
    assert session.again > 0
    assert session.rounds == 100


def test_the_time_is_kept() -> None:
    session = Session(FuzzPlan("consistency", ("brute", "direct"), LIMITS, PLACEMENT, seconds=0.2))
    assert not list(session.finds())
    assert 0 < session.rounds < 10**6


@pytest.mark.parametrize("workers", [1, 2])
def test_a_round_is_cut_when_the_time_is_up(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round of slow backends took its own time, twice as long as was asked for."""
    given: list[float] = []

    def slow(problem: str, instance: Any, backend: str, limits: Limits, asked: Asked, **_: Any) -> Run[Any]:
        assert limits.seconds is not None
        given.append(limits.seconds)
        time.sleep(limits.seconds)
        answer: Answer[Any] = Answer.unknown(Stop.TIME_LIMIT)
        return Run(problem, "-", asked, backend, answer, Seconds(0, limits.seconds))

    monkeypatch.setattr(checks, "run", slow)
    backends = ("brute", "direct", "propagation")
    plan = FuzzPlan("consistency", backends, LIMITS, PLACEMENT, seconds=0.3, workers=workers)
    session = Session(plan)
    start = time.monotonic()
    assert list(session.finds()) == []
    assert time.monotonic() - start < 10
    assert session.rounds == 0
    assert all(seconds <= 0.3 for seconds in given)


def test_a_find_is_made_smaller_as_long_as_there_is_time() -> None:
    check = Agreement("maxmines", ("published", "brute"), LIMITS, printed("maxmines"))
    (instance,) = registry.problem("maxmines").parse("4 4 4\n")
    (conflict,) = check.conflicts(instance, check.cases(instance))
    find, ended = minimised(check.until(0.0), conflict, instance, 0, time.monotonic())
    assert isinstance(ended, LimitError)
    assert not find.minimal
    assert find.instance == instance


def test_given_instances_are_tried_with_every_relation() -> None:
    position = Position.parse("2 3\n.1.\n.2.\n")
    session = Session(PUBLISHED)
    (find,) = session.finds([position])
    assert find.instance.cells.size <= 6
    made = session.everything(position)
    tried = {(check.relation, check.seed) for check in made if isinstance(check, Metamorphic)}
    assert len(tried) == 8 * len(registry.relations("consistency"))


def wrong_backend(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    """`published` of consistency gives what `answer` says, and is called exact."""
    wrong = Function({"exists": answer}, "a test", Trust.EXACT)
    monkeypatch.setattr(
        backends, "_load", lambda name, base: wrong if base == "published" else LOAD(name, base)
    )


def test_a_backend_that_fails_is_a_find(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(position: Position, limits: Limits) -> Answer[Any]:
        if position.cells.size > 3:
            raise ZeroDivisionError("too large")
        return Answer.declined("small")

    wrong_backend(monkeypatch, broken)
    (find,) = Session(PUBLISHED).finds()
    assert find.conflict.reason == "the backend failed: ZeroDivisionError: too large"
    assert find.instance.cells.size == 4
    assert find.verdicts == ("published failed",)
    assert find.check.backends == ("published",)


def test_an_exact_backend_without_an_answer_is_a_find(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong_backend(monkeypatch, lambda position, limits: Answer.unknown(Stop.FINISHED))
    (find,) = Session(PUBLISHED).finds()
    assert find.conflict.reason == "no answer, though no limit was met"
    assert str(find.instance) == "1 1\n.\n"


def test_a_fault_that_comes_and_goes_is_kept_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter([True])

    def sometimes(position: Position, limits: Limits) -> Answer[Any]:
        if next(calls, False):
            raise ZeroDivisionError
        return Answer.declined("no more")

    wrong_backend(monkeypatch, sometimes)
    (find,) = Session(PUBLISHED).finds()
    assert not find.minimal
    assert find.instance is find.given
    assert "did not happen again" in find.verdicts[0]


def test_a_backend_that_depends_on_the_side_breaks_a_relation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong on tall boards only, and without a witness: no other backend is needed to see it."""

    def tall(position: Position, limits: Limits) -> Answer[Any]:
        rows, cols = position.shape
        return Answer.infeasible() if rows > cols else published.solve(position, limits)

    wrong_backend(monkeypatch, tall)
    (find,) = Session(FuzzPlan("consistency", ("published",), LIMITS, EXISTS, rounds=300)).finds()
    assert isinstance(find.check, Metamorphic)
    assert find.expected is None
    assert any("is wrong: brute says" in verdict for verdict in find.verdicts)
    assert find_json(find, "file", "command")["relation"] == find.check.relation


def test_an_interrupt_keeps_what_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0

    def interrupted(position: Position, limits: Limits) -> Answer[Any]:
        nonlocal steps
        steps += 1
        if steps == 3:
            raise KeyboardInterrupt
        raise ZeroDivisionError

    wrong_backend(monkeypatch, interrupted)
    session = Session(PUBLISHED)
    finds = session.finds()
    find = next(finds)
    assert not find.minimal
    with pytest.raises(KeyboardInterrupt):
        next(finds)
    assert session.number == find.round
    assert list(session.found) == [find.name]


def test_the_pair_that_is_shrunk_has_one_of_each_side() -> None:
    check = Agreement("consistency", ("direct", "brute", "cpsat", "published"), LIMITS, EXISTS)
    position = Position.parse("2 3\n.1.\n.2.\n")
    (conflict,) = check.conflicts(position, check.cases(position))
    assert len(conflict.claims) == 4
    assert check.narrowed(conflict).backends == ("brute", "published")


def test_restating_finds_nothing_in_a_right_engine() -> None:
    position = Position.parse("2 3\n.1.\n.1.\n")
    chances = registry.problem("counting").ask()
    for seed in range(5):
        check = Restating("counting", ("sat",), LIMITS, chances, seed)
        assert len(check.cases(position)) == 2
        assert not check.conflicts(position, check.cases(position))
    assert not Restating("counting", ("direct",), LIMITS, chances, 0).cases(position)


def test_saved_finds_are_run_again(tmp_path: Path) -> None:
    (find,) = Session(PUBLISHED).finds()
    paths = {save(find, tmp_path / "consistency", PUBLISHED) for _ in range(2)}
    (path,) = paths
    (line,) = (path.parent / "expected.jsonl").read_text().splitlines()
    assert json.loads(line)["status"] == find.expected["status"]  # type: ignore[index]
    assert json.loads(line)["question"] == "exists"
    (instance,) = registry.problem("consistency").parse(path.read_bytes())
    expected = files.expected_answer(path)
    done = compare("consistency", instance, ["published"], LIMITS, expected=expected)
    assert any("expected.jsonl" in str(conflict) for conflict in done.conflicts)
    command = again_command(find, path)
    assert command.startswith("cpmines compare ")
    assert command.endswith(" --ask exists")
    assert find.text.splitlines()[0] in find_text(find, str(path), command)


def test_relations_are_tried_for_plain_questions_that_have_an_answer_only_where_there_is_one() -> None:
    question = registry.problem("reconstruction")
    (table,) = question.parse("2 2\n11\n11\n")
    for asked, expected in (
        (question.ask(), True),
        (question.ask("count"), True),
        (question.ask(limit=2), False),
        (question.ask("nearest"), False),
    ):
        plan = FuzzPlan("reconstruction", ("direct",), LIMITS, asked)
        checks = Session(plan).everything(table)
        assert any(isinstance(check, Metamorphic) for check in checks) is expected, asked


def test_nothing_is_tried_where_the_question_can_not_be_asked() -> None:
    """With a number of mines a density says nothing."""
    asked = registry.problem("counting").ask(density="1/3")
    check = Agreement("counting", ("direct", "brute"), LIMITS, asked)
    assert len(check.cases(Position.parse("1 3\n.1.\n"))) == 2
    assert not check.cases(Position.parse("1 3 1\n.1.\n"))


def test_a_find_of_another_question_is_another_find() -> None:
    """Its file would else have an expected answer to the wrong question."""
    (find,) = Session(PUBLISHED).finds()
    other = replace(find, check=replace(find.check, asked=PLACEMENT))  # type: ignore[type-var]
    assert find.question == (EXISTS,)
    assert other.question == ()
    assert find.name != other.name


def test_a_wrong_judged_value_is_said_with_the_right_one() -> None:
    board = Board.parse("1 2\n1.\n")
    backend = Function({"valid": lambda board, limits: Answer.solved(Validity(True))}, "a test")
    found = run("validation", board, "always right", LIMITS, printed("validation"), solver=backend)
    conflicts = find_conflicts(registry.problem("validation"), [found])
    assert [conflict.reason.partition(":")[0] for conflict in conflicts] == ["the judge rejects"]
    assert found.status is Status.SOLVED


def test_minimised_takes_the_kind_and_not_the_words() -> None:
    check = Agreement("maxmines", ("published", "brute"), LIMITS, printed("maxmines"))
    (instance,) = registry.problem("maxmines").parse("4 4 4\n")
    (conflict,) = check.conflicts(instance, check.cases(instance))
    find, ended = minimised(check, conflict, instance, 0)
    assert ended is None
    assert find.conflict.reason != conflict.reason
    assert find.conflict.reason.startswith("the judge rejects: ")
    assert checks.kind(find.conflict)[:2] == checks.kind(conflict)[:2]


def test_nothing_is_run_twice_in_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Any, str]] = []

    def counted(problem: str, instance: Any, backend: str, *rest: Any, **more: Any) -> Any:
        made.append((instance, backend))
        return run(problem, instance, backend, *rest, **more)

    monkeypatch.setattr(checks, "run", counted)
    plan = FuzzPlan("counting", ("direct", "sat"), LIMITS, registry.problem("counting").ask("chances"))
    pairs = 0
    for number in range(40):
        made.clear()
        session = Session(replace(plan, start=number, rounds=1))
        assert not list(session.finds())
        assert len({(id(instance), name) for instance, name in made}) == len(made)
        assert 3 <= len(made) <= 5  # two backends, one turned or changed, or both of that, one restated
        pairs += session.pairs
    assert 40 * 2 <= pairs <= 40 * 3


def test_a_run_that_is_done_is_held_against_its_relation() -> None:
    """What a backend said in the round is what its answer to the turned instance is held against."""
    (position,) = registry.problem("counting").parse("1 3\n.1.\n")
    chances = registry.problem("counting").ask("chances")
    check = Metamorphic("counting", ("direct",), LIMITS, chances, "reflection", 0)
    lie = replace(run("counting", position, "direct", LIMITS, chances), answer=Answer.infeasible())
    assert not check.conflicts(position, check.cases(position))
    assert check.conflicts(position, check.cases(position, {"direct": lie}))
