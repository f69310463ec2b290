"""A reason why a table has no board, which a person can check, and the check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.fields import whole_of

__all__ = ["Reason", "faults_of_reason", "weights_of"]

SHOWN = 24
"""Terms of a sum that are written out for people."""
SPARSE = 60
"""Cells of the box around the entries, for each of them, beyond which cells are listed one by one."""


@dataclass(frozen=True, eq=False)
class Reason:
    """Entries of the table whose sum, with integer coefficients, is out of reach for every board.

    Each entry counts the mines of its block, so the sum of entries is a sum of cells, each with the weight
    that the blocks give it: at least the sum of the negative weights, at most that of the positive ones.

    Attributes
    ----------
    entries
        int32 of shape (entries, 3), read-only: row, column, coefficient.
    total
        The sum of the entries of the table.
    least, most
        The bounds that it violates.
    """

    entries: NDArray[np.int32]
    total: int
    least: int
    most: int

    def __post_init__(self) -> None:
        entries = np.ascontiguousarray(self.entries, np.int32).reshape(-1, 3).view()
        entries.setflags(write=False)
        object.__setattr__(self, "entries", entries)

    @classmethod
    def of(cls, sums: NDArray[np.int8], entries: NDArray[np.int32]) -> Reason:
        """The sum of `entries` in the table `sums`, with its bounds."""
        rows, cols, coefficients = np.asarray(entries, np.int64).T
        weight = weights_of(entries, sums.shape)[1]
        total = int((sums[rows, cols] * coefficients).sum())
        return cls(entries, total, int(weight[weight < 0].sum()), int(weight[weight > 0].sum()))

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Reason:
        """Inverse of `to_json`. Raises what `Problem.from_json` does."""
        (reason,) = fields.values()
        entries = [[whole_of(number) for number in entry] for entry in reason["entries"]]
        value = cls(
            np.array(entries, np.int32), *(whole_of(reason[name]) for name in ("sum", "least", "most"))
        )
        if value.to_json() != dict(fields):
            raise ValueError(f"other fields than a reason has: {', '.join(reason)}")
        return value

    def to_json(self) -> dict[str, Any]:
        """Rows and columns from 0, as in all JSON."""
        bounds = {"sum": self.total, "least": self.least, "most": self.most}
        return {"reason": {"entries": self.entries.tolist()} | bounds}

    def headline(self) -> str:
        """How much it takes, in a few characters."""
        return f"shown by {len(self.entries)} entr{'y' if len(self.entries) == 1 else 'ies'}"

    def sentence(self, shape: tuple[int, int]) -> str:
        """What it says, rows and columns from 1."""
        cells, weight = weights_of(self.entries, shape)
        entries = ((row, col, coefficient) for row, col, coefficient in self.entries.tolist())
        board = (
            (*divmod(cell, shape[1]), w) for cell, w in zip(cells.tolist(), weight.tolist(), strict=True)
        )
        reach = "0" if self.least == self.most == 0 else f"{self.least} to {self.most}"
        mines = "".join(_terms(board, "X")) or " 0"
        return f"the table's{''.join(_terms(entries, 'A'))} is {self.total}; it is{mines}, which is {reach}"


def _terms(terms: Iterator[tuple[int, int, int]], name: str) -> Iterator[str]:
    """Terms as `` + 2 A[1,1]``, the first `SHOWN` of them."""
    for number, (row, col, factor) in enumerate(terms):
        if number == SHOWN:
            yield " + ..."
            return
        sign = "-" if factor < 0 else "+" if number else ""
        times = f"{abs(factor)} " if abs(factor) > 1 else ""
        yield f" {sign}{' ' * bool(sign and number)}{times}{name}[{row + 1},{col + 1}]"


def weights_of(
    entries: NDArray[np.int32], shape: tuple[int, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cells that a sum of entries counts, as flat indices, ascending, and their weights, none 0."""
    rows, cols, coefficients = np.asarray(entries, np.int64).T
    top, left = max(int(rows.min()) - 1, 0), max(int(cols.min()) - 1, 0)
    height, width = min(int(rows.max()) + 2, shape[0]) - top, min(int(cols.max()) + 2, shape[1]) - left
    if height * width <= SPARSE * len(entries):
        dense = np.zeros((height + 2, width + 2), np.int64)
        np.add.at(dense, (rows - top + 1, cols - left + 1), coefficients)
        across = dense[:, :-2] + dense[:, 1:-1] + dense[:, 2:]
        around = across[:-2] + across[1:-1] + across[2:]
        row, col = np.nonzero(around)
        return (row + top) * shape[1] + col + left, around[row, col]
    places, factors = [], []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, col = rows + down, cols + right
            inside = (row >= 0) & (row < shape[0]) & (col >= 0) & (col < shape[1])
            places.append((row * shape[1] + col)[inside])
            factors.append(coefficients[inside])
    cells, which = np.unique(np.concatenate(places), return_inverse=True)
    weight = np.zeros(len(cells), np.int64)
    np.add.at(weight, which.ravel(), np.concatenate(factors))
    return cells[weight != 0], weight[weight != 0]


def faults_of_reason(reason: Reason, sums: NDArray[np.int8]) -> list[str]:
    """What is wrong with `reason`, from the table alone; empty if it proves that there is no board."""
    rows, cols, _ = reason.entries.T
    if len(rows) == 0:
        return ["a reason without entries"]
    if min(rows.min(), cols.min()) < 0 or rows.max() >= sums.shape[0] or cols.max() >= sums.shape[1]:
        return ["the reason names entries outside of the table"]
    if len(np.unique(rows * np.int64(sums.shape[1]) + cols)) < len(rows):
        return ["the reason names an entry twice"]
    right = Reason.of(sums, reason.entries)
    faults = [
        f"the reason says {said} for its {name}, it is {true}"
        for name, said, true in (
            ("sum", reason.total, right.total),
            ("lower bound", reason.least, right.least),
            ("upper bound", reason.most, right.most),
        )
        if said != true
    ]
    if right.least <= right.total <= right.most:
        faults.append(f"the sum {right.total} of the reason lies between {right.least} and {right.most}")
    return faults
