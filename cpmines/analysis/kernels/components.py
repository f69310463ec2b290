"""Components of the open clues: their cells, and the classes of cells that are beside the same clues."""

import cython
from cython.cimports.cpmines.analysis.kernels.clues import dissolve, is_clue
from cython.cimports.cpmines.analysis.kernels.state import NONE, State, Work
from cython.cimports.cpmines.kernels.arrays import int64
from cython.cimports.cpmines.kernels.cells import UNKNOWN


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def near(state: State, a: int64, b: int64) -> cython.bint:
    """Are two places neighbours?"""
    distance: int64 = b - a
    found: cython.bint = False
    for i in range(8):
        found |= distance == state.around[i]
    return found


def collect(state: State, work: Work, start: int64) -> tuple[int64, int64]:
    """Number the clues and cells of the component of the open clue `start`, breadth first.

    Standing components that it meets dissolve into it: their clues become seeds, which `refresh` passes over
    once they are in the new one. Returns the numbers of clues and of cells. A place is a cell or a clue, so
    one array of numbers serves both.
    """
    number = state.number
    number[start] = 0
    work.clue_at[0] = start
    head: int64 = 0
    clues: int64 = 1
    cells: int64 = 0
    at: int64
    cell: int64
    clue: int64
    while head < clues:
        at = work.clue_at[head]
        head += 1
        for i in range(8):
            cell = at + state.around[i]
            if state.cells[cell] != UNKNOWN or number[cell] != NONE:
                continue
            number[cell] = cells
            work.cell_at[cells] = cell
            cells += 1
            for j in range(8):
                clue = cell + state.around[j]
                if not is_clue(state.cells[clue]) or number[clue] != NONE:
                    continue
                if state.component[clue] != NONE:
                    dissolve(state, state.component[clue])
                number[clue] = clues
                work.clue_at[clues] = clue
                clues += 1
    return clues, cells


def group(state: State, work: Work, cells: int64) -> int64:
    """Set the classes of the cells, and the clues of each class; returns the number of classes.

    Two cells are in one class if they have as many clues, and the clues of the one are beside the other. All
    cells of a class are beside the same clue, so only the places around one clue of a cell are looked at, and
    of each class only the cell that began it.
    """
    classes: int64 = 0
    links: int64 = 0
    cell: int64
    first: int64
    degree: int64
    found: int64
    other: int64
    candidate: int64
    start: int64
    k: int64
    same: cython.bint
    for index in range(cells):
        cell = work.cell_at[index]
        first, degree = NONE, 0
        for i in range(8):
            if is_clue(state.cells[cell + state.around[i]]):
                first = cell + state.around[i]
                work.class_clues[links + degree] = state.number[first]  # kept only if the class is new
                degree += 1
        found = NONE
        for i in range(8):
            other = first + state.around[i]
            if found != NONE or state.cells[other] != UNKNOWN or state.number[other] >= index:
                continue
            candidate = work.class_of[state.number[other]]
            if work.class_cell[candidate] != other:
                continue
            start = work.class_starts[candidate]
            same = work.class_starts[candidate + 1] - start == degree
            k = 0
            while same and k < degree:
                same = near(state, other, work.clue_at[work.class_clues[links + k]])
                k += 1
            if same:
                found = candidate
        if found == NONE:
            found = classes
            work.class_starts[classes] = links
            links += degree
            classes += 1
            work.class_starts[classes] = links
            work.class_cell[found] = cell
            work.class_size[found] = 0
        work.class_of[index] = found
        work.class_size[found] += 1
    return classes


def link(work: Work, clues: int64, classes: int64) -> cython.void:
    """Set the classes of each clue from the clues of each class."""
    starts = work.clue_starts
    index: int64
    for clue in range(clues + 1):
        starts[clue] = 0
    links: int64 = work.class_starts[classes]
    clue: int64
    k: int64
    for k in range(links):
        starts[work.class_clues[k] + 1] += 1
    for clue in range(clues):
        starts[clue + 1] += starts[clue]
        work.left[clue] = starts[clue]
    for index in range(classes):
        for k in range(work.class_starts[index], work.class_starts[index + 1]):
            clue = work.class_clues[k]
            work.clue_classes[work.left[clue]] = index
            work.left[clue] += 1


def forget(state: State, work: Work, clues: int64, cells: int64) -> cython.void:
    """Reset the numbers that `collect` gave."""
    for k in range(clues):
        state.number[work.clue_at[k]] = NONE
    for k in range(cells):
        state.number[work.cell_at[k]] = NONE
