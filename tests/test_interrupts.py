"""The end of a command that is interrupted: from its first instruction to its last."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.patience import PATIENCE

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
BEGIN = "import os, signal\nimport cpmines.__main__\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals end processes there")


def ended(program: str, number: int = signal.SIGINT) -> tuple[int, str, str]:
    """How it ends: its exit code, and what it writes."""
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program.format(int(number))], capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("number", SIGNALS)
def test_nothing_can_swallow_it(number: int) -> None:
    """Nor make another error of it, as the import of a library may do."""
    program = "try: os.kill(os.getpid(), {0})\nfinally: raise ImportError('partially initialized module')"
    assert ended(program, number) == (128 + number, "", "interrupted\n")


def test_what_was_printed_is_not_lost() -> None:
    assert ended("print('half', end='')\nos.kill(os.getpid(), {})") == (130, "half", "interrupted\n")


def test_one_that_is_ignored_stays_ignored() -> None:
    """As behind nohup."""
    program = (
        f"import signal, os, sys\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n{BEGIN}"
        "os.kill(os.getpid(), signal.SIGINT)\nprint('on')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "on\n")


def test_a_word_at_the_end() -> None:
    program = (
        "from cpmines.interrupts import leaving\n"
        "with leaving(lambda: print('said')):\n"
        "    with leaving(lambda: 1 / 0): os.kill(os.getpid(), {})"
    )
    assert ended(program) == (130, "said\n", "interrupted\n")


def test_an_orderly_end_may_not_take_for_ever() -> None:
    """The exception comes once; if it is swallowed, that is the end all the same."""
    program = (
        "import time\nfrom cpmines.interrupts import orderly\n"
        "with orderly():\n"
        "    try: os.kill(os.getpid(), {})\n"
        "    except KeyboardInterrupt: print('kept', flush=True)\n"
        "    time.sleep(1000)"
    )
    assert ended(program) == (130, "kept\n", "interrupted\n")


def test_what_must_not_be_broken_off() -> None:
    program = (
        "from cpmines.interrupts import held\n"
        "with held():\n    os.kill(os.getpid(), {})\n    print('whole')\nprint('more')"
    )
    assert ended(program) == (130, "whole\n", "interrupted\n")


@pytest.mark.parametrize("number", SIGNALS)
def test_the_last_instruction_is_ours(number: int) -> None:
    """What the interpreter does after it, to end, would leave the signal to the system."""
    program = (
        "import sys\nsys.argv = ['cpmines', 'list', 'mosaic']\n"
        "class Late:\n"
        "    def __del__(self, kill=os.kill, pid=os.getpid()): kill(pid, {})\n"
        "late = Late()\n"
        "cpmines.__main__.main()"
    )
    code, out, err = ended(program, number)
    assert (code, err, "nearest" in out) == (0, "", True)


def test_a_forked_process_ends_as_any() -> None:
    program = (
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    try: os.kill(os.getpid(), {})\n"
        "    except KeyboardInterrupt: os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    )
    assert ended(program) == (0, "7\n", "")


def test_a_pipe_that_nobody_reads_does_not_keep_it() -> None:
    """Neither what it says at its end, nor a last word of the command."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, b"x" * 4096)
    os.set_blocking(writer, True)
    program = (
        "from cpmines.interrupts import leaving\n"
        "with leaving(lambda: print('said')): os.kill(os.getpid(), {})"
    )
    try:
        with subprocess.Popen(
            [sys.executable, "-c", BEGIN + program.format(int(signal.SIGINT))], stdout=writer, stderr=writer
        ) as process:
            assert process.wait(PATIENCE) == 130
    finally:
        os.close(reader)
        os.close(writer)
