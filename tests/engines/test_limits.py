"""Limits, crashes and reuse of the solvers' process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from cpmines.answer import Limits, Status, Stop
from cpmines.conformance.models import pigeons, random_clauses, random_model
from cpmines.engine import Engine, Outcome
from cpmines.engines import cpsat, sat
from cpmines.errors import EngineError, LimitError
from cpmines.model import Model
from cpmines.process.solver import KEPT, WORKERS, Worker
from tests.patience import PATIENCE, exists, within

ENGINES = {
    "cadical195": sat.ENGINE,
    "minisat22": sat.ENGINE.configure(["minisat22"]),
    "rc2": sat.ENGINE.configure(["rc2", "glucose4"]),
    "cpsat": cpsat.ENGINE,
}
HARD = 14
"""Holes of `pigeons` beyond the resolution-based solvers; CP-SAT counts, and is given `random_clauses`."""


def easy_model() -> Model:
    model = Model()
    a, b = model.variables(2)
    model.between([a, b], 1, 1)
    return model


def works(engine: Engine) -> bool:
    return engine.prepare(easy_model(), Limits(PATIENCE).begin())(5).complete


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = ENGINES[request.param]
    return found


def test_variables_alone_are_made_under_the_clock() -> None:
    """A Model of few constraints and 400,000 variables took a second beyond its limit."""
    model = Model()
    model.variables(3 * cpsat.CHUNK)
    with pytest.raises(LimitError):
        cpsat.ENGINE.translate(model, Limits(1e-9).begin())


def test_a_hard_model_stops_at_the_limit(engine: Engine) -> None:
    # Imports that a first call makes are not what is timed.
    assert works(engine)
    model = random_clauses(500) if engine is cpsat.ENGINE else pigeons(HARD)
    limits = Limits(0.5).begin()
    begin = time.monotonic()
    outcome = engine.prepare(model, limits)(1)
    assert outcome.status is Status.UNKNOWN
    assert outcome.stop is Stop.TIME_LIMIT
    # How much later it ends depends on the machine; without the limit it takes hours.
    assert time.monotonic() - begin > 0.4
    assert works(engine)


def test_no_time_at_all(engine: Engine) -> None:
    limits = Limits(1e-9).begin()
    time.sleep(0.001)
    stop: str
    try:
        stop = engine.prepare(pigeons(HARD), limits)(1).stop
    except LimitError as error:
        stop = error.stop
    assert stop == Stop.TIME_LIMIT


def many_cells() -> Model:
    """A feasible Model whose optimum takes long: every cell counts, every row is half full."""
    model = Model()
    cells = model.variables(400)
    rng = np.random.default_rng(3)
    for _ in range(300):
        model.between(rng.choice(cells, 9, replace=False), 0, 4)
    model.maximise(cells, rng.integers(1, 50, 400))
    return model


def cut_short(engine: Engine, model: Model, shown: Callable[[Outcome], bool], count: int = 1) -> Outcome:
    """A search that ends at its limit; on a busy machine a longer one, until it has something to show."""
    assert works(engine)
    for seconds in (0.5, 2.0, 8.0, 32.0):
        outcome = engine.prepare(model, Limits(seconds).begin())(count)
        assert outcome.stop is Stop.TIME_LIMIT
        if shown(outcome):
            break
    return outcome


@pytest.mark.parametrize("name", ["cadical195", "minisat22", "cpsat"])
def test_the_best_so_far_is_kept(name: str) -> None:
    model = many_cells()
    outcome = cut_short(ENGINES[name], model, lambda found: bool(found.assignments))
    assert outcome.status is Status.FEASIBLE
    (assignment,) = outcome.assignments
    assert model.holds(assignment)
    assert outcome.bound is None or outcome.bound >= model.value(assignment)


def test_rc2_gives_the_bound_so_far() -> None:
    model = many_cells()
    outcome = cut_short(ENGINES["rc2"], model, lambda found: found.bound is not None)
    best = cut_short(ENGINES["cadical195"], model, lambda found: bool(found.assignments))
    assert outcome.status is Status.UNKNOWN
    assert outcome.bound is not None
    assert outcome.bound >= model.value(best.assignments[0])
    assert model.objective is not None
    assert outcome.bound < model.objective[1].sum()


@pytest.mark.parametrize("name", ["cadical195", "minisat22"])
def test_an_enumeration_that_is_cut_short_is_not_complete(name: str) -> None:
    model = Model()
    model.variables(40)
    outcome = cut_short(ENGINES[name], model, lambda found: len(found.assignments) > 10, 10**9)
    assert outcome.status is Status.FEASIBLE
    assert len(outcome.assignments) > 10
    assert not outcome.complete
    assert works(ENGINES[name])


@pytest.mark.parametrize("solver", ["cadical195", "minisat22", "glucose4", "kissat404"])
def test_memory_limit(solver: str) -> None:
    model = Model()
    rng = np.random.default_rng(0)
    model.between_rows(rng.integers(1, 30_001, (30_000, 8)) if model.variables(30_000).size else [], 3, 5)
    engine = sat.ENGINE.configure([solver])
    outcome = engine.prepare(model, Limits(PATIENCE, memory=90 << 20).begin())(1)
    assert outcome.status is Status.UNKNOWN
    assert outcome.stop is Stop.MEMORY_LIMIT
    assert works(engine)


def test_the_formula_counts_against_the_memory_limit() -> None:
    model = Model()
    model.between_rows(np.tile(model.variables(10), (1000, 1)), 5, 5)
    with pytest.raises(LimitError, match="formula needs"):
        sat.ENGINE.prepare(model, Limits(memory=1 << 20))


@pytest.mark.parametrize("encoding", ["totalizer", "seqcounter"])
def test_a_row_that_outgrows_the_memory_is_not_begun(encoding: str) -> None:
    model = Model()
    model.between(model.variables(20_000), 5_000, 5_000)
    with pytest.raises(LimitError, match="20000 literals in"):
        sat.ENGINE.configure([encoding]).prepare(model, Limits().begin())


@pytest.mark.parametrize("name", ["cadical195", "minisat22", "cpsat"])
def test_same_seed_same_answer(name: str) -> None:
    models = [random_model(np.random.default_rng(seed)) for seed in range(30)]
    for seed in (0, 5):
        limits = Limits(PATIENCE, seed=seed)
        first, second = (
            [ENGINES[name].prepare(model, limits.begin())(3).assignments for model in models]
            for _ in range(2)
        )
        assert [[a.tolist() for a in found] for found in first] == [
            [a.tolist() for a in found] for found in second
        ]


def busy_worker() -> Worker:
    """The process that is at work now; waits for one."""
    assert within(PATIENCE, lambda: bool(WORKERS.busy))
    return WORKERS.busy[0]


def test_a_killed_process_is_an_error_and_the_next_call_works() -> None:
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(sat.ENGINE.prepare(pigeons(HARD), Limits(PATIENCE).begin()), 1)
        time.sleep(0.3)
        os.kill(busy_worker().process.pid, signal.SIGKILL)
        with pytest.raises(EngineError, match="SIGKILL"):
            running.result()
    assert works(sat.ENGINE)


def test_an_idle_process_that_was_killed_is_replaced() -> None:
    assert works(sat.ENGINE)
    for worker in WORKERS.idle:
        os.kill(worker.process.pid, signal.SIGKILL)
        worker.process.wait()
    assert works(sat.ENGINE)


def test_the_process_is_reused() -> None:
    assert works(sat.ENGINE)
    before = {worker.process.pid for worker in WORKERS.idle}
    assert works(sat.ENGINE)
    assert {worker.process.pid for worker in WORKERS.idle} == before


def test_threads_do_not_mix_their_answers() -> None:
    models = [random_model(np.random.default_rng(seed)) for seed in range(40)]

    def solve(model: Model) -> bool:
        outcome = sat.ENGINE.prepare(model, Limits(PATIENCE).begin())(20)
        return all(map(model.holds, outcome.assignments))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(solve, models))
    kinds = Counter(worker.kind for worker in WORKERS.idle)
    assert max(kinds.values()) <= KEPT


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_processes_of_its_own() -> None:
    assert works(sat.ENGINE)
    kept = {worker.process.pid for worker in WORKERS.idle}
    child = os.fork()
    if child == 0:
        fine = not WORKERS.idle and works(sat.ENGINE)
        WORKERS.end()
        os._exit(0 if fine else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert works(sat.ENGINE)
    assert {worker.process.pid for worker in WORKERS.idle} == kept


SCRIPT = """
import sys, threading, time
from cpmines.answer import Limits
from cpmines.engines import cpsat, sat
from cpmines.oracle import worker as program
from cpmines.process.solver import KEPT, WORKERS, Worker
from tests.engines.test_limits import random_clauses, pigeons, HARD
engine = cpsat.ENGINE if sys.argv[1] == "cpsat" else sat.ENGINE.configure([sys.argv[1]])
search = engine.prepare(random_clauses(500) if sys.argv[1] == "cpsat" else pigeons(HARD), Limits())
number = 0
if sys.argv[1] != "cpsat":
    worker = WORKERS.take(program.__file__)
    WORKERS.give_back(worker)
    number = worker.process.pid
