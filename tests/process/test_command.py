"""Commands of others: what they start does not outlive them, nor this process, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import EngineError, LimitError
from cpmines.process.command import run_command
from tests.patience import PATIENCE, within

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are seen through /proc")
LEFT = "sleep {0} & (setsid sleep {0} &) ; echo YES"
"""Two processes that outlive the shell, one of them in a session of its own."""


@pytest.fixture
def mark() -> str:
    """Of the processes of this test: a number that nobody else sleeps for."""
    return f"10{os.getpid()}{time.monotonic_ns() % 10**6}"


def there(mark: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if path.read_bytes().split(b"\0")[:2] == [b"sleep", mark.encode()]:
                return True
    return False


def gone(mark: str) -> bool:
    return within(PATIENCE, lambda: not there(mark))


@LINUX
def test_the_answer_is_there_when_the_command_ends(mark: str) -> None:
    """Not when the last does that has its standard output, and that one is ended."""
    begun = time.monotonic()
    assert run_command(["sh", "-c", LEFT.format(mark)], b"", Limits(1000).begin()) == b"YES\n"
    assert time.monotonic() - begun < 500
    assert gone(mark)


@LINUX
def test_nothing_is_left_at_the_time_limit(mark: str) -> None:
    script = LEFT.format(mark) + "; exec sleep 1000"
    with pytest.raises(LimitError) as caught:
        run_command(["sh", "-c", script], b"", Limits(0.2).begin())
    assert caught.value.stop == Stop.TIME_LIMIT
    assert gone(mark)


@LINUX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_when_the_process_is_ended(mark: str, number: signal.Signals) -> None:
    script = f"(setsid sleep {mark} &) ; echo there >&2; exec sleep {mark}"
    program = (
        "import cpmines.__main__\n"
        "from cpmines.answer import Limits\n"
        "from cpmines.process.command import run_command\n"
        f"run_command(['sh', '-c', {script!r}], b'', Limits(1000).begin())"
    )
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL) as process:
        while not there(mark):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait() == (-9 if number == signal.SIGKILL else 128 + number)
    assert gone(mark)


def test_the_surroundings_are_those_of_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As they are now, not as they were when the process between was started; nothing is added."""
    run_command(["true"], b"", Limits().begin())
    monkeypatch.setenv("PYTHONPATH", "mine")
    monkeypatch.setenv("OTHER", "yours")
    monkeypatch.chdir(tmp_path)
    said = run_command(["sh", "-c", "echo $PYTHONPATH $OTHER; pwd"], b"", Limits().begin())
    assert said.decode() == f"mine yours\n{tmp_path.resolve()}\n"


def test_what_can_not_be_started_is_an_error() -> None:
    with pytest.raises(EngineError, match="it can't be run: FileNotFoundError"):
        run_command(["there-is-no-such-program"], b"", Limits().begin())
    assert run_command(["cat"], b"x" * 1_000_000, Limits().begin()) == b"x" * 1_000_000


def test_last_words_are_kept() -> None:
    script = "yes | head -c 9999 | tr '\\n' y >&2; echo ' the end' >&2; exit 3"
    with pytest.raises(EngineError, match=r"^exit code 3: y+ the end$"):
        run_command(["sh", "-c", script], b"", Limits().begin())
