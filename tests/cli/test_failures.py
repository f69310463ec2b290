"""What goes wrong inside a backend, or inside cpmines, is no conflict: exit code 1 means nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cpmines

BACKENDS = """
from cpmines.answer import Answer
from cpmines.errors import EngineError
from cpmines.problem import Function

def failing(error):
    def solve(instance, limits):
        raise error
    return Function(solve, "fails", packages=("somebody",))

LIBRARY = failing(ImportError("libfoo.so: cannot open shared object file"))
APART = failing(EngineError("the process ended with exit code 1: ModuleNotFoundError: No module named 'x'"))
DISK = failing(OSError(28, "No space left on device"))
MEMORY = failing(MemoryError())
WRONG = Function(lambda instance, limits: Answer.infeasible(), "wrong")
"""
INSTANCE = b"2 2 3\n"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "backends.py").write_text(BACKENDS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


def named(name: str) -> tuple[str, str]:
    return "--backend", f"broken.backends:{name}"


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "LIBRARY",
            "cpmines: -: broken.backends:LIBRARY failed: ImportError: libfoo.so: cannot open shared object "
            "file; to mend the installation: pip install --force-reinstall somebody\n",
        ),
        (
            "APART",
            "ModuleNotFoundError: No module named 'x'; to mend the installation: "
            "pip install --force-reinstall somebody\n",
        ),
        (
            "DISK",
            "cpmines: -: broken.backends:DISK failed: OSError: [Errno 28] No space left on device; make room "
            "there; TMPDIR may name another folder for temporary files\n",
        ),
    ],
)
def test_a_broken_backend_has_no_answer(cpmines: Cpmines, name: str, said: str) -> None:
    result = cpmines("solve", "maxmines", *named(name), stdin=INSTANCE)
    assert (result.code, result.out) == (3, "")
    assert result.err.endswith(said)


@pytest.mark.usefixtures("broken")
def test_the_others_are_compared(cpmines: Cpmines) -> None:
    words = ("compare", "-", "--problem", "maxmines", "--backend", "direct", "--backend", "brute")
    result = cpmines(*words, *named("LIBRARY"), *named("MEMORY"), stdin=b"2\n2 2 3\n2 2 1\n")
    assert result.code == 3
    assert "CONFLICT" not in result.out
    assert "FAILED broken.backends:LIBRARY on 2 instances, first maxmines -#1: ImportError: " in result.out
    assert result.out.endswith("agreement on 2 instances, a backend failed on 2\n")
    assert cpmines(*words, *named("LIBRARY"), *named("WRONG"), stdin=INSTANCE).code == 1


@pytest.mark.usefixtures("broken")
def test_fuzzing_tells_failures_from_conflicts(cpmines: Cpmines) -> None:
    words = ("fuzz", "maxmines", "--backend", "brute", "--rounds", "1", "--backend")
    assert cpmines(*words, "broken.backends:DISK").code == 3
    assert cpmines(*words, "broken.backends:WRONG").code == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("x"), "cpmines: this is a fault of cpmines, please report it: KeyError: 'x' ("),
        (MemoryError(), "cpmines: the machine has no more memory\n"),
        (
            ImportError("no rich"),
            "cpmines: no rich; to mend the installation: pip install --force-reinstall ",
        ),
    ],
)
def test_nothing_else_is_a_conflict(
    cpmines: Cpmines, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise error

    monkeypatch.setattr("cpmines.cli.solve.every_instance", fail)
    result = cpmines("solve", "maxmines", stdin=INSTANCE)
    assert (result.code, result.out) == (3, "")
    assert result.err.startswith(said)
    assert result.err.count("\n") == 1


def test_a_program_that_does_not_end_is_told(cpmines: Cpmines) -> None:
    """And nobody takes it for one that agrees: exit code 3."""
    program = "program:sleep 100"
    words = (
        "compare",
        "-",
        "--problem",
        "maxmines",
        "--backend",
        "direct",
        "--time-limit",
        "0.2",
        "--backend",
    )
    result = cpmines(*words, program, stdin=b"2\n2 2 3\n2 2 1\n")
    assert result.code == 3
    assert "agreement on 2 instances, program:sleep 100 reached a limit on 2" in result.out
    fuzz = ("fuzz", "maxmines", "--rounds", "2", "--start", "5", "--time-limit", "0.2")
    for workers in ("1", "2"):
        result = cpmines(*fuzz, "--workers", workers, "--backend", program)
        assert result.code == 3
        assert "  program:sleep 100: 2 without an answer (first: time limit in round 5)\n" in result.out


def test_a_baseline_is_compared(cpmines: Cpmines) -> None:
    words = ("compare", "-", "--problem", "maxmines", "--backend", "direct", "--backend", "direct", "--brief")
    result = cpmines(*words, "--baseline", "sat", stdin=INSTANCE)
    assert (result.code, result.err) == (
        2,
        "cpmines: --baseline sat: expected one that is compared: direct\n",
    )
    result = cpmines(*words, "--baseline", "direct", stdin=INSTANCE)
    assert " 1/1 " in result.out, "named twice, and run once"
