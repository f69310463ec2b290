"""Runs that runexec measures: the same records, with its figures; a stand-in speaks where it can't run."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpmines.campaign import runexec
from cpmines.campaign.record import Category, Instrument, Record, StopReason
from cpmines.campaign.runner import end_servers, perform, versions
from cpmines.campaign.spec import parse
from cpmines.campaign.task import Instance, Task
from cpmines.errors import InputError, UsageError
from tests.campaign.planted import BAD, MEGABYTE

CPU, WALL, MEMORY = 2.0, 600.0, 300 * MEGABYTE
WITHIN = 0.1

STAND_IN = """#!{python}
import resource, subprocess, sys, time
words = sys.argv[1:]
if "--version" in words:
    print("runexec 0.0 (stand-in)")
    sys.exit()
given = dict(zip(words[2::2], words[3::2]))
start = time.monotonic()
command = words[words.index("--") + 1:] if "--" in words else ["true"]
with open(given["--output"], "wb") as output:
    output.write(b"command" + b"\\n" * 3 + b"-" * 80 + b"\\n" * 3)
    output.flush()
    done = subprocess.run(command, stdout=output, stderr=output).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"walltime={{time.monotonic() - start}}s")
print(f"cputime={{used.ru_utime + used.ru_stime}}s")
print(f"memory={{used.ru_maxrss << 10}}B")
print(f"exitsignal={{-done}}" if done < 0 else f"returnvalue={{done}}")
"""


def works() -> bool:
    try:
        runexec.runexec_version()
    except UsageError:
        return False
    return True


real = pytest.mark.skipif(not works(), reason="no runexec that works here")


def made(backend: str, text: str = BAD, **limits: float) -> Record:
    instance = Instance("maxmines", "one", "planted", 77, f"{text}\n")
    chosen = {
        "time_limit": CPU,
        "wall_limit": WALL,
        "memory_limit": MEMORY,
        "certificate_limit": 0.0,
        **limits,
    }
    version = versions("maxmines", backend)
    task = Task(
        *("maxmines", "one", instance.key, "planted", 77, "most", "{}", backend, version),
        seed=0,
        repeat=0,
        instrument=Instrument.RUNEXEC.value,
        **chosen,  # type: ignore[arg-type]
    )
    done = perform(task, instance)
    assert done.environment["instrument"].startswith("runexec ")
    return done.record


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A program that speaks like runexec, and keeps no limit."""
    path = tmp_path / "runexec"
    path.write_text(STAND_IN.format(python=sys.executable))
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    runexec.runexec_version.cache_clear()
    end_servers()
    yield path
    runexec.runexec_version.cache_clear()
    end_servers()


@pytest.mark.usefixtures("planted")
def test_what_the_instrument_says_is_recorded(stand_in: Path) -> None:
    found = made("good")
    assert (found.category, found.instrument, found.value) == (Category.RIGHT, "runexec", {"mines": 65})
    assert 0 <= found.cpu_user + found.cpu_system < 1.0
    failed = made("segv")
    assert (failed.reason, failed.error) == (StopReason.CRASHED, "ended with SIGSEGV: it said nothing")
    assert "a last word" in made("abort").error


def test_one_that_measures_nothing_is_refused(stand_in: Path) -> None:
    stand_in.write_text("#!/bin/sh\necho 'cgroups are missing' >&2; exit 1\n")
    with pytest.raises(UsageError, match="runexec does not work here: cgroups are missing"):
        made("good")


def test_one_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runexec, "_program", lambda: None)
    runexec.runexec_version.cache_clear()
    with pytest.raises(UsageError, match="pip install benchexec"):
        made("good")


def test_the_spec_chooses() -> None:
    text = '{}[[group]]\ninstances = ["x"]\nbackends = ["direct"]\n'
    assert parse(text.format(""), "x").instrument == "own"
    assert parse(text.format('instrument = "runexec"\n'), "x").instrument == "runexec"
    with pytest.raises(InputError, match="instrument: found 'watch', expected own or runexec"):
        parse(text.format('instrument = "watch"\n'), "x")
    with pytest.raises(InputError, match="runexec with a limit for certificates, expected own"):
        parse(text.format('instrument = "runexec"\n[limits]\ncertificate = 2\n'), "x")


@real
@pytest.mark.usefixtures("planted")
def test_limits_are_kept() -> None:
    spun = made("spin", time_limit=1.0)
    assert (spun.category, spun.reason) == (Category.UNKNOWN, StopReason.TIME_LIMIT), spun
    assert spun.cpu_user + spun.cpu_system >= 1 - WITHIN
    slept = made("sleep", wall_limit=1.0)
    assert (slept.reason, slept.note) == (StopReason.TIME_LIMIT, "ended: wall time")
    assert slept.wall >= 1 - WITHIN
    grown = made("allocate-in-children")
    assert grown.reason is StopReason.MEMORY_LIMIT
    assert grown.peak_memory >= MEMORY * (1 - WITHIN)


@real
@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("backend", ["direct", "sat"])
def test_the_measure_of_a_run(backend: str) -> None:
    found = made(backend, "5 5 3")
    assert (found.category, found.value) == (Category.RIGHT, {"mines": 14})
    assert 0.0 < found.cpu_user + found.cpu_system < 1.5
    assert 0 <= found.peak_memory < MEMORY


@real
@pytest.mark.usefixtures("planted")
def test_a_run_is_ended_with_the_campaign() -> None:
    found: list[BaseException] = []

    def run() -> None:
        try:
            made("spin", time_limit=600.0, wall_limit=600.0)
        except BaseException as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(2)
    while thread.is_alive():
        end_servers()
        thread.join(1)
    assert [type(error).__name__ for error in found] == ["CancelledError"]
