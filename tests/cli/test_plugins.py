"""Problems, backends and engines by somebody else, whole and broken: nothing breaks anything else."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cpmines import registry
from tests.cli.conftest import Result
from tests.cli.rows import write_problem
from tests.forks import Forks

PROGRAM = """
import sys
import cpmines.problems
from cpmines.cli import main
cpmines.problems.__path__.append(sys.argv.pop(1))
sys.argv[0] = "cpmines"
main()
"""
"""The command line with one more folder of problems."""

Run = Callable[..., Result]


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """A folder of problems."""
    (tmp_path / "problems").mkdir()
    return tmp_path / "problems"


@pytest.fixture
def command(tmp_path: Path, problems: Path, forks: Forks) -> Run:
    """Run the command line in a process of its own, with what is in the folders ``problems`` and ``site``."""

    def call(*words: object, stdin: str = "") -> Result:
        path = os.pathsep.join([os.getcwd(), str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run(
            forks.program(PROGRAM, str(problems), *map(str, words)),
            input=stdin,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    return call


def distribution(site: Path, name: str, points: str) -> None:
    """Something installed, of which only the entry points are there."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)


@pytest.fixture
def rows(problems: Path) -> Path:
    return write_problem(problems / "rows", "cpmines.problems.rows")


@pytest.mark.usefixtures("rows")
def test_a_problem_without_a_backend_called_direct(command: Run) -> None:
    result = command("solve", "rows", stdin="5\n")
    assert (result.code, result.out.splitlines()[0].split(" (")[0]) == (0, "-: solved: 3 mines")
    listed = json.loads(command("list", "rows", "--format", "json").out)
    assert listed["questions"][1] == {"name": "count", "summary": "How many ways.", "options": ["least"]}
    assert {one["name"]: one["questions"] for one in listed["backends"]} == {
        "exhaustion": ["most", "count"],
        "formula": ["most"],
    }
    shown = command("list", "rows").out
    assert [line.split()[0] for line in shown.splitlines() if line] == [
        *("rows:", "question", "most", "count", "backend", "exhaustion", "formula")
    ]


@pytest.mark.usefixtures("rows")
def test_questions_of_a_problem(command: Run) -> None:
    result = command("solve", "rows", "--ask", "count", "--least", 1, stdin="3\n")
    assert result.out.splitlines()[0].split(" (")[0] == "-: count least=1: solved: 4 ways"
    assert command("solve", "rows", "--count", "--backend", "formula", stdin="3\n").code == 3
    record = json.loads(command("solve", "rows", "--least", 1, "--format", "json", stdin="3\n").out)
    assert (record["schema"], record["question"], record["options"]) == (2, "count", {"least": 1})
    help = command("solve", "rows", "--help").out
    assert "Questions of rows (the first is asked by default):\n  most   The most mines." in help
    assert "--least INTEGER" in help
    result = command("solve", "rows", "--ask", "all", stdin="3\n")
    assert (result.code, result.err) == (2, "cpmines: no question 'all'; there are: most, count\n")


@pytest.mark.usefixtures("rows")
def test_the_judge_of_the_origin_asks_one_question(command: Run) -> None:
    assert command("solve", "rows", "--format", "judge", stdin="5\n").out == "3\n"
    result = command("solve", "rows", "--format", "judge", "--ask", "count", stdin="5\n")
    assert result.out == "UNKNOWN\n"
    assert result.err == ("cpmines: -: the origin's judge asks most; the answer to count has no mines\n")


@pytest.mark.usefixtures("rows")
def test_questions_are_compared_each_by_itself(command: Run) -> None:
    words = ("compare", "-", "--problem", "rows")
    result = command(*words, stdin="5\n")
    assert result.out.count("rows: most") == 1
    assert [line.split()[:4] for line in result.out.splitlines()[-4:-2]] == [
        ["rows", "most", "exhaustion", "1/1"],
        ["rows", "most", "formula", "1/1"],
    ]
    result = command(*words, "--ask", "most", "--ask", "count", stdin="5\n")
    assert "rows: most" in result.out
    assert "rows: count" in result.out
    assert [line.split()[:4] for line in result.out.splitlines()[-5:-2]] == [
        ["rows", "most", "exhaustion", "1/1"],
        ["rows", "most", "formula", "1/1"],
        ["rows", "count", "exhaustion", "1/1"],
    ]
    assert result.out.endswith(
        "agreement on 2 questions on 1 instance, 1 with one answer alone, compared with nothing\n"
    )
    both = command(*words, "--ask", "count", "--backend", "formula", "--backend", "exhaustion", stdin="5\n")
    assert "unknown (declined; formula does not answer the question count)" in both.out
    result = command(*words, "--ask", "every")
    assert (result.code, result.err) == (2, "cpmines: no question 'every' of rows; there are: most, count\n")


GUESS = """
from cpmines.answer import Answer
from cpmines.problem import Function
from cpmines.problems.rows.problem import Row

BACKEND = Function({"count": lambda cells, limits, least: Answer.solved(Row(count=cells))}, "", packages=())
"""


