from __future__ import annotations

import json
from pathlib import Path

import pytest

from cpmines import registry
from cpmines.answer import Status
from cpmines.errors import CpminesError, InputError
from cpmines.export import Map, import_solution, read_map, state
from cpmines.export.solution import read_solution
from cpmines.export.writing import export_file

NAMES = ("mine_1_1", "mine_1_2", "x_3")


def lists(text: str, variables: int = 3, file_variables: int = 4) -> list[list[bool]]:
    return [each.tolist() for each in read_solution(text, variables, file_variables, NAMES).assignments]


@pytest.mark.parametrize(
    "text",
    [
        "c comment\ns SATISFIABLE\nv 1 -2\nv 3 4 0\n",
        "SAT\n1 -2 3 -4 0\n",
        "o 17\ns OPTIMUM FOUND\nv 1010\n",
        "s SATISFIABLE\nv x1 -x2 x3 x4\n",
        "Model status\nOptimal\n\n# Columns 3\nmine_1_1 1\nmine_1_2 0\nx_3 0.9999999\n",
        "Optimal - objective value -2\n  0 mine_1_1  1  -1\n  2 x_3  1  0\n",
        "   1 mine_1_1     *              1             0             1\n   3 x_3 * 1 0 1\n",
        "solution: 1\nsolution: 0\nsolution: 1\nstatus: OPTIMAL\n",
        "solution: [1, 0, 1, 0]\n",
        "v 1 3 0\n",
        "mine_1_1 1\nx_3 1\n# Dual solution values\nmine_1_1 0\n",
    ],
)
def test_every_form_is_read(text: str) -> None:
    assert lists(text) == [[True, False, True]]


def test_several_assignments() -> None:
    assert lists("v 1 0\nv -1 2\nv 0\nv 1 4 0\n") == [[True, False, False], [False, True, False]]
    assert lists("v x1 -x2 -x3\nv -x1 x2 x3\n") == [[True, False, False], [False, True, True]]
    assert lists("v 0\n") == [[False, False, False]]


