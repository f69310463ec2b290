"""``list``, ``generate``, help, interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from inspect import signature
from pathlib import Path

import pytest

import cpmines.cli as command_line
from cpmines import registry
from tests.cli.conftest import Cpmines
from tests.patience import PATIENCE

COMMANDS = command_line.cli.list_commands(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(cpmines: Cpmines, command: str) -> None:
    result = cpmines(command, "--help")
    assert result.code == 0
    assert f"cpmines {command}" in result.out.partition("Example:")[2]


def test_overview(cpmines: Cpmines) -> None:
    result = cpmines("--help")
    assert result.code == 0
    assert all(f"  {command}  " in result.out for command in COMMANDS)
    assert cpmines("--version").out.startswith("cpmines ")
    assert cpmines("nonsense").code == 2


def test_list(cpmines: Cpmines) -> None:
    result = cpmines("list")
    assert result.code == 0
    for problem in registry.problem_names():
        assert problem in result.out
    (line,) = [line for line in cpmines("list", "maxmines").out.splitlines() if line.startswith("published")]
    assert line.split()[1] == "unreliable"
    assert line.split()[-1] == "most"
    record = json.loads(cpmines("list", "maxmines", "--format", "json").out)
    assert [question["name"] for question in record["questions"]] == ["most", "count", "every"]
    assert record["summary"] == registry.problem("maxmines").summary
    sample = json.loads(cpmines("list", "counting", "--format", "json").out)["questions"][-1]
    assert (sample["name"], sample["options"]) == ("sample", ["sample", "density"])
    assert set(record["formulations"]) >= {"plain", "tight"}
    assert {backend["name"] for backend in record["backends"]} >= {
        "direct",
        "cpsat",
        "sat",
        "brute",
        "published",
    }


@pytest.mark.parametrize("problem", registry.problem_names())
def test_generated_instances_are_read_back(cpmines: Cpmines, problem: str, tmp_path: Path) -> None:
    question = registry.problem(problem)
    for family in registry.generators(problem).FAMILIES:
        first = cpmines("generate", problem, "--family", family, "--seed", 5)
        assert first.code == 0, first.err
        assert question.parse(first.out)
        assert cpmines("generate", problem, "--family", family, "--seed", 5).out == first.out
    result = cpmines("generate", problem, "--count", 3, "-o", tmp_path / problem)
    assert (result.code, result.out) == (0, "")
    assert len(list((tmp_path / problem).iterdir())) == 3
    assert "families of" in cpmines("generate", problem, "--list").out


@pytest.mark.parametrize("problem", registry.problem_names())
def test_no_family_has_boards_without_cells(cpmines: Cpmines, problem: str) -> None:
    for name, family in registry.generators(problem).FAMILIES.items():
        for side in {"rows", "cols"} & signature(family).parameters.keys():
            result = cpmines("generate", problem, "--family", name, f"{side}=0")
            assert (result.code, result.out) == (2, ""), (name, side)
            assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["validation", "--family", "nope"], "no family 'nope' of validation; there are: finished"),
        (["validation", "size=4"], "no parameter 'size=4'; there are, with their defaults: rows=16"),
        (["validation", "rows"], "no parameter 'rows'"),
        (["validation", "rows=x"], "rows=x: expected int"),
        (["validation", "rows=-4"], "no such instance: "),
        (["validation", "rows=0"], "no such instance: "),
        (["validation", "density=2"], "density=2: expected a number from 0 to 1"),
        (["mosaic", "share=-0.1"], "share=-0.1: expected a number from 0 to 1"),
        (["mosaic", "density=nan"], "density='nan', expected a number such as 0.2 or 1/5"),
        (
            ["reconstruction", "--family", "ambiguous", "levels=1"],
            "no such instance: 1 level, expected at least 2",
        ),
        (["validation", "--count", "2"], "--count needs a folder"),
        (["nope"], "no problem named 'nope'"),
    ],
)
def test_bad_generation(cpmines: Cpmines, words: list[str], message: str) -> None:
    result = cpmines("generate", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_shares_are_numbers_or_fractions(cpmines: Cpmines) -> None:
    for problem in ("validation", "reconstruction", "mosaic"):
        words = ("generate", problem, "rows=4", "cols=4")
        fraction, number = (cpmines(*words, f"density={text}") for text in ("1/2", "0.5"))
        assert (fraction.code, fraction.out) == (0, number.out)
    for text in ("1/0", "3/2", "x", "1e-1_000_000_000", "nan"):
        result = cpmines("generate", "validation", f"density={text}")
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("cpmines: density"), result.err


def start(*words: str) -> subprocess.Popen[str]:
    program = "from cpmines.__main__ import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("backend", ["cpsat", "sat", "direct"])
def test_interrupt_keeps_what_was_answered(backend: str, tmp_path: Path) -> None:
    """The first instance is easy, the second is out of reach."""
    (tmp_path / "both.txt").write_text("2\n2 2 1\n16 16 4\n")
    process = start(
        "solve", "maxmines", str(tmp_path / "both.txt"), "--backend", backend, "--format", "judge"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "1\n"
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert err.endswith("interrupted\n")


def test_a_reader_that_goes_away() -> None:
    process = start("generate", "validation", "rows=2000", "cols=2000")
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    assert process.wait(timeout=PATIENCE) in (0, 1)
