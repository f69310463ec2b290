"""Propagation on the board itself, before a network of what it leaves open is built.

Arrays have a border of one cell on each side and are flat, so that a neighbour is a constant away:
`cells`, `need` and `spare` are int8 of shape ((rows + 2) * (cols + 2),), modified in place. `cells` holds
clues 0-8, `MINE`, `UNKNOWN`, and `SAFE` for decided cells and the border; a clue that has been queued carries
the bit `QUEUED`. At a clue, `need` of its unknown neighbours are mines and `spare` are safe.

A mine takes one from `need` of the clues around it, a safe cell one from `spare`; a clue decides the rest of
its neighbours when either reaches 0, and it is broken if one falls below, which it can do only while it is
queued. Where there is no clue both are `FAR` from 0, so that updates need not ask what a cell is.
"""

import cython
import numpy as np
from cython.cimports.cpmines.kernels.arrays import Bytes, ConstBytesTable, ConstInts, Ints, Longs, int8, int64
from cython.cimports.cpmines.kernels.cells import MINE, UNKNOWN
from cython.cimports.cpmines.kernels.pulse import Pulse, beat

__all__ = ["begin", "propagate"]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_around(cells: Bytes, row: int64, stride: int64, mines: Bytes, unknowns: Bytes) -> cython.void:
    """Set `mines` and `unknowns`, int8 (stride,), to the counts in rows row - 1 to row + 1 of each column."""
    above: int64 = (row - 1) * stride
    here: int64 = row * stride
    below: int64 = (row + 1) * stride
    a: int8
    b: int8
    c: int8
    for col in range(stride):
        a, b, c = cells[above + col], cells[here + col], cells[below + col]
        mines[col] = (a == MINE) + (b == MINE) + (c == MINE)
        unknowns[col] = (a == UNKNOWN) + (b == UNKNOWN) + (c == UNKNOWN)


def begin(
    board: ConstBytesTable,
    cells: Bytes,
    need: Bytes,
    spare: Bytes,
    queue: Ints,
    counters: Longs,
    pulse: Pulse,
) -> None:
    """Fill all arrays from `board`, int8 (rows, cols), and queue the clues that decide their neighbours.

    `queue` is int32 with an entry for each clue: none enters twice. The mines and unknown cells around a clue
    are sums over three columns, each counted once for its row.
    """
    rows: int64 = board.shape[0]
    cols: int64 = board.shape[1]
    stride: int64 = cols + 2
    mines: Bytes = np.empty(stride, np.int8)
    unknowns: Bytes = np.empty(stride, np.int8)
    queued: int64 = 0
    conflict: int64 = -1
    known: int64 = 0
    unknown: int64 = 0
    open_clues: int64 = 0
    row: int64
    col: int64
    at: int64
    cell: int8
    around: int8
    left: int8
    with cython.nogil:
        cells[:], need[:], spare[:] = SAFE, FAR, FAR
        for row in range(rows):
            for col in range(cols):
                cells[(row + 1) * stride + 1 + col] = board[row, col]
        for row in range(1, rows + 1):
            beat(pulse)
            count_around(cells, row, stride, mines, unknowns)
            for col in range(1, cols + 1):
                if not col & 63:  # some cells are a step: one alone takes less time than a beat
                    beat(pulse)
                at = row * stride + col
                cell = cells[at]
                if cell < 0:
                    known += cell == MINE
                    unknown += cell == UNKNOWN
                    continue
                around = unknowns[col - 1] + unknowns[col] + unknowns[col + 1]
                left = cell - (mines[col - 1] + mines[col] + mines[col + 1])
                need[at], spare[at] = left, around - left
                if left < 0 or left > around:
                    conflict = at  # for good: `need` and `spare` only get less
                elif around > 0:
                    open_clues += 1
                    if left == 0 or left == around:  # a clue with nothing unknown around it was checked above
                        cells[at] = cell | QUEUED
                        queue[queued] = at
                        queued += 1
    counters[QUEUE], counters[CONFLICT], counters[MINES] = queued, conflict, known
    counters[UNKNOWNS], counters[OPEN_CLUES] = unknown, open_clues


def propagate(
    around: ConstInts, cells: Bytes, need: Bytes, spare: Bytes, queue: Ints, counters: Longs, pulse: Pulse
) -> None:
    """Work on the queued clues, to a fixed point or a conflict.

    This is unit propagation of cardinality constraints, with two counters in place of watched literals.
    `around` holds the steps to the eight neighbours. Last in, first out keeps the work in one part of the
    board. Linear: a cell is decided once, a clue is queued once.
    """
    queued: int64 = counters[QUEUE]
    decided: int64 = 0
    placed: int64 = 0
    done: int64 = 0
    clue: int64
    left: int64
    cell: int64
    at: int64
    i: int64
    j: int64
    mines: cython.bint
    value: int8
    taken: Bytes
    with cython.nogil:
        while queued > 0 and counters[CONFLICT] < 0:
            beat(pulse)
            queued -= 1
            done += 1
            clue = queue[queued]
            # Since it was queued, other clues may have given it too many mines or safe cells. The board is
            # lost then, and what the rest of this turn does to it is of no account.
            if need[clue] < 0 or spare[clue] < 0:
                counters[CONFLICT] = clue
            mines = need[clue] > 0  # then `spare` is 0: a clue is queued when one of the two reaches 0
            value = MINE if mines else SAFE
            taken = need if mines else spare
            left = need[clue] + spare[clue]
            decided += left
            placed += left if mines else 0
            for i in range(len(around)):
                cell = clue + around[i]
                if cells[cell] != UNKNOWN:
                    continue
                cells[cell] = value
                for j in range(len(around)):
                    at = cell + around[j]
                    taken[at] -= 1  # where no clue is, `FAR` less at most 8: never 0
                    if taken[at] == 0 and cells[at] < QUEUED:
                        cells[at] |= QUEUED
                        queue[queued] = at
                        queued += 1
        counters[QUEUE] = queued
        counters[MINES] += placed
        counters[UNKNOWNS] -= decided
        counters[OPEN_CLUES] -= done
