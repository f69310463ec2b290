"""What PySAT's solvers can do besides solving: measured, and tested again in ``tests/oracle/test_facts.py``.

`PROOF`
    Gives a DRAT proof with ``with_proof``.
`CORE`
    Names the assumptions that can't hold together.
`INTERRUPT`
    Can be stopped by PySAT itself, from another thread. The others end only with their process, which is
    how `cpmines.engines.sat` stops all of them.
"""

from __future__ import annotations

from cpmines.engine import Ability

__all__ = ["SOLVERS"]

PROOF, CORE, INTERRUPT = Ability.PROOF, Ability.CORE, Ability.INTERRUPT

SOLVERS = {
    "cadical103": frozenset({PROOF, CORE}),
    "cadical153": frozenset({PROOF, CORE}),
    "cadical195": frozenset({PROOF, CORE}),
    "cadical300": frozenset({PROOF, CORE}),
    "ergo": frozenset({PROOF, CORE, INTERRUPT}),
    "gluecard3": frozenset({PROOF, CORE, INTERRUPT}),
    "gluecard4": frozenset({PROOF, CORE, INTERRUPT}),
    "glucose3": frozenset({PROOF, CORE, INTERRUPT}),
    "glucose4": frozenset({PROOF, CORE, INTERRUPT}),
    "glucose42": frozenset({PROOF, CORE, INTERRUPT}),
    "kissat404": frozenset(),
    "lingeling": frozenset({PROOF, CORE}),
    "maplechrono": frozenset({PROOF, CORE, INTERRUPT}),
    "maplecm": frozenset({PROOF, CORE, INTERRUPT}),
    "mergesat3": frozenset({CORE, INTERRUPT}),
    "minicard": frozenset({CORE, INTERRUPT}),
    "minisat22": frozenset({CORE, INTERRUPT}),
    "minisatep": frozenset({CORE, INTERRUPT}),
}
