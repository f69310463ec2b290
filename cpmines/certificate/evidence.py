"""What proves an answer: which kind of evidence, and the files that it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Status
from cpmines.board import mine_rows
from cpmines.certificate.cutting import refute_by_cutting
from cpmines.certificate.encode import Sums, clauses_of
from cpmines.certificate.refute import StatedRefutation, Uncertified, refute, total_clauses
from cpmines.certificate.tables import bounds_file
from cpmines.certificate.totals import refute_total
from cpmines.check.placements import PLACEMENTS
from cpmines.check.recount import recount
from cpmines.check.tables import BOUNDS
from cpmines.demands.claims import Extreme, Facts, NotStated
from cpmines.demands.rules import Rules
from cpmines.demands.statement import Statement
from cpmines.errors import WrongAnswerError
from cpmines.numerals import plural, readable
from cpmines.oracle.session import SatSession
from cpmines.run import Run

__all__ = ["Evidence", "evidence_for"]

LOGGING = "exact"
"""The engine that writes down what it derives; its answers are proved by that."""

SMALL = 20
"""Free cells of a board up to which "one more" is refuted as a formula, not by tables."""

ROUNDED = "a probability that is 0 or 1 only by rounding"


@dataclass(frozen=True)
class Evidence:
    """The kind, and the files, by name."""

    kind: str
    files: dict[str, bytes] = field(default_factory=dict)


def evidence_for(rules: Rules[Any], instance: Any, found: Run[Any], limits: Limits) -> Evidence:
    """What proves an answer in full to a question that has certificates.

    Raises
    ------
    LimitError
    Uncertified
        There is no evidence for this answer, or it would be too large.
    WrongAnswerError
        The answer is wrong.
    """
    logged = found.backend.partition(":")[0] == LOGGING
    if found.status is Status.INFEASIBLE:
        if found.value is not None:
            return Evidence("judge")
        statement = _statement(rules, instance)
        if logged:
            return _impossible("cutting", refute_by_cutting(statement, limits))
        return _refutation(refute_total(statement, limits) or refute(statement, limits))
    said = rules.claim(instance, found.asked, found.value)
    if isinstance(said, NotStated):
        raise Uncertified(said.why)
    if isinstance(said, Extreme):
        return _extreme(_statement(rules, instance), said, logged, limits)
    if isinstance(said, Facts):
        return _facts(_statement(rules, instance), said, limits)
    return Evidence("judge")


def _statement(rules: Rules[Any], instance: Any) -> Statement:
    if rules.statement is None:
        raise Uncertified("no rules about placements are stated")
    statement: Statement = rules.statement(instance)
    return statement


def _impossible(kind: str, files: dict[str, bytes] | None) -> Evidence:
    if files is None:
        raise WrongAnswerError("a placement satisfies what is claimed to be impossible")
    return Evidence(kind, files)


def _refutation(found: StatedRefutation | None) -> Evidence:
    return _impossible("refutation", None if found is None else found.files())


def _extreme(statement: Statement, said: Extreme, logged: bool, limits: Limits) -> Evidence:
    """Evidence that no placement has more, or fewer: a theorem, tables, or a refutation."""
    better = statement.beyond(said.number, fewest=said.fewest)
    if logged:
        return _impossible("cutting", refute_by_cutting(better, limits))
    if said.theorem is not None and said.theorem.bound == said.number:
        return Evidence("theorem")
    if said.filling is None or said.fewest or len(statement.free_cells()) <= SMALL:
        return _refutation(refute(better, limits))
    data, most = bounds_file(said.filling, limits)
    if most != said.number:
        raise WrongAnswerError(f"{said.number} are claimed to be the most, {most} are")
    return Evidence("tables", {BOUNDS: data})


def _facts(statement: Statement, facts: Facts, limits: Limits) -> Evidence:
    """Evidence for facts: a count can be made again; else what can be proved of the cells."""
    if facts.shown is not None and not facts.claimed():
        return Evidence("judge")
    if facts.shown is not None and facts.unique:
        return Evidence("theorem")
    why = ""
    if facts.counted or (facts.settled is not None and not facts.searched):
        again = recount(statement)
        limits.check()
        if not isinstance(again, str):
            _agrees(facts, again.count, again.mines_in)
            return Evidence("recount")
        why = again
    if facts.settled is not None and facts.searched:
        return _placements(statement, facts, limits)
    if facts.shown is not None:
        return Evidence("judge")
    if facts.claimed():
        raise Uncertified(f"it can't be counted again: {why}" if why else "nothing shows a placement")
    return _placements(statement, facts, limits)


def _agrees(facts: Facts, count: int, mines_in: dict[int, Any]) -> None:
    """Raises `WrongAnswerError` if another number was claimed."""
    if facts.count is not None and facts.count != count:
        raise WrongAnswerError(
            f"{plural(facts.count, 'placement', readable)} claimed, counted are {readable(count)}"
        )
    if facts.probability is not None:
        claimed = facts.probability.ravel()
        if any(claimed[cell - 1] in (0, 1) and ratio not in (0, 1) for cell, ratio in mines_in.items()):
            raise Uncertified(ROUNDED)


def _placements(statement: Statement, facts: Facts, limits: Limits) -> Evidence:
    """Placements that show both values of the open cells, and a refutation of others for the settled ones."""
    settled = facts.literals() if facts.settled is not None else []
    otherwise = tuple(-literal for literal in settled)
    refutation = refute(statement, limits, otherwise) if otherwise else None
    if otherwise and refutation is None:
        if facts.probability is not None:
            raise Uncertified(ROUNDED)
        raise WrongAnswerError("cells are claimed to be the same in all placements, and are not")
    boards = [mine_rows(board) for board in _showing(statement, facts, limits)]
    files = {PLACEMENTS: "\n".join("\n".join([*rows, ""]) for rows in boards).encode()}
    return Evidence("placements", files | (refutation.files() if refutation else {}))


def _showing(statement: Statement, facts: Facts, limits: Limits) -> list[NDArray[np.bool_]]:
    """Placements, at least one, that together show both values of each open cell."""
    sums = Sums(statement.cells)
    rules = [clause for _, rule in statement.rules() for clause in clauses_of(rule)]
    settled = np.zeros(0) if facts.settled is None else facts.settled
    open_cells = (np.flatnonzero(settled.ravel() == -1) + 1).tolist()
    missing = {literal for cell in open_cells for literal in (cell, -cell)}
    free = np.fromiter(map(statement.free, range(1, statement.cells + 1)), np.bool_)
    boards: list[NDArray[np.bool_]] = []
    with SatSession.of([*rules, *total_clauses(statement, sums)], limits) as oracle:
        while missing or not boards:
            oracle.prefer(sorted(missing, key=abs))
            if not oracle.satisfiable([min(missing, key=abs)] if missing else []):
                raise WrongAnswerError("a cell is claimed to be open, and has one value in all placements")
            model = oracle.model()
            missing -= model
            missing -= {-cell for cell in open_cells if cell not in model}
            mines = np.zeros(len(free), np.bool_)
            mines[[cell - 1 for cell in model if 0 < cell <= len(free)]] = True
            mines &= free
            mines[[cell - 1 for cell in statement.known]] = True
            boards.append(mines.reshape(statement.rows, statement.cols))
    return boards
