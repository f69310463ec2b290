"""A session answers as the solver would, and keeps the limits that it is given."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import product

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.conformance.models import pigeons
from cpmines.errors import EngineError, LimitError
from cpmines.oracle import session as module
from cpmines.oracle.session import SatSession
from cpmines.process.solver import WORKERS
from cpmines.translate import encode
from tests.forks import Forks
from tests.patience import PATIENCE, exists, within

HARD = 12
"""Holes, one fewer than pigeons: beyond resolution in any time that a test has."""


@pytest.fixture(params=["here", "elsewhere"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small formulas are solved here, or as all others in a process."""
    if request.param == "elsewhere":
        monkeypatch.setattr(module, "NEAR_LITERALS", -1)
    return str(request.param)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEAR_LITERALS", -1)


def holds(clauses: list[list[int]], values: tuple[bool, ...]) -> bool:
    return all(any((literal > 0) == values[abs(literal) - 1] for literal in clause) for clause in clauses)


@pytest.mark.usefixtures("place")
def test_it_agrees_with_trying_everything() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        clauses = [
            (rng.choice(5, width, replace=False) + 1) * rng.choice([-1, 1], width)
            for width in rng.integers(1, 4, rng.integers(1, 9))
        ]
        given = [clause.tolist() for clause in clauses]
        kept, late = given[: len(given) // 2], given[len(given) // 2 :]
        assumed = [int(rng.choice([-1, 1]) * v) for v in range(1, 3)]
        with SatSession.of([*kept, [1, -1], [5, -5]], Limits(60).begin()) as session:
            for clause in late:
                session.add(clause)
            found = session.satisfiable(assumed)
            whole = [*given, *([literal] for literal in assumed)]
            assert found == any(holds(whole, values) for values in product([False, True], repeat=5))
            if found:
                model = session.model()
                assert set(assumed) <= model
                assert all(model & set(clause) for clause in given)
            else:
                assert set(session.core) <= set(assumed)
                assert not session.satisfiable(session.core)


@pytest.mark.usefixtures("place")
def test_an_empty_clause_has_no_model() -> None:
    with SatSession.of([(1, 2), ()], Limits(60).begin()) as session:
        assert not session.satisfiable()
        assert session.core == []


@pytest.mark.usefixtures("place")
def test_at_most_so_many() -> None:
    with SatSession([], Limits(60).begin(), "minicard", at_most=([1, 2, 3], 1)) as session:
        assert session.satisfiable([1])
        assert not session.satisfiable([1, 3])
        assert sorted(session.core) == [1, 3]


def test_it_is_over_at_the_time_limit(place: str) -> None:
    cnf = encode(pigeons(HARD), "binomial", Limits())
    begun = time.monotonic()
    with SatSession(cnf.blocks, Limits(0.5).begin()) as session:
        with pytest.raises(LimitError) as caught:
            session.satisfiable()
        process = None if place == "here" else session.worker.process
    assert caught.value.stop == Stop.TIME_LIMIT
    assert time.monotonic() - begun < PATIENCE
    assert process is None or process.returncode == -signal.SIGKILL
    assert not WORKERS.busy


LEARNING = """
from cpmines.answer import Limits
from cpmines.conformance.models import pigeons
from cpmines.errors import LimitError
from cpmines.oracle import session as module
from cpmines.translate import encode
module.NEAR_MEMORY = 1
blocks = encode(pigeons({holes}), "binomial", Limits()).blocks
with module.SatSession(blocks, Limits(600, memory=1 << 20).begin()) as session:
    try:
        session.satisfiable()
    except LimitError as error:
        print(error.stop)
"""


def test_what_is_learned_here_counts(forks: Forks) -> None:
    """Memory is looked at between slices: the formula is small, its refutation is not.

    In a process where no other test has left memory that could be used again.
    """
    command = forks.program(LEARNING.format(holes=HARD))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{Stop.MEMORY_LIMIT}\n"


def test_it_is_over_when_memory_is_refused() -> None:
    rng = np.random.default_rng(0)
    many = rng.integers(1, 100_000, (600_000, 6)).astype(np.int32)
    session = SatSession([many], Limits(60, memory=90 << 20).begin())
    with session, pytest.raises(LimitError) as caught:
        session.satisfiable()
    assert caught.value.stop == Stop.MEMORY_LIMIT
    assert not WORKERS.busy


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_death_is_no_answer(number: int) -> None:
    with SatSession.of([(1, 2)], Limits(60).begin()) as session:
        assert session.satisfiable()
        os.kill(session.worker.process.pid, number)
        with pytest.raises(EngineError, match=signal.Signals(number).name):
            session.satisfiable()
    assert not WORKERS.busy


PROGRAM = """
import os
from cpmines.answer import Limits
from cpmines.conformance.models import pigeons
from cpmines.oracle import session as module
from cpmines.translate import encode
module.NEAR_LITERALS = {literals}
with module.SatSession(encode(pigeons({holes}), "binomial", Limits()).blocks, Limits()) as session:
    print(os.getpid() if session.near else session.worker.process.pid, flush=True)
    session.satisfiable()
"""


@pytest.mark.parametrize("literals", [-1, 10**6])
def test_ctrl_c_ends_it(literals: int) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(holes=HARD, literals=literals)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    solver = int(program.stdout.readline())
    time.sleep(0.5)
    assert exists(solver)
    program.send_signal(signal.SIGINT)
    errors = program.communicate(timeout=PATIENCE)[1]
    assert errors.strip().endswith("KeyboardInterrupt")
    assert within(PATIENCE, lambda: not exists(solver))
