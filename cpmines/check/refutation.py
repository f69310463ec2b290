"""A refutation: a formula that the board implies, and a DRAT proof that nothing satisfies it."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cpmines.answer import Limits
from cpmines.check.formula import Clause, Meanings, check_clauses, parse_formula
from cpmines.check.verdict import Rejected
from cpmines.demands.statement import Statement
from cpmines.errors import EngineError
from cpmines.numerals import plural
from cpmines.process.command import run_command

if TYPE_CHECKING:
    from cpmines.check.folder import Files

__all__ = ["FORMULA", "MAP", "PROOF", "check_proof", "check_refutation"]

FORMULA, MAP, PROOF = "formula.cnf", "map.json", "proof.drat"

STEP = re.compile(r"(?:(?:d )?(?:-?[1-9]\d{0,8} )*0)?")

LARGE_PROOF = 1 << 20
"""Bytes of a proof from which drat-trim is used, where it is on the PATH."""

LONGEST_TRIM = "1000000"
"""Seconds: drat-trim has a limit of its own, which is not the one that counts."""

UNLIMITED = Limits()


def check_refutation(
    files: Files, statement: Statement, claim: Clause = (), limits: Limits = UNLIMITED
) -> list[str]:
    """Check the three files of a refutation; returns what was verified, a sentence each.

    Parameters
    ----------
    claim
        A clause that may be in the formula although the board does not say it: the opposite of what is
        claimed.

    Raises
    ------
    Rejected, LimitError
    """
    clauses = parse_formula(files.text(FORMULA))
    meanings = Meanings.from_json(statement.rows * statement.cols, files.json(MAP))
    check_clauses(clauses, statement, meanings, claim)
    counted = f", the definition of {plural(len(meanings.sums), 'sum')}" * bool(meanings.sums)
    said = f"each of {plural(len(clauses), 'clause')} follows from a rule of the board{counted}"
    said += " or is the claim turned round" * bool(claim)
    return [said, check_proof(clauses, files.text(PROOF), limits)]


def check_proof(clauses: Sequence[Clause], text: str, limits: Limits = UNLIMITED) -> str:
    """Check that the proof refutes the clauses, whatever they say; returns it as a sentence.

    Raises
    ------
    Rejected, LimitError
    """
    steps = parse_proof(text)
    program = shutil.which("drat-trim")
    if program is not None and len(text) >= LARGE_PROOF:
        return _drat_trim(program, clauses, steps, limits)
    return _dratify(clauses, steps)


def parse_proof(text: str) -> list[Clause]:
    """The clauses that a proof adds, one a line. Raises `Rejected`.

    Lines that delete a clause are passed over: a step is then checked beside all clauses before it, and
    dratify 0.1.10 is not sound with deletions (it keeps a literal that only a deleted clause implied).
    """
    steps = []
    for number, line in enumerate(text.split("\n"), 1):
        if STEP.fullmatch(line) is None:
            raise Rejected(f"{PROOF}, line {number}: {line[:40]!r} is no step, expected literals and a 0")
        if line and not line.startswith("d"):
            steps.append(tuple(map(int, line.split()[:-1])))
    return steps


def _dratify(clauses: Sequence[Clause], steps: list[Clause]) -> str:
    from dratify import CNF, check_proof, from_dimacs

    formula = CNF()
    for clause in clauses:
        formula.add_dimacs(clause)
    added = [("a", tuple(map(from_dimacs, step))) for step in steps]
    try:
        result = check_proof(formula, added)
    except ValueError as error:
        raise Rejected(f"{PROOF}: {error}") from None
    if not result.ok:
        step = f" (step {result.failed_step})" if result.failed_step > 0 else ""
        raise Rejected(f"{PROOF} does not refute the formula{step}: {result.reason}")
    return f"the DRAT proof of {plural(len(steps), 'step')} refutes the formula (dratify)"


def _drat_trim(program: str, clauses: Sequence[Clause], steps: list[Clause], limits: Limits) -> str:
    """The formula and the proof are written anew: the program is more lenient in what it reads."""
    variables = max((abs(literal) for clause in clauses for literal in clause), default=0)
    with tempfile.TemporaryDirectory() as folder:
        formula, proof = Path(folder, FORMULA), Path(folder, PROOF)
        formula.write_text(f"p cnf {variables} {len(clauses)}\n{_written(clauses)}")
        proof.write_text(_written(steps))
        words = [program, str(formula), str(proof), "-t", LONGEST_TRIM]
        try:
            said = run_command(words, b"", limits)
        except EngineError as error:
            raise Rejected(f"{PROOF} does not refute the formula, says drat-trim: {error}") from None
    if b"s VERIFIED" not in said.splitlines():
        raise Rejected(f"{PROOF} does not refute the formula, says drat-trim")
    return f"the DRAT proof of {plural(len(steps), 'step')} refutes the formula (drat-trim)"


def _written(clauses: Sequence[Clause]) -> str:
    return "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
