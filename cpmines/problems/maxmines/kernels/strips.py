"""Kernels of `cpmines.problems.maxmines.strips`: the most below a part of a frontier, backwards cell by cell.

A table has an axis for each cell that a strip keeps, and along it an entry for each digit: 0 to 3 for an
empty cell that may get so many mines, `NEEDS` and `CONTENT` for a mine. Behind a whole line these are the
cells of that line, the first column outermost. Within a line they are the cells placed, then those of the
line before from the one above the last cell placed; and the last cell placed may be `WIDE`: an empty cell
that may get 4 mines, as only it has so many neighbours to come.
"""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import (
    ConstInts,
    ConstLongs,
    Ints,
    Longs,
    LongsTable,
    Shorts,
    int16,
    int64,
    uint64,
)
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.problems.maxmines.kernels.frontier import BITS, CODE, ConstLayer, Numbers

__all__ = ["add_gains", "back", "last_line"]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def power(exponent: int64) -> int64:
    """So many cells have this many combinations of digits."""
    product: int64 = 1
    for _ in range(exponent):
        product *= DIGITS
    return product


def last_line(table: Shorts, width: int64, left: cython.bint, right: cython.bint) -> None:
    """The table with no line to come: 0, or `DEAD` if a mine away from the cuts has no empty neighbour."""
    rest: int64
    place: int64
    index: int64
    with cython.nogil:
        for index in range(len(table)):
            table[index] = 0
            rest = index
            for place in range(width - 1, -1, -1):
                if rest % DIGITS == NEEDS and left <= place < width - right:
                    table[index] = DEAD
                rest //= DIGITS


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beside(digit: int64, mine: cython.bint, last: cython.bint) -> int64:
    """What a cell becomes by a new neighbour, -1 if that breaks a rule; no other one comes if `last`."""
    if digit == WIDE:
        return 3
    if not mine:
        return CONTENT if digit == NEEDS else digit
    if digit < NEEDS:
        return digit - 1
    return -1 if last and digit == NEEDS else digit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def placed(
    cells: Longs, then: Longs, lasts: Longs, mine: cython.bint, at_cut: cython.bint, most: int64
) -> int64:
    """The digit of a cell placed beside the digits `cells`, -1 for none; set `then` to what those become.

    Returns -1 if a rule is broken. `lasts` tells for which of `cells` this is the last neighbour.
    """
    mines: int64 = 0
    empty: int64 = 0
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


@cython.cfunc
def moves(
    place: int64, gain: int64, width: int64, left: cython.bint, right: cython.bint, most: int64
) -> tuple[object, int64, int64, int64]:
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
    first: cython.bint = place == 0
    last: cython.bint = place == width - 1
    inner: int64 = power(max(width - place - 2, 0))
    above: int64 = power(width - place - 1)
    line: int64 = DIGITS * above
    cells: Longs = np.full(4, -1, np.int64)
    then: Longs = np.empty(4, np.int64)
    lasts: Longs = np.zeros(4, np.int64)
    # This cell is the last neighbour of the one above to the left, and at the border of the one above; not of
    # one at a cut, which may have others beyond it.
    lasts[1] = place > left
    lasts[2] = last and not right and place >= left
    numbers: int64 = (1 if first else (DIGITS + 1) * DIGITS) * DIGITS * (1 if last else DIGITS)
    found = np.empty((2 * numbers, 3), np.int64)
    ways: LongsTable = found
    count: int64 = 0
    number: int64
    rest: int64
    mine: int64
    new: int64
    target: int64
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
                ways[count, 0], ways[count, 1], ways[count, 2] = number * inner, target, mine * gain
                count += 1
    return found[:count], numbers * inner, (DIGITS if last else (DIGITS + 1) * line) * DIGITS, inner


def back(
    table: Shorts,
    before: Shorts,
    place: int64,
    gain: int64,
    width: int64,
    left: cython.bint,
    right: cython.bint,
    most: int64,
    pulse: Pulse,
) -> None:
    """Fill `before` from `table`, that after the cell at `place`; a mine there counts `gain`."""
    found = moves(place, gain, width, left, right, most)
    ways: LongsTable = found[0]
    here: int64 = found[1]
    there: int64 = found[2]
    inner: int64 = found[3]
    part: int64
    way: int64
    with cython.nogil:
        before[:] = DEAD
        for part in range(power(max(place - 1, 0))):
            for way in range(len(ways)):
                beat(pulse)
                # The cells to come stand next to each other in both tables: one loop over them for each way.
                raise_to(
                    before,
                    part * here + ways[way, 0],
                    table,
                    part * there + ways[way, 1],
                    inner,
                    ways[way, 2],
                )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def raise_to(
    before: Shorts, source: int64, table: Shorts, target: int64, count: int64, more: int64
) -> cython.void:
    """Set `count` entries from `source` on to those from `target` on and `more`, where these are larger."""
    entries: cython.pointer(int16) = cython.address(before[source])
    others: cython.pointer(cython.const[int16]) = cython.address(table[target])
    gain: int16 = more
    other: int16
    for k in range(count):
        other = others[k] + gain
        entries[k] = max(entries[k], other)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_of(cells: uint64, numbers: ConstInts) -> int64:
    """The index of packed codes along the axes of their cells; `numbers` has it for `CHUNK` cells."""
    mask: uint64 = len(numbers) - 1
    scale: int64 = 1
    index: int64 = 0
    while cells != 0:
        index += scale * numbers[cells & mask]
        cells >>= BITS * CHUNK
        scale *= OF_CHUNK
    return index


def add_gains(
    layer: ConstLayer,
    start: int64,
    stop: int64,
    table: Shorts,
    numbers: ConstInts,
    newest: ConstLongs,
    shifts: Numbers,
    masks: Numbers,
    above: int64,
    out: Ints,
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
    last: int64 = newest[len(newest) - 1]
    slot: int64
    placed_cells: uint64
    index: int64
    with cython.nogil:
        for slot in range(start, stop):
            if layer[slot, 1] != 0:
                # The newest cell is lowest in the state, and innermost of those placed: an axis of its own.
                placed_cells = (layer[slot, 0] >> shifts[0]) & masks[0]
                index = number_of(placed_cells >> BITS, numbers) * last + newest[placed_cells & CODE]
                if above > 1:
                    index = index * above + number_of((layer[slot, 0] >> shifts[1]) & masks[1], numbers)
                out[slot] += table[index]
