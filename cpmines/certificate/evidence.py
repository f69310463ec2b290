"""What proves an answer: which kind of evidence, and the files that it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Status
from cpmines.board import MINE, Position, mine_rows
from cpmines.certificate.cutting import refute_by_cutting
from cpmines.certificate.encode import Sums, clauses_of
from cpmines.certificate.refute import Uncertified, refute, total_clauses
from cpmines.certificate.tables import bounds_file
from cpmines.certificate.totals import refute_total
from cpmines.check.facts import Facts, facts_of
from cpmines.check.frontier import BOUNDS, BoundTables
from cpmines.check.placements import PLACEMENTS
from cpmines.check.recount import recount
from cpmines.check.rules import Statement, statement_of
from cpmines.check.theorems import is_unique, most_mines
from cpmines.errors import WrongAnswerError
from cpmines.oracle.session import SatSession
from cpmines.run import Run, run

__all__ = ["Evidence", "evidence_for"]

LOGGING = "exact"
"""The engine that writes down what it derives; its answers are proved by that."""

SMALL = 20
"""Cells of a board up to which "one mine more" is refuted as a formula, not by tables."""


ROUNDED = "a probability that is 0 or 1 only by rounding"


@dataclass(frozen=True)
class Evidence:
    """The kind, and the files, by name."""

    kind: str
    files: dict[str, bytes] = field(default_factory=dict)


def evidence_for(problem: str, instance: Any, found: Run[Any], limits: Limits) -> Evidence:
    """What proves an answer.

    Raises
    ------
    LimitError
    Uncertified
        There is no evidence for this answer, or it would be too large.
    WrongAnswerError
        The answer is wrong.
    """
    if found.status is Status.INFEASIBLE:
        if found.value is not None:
            return Evidence("judge")
        if found.backend.partition(":")[0] == LOGGING:
            return _cutting(statement_of(problem, instance), limits)
        return _infeasible(problem, instance, limits)
    if problem in ("consistency", "validation"):
        if problem == "consistency" and getattr(found.value, "mines", None) is None:
            raise Uncertified("the answer shows no placement")
        return Evidence("judge")
    if problem == "maxmines":
        return _most(instance, found, limits)
    facts = facts_of(problem, instance, found.value)
    if problem == "deduction":
        return _placements(instance, problem, facts, limits)
    if problem == "reconstruction" and is_unique(*instance.shape):
        return Evidence("theorem")
    return _counted(problem, instance, facts, limits)


def _infeasible(problem: str, instance: Any, limits: Limits) -> Evidence:
    statement = statement_of(problem, instance)
    refutation = None
    if statement.total is not None:
        clues = run("deduction", Position(instance.cells), "direct", limits)
        if clues.value is not None and clues.trusted:
            refutation = refute_total(statement, _settled(clues.value.cells), limits)
    refutation = refutation or refute(statement, limits)
    if refutation is None:
        raise WrongAnswerError("the board is claimed to be impossible, but a placement satisfies it")
    return Evidence("refutation", refutation.files())


def _cutting(statement: Statement, limits: Limits) -> Evidence:
    files = refute_by_cutting(statement, limits)
    if files is None:
        raise WrongAnswerError("a placement satisfies what is claimed to be impossible")
    return Evidence("cutting", files)


def _settled(cells: NDArray[np.int8]) -> list[int]:
    """The cells that a deduction settles, as literals."""
    from cpmines.problems.deduction.problem import FORCED, SAFE

    codes = enumerate(cells.ravel().tolist(), 1)
    return [cell if code == FORCED else -cell for cell, code in codes if code in (SAFE, FORCED)]


def _most(instance: Any, found: Run[Any], limits: Limits) -> Evidence:
    value = found.value
    assert value is not None
    size = (instance.rows, instance.cols, instance.bound)
    if found.backend.partition(":")[0] == LOGGING:
        return _cutting(statement_of("maxmines", instance).with_at_least(value.mines + 1), limits)
    if most_mines(*size)[0] == value.mines:
        return Evidence("theorem")
    if instance.rows * instance.cols <= SMALL:
        refutation = refute(statement_of("maxmines", instance).with_at_least(value.mines + 1), limits)
        if refutation is None:
            raise WrongAnswerError(f"{value.mines} mines are claimed to be the most, but more are possible")
        return Evidence("refutation", refutation.files())
    data, most = bounds_file(BoundTables.of(*size), limits)
    if most != value.mines:
        raise WrongAnswerError(f"{value.mines} mines are claimed to be the most, {most} are")
    return Evidence("frontier", {BOUNDS: data})


def _counted(problem: str, instance: Any, facts: Facts, limits: Limits) -> Evidence:
    """Evidence for a count: it can be counted again, or else what can be proved of the cells."""
    if facts.count is None and facts.settled is None:
        return Evidence("judge")
    again = recount(statement_of(problem, instance))
    limits.check()
    if not isinstance(again, str):
        if facts.count is not None and facts.count != again.count:
            raise WrongAnswerError(f"{facts.count} placements are claimed, there are {again.count}")
        if facts.probability is not None:
            claimed = facts.probability.ravel()
            if any(
                claimed[cell - 1] in (0, 1) and ratio not in (0, 1) for cell, ratio in again.mines_in.items()
            ):
                raise Uncertified(ROUNDED)
        return Evidence("recount")
    if facts.settled is None or (problem == "reconstruction"):
        return Evidence("judge")
    return _placements(instance, problem, facts, limits)


def _placements(instance: Any, problem: str, facts: Facts, limits: Limits) -> Evidence:
    """Placements that show both values of the open cells, and a refutation of others for the settled ones."""
    statement = statement_of(problem, instance)
    otherwise = tuple(facts.literals(False))
    refutation = refute(statement, limits, otherwise) if otherwise else None
    if otherwise and refutation is None:
        if facts.probability is not None:
            raise Uncertified(ROUNDED)
        raise WrongAnswerError("cells are claimed to be the same in all placements, and are not")
    known = _known_mines(problem, instance)
    boards = [mine_rows(known | board) for board in _showing(statement, facts, limits)]
    files = {PLACEMENTS: "\n".join("\n".join([*rows, ""]) for rows in boards).encode()}
    return Evidence("placements", files | (refutation.files() if refutation else {}))


def _known_mines(problem: str, instance: Any) -> NDArray[np.bool_]:
    if problem in ("mosaic", "reconstruction"):
        return np.zeros(instance.shape, np.bool_)
    known: NDArray[np.bool_] = instance.cells == MINE
    return known


def _showing(statement: Statement, facts: Facts, limits: Limits) -> list[NDArray[np.bool_]]:
    """Placements, at least one, that together show both values of each open cell, without known mines."""
    sums = Sums(statement.rows * statement.cols)
    rules = [clause for _, rule in statement.rules() for clause in clauses_of(rule)]
    assert facts.settled is not None
    open_cells = (np.flatnonzero(facts.settled.ravel() == -1) + 1).tolist()
    missing = {literal for cell in open_cells for literal in (cell, -cell)}
    free = np.fromiter(map(statement.free, range(1, sums.top + 1)), np.bool_)
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
            boards.append((mines & free).reshape(statement.rows, statement.cols))
    return boards
