"""Puzzles with one answer, as few sums as possible, or any; puzzles without; simpler ones to shrink to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cpmines import files
from cpmines.answer import Limits
from cpmines.board import parse_mine_rows
from cpmines.errors import InputError, UsageError
from cpmines.grid import above_block, block_sizes, box_sums, many_first, without_lines
from cpmines.numerals import plural
from cpmines.problems.mosaic.backends.direct import ANSWERS, is_unique
from cpmines.problems.mosaic.problem import GAP, Puzzle

__all__ = ["FAMILIES", "PROFILES", "shrink", "tiny"]

Sums = NDArray[np.int8]

ATTEMPTS = 500
SHOWN = 4
"""Cells that a message names."""


def unique(
    rng: np.random.Generator,
    rows: int = 10,
    cols: int = 10,
    density: float = 0.5,
    share: float = 0.4,
    minimal: bool = False,
    board: str = "",
) -> Puzzle:
    """A puzzle with exactly one board, a random one or that of a file.

    Parameters
    ----------
    share
        Of the sums, the part that is left, or more if fewer do not do.
    minimal
        Sums are dropped as long as the answer stays unique: none of those left can be dropped.
    board
        A file with the board, rows of ``*`` and ``.``; then `rows`, `cols` and `density` mean nothing.
    """
    if board:
        return thinned(rng, given_board(Path(board)), share, minimal)
    for _ in range(ATTEMPTS):
        mines = rng.random((rows, cols)) < density
        if is_unique(Puzzle(box_sums(mines)), Limits(), mines):
            return thinned(rng, mines, share, minimal)
    raise UsageError(f"no table of {rows} x {cols} with one board in {ATTEMPTS} at density {density}")


def given_board(path: Path) -> NDArray[np.bool_]:
    """The mines that a file shows.

    Raises
    ------
    InputError, UsageError
        The file can't be read; its board shares all sums with another one.
    """
    mines = read_board(path)
    if is_unique(Puzzle(box_sums(mines)), Limits(), mines):
        return mines
    found = ANSWERS["forced"](Puzzle(box_sums(mines)), Limits()).value
    cells = [] if found is None or found.forced is None else np.argwhere(found.forced < 0).tolist()
    places = [f"row {row + 1}, column {col + 1}" for row, col in cells[:SHOWN]]
    places += [plural(len(cells) - SHOWN, "more cell")] if len(cells) > SHOWN else []
    differ = f", which differ in {'; '.join(places)}" if places else ""
    raise UsageError(f"{path}: several boards have the same sums{differ}")


def read_board(path: Path) -> NDArray[np.bool_]:
    """The mines that a file shows, ``*`` a mine and ``.`` none. Raises `InputError`."""
    lines = files.read(path).decode("latin-1").rstrip("\n").split("\n")
    for number, line in enumerate(lines, 1):
        if wrong := re.search(r"[^*.]", line):
            raise InputError(repr(wrong[0]), "* or .", str(path), number, wrong.start() + 1)
        if not line or len(line) != len(lines[0]):
            expected = f"{len(lines[0]) or 'some'} as in row 1" if number > 1 else "at least one"
            raise InputError(f"a row of {plural(len(line), 'cell')}", expected, str(path), number)
    return parse_mine_rows(lines)


def thinned(rng: np.random.Generator, mines: NDArray[np.bool_], share: float, minimal: bool) -> Puzzle:
    """Fewer and fewer of the sums of `mines`, the only board that has them all; see `unique`."""
    sums = box_sums(mines)
    order = rng.permutation(sums.size)
    dropped = 0 if minimal else max(0, sums.size - round(share * sums.size))
    step = max(1, sums.size // 10)
    at = 0
    while at < len(order) and (minimal or (sums == GAP).sum() < dropped):
        room = len(order) if minimal else dropped - int((sums == GAP).sum())
        chosen = order[at : at + min(step, room)]
        fewer = sums.copy()
        fewer.flat[chosen] = GAP
        if is_unique(Puzzle(fewer), Limits(), mines):
            sums, at = fewer, at + len(chosen)
            step *= 2
        elif len(chosen) == 1:
            at += 1
        else:
            step = len(chosen) // 2
    return Puzzle(sums)


def random(
    rng: np.random.Generator, rows: int = 10, cols: int = 10, density: float = 0.5, share: float = 0.4
) -> Puzzle:
    """The table of a random board, each sum shown with probability `share`."""
    sums = box_sums(rng.random((rows, cols)) < density)
    return Puzzle(np.where(rng.random((rows, cols)) < share, sums, np.int8(GAP)))


def changed(
    rng: np.random.Generator, rows: int = 10, cols: int = 10, density: float = 0.5, share: float = 0.6
) -> Puzzle:
    """Like `random`, with one shown sum one too large or too small."""
    sums = random(rng, rows, cols, density, share).sums.copy()
    shown = np.flatnonzero(sums != GAP)
    if len(shown):
        cell = rng.choice(shown)
        block = block_sizes(rows, cols).flat[cell]
        up = sums.flat[cell] == 0 or (sums.flat[cell] < block and rng.random() < 0.5)
        sums.flat[cell] += 1 if up else -1
    return Puzzle(sums)


def noise(rng: np.random.Generator, rows: int = 4, cols: int = 4, share: float = 0.3) -> Puzzle:
    """Every sum by itself: shown with probability `share`, from 0 to the size of its block."""
    sums = rng.integers(0, block_sizes(rows, cols), endpoint=True, dtype=np.int8)
    return Puzzle(np.where(rng.random((rows, cols)) < share, sums, np.int8(GAP)))


def tiny(rng: np.random.Generator) -> Puzzle:
    """A puzzle of at most 12 cells, with a board in about half of the cases."""
    rows = cols = 12
    while rows * cols > 12:
        rows, cols = (int(side) for side in rng.integers(1, 7, 2))
    kind, share = rng.random(), rng.choice([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], p=[0.02, 0.18, 0.2, 0.2, 0.2, 0.2])
    if kind < 0.35:
        return random(rng, rows, cols, rng.random(), share)
    return changed(rng, rows, cols, rng.random(), share) if kind < 0.7 else noise(rng, rows, cols, share)


def small(rng: np.random.Generator) -> Puzzle:
    """A puzzle of up to 9 x 9, with a board in about half of the cases."""
    return draw(rng, *rng.integers(1, 10, 2).tolist())


def medium(rng: np.random.Generator) -> Puzzle:
    """A puzzle of up to 24 x 24, with a board in about half of the cases."""
    return draw(rng, *rng.integers(5, 25, 2).tolist())


def draw(rng: np.random.Generator, rows: int, cols: int) -> Puzzle:
    """A puzzle of this size. The more sums are shown, the more likely is one changed sum a contradiction."""
    family = random if rng.random() < 0.4 else changed
    return family(rng, rows, cols, rng.uniform(0.2, 0.8), rng.uniform(0.2, 1))


def shrink(puzzle: Puzzle) -> Iterator[Puzzle]:
    """Puzzles with fewer rows or columns, with fewer sums, or with a lower sum."""
    sums = puzzle.sums
    yield from (Puzzle(fewer) for fewer in without_lines(sums) if above_block(fewer) is None)
    for shown in many_first(np.flatnonzero(sums != GAP)):
        if len(shown) > 1:
            simpler = sums.copy()
            simpler.flat[shown] = GAP
            yield Puzzle(simpler)
    for cell in np.flatnonzero(sums != GAP):
        for entry in (GAP, sums.flat[cell] - 1):
            simpler = sums.copy()
            simpler.flat[cell] = entry
            yield Puzzle(simpler)


PROFILES = {"tiny": tiny, "small": small, "medium": medium}

FAMILIES = {"unique": unique, "random": random, "changed": changed, "noise": noise}
