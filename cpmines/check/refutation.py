"""A refutation: a formula that the board implies, and a DRAT proof that nothing satisfies it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpmines.check.formula import Clause, Meanings, check_clauses, parse_formula
from cpmines.check.rules import Statement
from cpmines.check.verdict import Rejected, several

if TYPE_CHECKING:
    from cpmines.check.folder import Files

__all__ = ["FORMULA", "MAP", "PROOF", "check_refutation"]

FORMULA, MAP, PROOF = "formula.cnf", "map.json", "proof.drat"

LARGE_PROOF = 1 << 20
"""Bytes of a proof from which drat-trim is used, where it is on the PATH."""


def check_refutation(files: Files, statement: Statement, claim: Clause = ()) -> list[str]:
    """Check the three files of a refutation; returns what was verified, a sentence each.

    Parameters
    ----------
    claim
        A clause that may be in the formula although the board does not say it: the opposite of what is
        claimed.

    Raises
    ------
    Rejected
    """
    clauses = parse_formula(files.text(FORMULA))
    meanings = Meanings.from_json(statement.rows * statement.cols, read_json(files, MAP))
    check_clauses(clauses, statement, meanings, claim)
    counted = f", the definition of {several(len(meanings.sums), 'sum')}" * bool(meanings.sums)
    said = f"each of {several(len(clauses), 'clause')} follows from a rule of the board{counted}"
    said += " or is the claim turned round" * bool(claim)
    return [said, _proof(files, clauses)]


def read_json(files: Files, name: str) -> Any:
    try:
        return json.loads(files.text(name))
    except (ValueError, RecursionError):
        raise Rejected(f"{name} is not JSON") from None


def _proof(files: Files, clauses: list[Clause]) -> str:
    text = files.text(PROOF)
    program = shutil.which("drat-trim")
    if program is not None and len(text) >= LARGE_PROOF:
        return _drat_trim(program, files.path / FORMULA, files.path / PROOF)
    return _dratify(clauses, text)


def _dratify(clauses: list[Clause], text: str) -> str:
    from dratify import CNF, check_proof, parse_proof

    formula = CNF()
    for clause in clauses:
        formula.add_dimacs(clause)
    try:
        steps = parse_proof(text)
        result = check_proof(formula, steps)
    except ValueError as error:
        raise Rejected(f"{PROOF}: {error}") from None
    if not result.ok:
        step = f" (step {result.failed_step})" if result.failed_step > 0 else ""
        raise Rejected(f"{PROOF} does not refute the formula{step}: {result.reason}")
    return f"the DRAT proof of {several(len(steps), 'step')} refutes the formula (dratify)"


def _drat_trim(program: str, formula: Path, proof: Path) -> str:
    done = subprocess.run(
        [program, str(formula), str(proof), "-t", "1000000"], capture_output=True, text=True, check=False
    )
    if "s VERIFIED" not in done.stdout.splitlines():
        raise Rejected(f"{PROOF} does not refute the formula, says drat-trim")
    return f"the DRAT proof of {proof.stat().st_size} bytes refutes the formula (drat-trim)"
