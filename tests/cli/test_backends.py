"""``cpmines backends`` and ``cpmines backends test``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpmines import packages, registry
from cpmines.engine import Ability
from cpmines.registry import backends
from tests.cli.conftest import Cpmines, all_backends


def test_table(cpmines: Cpmines) -> None:
    result = cpmines("backends")
    assert result.code == 0
    lines = {line.split()[0]: line for line in result.out.splitlines() if line.strip()}
    assert set(registry.engine_names(missing=True)) | {"ms_toollib"} <= set(lines)
    assert all(ability in lines["backend"] for ability in Ability)
    assert "python-sat" in lines["sat"]


def test_json(cpmines: Cpmines) -> None:
    records = [json.loads(line) for line in cpmines("backends", "--format", "json").out.splitlines()]
    sat = next(record for record in records if record["name"] == "sat")
    assert sat["installed"]
    assert sat["extra"] is None
    assert set(sat["abilities"]) == {"interrupt", "proof", "core", "optimise", "deterministic"}
    assert set(sat["versions"]) == {"python-sat"}
    clingo = next(record for record in records if record["name"] == "clingo")
    assert clingo["extra"] == "asp"


def test_of_a_problem(cpmines: Cpmines) -> None:
    shown = cpmines("backends", "maxmines").out
    assert "cpsat" in shown
    assert "tididi" not in shown
    assert "ms_toollib" in cpmines("backends", "deduction").out
    assert cpmines("backends", "nope").code == 2


def test_variants(cpmines: Cpmines) -> None:
    records = map(json.loads, cpmines("backends", "--variants", "--format", "json").out.splitlines())
    abilities = {record["name"]: record["abilities"] for record in records}
    assert "proof" in abilities["sat:glucose4"]
    assert "proof" not in abilities["sat:minisat22"]


@pytest.fixture
def without_clingo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = packages.installed_version
    for module in ("cpmines.registry.engines", "cpmines.conformance.capability"):
        monkeypatch.setattr(
            f"{module}.installed_version",
            lambda name: None if name in ("clingo", "ms-toollib") else real(name),
        )
    backends._backend_names.cache_clear()
    yield
    backends._backend_names.cache_clear()


@pytest.mark.usefixtures("without_clingo")
def test_what_is_not_installed(cpmines: Cpmines) -> None:
    assert "clingo" not in cpmines("list", "consistency").out
    assert "no: pip install 'cpmines[asp]'" in cpmines("backends").out
    for words in (
        ["solve", "consistency", "--backend", "clingo"],
        ["compare", "--problem", "consistency", "--backend", "clingo"],
        ["backends", "test", "clingo"],
        ["backends", "test", "clingo", "--problem", "consistency"],
    ):
        result = cpmines(*words, stdin=b"1 1\n.\n")
        assert result.code == 2
        assert "engine clingo needs the extra asp: pip install 'cpmines[asp]'" in result.err


def test_passing(cpmines: Cpmines) -> None:
    result = cpmines("backends", "test", "propagation", "--count", 20)
    assert result.code == 0, result.out
    assert result.out.splitlines()[0] == "consistency"
    assert "  agrees with brute force on tiny instances: passed (40 cases)" in result.out.splitlines()
    assert result.out.splitlines()[-1] == "propagation: 6 of 6 checks passed"


TINY = r"  agrees with brute force on tiny instances: FAILED \(\d+ cases?\)\n        most: the judge rejects"


def test_failing(cpmines: Cpmines) -> None:
    result = cpmines("backends", "test", "published", "--problem", "maxmines", "--count", 30)
    assert result.code == 1
    assert re.search(TINY, result.out)
    assert "        1\n        1 1 1\n" in result.out


def test_what_an_engine_does_not_promise_is_printed(cpmines: Cpmines) -> None:
    name = "tests.conformance.planted:UNPROMISING"
    words = ("backends", "test", name, "--problem", "maxmines", "--count", 5)
    result = cpmines(*words)
    assert result.code == 0, result.out
    promises = "interrupt, proof, core, count, optimise, deterministic"
    assert result.out.splitlines()[:2] == ["engine", f"  not promised: {promises}"]


def test_tests_for_programs(cpmines: Cpmines) -> None:
    words = ("backends", "test", "sat", "--problem", "maxmines", "--count", 5, "--format", "json")
    *checks, total = map(json.loads, cpmines(*words).out.splitlines())
    assert all(check["passed"] and check["cases"] > 0 for check in checks)
    assert {check["subject"] for check in checks} == {"engine", "maxmines"}
    assert (total["checks"], total["failed"]) == (len(checks), 0)
    assert total["promised"] == ["core", "deterministic", "interrupt", "optimise", "proof"]
    words = ("backends", "test", "published", "--problem", "maxmines", "--format", "json")
    faults = [json.loads(line).get("fault", "") for line in cpmines(*words).out.splitlines()]
    assert any("the judge rejects" in fault for fault in faults)


OWN = """
from cpmines.answer import Answer
from cpmines.problem import Function
from cpmines.problems.validation.backends.brute import solve

BACKEND = Function(solve, "mine")
LIAR = Function(lambda board, limits: Answer.infeasible(), "no is no answer here")
"""


def test_a_backend_of_ones_own(cpmines: Cpmines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own").mkdir()
    (tmp_path / "my_own" / "solvers.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    test = ("backends", "test", "--problem", "validation", "--count", 10)
    assert cpmines(*test, "my_own.solvers:BACKEND").code == 0
    result = cpmines(*test, "my_own.solvers:LIAR")
    assert result.code == 1
    assert "my_own.solvers:LIAR says infeasible" in result.out
    (tmp_path / "board.txt").write_text("1 2\n*1\n")
    names = ("--backend", "direct", "--backend", "my_own.solvers:BACKEND")
    assert cpmines("compare", tmp_path / "board.txt", "--problem", "validation", *names).code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nope"], f"no backend named 'nope'; {all_backends()}"),
        (["nope", "--problem", "consistency"], "no backend of consistency named 'nope'"),
        (["sat:nope"], "sat has no option 'nope'"),
        (["direct", "--problem", "nope"], "no problem named 'nope'"),
        (["os.path:join"], "say of which, with --problem"),
        (
            ["os.path:join", "--problem", "counting"],
            "os.path:join of counting is no Backend: it has no summary",
        ),
        (["no.such:THING", "--problem", "counting"], "expected package.module:OBJECT"),
        (["os.path", "--problem", "counting"], "expected package.module:OBJECT"),
        (["os.path:nope", "--problem", "counting"], "has no attribute 'nope'"),
        (["tididi", "--problem", "consistency"], "no backend of consistency named 'tididi'"),
    ],
)
def test_bad_names(cpmines: Cpmines, words: list[str], message: str) -> None:
    result = cpmines("backends", "test", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
