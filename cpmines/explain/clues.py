"""Which clues are near which cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cpmines.clues import Clue

__all__ = ["ball", "holders", "matters"]

MOST_AROUND = 9


def holders(clues: Sequence[Clue]) -> dict[int, list[int]]:
    """For each cell the indices of the clues that count it, the total left out."""
    found: dict[int, list[int]] = {}
    for index, clue in enumerate(clues):
        if not clue.is_total:
            for cell in clue.cells:
                found.setdefault(cell, []).append(index)
    return found


def ball(
    clues: Sequence[Clue], around: Mapping[int, list[int]], cells: Iterable[int], hops: int
) -> list[int]:
    """Indices of the clues that `cells` reach over at most `hops` clues, each sharing a cell with the next.

    A minimal set of that many clues that decides one of the cells lies within: it hangs together, as a part
    that shares no cell with the others, nor the cell that is decided, could be left out.

    Parameters
    ----------
    around
        From `holders`.
    """
    seen: dict[int, None] = {}
    edge = list(cells)
    for _ in range(hops):
        fresh = dict.fromkeys(index for cell in edge for index in around.get(cell, ()) if index not in seen)
        if not fresh:
            break
        seen |= fresh
        edge = [cell for index in fresh for cell in clues[index].cells]
    return sorted(seen)


def matters(total: Clue, size: int) -> bool:
    """Can the total belong to a minimal set of `size` clues?

    Not if the cells of the others, and the cell that is asked about, leave room for all other mines and for
    no more, however many they have.
    """
    touched = MOST_AROUND * (size - 1) + 1
    return total.mines < touched or len(total.cells) - total.mines < touched