@pytest.mark.usefixtures("rows")
def test_a_find_names_its_question(command: Run, problems: Path, tmp_path: Path) -> None:
    (problems / "rows" / "backends" / "guess.py").write_text(GUESS)
    found = tmp_path / "found" / "rows"
    result = command("fuzz", "rows", "--rounds", 3, "-o", found)
    assert (result.code, result.out.splitlines()[0].split("; ")[1]) == (0, "answers to most:")
    result = command("fuzz", "rows", "--ask", "count", "--least", 1, "-o", found)
    assert result.code == 1
    assert ": count least=1: count differs" in result.out
    assert "guess is wrong: exhaustion says" not in result.out
    (file,) = found.glob("*.txt")
    assert file.read_text() == "3\n"
    again = f"compare {file} --problem rows --backend exhaustion --backend guess --ask count --least 1"
    assert f"    cpmines {again}\n" in result.out
    assert command(*again.split()).code == 1
    lines = command("fuzz", "rows", "--count", "--format", "jsonl", "-o", found).out.splitlines()
    find, summary = map(json.loads, lines)
    assert find["schema"] == summary["schema"] == 2
    assert find["question"] == summary["question"] == "count"
    assert command(*find["command"].split()[1:]).code == 1


def test_without_a_generator_there_is_nothing_to_fuzz(command: Run, problems: Path) -> None:
    write_problem(problems / "rows", "cpmines.problems.rows", without=("generate.py",))
    said = "cpmines: problem rows: its folder has no generate.py, which makes instances\n"
    for words in (("fuzz", "rows"), ("generate", "rows")):
        assert command(*words) == Result(2, "", said)
    assert command("solve", "rows", stdin="5\n").code == 0


def broken(problems: Path, kind: str) -> str:
    """A problem that can't be used, and how the line begins that says so."""
    folder = problems / "broken"
    if kind == "syntax":
        write_problem(folder, "cpmines.problems.broken")
        (folder / "problem.py").write_text("class\n")
        return "cpmines: problem broken: cpmines.problems.broken.problem can't be loaded: SyntaxError: "
    if kind == "package":
        write_problem(folder, "cpmines.problems.broken", without=("__init__.py",))
        return "cpmines: problem broken is not used: its folder has no __init__.py"
    if kind == "problem":
        write_problem(folder, "cpmines.problems.broken", without=("problem.py",))
        return "cpmines: problem broken: its folder has no problem.py"
    write_problem(folder, "cpmines.problems.broken")
    (folder / "model.py").write_text("import nothing_of_this_name\n")
    return "cpmines: problem broken: cpmines.problems.broken.model can't be loaded: ModuleNotFoundError: "


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("kind", ["syntax", "package", "problem", "model"])
def test_a_broken_folder_is_named_and_breaks_nothing_else(command: Run, problems: Path, kind: str) -> None:
    said = broken(problems, kind)
    for words in (("list",), ("list", "--format", "json"), ("backends",), ("compare", "absent.txt")):
        result = command(*words)
        assert sum(line.startswith(said) for line in result.err.splitlines()) == 1, result.err
    assert '"problem": "rows"' in command("list", "--format", "json").out
    result = command("solve", "rows", stdin="5\n")
    assert (result.code, result.err.replace(f"{said}\n", "")) == (0, "")


POINTS = """
[cpmines.problems]
maxmines = other.maxmines
elsewhere = other.nothing
[cpmines.backends]
rows.gone = other.nothing:BACKEND
rows.formula = other.backend:BACKEND
rows.number = os:sep
[cpmines.engines]
sat = other.engine:ENGINE
lost = other.nothing:ENGINE
absent = other_engine:ENGINE
[cpmines.formulations]
rows.lost = other.nothing:state
"""

ENGINE = """
class Absent:
    summary, packages, extra = "of somebody else", ("no-such-package",), ""

    def configure(self, options):
        return self

    def prepare(self, model, limits):
        raise NotImplementedError


ENGINE = Absent()
"""


@pytest.mark.usefixtures("rows")
def test_broken_entry_points_and_names_that_are_taken(command: Run, tmp_path: Path) -> None:
    distribution(tmp_path / "site", "other", POINTS)
    (tmp_path / "site" / "other_engine.py").write_text(ENGINE)
    result = command("list")
    assert result.code == 0
    assert "\nrows: " in result.out
    lines = result.err.splitlines()
    assert all(line.startswith("cpmines: ") for line in lines)
    for said in (
        "problem maxmines of other is not used: cpmines has one of that name",
        "engine sat of other is not used: cpmines has one of that name",
        "backend rows.formula of other is not used: cpmines has one of that name",
        "problem elsewhere: its folder has no problem.py",
        "backend gone of rows of other can't be loaded: ModuleNotFoundError: No module named 'other'",
        "backend number of rows is no Backend: it has no summary, trust, packages, questions, prepare",
        "engine lost of other can't be loaded: ModuleNotFoundError: No module named 'other'",
    ):
        assert sum(said in line for line in lines) == 1, (said, lines)
    shown = command("backends").out
    assert "no: pip install no-such-package" in shown
    result = command("solve", "rows", stdin="5\n")
    assert (result.code, "3 mines" in result.out) == (0, True)
    result = command("solve", "rows", "--backend", "absent", stdin="5\n")
    assert result.code == 2
    assert result.err.endswith("cpmines: engine absent needs no-such-package: pip install no-such-package\n")


def test_a_list_of_names_is_the_caller_s_own() -> None:
    """What is done to it changes nothing for others."""
    names = registry.backend_names("maxmines")
    names.append("sat:tight")
    assert "sat:tight" not in registry.backend_names("maxmines")
