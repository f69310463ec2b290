"""What one clue says by itself, and what two that count common cells say together."""

from __future__ import annotations

from cpmines.clues import Clue

__all__ = ["NOTHING", "Forced", "one", "two"]

Forced = tuple[tuple[int, ...], tuple[int, ...]]
"""Cells that are safe, and cells that are mines; ascending."""
NOTHING: Forced = ((), ())


def one(clue: Clue) -> Forced:
    """A clue that needs no mine, or one in every cell."""
    if clue.mines == 0:
        return clue.cells, ()
    return ((), clue.cells) if clue.mines == len(clue.cells) else NOTHING


def two(first: Clue, second: Clue) -> Forced:
    """What the number of mines in the common cells, from `least` to `most`, says of the three parts.

    It is complete: the cells of a part are alike, so they are decided only if all are safe or all are mines.
    """
    common = [cell for cell in first.cells if cell in second.cells]
    parts = [[cell for cell in clue.cells if cell not in common] for clue in (first, second)]
    needs = first.mines, second.mines
    least = max(0, *(need - len(part) for need, part in zip(needs, parts, strict=True)))
    most = min(len(common), *needs)
    safe, mines = list[int](), list[int]()
    for part, fewest, largest in (
        (common, least, most),
        (parts[0], needs[0] - most, needs[0] - least),
        (parts[1], needs[1] - most, needs[1] - least),
    ):
        if largest == 0:
            safe += part
        elif fewest == len(part):
            mines += part
    return tuple(sorted(safe)), tuple(sorted(mines))
