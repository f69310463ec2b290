"""Limits and files to write, which are alike in all commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from cpmines import Limits, registry, solve
from cpmines.answer import LONGEST, MOST_MEMORY, MOST_SEED
from cpmines.errors import InputError, UsageError
from tests.cli.conftest import Cpmines

BOARD = b"2 3 1\n.1.\n.1.\n"
TABLE = b"1 1\n1\n"
WITH_LIMIT = (
    ["solve", "consistency"],
    ["analyse"],
    ["explain", "--problem", "consistency"],
    ["compare", "--problem", "consistency", "-"],
    ["table", "maxmines"],
    ["fuzz", "consistency"],
)
WRITING = (
    (["analyse", "-o"], "a.txt", BOARD),
    (["analyse", "--format", "html", "-o"], "a.html", BOARD),
    (["explain", "--problem", "consistency", "-o"], "a.txt", BOARD),
    (["export", "consistency", "-", "--format", "cnf", "-o"], "a.cnf", BOARD),
    (["solve", "reconstruction", "--picture"], "a.svg", TABLE),
    (["solve", "reconstruction", "--picture"], "a.png", TABLE),
    (["table", "maxmines", "--max-side", "1", "--checkpoint"], "a.jsonl", b""),
)


@pytest.mark.parametrize("words", WITH_LIMIT, ids=lambda words: words[0])
@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e300"])
def test_time_limits_are_alike(cpmines: Cpmines, words: list[str], seconds: str) -> None:
    result = cpmines(*words, "--time-limit", seconds, stdin=BOARD)
    assert result.code == 2
    assert "'--time-limit'" in result.err


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e300])
def test_time_limits_in_python(seconds: float) -> None:
    with pytest.raises(UsageError, match="expected more than 0 and at most 1000000000"):
        Limits(seconds)


@pytest.mark.parametrize("limits", [{"memory": 0}, {"memory": 2**60}, {"seed": -1}, {"seed": 2**31}])
def test_memory_and_seeds_that_no_solver_takes(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=r"bytes, expected 1 to|the seed .*, expected 0 to 2147483647"):
        Limits(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", registry.engine_names())
def test_the_largest_seed_and_memory(name: str) -> None:
    if name in registry.backend_names("counting"):
        found = solve("counting", "1 3\n.1.\n", name, seed=MOST_SEED, memory_limit=MOST_MEMORY)
        assert found.value.count == 2
    else:
        found = solve("maxmines", "2 2 3", name, seed=MOST_SEED, memory_limit=MOST_MEMORY)
        assert found.value.mines == 3


def test_a_text_that_is_too_long_for_a_name() -> None:
    with pytest.raises(InputError, match=r"text:1: "):
        solve("maxmines", "1 " * 3000)


@pytest.mark.parametrize("backend", ["direct", "cpsat", "sat", "maxsat", "brute"])
def test_the_longest_time_limit(cpmines: Cpmines, backend: str) -> None:
    words = ["solve", "consistency", "--backend", backend, "--format", "judge"]
    assert cpmines(*words, "--time-limit", LONGEST, stdin=BOARD).out == "YES\n"


@pytest.mark.parametrize(
    ("words", "name", "stdin"), WRITING, ids=[f"{words[0]} {name}" for words, name, _ in WRITING]
)
def test_folders_of_files_are_made(
    cpmines: Cpmines, tmp_path: Path, words: list[str], name: str, stdin: bytes
) -> None:
    target = tmp_path / "new" / "folder" / name
    result = cpmines(*words, target, stdin=stdin)
    assert (result.code, target.is_file()) == (0, True), result.err
    beside = target / name
    result = cpmines(*words, beside, stdin=stdin)
    assert result.code == 2
    assert name in result.err
