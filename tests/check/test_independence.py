"""What verifies knows nothing of what solves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cpmines.check import __file__ as package
from tests.test_layers import dotted, imported

ALLOWED = (
    "cpmines.check",
    "cpmines.board",
    "cpmines.errors",
    "cpmines.text",
    "cpmines.numerals",
    "cpmines.problem",
)
SOURCES = sorted(Path(package).parent.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=dotted)
def test_a_module_imports_only_rules_and_judges(path: Path) -> None:
    for module in imported(path):
        judge = module.startswith("cpmines.problems.") and module.endswith(".problem")
        assert judge or any(module == name or module.startswith(f"{name}.") for name in ALLOWED), module


def test_checking_loads_no_solver(tmp_path: Path) -> None:
    """All evidence is checked in a process that then holds no solver, engine, Model or kernel."""
    program = f"""
import sys
from pathlib import Path
from cpmines.check import certificates, check
verdicts = [check(folder) for folder in certificates(Path({str(tmp_path)!r}))]
assert len(verdicts) == 6 and all(verdict.accepted for verdict in verdicts), verdicts
heavy = [name for name in sys.modules if name.split('.')[0] in ('pysat', 'ortools', 'numba', 'scipy')]
rooms = ('cpmines.engines', 'cpmines.certificate')
own = [name for name in sys.modules if name.startswith(rooms) or name.endswith(('.direct', '.kernels'))]
own += [name for name in sys.modules if name.startswith('cpmines.problems.') and name.endswith('.model')]
assert not heavy and not own, (heavy, own)
"""
    from cpmines import registry
    from cpmines.certificate import write
    from cpmines.run import solve

    texts = {
        "consistency": "2 3\n.1.\n.2.\n",
        "deduction": "2 3\n.1.\n.1.\n",
        "counting": "1 3\n.1.\n",
        "maxmines": "4 6 3\n",
        "mosaic": "2 2\n1.\n..\n",
        "reconstruction": "2 2\n11\n11\n",
    }
    for problem, text in texts.items():
        instance = registry.problem(problem).parse(text)[0]
        assert write(problem, instance, solve(problem, instance), tmp_path / problem).folder is not None
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
