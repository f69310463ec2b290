"""``cpmines export`` and ``cpmines import-solution``: exact output, exit codes, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cpmines.translate import DEFAULT_ENCODING
from tests.cli.conftest import Cpmines

BOARD = b"1 3\n.1.\n"


def test_standard_output(cpmines: Cpmines) -> None:
    result = cpmines("export", "consistency", "--format", "opb", stdin=BOARD)
    assert (result.code, result.out) == (
        0,
        "* #variable= 2 #constraint= 1\n"
        "* cpmines: consistency, question placement, formulation plain\n"
        "* cell 1 1 = 1\n"
        "* cell 1 3 = 2\n"
        "+1 x1 +1 x2 = 1 ;\n",
    )


def test_there_and_back(cpmines: Cpmines, tmp_path: Path) -> None:
    file, answer = tmp_path / "a.cnf", tmp_path / "answer"
    result = cpmines("export", "consistency", "-", "--format", "cnf", "-o", file, stdin=BOARD)
    assert (result.code, result.err) == (0, f"{file}: 2 variables, 2 of them cells\n")
    answer.write_text("s SATISFIABLE\nv -1 2 0\n")
    result = cpmines("import-solution", file, answer)
    assert (result.code, result.out) == (0, f"{answer}: solved: 1 mine\n.1*\n")
    result = cpmines("import-solution", tmp_path / "a.cnf.map.json", answer, "--format", "json")
    assert json.loads(result.out)["value"] == {"mines": ["..*"]}
    answer.write_text("v 1 2 0\n")
    result = cpmines("import-solution", file, answer)
    assert (result.code, result.out) == (1, "")
    assert "an assignment breaks 1 constraint of the formulation" in result.err
    answer.write_text("s UNSATISFIABLE\n")
    result = cpmines("import-solution", file, answer)
    assert (result.code, result.out.split(" (")[0]) == (3, f"{answer}: unknown")


def test_options_of_the_problem(cpmines: Cpmines) -> None:
    words = ("export", "reconstruction", "--format", "wcnf", "--fewest")
    result = cpmines(*words, stdin=b"2 2\n1 1\n1 1\n")
    assert result.code == 0
    assert "1 -1 0\n1 -2 0\n1 -3 0\n1 -4 0\n" in result.out


def test_a_question_is_exported_and_answered(cpmines: Cpmines, tmp_path: Path) -> None:
    file, answer = tmp_path / "a.cnf", tmp_path / "answer"
    words = ("export", "reconstruction", "-", "--format", "cnf", "-o", file, "--ask")
    assert cpmines(*words, "count", stdin=b"2 2\n1 1\n1 1\n").code == 0
    assert file.read_text().startswith("c cpmines: reconstruction, question count, formulation ")
    answer.write_text("v 1 -2 -3 -4 0\nv -1 2 -3 -4 0\nv -1 -2 3 -4 0\nv -1 -2 -3 4 0\n")
    part = cpmines("import-solution", file, answer)
    assert "4 right assignments, not said to be all; --complete says so" in part.out
    result = cpmines("import-solution", file, answer, "--complete", "--format", "json")
    record = json.loads(result.out)
    assert (record["schema"], record["question"], record["value"]["solutions"]) == (2, "count", "4")
    assert cpmines("import-solution", file, answer, "--complete").out.startswith(f"{answer}: count: solved: ")
    result = cpmines(*words, "index", "--index", 2, stdin=b"2 2\n1 1\n1 1\n")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("cpmines: index is no question for a Model of reconstruction; these are: ")
    result = cpmines(*words, "every", stdin=b"2 2\n1 1\n1 1\n")
    assert (result.code, result.err.partition(";")[0]) == (2, "cpmines: no question 'every'")


@pytest.mark.parametrize("least", [-(10**30), 10**30])
def test_at_least_a_number_of_any_size(cpmines: Cpmines, least: int) -> None:
    words = ("export", "maxmines", "--format", "opb", "--at-least", least)
    result = cpmines(*words, stdin=b"1\n2 2 3\n")
    assert result.code == 0
    assert (">= 5 ;" in result.out) == (least > 0)


def test_bad_usage(cpmines: Cpmines, tmp_path: Path) -> None:
    for words, message in (
        (("export", "nothing", "--format", "cnf"), "no problem named 'nothing'"),
        (("export", "consistency", "--format", "xml"), "no format 'xml'; there are: cnf,"),
        (("export", "consistency", "--format", "cnf", "--encoding", "x"), "no encoding 'x'; there are:"),
        (("export", "consistency", "--format", "cnf", "--formulation", "x"), "no formulation 'x'"),
        (("export", "consistency", "--format", "cnf", "--at-least", "1"), "where something is maximised"),
        (("export", "consistency", "absent.txt", "--format", "cnf"), "absent.txt: found no such file"),
        (("export", "consistency", "--format", "cnf", "-o", "/dev/null/x"), "/dev/null/x: "),
        (("export", "consistency", "--format", "cnf", "-o", "."), ".: found a folder, expected a file"),
        (("export", "maxmines", "maxmines/origin", "--format", "cnf"), "expected one"),
        (("import-solution", "absent", "absent"), "absent: found no such file"),
        (("import-solution", tmp_path, "absent"), "found a folder"),
    ):
        result = cpmines(*words, stdin=BOARD)
        assert result.code == 2
        assert message in result.err
        assert result.out == ""


def test_the_default_encoding_is_the_one_of_the_translation(cpmines: Cpmines) -> None:
    assert f"[default: {DEFAULT_ENCODING}]" in cpmines("export", "--help").out
