"""A start that nobody notices: what is imported by which command, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import cpmines

HEAVY = {"numpy", "numba", "ortools", "pysat", "pandas", "scipy", "matplotlib", "rich"}
SLOW = {"asyncio", "importlib.metadata", "json", "multiprocessing", "statistics", "subprocess", "tempfile"}
"""Of the standard library: each takes as long as a small instance, or longer."""

COMMANDS = sorted(
    path.stem.replace("_", "-")
    for path in (Path(cpmines.__file__).parent / "cli").iterdir()
    if path.stem[0] not in "_." and (path.suffix == ".py" or (path / "__init__.py").is_file())
)
CAMPAIGN = [["campaign", name, "--help"] for name in ("diff", "export", "report", "run", "status")]


def imported(words: list[str], code: int = 0) -> set[str]:
    """The modules that are there when a command has ended."""
    program = (
        f"import sys; sys.argv = ['cpmines', *{words!r}]\n"
        "from cpmines.__main__ import main\n"
        "try: main()\n"
        f"except SystemExit as end: assert (end.code or 0) == {code}, end.code\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == code, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "words",
    [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS), *CAMPAIGN],
    ids=" ".join,
)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    assert not imported(words) & (HEAVY | SLOW - {"json"})


@pytest.mark.parametrize("words", [["nope"], ["solve"], ["solve", "--nope"], ["compare", "--repeat", "x"]])
def test_bad_usage_is_told_without_importing_anything_heavy(words: list[str]) -> None:
    assert not imported(words, 2) & HEAVY


def test_completion_imports_nothing_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_CPMINES_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "cpmines so")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert not imported([]) & (HEAVY | SLOW - {"json"})


@pytest.fixture
def board(tmp_path: Path) -> str:
    (tmp_path / "board.txt").write_text("2 2\n1.\n..\n")
    return str(tmp_path / "board.txt")


@pytest.mark.parametrize("backend", [[], ["--backend", "direct"], ["--backend", "published"]], ids=" ".join)
def test_a_plain_solve_imports_what_it_needs(board: str, backend: list[str]) -> None:
    there = imported(["solve", "consistency", board, *backend])
    forbidden = HEAVY - {"numpy"} | SLOW
    if "numba" in there:  # which brings most of them
        forbidden = {"ortools", "pysat", "pandas", "rich"}
    assert not there & forbidden
    assert not {name for name in there if name.startswith(("cpmines.engines.", "cpmines.translate"))}


def test_cpsat_is_imported_without_pandas(board: str) -> None:
    there = imported(["solve", "consistency", board, "--backend", "cpsat"])
    assert "ortools" in there
    assert not there & (HEAVY - {"numpy", "ortools"} | {"multiprocessing"})


def test_public_names_are_imported_when_they_are_used() -> None:
    program = (
        "import sys, cpmines\n"
        "assert set(cpmines.__all__) <= set(dir(cpmines))\n"
        "assert not [name for name in sys.modules if name.startswith('cpmines.')]\n"
        f"assert not set({sorted(HEAVY | SLOW)}) & set(sys.modules)\n"
        "for name in cpmines.__all__: assert getattr(cpmines, name).__name__ == name"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_there_are_no_other_public_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        cpmines.nope  # noqa: B018
