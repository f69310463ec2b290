"""Placements of mines that a certificate shows, each looked at by the judge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cpmines.board import mine_rows, parse_mine_rows
from cpmines.check.folder import Files
from cpmines.check.verdict import Rejected
from cpmines.demands.statement import Statement

__all__ = ["PLACEMENTS", "Judge", "read_placements"]

PLACEMENTS = "placements.txt"

Judge = Callable[[NDArray[np.bool_]], list[str]]
"""From a placement to what is wrong with it."""


def read_placements(statement: Statement, judge: Judge, files: Files) -> NDArray[np.bool_]:
    """The placements of a certificate, bool of shape (placements, rows, cols), at least one.

    Raises
    ------
    Rejected
        The file is no list of placements, or there is something wrong with one.
    """
    boards = []
    for number, text in enumerate(files.text(PLACEMENTS).split("\n\n"), 1):
        rows = text.splitlines()
        board = parse_mine_rows(rows) if len({len(row) for row in rows}) == 1 else np.zeros(0, np.bool_)
        if board.ndim != 2 or mine_rows(board) != rows:
            raise Rejected(f"{PLACEMENTS}: placement {number} is no board of * and .")
        if faults := faults_of(board, statement, judge):
            raise Rejected(f"{PLACEMENTS}: placement {number}: {faults[0]}")
        boards.append(board)
    return np.stack(boards)


def faults_of(board: NDArray[np.bool_], statement: Statement, judge: Judge) -> list[str]:
    """What is wrong with a placement: by the judge, and with its mines in cells that are not free."""
    if board.shape != (statement.rows, statement.cols):
        return [f"a board of {board.shape[0]} x {board.shape[1]}, not {statement.rows} x {statement.cols}"]
    if faults := judge(board):
        return faults
    fixed = [cell for cell in (np.flatnonzero(board) + 1).tolist() if not statement.free(cell)]
    if fixed != sorted(statement.known):
        return ["a mine in a cell that has none, or a known mine is missing"]
    return []