threads = threading.active_count()
try:
    print(number, flush=True)
    search(1)
except KeyboardInterrupt:
    end = time.monotonic() + 100
    while threading.active_count() > threads and time.monotonic() < end:
        time.sleep(0.05)
    print(max(0, threading.active_count() - threads), "threads more")
    raise
"""


def script(solver: str) -> tuple[subprocess.Popen[str], int]:
    """A program that solves without an end, and the number of the process that it uses."""
    root = str(Path(__file__).parents[2])
    program = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, solver],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    number = int(program.stdout.readline())
    time.sleep(0.5)
    return program, number


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("solver", ["cadical195", "minisat22"])
def test_no_orphan_after_the_program_is_killed(solver: str) -> None:
    program, number = script(solver)
    assert exists(number)
    program.kill()
    program.communicate()
    gone = within(PATIENCE, lambda: not exists(number))
    if not gone:
        os.kill(number, signal.SIGKILL)
    assert gone, "the solver's process went on"


@pytest.mark.parametrize("solver", ["cadical195", "minisat22", "cpsat"])
def test_ctrl_c_ends_the_search(solver: str) -> None:
    program, number = script(solver)
    program.send_signal(signal.SIGINT)
    said, errors = program.communicate(timeout=PATIENCE)
    assert said == "0 threads more\n"
    assert errors.strip().endswith("KeyboardInterrupt")
    assert number == 0 or not exists(number)


def test_limits_hold_outside_the_main_thread() -> None:
    outcomes = []
    limits = Limits(0.5).begin()
    thread = threading.Thread(target=lambda: outcomes.append(sat.ENGINE.prepare(pigeons(HARD), limits)(1)))
    thread.start()
    thread.join(PATIENCE)
    assert outcomes[0].stop is Stop.TIME_LIMIT