def test_claims() -> None:
    none = read_solution("s UNSATISFIABLE\n", 3, 3, ())
    assert none.claimed.none
    assert not none.assignments
    assert read_solution("UNSAT\n", 3, 3, ()).claimed.none
    assert read_solution("s OPTIMUM FOUND\nv 1 0\n", 3, 3, ()).claimed.optimal
    assert not read_solution("s SATISFIABLE\nv 1 0\n", 3, 3, ()).claimed.optimal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "v " + "1" * 5000 + " 0\n",
            f"a.out:1: found variable {'1' * 18}, expected at most 4, as many as the exported file has",
        ),
        ("", "a.out: found neither a claim nor an assignment, expected the output of a solver"),
        ("v 1 9 0\n", "a.out:1: found variable 9, expected at most 4, as many as the exported file has"),
        ("v 1 -1 0\n", "a.out:1: found variable 1 twice, expected each once in an assignment"),
        ("\nmine_1_1 0.5\n", "a.out:2: found the value 0.5, expected 0 or 1"),
        ("solution: [nan]\n", "a.out:1: found the value nan, expected 0 or 1"),
        ("solution: x\n", "a.out:1: found x, expected a value, 0 or 1"),
        ("mine_1_1 -\n", "a.out:1: found nothing, expected a value, 0 or 1"),
        ("v -1 2\nv 3 foo 0\n", "a.out:2: found 'foo' on a line of values, expected literals"),
        ("v -1 2 \u0663 0\n", "a.out:1: found '\u0663' on a line of values, expected literals"),
        ("v\n", "a.out:1: found nothing on a line of values, expected literals"),
        ("hello\n", "a.out: found neither a claim nor an assignment, expected the output of a solver"),
    ],
)
def test_bad_output_is_an_error(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_solution(text, 3, 4, NAMES, "a.out")
    assert str(error.value) == message


def exported(problem: str, text: str, folder: Path, kind: str = "cnf", ask: str | None = None) -> Map:
    question = registry.problem(problem)
    (instance,) = question.parse(text)
    statement = state(problem, instance, asked=question.ask(ask))
    return export_file(statement, kind, folder / f"a.{kind}")


def test_a_wrong_solution_is_named(tmp_path: Path) -> None:
    found = exported("consistency", "1 3\n.1.\n", tmp_path)
    answer = tmp_path / "answer"
    answer.write_text("v 1 2 0\n")
    back = import_solution(found, answer)
    assert back.faults == ("an assignment breaks 1 constraint of the formulation",)
    assert "value" not in back.to_json()
    answer.write_text("v 1 -2 0\n")
    back = import_solution(found, answer)
    assert back.to_json() == {
        "schema": 2,
        "problem": "consistency",
        "question": "placement",
        "status": "solved",
        "value": {"mines": ["*.."]},
    }


def test_no_is_never_taken_from_a_solution(tmp_path: Path) -> None:
    found = exported("consistency", "1 3\n.3.\n", tmp_path)
    answer = tmp_path / "answer"
    answer.write_text("s UNSATISFIABLE\n")
    back = import_solution(found, answer)
    assert back.status is Status.UNKNOWN
    assert "can't prove" in back.note


def test_counts_and_deductions_need_all_assignments(tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_text("v 1 -2 3 0\nv -1 2 3 0\nv 1 -2 3 0\n")
    for problem, fields in (
        ("counting", {"count": "2", "by_mines": {"2": "2"}, "probability": [[0.5, None, 0.5, 1.0, None]]}),
        ("deduction", {"cells": ["?1?m1"]}),
    ):
        found = exported(problem, "1 5\n.1..1\n", tmp_path)
        part = import_solution(found, answer)
        assert part.status is Status.UNKNOWN
        assert part.note == "2 right assignments, not said to be all; --complete says so"
        back = import_solution(found, answer, complete=True)
        assert back.to_json()["value"] == fields
        assert "not proved" in back.note


def test_less_than_what_the_question_asks_is_feasible(tmp_path: Path) -> None:
    """One board of four: it does not say whether it is the only one."""
    answer = tmp_path / "answer"
    answer.write_text("v 1 -2 -3 -4 0\n")
    found = exported("reconstruction", "2 2\n1 1\n1 1\n", tmp_path, ask="unique")
    back = import_solution(found, answer)
    assert (back.status, back.value.unique) == (Status.FEASIBLE, None)
    assert back.note == "1 right assignment, not said to be all; --complete says so"
    assert back.to_json()["question"] == "unique"
    found = exported("reconstruction", "2 2\n1 1\n1 1\n", tmp_path, ask="board")
    assert import_solution(found, answer).status is Status.SOLVED
    answer.write_text("v 1 -2 -3 -4 0\nv -1 2 -3 -4 0\n")
    found = exported("reconstruction", "2 2\n1 1\n1 1\n", tmp_path, ask="unique")
    back = import_solution(found, answer)
    assert (back.status, back.value.unique) == (Status.SOLVED, False)


def test_a_map_knows_its_question(tmp_path: Path) -> None:
    question = registry.problem("counting")
    (instance,) = question.parse("1 3\n.1.\n")
    asked = question.ask(density="1/3")
    export_file(state("counting", instance, asked=asked), "cnf", tmp_path / "a.cnf")
    found = read_map(tmp_path / "a.cnf")
    assert found.asked() == asked
    beside = tmp_path / "a.cnf.map.json"
    beside.write_text(beside.read_text().replace('"schema": 2', '"schema": 1'))
    with pytest.raises(InputError, match="found a map of schema 1, which names no question"):
        read_map(beside)


def test_the_point_of_giving_up_is_no_solution() -> None:
    assert lists("Infeasible - objective value 1.2\n  0 mine_1_1  1  0\n") == []


def test_an_optimum_is_a_claim(tmp_path: Path) -> None:
    found = exported("maxmines", "2 2 3", tmp_path, "wcnf")
    answer = tmp_path / "answer"
    answer.write_text("o 1\ns OPTIMUM FOUND\nv 1110\n")
    back = import_solution(found, answer)
    assert (back.status, back.value.mines) == (Status.FEASIBLE, 3)
    assert "not proved" in back.note
    answer.write_text("v 1111\n")
    assert import_solution(found, answer).faults


def test_maps_round_trip_and_damage_is_named(tmp_path: Path) -> None:
    found = exported("consistency", "1 3\n.1.\n", tmp_path)
    beside = tmp_path / "a.cnf.map.json"
    assert read_map(tmp_path / "a.cnf") == read_map(beside) == found
    good = beside.read_text()
    fields = json.loads(good)
    wrong = {"file_variables": "x", "variables": 1.0, "format": [1], "formulation": [1], "encoding": None}
    broken = [json.dumps(fields | {name: value}) for name, value in wrong.items()]
    broken += [json.dumps(fields | {"question": name}) for name in (3, "nothing")]
    broken += [json.dumps(fields | {"options": options}) for options in (3, {"least": 3})]
    broken += [json.dumps(fields | {"file_variables": number}) for number in (None, -1, 0)]
    damaged = ("", "{}", "[]", good.replace("consistency", "nothing"), good.replace("1 3", "x"), good[:-9])
    for bad in (*damaged, *broken):
        beside.write_text(bad)
        with pytest.raises(CpminesError, match=r"expected|no (problem named|question|option)"):
            read_map(beside)
