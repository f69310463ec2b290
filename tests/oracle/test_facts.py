"""What the table of PySAT's solvers says, measured again."""

from __future__ import annotations

import subprocess

import pytest

from cpmines.answer import Limits
from cpmines.conformance import Effort
from cpmines.conformance.abilities import explains, refutes
from cpmines.conformance.models import pigeons
from cpmines.engine import Ability
from cpmines.engines import sat
from cpmines.errors import UsageError
from cpmines.oracle.facts import SOLVERS
from tests.forks import Forks
from tests.patience import PATIENCE

NAMES = sat.solver_names()
INTERRUPTED = """
import sys, threading
from pysat.solvers import Solver
from cpmines.answer import Limits
from cpmines.conformance.models import pigeons
from cpmines.engines.sat import ENGINE
with Solver(sys.argv[1], ENGINE.translate(pigeons(13), Limits())) as solver:
    threading.Timer(0.2, solver.interrupt).start()
    print(solver.solve_limited(expect_interrupt=True))
"""


def test_every_solver_is_in_the_table() -> None:
    assert set(NAMES) <= set(SOLVERS)


@pytest.mark.parametrize("name", NAMES)
def test_proofs(name: str) -> None:
    engine = sat.ENGINE.configure([name])
    if Ability.PROOF in SOLVERS[name]:
        assert refutes(engine, Effort(40)).passed
    else:
        with pytest.raises(UsageError, match=rf"{name} gives no proof; these do: .*glucose4"):
            engine.refute(pigeons(2), Limits())


@pytest.mark.parametrize("name", NAMES)
def test_cores(name: str) -> None:
    engine = sat.ENGINE.configure([name])
    if Ability.CORE in SOLVERS[name]:
        assert explains(engine, Effort(40)).passed
    else:
        with pytest.raises(UsageError, match=rf"{name} gives no core; these do: .*cadical195"):
            engine.core(pigeons(2), [1], Limits())


@pytest.mark.parametrize("name", [name for name in NAMES if Ability.INTERRUPT in SOLVERS[name]])
def test_interrupt(name: str, forks: Forks) -> None:
    command = forks.program(INTERRUPTED, name)
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "None\n", done.stderr
