"""Kernels of `cpmines.problems.maxmines.strips`: the most below a part of a frontier, backwards cell by cell.

A table has an axis for each cell that a strip keeps, and along it an entry for each digit: 0 to 3 for an
empty cell that may get so many mines, `NEEDS` and `CONTENT` for a mine. Behind a whole line these are the
cells of that line, the first column outermost. Within a line they are the cells placed, then those of the
line before from the one above the last cell placed; and the last cell placed may be `WIDE`: an empty cell
that may get 4 mines, as only it has so many neighbours to come.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.jit import kernel
from cpmines.problems.maxmines import digits
from cpmines.problems.maxmines.kernels.frontier import BITS, CODE, Layer, Numbers

__all__ = ["add_gains", "back", "last_line"]

# Compiled in, while the cache on disk follows this file alone: a change of them elsewhere must touch it too.
DIGITS = digits.DIGITS
CHUNK = digits.CHUNK
NEEDS = 4
CONTENT = 5
WIDE = 6
DEAD = -10_000

Table = NDArray[np.int16]
Codes = NDArray[np.int64]


@kernel
def last_line(table: Table, width: int, left: bool, right: bool) -> None:
    """The table with no line to come: 0, or `DEAD` if a mine away from the cuts has no empty neighbour."""
    for index in range(len(table)):
        table[index] = 0
        rest = index
        for place in range(width - 1, -1, -1):
            if rest % DIGITS == NEEDS and left <= place < width - right:
                table[index] = DEAD
            rest //= DIGITS


@kernel
def beside(digit: int, mine: bool, last: bool) -> int:
    """What a cell becomes by a new neighbour, -1 if that breaks a rule; no other one comes if `last`."""
    if digit == WIDE:
        return 3
    if not mine:
        return CONTENT if digit == NEEDS else digit
    if digit < NEEDS:
        return digit - 1
    return -1 if last and digit == NEEDS else digit


@kernel
def placed(cells: Codes, then: Codes, lasts: Codes, mine: bool, at_cut: bool, most: int) -> int:
    """The digit of a cell placed beside the digits `cells`, -1 for none; set `then` to what those become.

    Returns -1 if a rule is broken. `lasts` tells for which of `cells` this is the last neighbour.
    """
    mines, empty = 0, 0
    for k in range(len(cells)):
        then[k] = 0
        if cells[k] >= 0:
            mines += cells[k] == NEEDS or cells[k] == CONTENT
            empty += cells[k] != NEEDS and cells[k] != CONTENT
            then[k] = beside(cells[k], mine, lasts[k])
            if then[k] < 0:
                return -1
    if mine:
        return CONTENT if at_cut or empty else NEEDS
    if mines > most:
        return -1
    return WIDE if most - mines > 3 else most - mines


@kernel
def moves(
    place: int, gain: int, width: int, left: bool, right: bool, most: int
) -> tuple[NDArray[np.int64], int, int, int]:
    """All ways to place a mine or none beside the four cells that change: one to the left, three above.

    The cells of a table that are not among the four keep their digits, and stand before or behind them in
    both tables: so one list of moves serves all of them, and `back` goes through it once for each
    combination. The one above to the left, if there is one, is finished by this cell and leaves the table;
    this cell enters it.

    Returns
    -------
    moves
        Where the digits of the four begin in the table before, where what they become begins in the table
        after, both for 0 in all cells that are placed before them, and what the move counts; (moves, 3).
    before, after, inner
        From one combination of the cells placed before the four to the next, in either table; and the
        entries for all combinations of those to come, which follow each other in both.
    """
    first, last = place == 0, place == width - 1
    inner = DIGITS ** max(width - place - 2, 0)
    above = DIGITS ** (width - place - 1)
    line = DIGITS * above
    cells, then, lasts = np.full(4, -1), np.empty(4, np.int64), np.zeros(4, np.int64)
    # This cell is the last neighbour of the one above to the left, and at the border of the one above; not of
    # one at a cut, which may have others beyond it.
    lasts[1] = place > int(left)
    lasts[2] = last and not right and place >= int(left)
    numbers = (1 if first else (DIGITS + 1) * DIGITS) * DIGITS * (1 if last else DIGITS)
    found, count = np.empty((2 * numbers, 3), np.int64), 0
    for number in range(numbers):
        rest = number  # its digits are those of the four cells, the left one the highest
        if not last:
            cells[3], rest = rest % DIGITS, rest // DIGITS
        cells[2], rest = rest % DIGITS, rest // DIGITS
        if not first:
            cells[1], cells[0] = rest % DIGITS, rest // DIGITS
        for mine in range(2):
            new = placed(cells, then, lasts, mine == 1, (left and first) or (right and last), most)
            if new >= 0:
                # The last cell of a line has two neighbours to come in the strip: 3 is as good as `WIDE`.
                target = then[0] * DIGITS + (3 if new == WIDE else new)
                if not last:
                    target = (then[0] * (DIGITS + 1) + new) * line + then[2] * above + then[3] * inner
                found[count] = number * inner, target, mine * gain
                count += 1
    return found[:count], numbers * inner, (DIGITS if last else (DIGITS + 1) * line) * DIGITS, inner


@kernel
def back(
    table: Table, before: Table, place: int, gain: int, width: int, left: bool, right: bool, most: int
) -> None:
    """Fill `before` from `table`, that after the cell at `place`; a mine there counts `gain`."""
    ways, here, there, inner = moves(place, gain, width, left, right, most)
    before[:] = DEAD
    for part in range(DIGITS ** max(place - 1, 0)):
        for way in range(len(ways)):
            source, target, more = part * here + ways[way, 0], part * there + ways[way, 1], ways[way, 2]
            if inner > DIGITS:
                raise_to(before[source : source + inner], table[target:], more)
            else:
                for k in range(inner):
                    before[source + k] = max(before[source + k], table[target + k] + more)


@kernel
def raise_to(entries: Table, others: Table, more: int) -> None:
    """Set each entry to the other one and `more`, where that is larger; many at once, so in a loop alone."""
    for k in range(len(entries)):
        entries[k] = max(entries[k], others[k] + more)


@kernel
def number_of(cells: np.uint64, numbers: NDArray[np.int32]) -> int:
    """The index of packed codes along the axes of their cells; `numbers` has it for `CHUNK` cells."""
    mask = np.uint64(len(numbers) - 1)
    scale = 1
    index = 0
    while cells != 0:
        index += scale * numbers[cells & mask]
        cells >>= BITS * np.uint64(CHUNK)
        scale *= DIGITS**CHUNK
    return index


@kernel
def add_gains(
    layer: Layer,
    start: int,
    stop: int,
    table: Table,
    numbers: NDArray[np.int32],
    newest: NDArray[np.int64],
    shifts: Numbers,
    masks: Numbers,
    above: int,
    out: NDArray[np.int32],
) -> None:
    """Add to ``out[slot]`` what a strip can get at most below each state.

    Parameters
    ----------
    numbers
        See `number_of`.
    newest
        The digit of each code in the last cell placed, and then the entries along the axis of that cell.
    shifts, masks
        Where the cells of the strip are in a state: those placed on this line, and those of the line before.
    above
        Entries of the axes of the latter.
    out
        int32 of shape (slots,), modified in place.
    """
    for slot in range(start, stop):
        if layer[slot, 1] != 0:
            # The newest cell is lowest in the state and the innermost of those placed, on an axis of its own.
            placed_cells = (layer[slot, 0] >> shifts[0]) & masks[0]
            index = number_of(placed_cells >> BITS, numbers) * newest[-1] + newest[placed_cells & CODE]
            if above > 1:
                index = index * above + number_of((layer[slot, 0] >> shifts[1]) & masks[1], numbers)
            out[slot] += table[index]
