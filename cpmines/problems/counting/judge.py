"""What is wrong with claimed counts: they have to fit the rules, the question and each other."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cpmines.board import MINE, UNKNOWN, Position
from cpmines.inference.chance import chance
from cpmines.numerals import plural
from cpmines.positions.problem import fault, placement_faults, places, wrong_shape
from cpmines.problems.counting.values import Counts
from cpmines.question import Asked

__all__ = ["faults_of", "number_faults"]

TOLERANCE = 1e-9


def faults_of(position: Position, asked: Asked, value: Counts) -> list[str]:
    """Everything that is wrong; only a proof could show that the count itself is right."""
    options, chances = asked.values(), value.probability
    if shape := _shapes(position, value):
        return shape
    faults = []
    if value.count is not None:
        unknown = int((position.cells == UNKNOWN).sum())
        if value.count < 1 or value.count.bit_length() > unknown + 1:
            return [
                f"a count of {plural(value.count.bit_length(), 'bit')} for {plural(unknown, 'unknown cell')}"
            ]
    if chances is not None:
        faults = _probabilities(position, chances, value.fractions)
    if options.get("fractions") and value.fractions is None:
        faults.append("no fractions, which were asked for")
    if value.by_mines is not None and not faults:
        faults = _by_mines(position, value, value.by_mines, options.get("density"))
    return faults + _boards(position, asked, value)


def number_faults(asked: Asked, value: Counts, listed: int) -> list[str]:
    """Whether as many placements are listed, or drawn, as the question asks for."""
    wanted = asked.values()[asked.name]
    if asked.name == "sample":
        right = listed == wanted
    elif value.count is None:
        right = listed <= wanted
    else:
        wanted = min(wanted, value.count)
        right = listed == wanted
    return [] if right else [f"{plural(listed, 'placement')}, expected {wanted}"]


def _boards(position: Position, asked: Asked, value: Counts) -> list[str]:
    """Placements that are all there; others are judged as they are made."""
    if asked.name not in ("layouts", "sample"):
        return []
    boards = value.layouts if asked.name == "layouts" else value.samples
    if boards is None:
        return ["no placements, which were asked for"]
    if not isinstance(boards, tuple):
        return []
    faults = [fault for mines in boards for fault in placement_faults(position, mines)]
    if asked.name == "layouts" and len({mines.tobytes() for mines in boards}) < len(boards):
        faults.append("a placement is listed twice")
    return faults + number_faults(asked, value, len(boards))


def _shapes(position: Position, value: Counts) -> list[str]:
    tables = {"array of probabilities": value.probability, "array of fractions": value.fractions}
    for name, table in tables.items():
        if table is not None and (shape := wrong_shape(name, table.shape, position)):
            return shape
    return []


def _probabilities(
    position: Position, chances: NDArray[np.float64], fractions: NDArray[np.object_] | None
) -> list[str]:
    known, absent = position.cells != UNKNOWN, np.isnan(chances)
    faults = [fault(cell, "a probability for a known cell") for cell in places(known & ~absent)]
    faults += [fault(cell, "no probability") for cell in places(~known & absent)]
    outside = (chances < 0) | (chances > 1)
    faults += [fault(cell, "a probability below 0 or above 1") for cell in places(outside)]
    if fractions is not None:
        rounded = np.array([[math.nan if x is None else chance(x) for x in row] for row in fractions])
        differing = ~((rounded == chances) | (np.isnan(rounded) & absent))
        faults += [fault(cell, "the fraction is another number") for cell in places(differing)]
    return faults


def _by_mines(
    position: Position, value: Counts, by_mines: dict[int, int], density: Fraction | None
) -> list[str]:
    fewest = int((position.cells == MINE).sum())
    most = fewest + int((position.cells == UNKNOWN).sum())
    if sum(by_mines.values()) != value.count or min(by_mines.values()) < 1:
        return ["the counts by mines do not add up to the count"]
    if min(by_mines) < fewest or max(by_mines) > most:
        return [f"counts for {min(by_mines)} to {max(by_mines)} mines, {fewest} to {most} are possible"]
    if position.mines is not None and set(by_mines) != {position.mines}:
        return [f"counts for other numbers of mines than the total, {position.mines}"]
    if value.probability is None:
        return []
    logs = np.array([math.log(count) for count in by_mines.values()])
    mines = np.array(list(by_mines), np.float64)
    if density is not None:
        p, whole = density.numerator, density.denominator
        logs += mines * (math.log(p) - math.log(whole - p))  # as floats, they may be 0 and 1
    shares = np.exp(logs - logs.max())
    expected = float((shares * mines).sum() / shares.sum())
    claimed = fewest + float(np.nansum(value.probability))
    if abs(expected - claimed) > TOLERANCE * (1 + most):
        return [f"{claimed} mines are expected by the probabilities, {expected} by the counts"]
    return []
