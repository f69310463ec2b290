"""Programs as backends: what they print is read as the answers they mean, and they are kept within limits."""

from __future__ import annotations

import os
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cpmines import registry
from cpmines.answer import Limits, Status, Stop
from cpmines.compare import compare
from cpmines.errors import InputError, UsageError
from cpmines.problem import Trust
from cpmines.run import Run, run
from tests.conftest import REPOSITORY

INSTANCES = REPOSITORY / "instances"
PYTHON = shlex.quote(sys.executable)


def answer(problem: str, text: str, program: str, limits: Limits | None = None) -> Run[Any]:
    """Of a shell script on one instance."""
    (instance,) = registry.problem(problem).parse(text)
    return run(problem, instance, f"program:sh -c {shlex.quote(program)}", limits or Limits(seconds=60))


@pytest.mark.parametrize("problem", registry.problem_names())
def test_what_is_printed_for_the_judge_is_read_as_the_same_answer(problem: str, tmp_path: Path) -> None:
    """`direct` by way of its own verdict, on all shipped small instances, agrees with itself."""
    question = registry.problem(problem)
    for path in sorted((INSTANCES / problem / "tiny").glob("*.txt"))[:4]:
        for instance in question.parse(path.read_bytes(), str(path))[:20]:
            found = run(problem, instance, "direct", Limits())
            printed = tmp_path / "printed"
            printed.write_text(question.verdict(instance, found.answer) + "\n")
            both = compare(problem, instance, ["direct", f"program:cat {printed}"], Limits(seconds=60))
            assert both.conflicts == ()
            assert both.runs[1].status is found.status
            assert both.runs[1].trusted


def test_the_instance_is_what_it_reads() -> None:
    found = answer("maxmines", "4 6 3", "read cases; read r c m; echo $cases$r$c$m")
    assert found.value.mines == 1463
    found = answer(
        "consistency", "2 3 1\n.1.\n...\n", '[ "$(cat)" = "$(printf "2 3 1\\n.1.\\n...")" ] && echo Yes'
    )
    assert found.status is Status.SOLVED


def test_a_wrong_one_is_in_conflict() -> None:
    (instance,) = registry.problem("consistency").parse("2 2\n21\n..\n")
    conflicts = compare("consistency", instance, ["direct", "program:echo YES"], Limits(seconds=60)).conflicts
    assert "there is an answer or there is none" in str(conflicts[0])


def test_a_board_that_is_printed_is_judged() -> None:
    found = answer("reconstruction", "2 2\n1 1\n1 1\n", "echo XX; echo ..")
    assert found.faults
    assert answer("reconstruction", "2 2\n1 1\n1 1\n", "printf 'X.\\r\\n..  '").trusted


@pytest.mark.parametrize(
    ("problem", "text", "program", "error"),
    [
        (
            "consistency",
            "1 1\n.\n",
            "echo maybe",
            "output: found 'maybe', expected YES or NO",
        ),
        (
            "validation",
            "1 1\n.\n",
            "true",
            "output: found nothing, expected YES or NO",
        ),
        (
            "maxmines",
            "1 1 1",
            "echo -3",
            "output: found '-3', expected a whole number",
        ),
        ("mosaic", "2 2\n..\n..\n", "echo '..'", "expected 2 rows of 2 characters of *., or NO"),
        (
            "deduction",
            "1 2\n.1\n",
            "echo mx",
            "found 'mx', expected 1 row of 2 characters of 0123456",
        ),
        ("maxmines", "1 1 1", "echo oh no >&2; exit 3", "EngineError: exit code 3: oh no"),
        ("maxmines", "1 1 1", "kill -SEGV $$", "EngineError: SIGSEGV: it said nothing"),
        ("maxmines", "1 1 1", "exec yes", "EngineError: SIGXFSZ"),
    ],
)
def test_a_failure_is_named(problem: str, text: str, program: str, error: str) -> None:
    found = answer(problem, text, program)
    assert (found.status, found.trusted) == (Status.UNKNOWN, False)
    assert error in found.error


def test_time_is_kept_and_nothing_is_left() -> None:
    mark = f"100{os.getpid()}"
    start = time.monotonic()
    found = answer("maxmines", "1 1 1", f"sleep {mark} & sleep {mark}", Limits(seconds=0.3))
    assert (found.status, found.answer.stop) == (Status.UNKNOWN, Stop.TIME_LIMIT)
    assert time.monotonic() - start < 60
    while any(mark.encode() in line for line in command_lines()):
        time.sleep(0.05)  # killed, not yet gone
        assert time.monotonic() - start < 60


def command_lines() -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_bytes())
    return found


def test_memory_is_kept() -> None:
    program = f"{PYTHON} -c 'print(len(bytes(1 << 30)))'"
    found = answer("maxmines", "1 1 1", program, Limits(seconds=60, memory=200 << 20))
    assert (found.status, found.answer.stop, found.error) == (Status.UNKNOWN, Stop.MEMORY_LIMIT, "")


@pytest.mark.parametrize("name", ["program:", "program:there-is-none x", "program:'"])
def test_no_program(name: str) -> None:
    with pytest.raises(UsageError, match="program:"):
        registry.backend("maxmines", name)


def test_programs_are_never_taken_unasked() -> None:
    found = registry.backend("maxmines", "program:sh")
    assert found.trust is Trust.UNRELIABLE
    with pytest.raises(InputError):
        found.problem.read_verdict(None, "x")  # type: ignore[attr-defined]
