"""The process of a solver: a death is never an answer, and a conversation may go on."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import EngineError, LimitError
from cpmines.oracle.session import SatSession
from cpmines.process.solver import WORKERS, converse

SERVED = """
import os, signal, time
LOADED = ()
def die(request, blocks, reply):
    reply("assignment", b"1")
    signal.signal(request["signal"], signal.SIG_DFL) if request["signal"] != signal.SIGKILL else None
    os.kill(os.getpid(), request["signal"])
    time.sleep(60)
def leave(request, blocks, reply):
    reply("assignment", b"1")
    os._exit(0)
def add(request, blocks, reply):
    return {"sum": sum(sum(literals) for _, literals in blocks) + request["listen"]()}
def print_(request, blocks, reply):
    print("x" * 1_000_000, flush=True)
    return {}
def load(request, blocks, reply):
    import there_is_no_such_library
METHODS = {"load": load, "die": die, "leave": leave, "add": add, "print": print_}
"""


@pytest.fixture
def served(tmp_path: Path) -> str:
    path = tmp_path / "served.py"
    path.write_text(SERVED)
    return str(path)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL", "SIGSEGV", "SIGPIPE", "SIGALRM", "SIGIO"])
def test_a_death_by_a_signal_is_an_error(name: str, served: str) -> None:
    with pytest.raises(EngineError, match=name.replace("SIGIO", "SIG(IO|POLL)")):
        converse(served, {"method": "die", "signal": signal.Signals[name]}, [], Limits(60).begin())


def test_leaving_without_a_result_is_an_error(served: str) -> None:
    with pytest.raises(EngineError, match="exit code 0: it said nothing"):
        converse(served, {"method": "leave"}, [], Limits(60).begin())


def test_what_is_not_read_is_ended_at_the_limit(tmp_path: Path) -> None:
    """More than a connection holds was sent without a look at the clock."""
    path = tmp_path / "late.py"
    path.write_text("import time\ntime.sleep(600)\nLOADED, METHODS = (), {}\n")
    blocks = [np.ones((1_000_000, 3), np.int32)]
    begin = time.monotonic()
    assert converse(str(path), {"method": "any"}, blocks, Limits(0.3).begin()).stop is Stop.TIME_LIMIT
    with pytest.raises(LimitError), SatSession(blocks, Limits(1e-3).begin()):
        pass
    assert time.monotonic() - begin < 300
    assert not WORKERS.busy


def test_a_library_that_is_missing_is_named(served: str) -> None:
    """The last words alone, not the end of a traceback."""
    expected = "exit code 1: ModuleNotFoundError: No module named 'there_is_no_such_library'$"
    with pytest.raises(EngineError, match=expected):
        converse(served, {"method": "load"}, [], Limits(60).begin())


def test_an_interrupt_does_not_end_it(served: str) -> None:
    assert converse(served, {"method": "print"}, [], Limits(60).begin()).done == {}
    worker = WORKERS.take(served)
    try:
        worker.request({"method": "add"}, [], Limits(60).begin())
        os.kill(worker.process.pid, signal.SIGINT)
        worker.send(3)
        assert worker.receive(Limits(60).begin())[:2] == ("done", {"sum": 3})
    finally:
        WORKERS.give_back(worker)
    assert worker in WORKERS.idle


def test_what_waits_is_ended_at_the_limit(served: str) -> None:
    assert converse(served, {"method": "add"}, [], Limits(0.3).begin()).stop is Stop.TIME_LIMIT
    assert not WORKERS.busy


def test_what_is_printed_is_no_reply(served: str) -> None:
    assert converse(served, {"method": "print"}, [], Limits(60).begin()).done == {}
