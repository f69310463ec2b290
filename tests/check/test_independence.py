"""What verifies knows nothing of what solves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cpmines.check import __file__ as package
from tests.test_layers import dotted, imported

ROOMS = (
    *("answer", "board", "check", "demands", "errors", "npy", "numerals", "problem", "process", "question"),
    *("registry", "text"),
)
ALLOWED = tuple(f"cpmines.{room}" for room in ROOMS)
SOURCES = sorted(Path(package).parent.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=dotted)
def test_a_module_imports_only_rules_and_judges(path: Path) -> None:
    for module in imported(path):
        assert any(module == name or module.startswith(f"{name}.") for name in ALLOWED), module


HEAVY = """
import sys
def heavy():
    rooms = ('kernels', 'engines', 'certificate', 'inference', 'oracle', 'analysis')
    outside = ('pysat', 'ortools', 'scipy')
    own = [name for name in sys.modules if name.startswith(tuple(f'cpmines.{room}' for room in rooms))]
    parts = ('backends', 'kernels', 'model')
    inside = [name.split('.') for name in sys.modules if name.startswith('cpmines.problems.')]
    own += ['.'.join(name) for name in inside if set(name[3:]) & set(parts)]
    rounding = {'cpmines.inference', 'cpmines.inference.chance'}  # how a probability is rounded, for a judge
    return [name for name in sys.modules if name.split('.')[0] in outside] + sorted({*own} - rounding)
"""


def test_rules_load_no_solver() -> None:
    """What boards demand is written down without what solves them, by every problem that says it."""
    program = f"""{HEAVY}
from cpmines import registry
found = [registry.room(name, 'rules', 'RULES') for name in registry.problem_names()]
assert sum(rules is not None for rules in found) >= 7
assert not heavy(), heavy()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_checking_loads_no_solver(tmp_path: Path) -> None:
    """All evidence is checked in a process that then holds no solver, engine, Model or kernel."""
    program = f"""{HEAVY}
from pathlib import Path
from cpmines.check import certificates, check
verdicts = [check(folder, None) for folder in certificates(Path({str(tmp_path)!r}))]
assert len(verdicts) == 7 and all(verdict.accepted for verdict in verdicts), verdicts
assert not heavy(), heavy()
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
        "validation": "1 2\n1*\n",
    }
    for problem, text in texts.items():
        instance = registry.problem(problem).parse(text)[0]
        assert write(problem, instance, solve(problem, instance), tmp_path / problem).folder is not None
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
