"""The check of a set of clues: it decides what is claimed, and no longer does so without any one of them.

It shares only records with what finds the sets: the board is read anew, by the rules that certificates are
checked by, and the questions go to the search and the spectra of `cpmines.inference`, not to SAT or
elimination.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from cpmines.answer import Limits
from cpmines.clues import TOTAL
from cpmines.demands.statement import Statement
from cpmines.errors import WrongAnswerError
from cpmines.explain.explainable import Explainable
from cpmines.explain.results import Certain, Contradiction, Step
from cpmines.inference.network import Network, Sum

__all__ = ["possible", "verified"]

Known = Mapping[int, bool]


def read(statement: Statement, place: int, known: Known) -> Sum:
    """The cells that the clue at `place` leaves open, and how many are mines, by the checker's rules."""
    if place == TOTAL:
        assert statement.total is not None
        cells, number = statement.free_cells(), statement.total.least
    else:
        rule = statement.rule(place + 1)
        if rule is None or len(rule.allowed) != 1 or rule.middle:
            raise WrongAnswerError(f"{statement.name(place + 1)} has no clue")
        cells, ((_, number),) = list(rule.others), rule.allowed
    mines = sum(known.get(cell - 1, False) for cell in cells)
    return tuple(cell - 1 for cell in cells if cell - 1 not in known), number - mines


def possible(statement: Statement, places: Iterable[int], known: Known, limits: Limits) -> bool:
    """Can the clues at `places` be met together, once the cells in `known` are what it says?

    Raises
    ------
    LimitError
    """
    from cpmines.inference.search import search
    from cpmines.inference.witness import meet_total, ones

    claims = {place: read(statement, place, known) for place in places}
    if any(not 0 <= mines <= len(cells) for cells, mines in claims.values()):
        return False
    total = claims.pop(TOTAL, None)
    sums = [found for found in claims.values() if found[0]]
    if not sums:
        return True
    network = Network.of_sums(sums)
    values = np.zeros(len(network.cells), np.int8)
    for k in range(network.components):
        part = network.part(k, k + 1)
        found = search(part, limits, np.zeros(len(part.cells), np.int8))
        if found is None:
            return False
        values[network.cell_ends[k] : network.cell_ends[k + 1]] = found
    if total is None:
        return True
    free = len(total[0]) - len(values)
    window = range(total[1] - free, total[1] + 1)
    return ones(values) in window or meet_total(network, values, window, limits) is not None


def faults(
    statement: Statement, places: Sequence[int], known: Known, target: tuple[int, bool] | None, limits: Limits
) -> str:
    """What is wrong with the claim that these clues contradict each other, or force `target`; or empty.

    Parameters
    ----------
    known
        What is known of cells before, beside the board.
    target
        A cell and whether it is a mine.
    """
    opposite = dict(known) if target is None else {**known, target[0]: not target[1]}
    if possible(statement, places, opposite, limits):
        return "can be met together" if target is None else "leave the cell open"
    for place in places:
        if not possible(statement, [other for other in places if other != place], opposite, limits):
            return "include one that is not needed"
    return ""


def verified(
    subject: Explainable, found: Contradiction | Certain | Step, limits: Limits, known: Known | None = None
) -> None:
    """Check what was found.

    Raises
    ------
    WrongAnswerError
        It is wrong: a fault of the program.
    LimitError
    """
    known, statement = known or {}, subject.statement
    places = [clue.place for clue in found.clues]
    targets: list[tuple[int, bool] | None] = [None]
    if isinstance(found, Certain):
        targets = [(found.cell, found.mine)]
    elif isinstance(found, Step):
        targets = [*((cell, True) for cell in found.mines), *((cell, False) for cell in found.safe)]
    problem = faults(statement, places, known, targets[0], limits)
    for target in targets[1:]:
        assert target is not None
        if possible(statement, places, {**known, target[0]: not target[1]}, limits):
            problem = problem or f"leave the cell {target[0]} open"
    if problem:
        raise WrongAnswerError(f"the clues that were found {problem}; places {places}")
