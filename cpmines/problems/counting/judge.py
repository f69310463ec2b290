"""What is wrong with claimed counts: they have to fit the rules and each other."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.grid import neighbour_counts
from cpmines.inference.chance import chance
from cpmines.positions.problem import fault, places, wrong_shape
from cpmines.problems.counting.values import Counts, Query

__all__ = ["faults_of", "placement_faults"]

TOLERANCE = 1e-9


def faults_of(query: Query, value: Counts) -> list[str]:
    """Everything that is wrong; only a proof could show that the count itself is right."""
    chances = value.probability
    if chances is not None and (shape := wrong_shape("array of probabilities", chances.shape, query)):
        return shape
    unknown = int((query.cells == UNKNOWN).sum())
    if value.count < 1 or value.count.bit_length() > unknown + 1:
        return [f"a count of {value.count.bit_length()} bits, there are {unknown} unknown cells"]
    faults = [] if chances is None else _probabilities(query, chances, value.ratios)
    if value.by_mines is not None and not faults:
        faults = _by_mines(query, value, value.by_mines)
    return faults + (_listed(query, value, value.layouts) if isinstance(value.layouts, tuple) else [])


def _listed(query: Query, value: Counts, layouts: tuple[NDArray[np.bool_], ...]) -> list[str]:
    """Placements that are all there; others are judged as they are made."""
    faults = [fault for mines in layouts for fault in placement_faults(query, mines)]
    if len(layouts) != min(query.layouts, value.count):
        faults.append(f"{len(layouts)} placements listed, {query.layouts} of {value.count} asked for")
    if len({mines.tobytes() for mines in layouts}) < len(layouts):
        faults.append("a placement is listed twice")
    return faults


def _probabilities(
    query: Query, chances: NDArray[np.float64], ratios: NDArray[np.object_] | None
) -> list[str]:
    known, absent = query.cells != UNKNOWN, np.isnan(chances)
    faults = [fault(cell, "a probability for a known cell") for cell in places(known & ~absent)]
    faults += [fault(cell, "no probability") for cell in places(~known & absent)]
    outside = (chances < 0) | (chances > 1)
    faults += [fault(cell, "a probability below 0 or above 1") for cell in places(outside)]
    if ratios is not None:
        rounded = np.array([[math.nan if x is None else chance(x) for x in row] for row in ratios])
        differing = ~known & (rounded != chances)
        faults += [fault(cell, "the fraction is another number") for cell in places(differing)]
    return faults


def _by_mines(query: Query, value: Counts, by_mines: dict[int, int]) -> list[str]:
    fewest = int((query.cells == MINE).sum())
    most = fewest + int((query.cells == UNKNOWN).sum())
    if sum(by_mines.values()) != value.count or min(by_mines.values()) < 1:
        return ["the counts by mines do not add up to the count"]
    if min(by_mines) < fewest or max(by_mines) > most:
        return [f"counts for {min(by_mines)} to {max(by_mines)} mines, {fewest} to {most} are possible"]
    if query.mines is not None and set(by_mines) != {query.mines}:
        return [f"counts for other numbers of mines than the total, {query.mines}"]
    if value.probability is None:
        return []
    logs = np.array([math.log(count) for count in by_mines.values()])
    mines = np.array(list(by_mines), np.float64)
    if query.density is not None:
        p, whole = query.density.numerator, query.density.denominator
        logs += mines * (math.log(p) - math.log(whole - p))  # as floats, they may be 0 and 1
    shares = np.exp(logs - logs.max())
    expected = float((shares * mines).sum() / shares.sum())
    claimed = fewest + float(np.nansum(value.probability))
    if abs(expected - claimed) > TOLERANCE * (1 + most):
        return [f"{claimed} mines are expected by the probabilities, {expected} by the counts"]
    return []


def placement_faults(position: Position, mines: NDArray[np.bool_]) -> list[str]:
    """Everything that is wrong with one placement."""
    cells = position.cells
    faults = [fault(cell, "the known mine is missing") for cell in places((cells == MINE) & ~mines)]
    faults += [fault(cell, "a mine on a clue") for cell in places((cells >= 0) & mines)]
    broken = (cells >= 0) & (cells != neighbour_counts(np.ascontiguousarray(mines)))
    faults += [fault(cell, "the clue is not met") for cell in places(broken)]
    if position.mines not in (None, int(mines.sum())):
        faults.append(f"a placement of {int(mines.sum())} mines, the total is {position.mines}")
    return faults
