"""What is asked of a table beyond the plain question, and what is known of its boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.board import mine_rows, read_only
from cpmines.grid import box_sums
from cpmines.numerals import Shown, decimal, readable
from cpmines.problems.reconstruction.reason import Reason

__all__ = ["Asked", "Boards", "Value"]

SHOWN_FAULTS = 10
"""Of a wrong board, so many cells are named; the others are counted."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """More than one board and the facts about all.

    Attributes
    ----------
    sample
        Number of boards to draw at random, each with the same probability.
    index
        Number, from 1, of the board to give, in an order that does not change; 0 for any.
    every, limit
        Give all boards, at most `limit`.
    extreme
        1 or -1: the board with the most or the fewest mines is wanted, and its number of mines.
    nearest
        If no board has the table, one whose table is nearest.
    """

    sample: int = 0
    index: int = 0
    every: bool = False
    limit: int = 1000
    extreme: int = 0
    nearest: bool = False

    def __str__(self) -> str:
        names = ("sample", "index", "all", "fewest or most", "nearest")
        chosen = (self.sample, self.index, self.every, self.extreme, self.nearest)
        return ", ".join(name for name, here in zip(names, chosen, strict=True) if here)


@dataclass(frozen=True, eq=False, repr=False)
class Boards(Shown):
    """One board with the table, and what is known of all of them.

    Attributes
    ----------
    mines
        bool of shape (rows, cols), read-only.
    solutions
        How many boards have the table; None if the backend does not count.
    forced
        int8 of shape (rows, cols), read-only: 1 where all of them have a mine, 0 where none has, -1 where
        they differ; None if the backend does not know.
    listed
        The boards that were asked for, each as `mines`; None if none were.
    mine_count
        The fewest or most mines, where they were asked for.
    wrong
        For a board whose table is only near: int32 of shape (entries, 4), read-only, with row, column, entry
        and number of mines of each entry that is not the board's. None for a board with the table.
    """

    mines: Mask
    solutions: int | None = None
    forced: NDArray[np.int8] | None = None
    listed: tuple[Mask, ...] | None = None
    mine_count: int | None = None
    wrong: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "mines", read_only(self.mines, np.bool_))
        if self.forced is not None:
            object.__setattr__(self, "forced", read_only(self.forced))
        if self.wrong is not None:
            object.__setattr__(self, "wrong", read_only(self.wrong, np.int32))
        if self.listed is not None:
            listed = tuple(read_only(board, np.bool_) for board in self.listed)
            object.__setattr__(self, "listed", listed)

    @classmethod
    def near(cls, sums: NDArray[np.int8], mines: Mask) -> Boards:
        """A board and the entries of `sums` that are wrong if it is right."""
        return cls(mines, wrong=differences(sums, mines))

    @property
    def distance(self) -> int | None:
        """Sum of the differences to the table, None for a board with the table."""
        return None if self.wrong is None else int(np.abs(self.wrong[:, 2] - self.wrong[:, 3]).sum())

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"mines": mine_rows(self.mines)}
        if self.solutions is not None:
            fields["solutions"] = decimal(self.solutions)
        if self.forced is not None:
            characters = np.frombuffer(b".*?", np.uint8)
            fields["forced"] = [characters[row].tobytes().decode() for row in self.forced]
        if self.listed is not None:
            fields["boards"] = [mine_rows(board) for board in self.listed]
        if self.mine_count is not None:
            fields["mine_count"] = self.mine_count
        if self.wrong is not None:
            names = ("row", "col", "shown", "mines")
            fields["distance"] = self.distance
            fields["wrong"] = [dict(zip(names, entry, strict=True)) for entry in self.wrong.tolist()]
        return fields

    def headline(self) -> str:
        if self.wrong is not None:
            return f"distance {self.distance}"
        if self.mine_count is not None:
            return f"{self.mine_count} mine{'s' * (self.mine_count != 1)}"
        if self.solutions is None:
            return "a board"
        return "unique" if self.solutions == 1 else f"{readable(self.solutions)} boards"

    def draw(self) -> str:
        if self.listed is not None:
            last = f"{len(self.listed)} of {readable(self.solutions or 0)} boards"
            return "\n".join([line for board in self.listed for line in (*mine_rows(board), "")] + [last])
        lines = [*mine_rows(self.mines), self.headline()]
        if self.wrong is not None:
            entries = len(self.wrong)
            lines[-1] += f", {entries} wrong entr{'y' if entries == 1 else 'ies'}"
            lines += [
                f"row {row + 1}, column {col + 1} shows {shown}, the board has {mines}"
                for row, col, shown, mines in self.wrong.tolist()
            ]
        elif self.solutions not in (None, 1) and self.forced is not None:
            same = int((self.forced >= 0).sum())
            lines[-1] += f", {same} of {self.forced.size} cells are the same in all"
        return "\n".join(lines)

    def faults(self, sums: NDArray[np.int8]) -> list[str]:
        """What is wrong with the boards and the claims for the table `sums`."""
        for name, array in (("board", self.mines), ("array of forced cells", self.forced)):
            if array is not None and array.shape != sums.shape:
                return [f"{name} of shape {array.shape}, the table has shape {sums.shape}"]
        if self.wrong is not None:
            right = differences(sums, self.mines)
            return [] if np.array_equal(right, self.wrong) else ["the wrong entries are not those named"]
        faults = [*_faults_of_board(sums, self.mines), *self._faults_of_forced(), *self._faults_of_count()]
        for number, board in enumerate(self.listed or (), 1):
            faults += [f"board {number}: {fault}" for fault in _faults_of_board(sums, board)]
        if self.mine_count is not None and self.mine_count != self.mines.sum():
            faults.append(f"{self.mine_count} mines claimed, the board has {self.mines.sum()}")
        return faults

    def _faults_of_forced(self) -> Iterator[str]:
        if self.forced is None:
            return
        if self.forced.min() < -1 or self.forced.max() > 1:
            yield "the forced cells are not all 0, 1 or -1"
            return
        differing = np.argwhere((self.forced >= 0) & (self.forced != self.mines)).tolist()
        for row, col in differing[:SHOWN_FAULTS]:
            claim = "a mine" if self.forced[row, col] else "empty"
            yield (
                f"row {row + 1}, column {col + 1} is claimed to be {claim} in all boards, "
                "the board shown differs"
            )

    def _faults_of_count(self) -> Iterator[str]:
        if self.solutions is None:
            return
        if self.solutions < 1:
            yield f"{decimal(self.solutions)} boards claimed, and one shown"
        elif self.forced is not None:
            varying = int((self.forced < 0).sum())
            if self.solutions == 1 and varying:
                yield f"one board claimed, and {varying} cells that are not the same in all"
            elif self.solutions.bit_length() > varying + 1 or self.solutions > 1 << varying:
                yield f"{readable(self.solutions)} boards claimed, and {varying} cells in which they differ"


def _faults_of_board(sums: NDArray[np.int8], mines: Mask) -> list[str]:
    if mines.shape != sums.shape:
        return [f"board of shape {mines.shape}, the table has shape {sums.shape}"]
    found = box_sums(mines)
    cells = np.argwhere(found != sums).tolist()
    faults = [
        f"row {row + 1}, column {col + 1}: the table says {sums[row, col]}, the board has {found[row, col]}"
        for row, col in cells[:SHOWN_FAULTS]
    ]
    if len(cells) > SHOWN_FAULTS:
        faults.append(f"and {len(cells) - SHOWN_FAULTS} more cells")
    return faults


def differences(sums: NDArray[np.int8], mines: Mask) -> NDArray[np.int32]:
    """Row, column, entry and number of mines of each entry that is not the board's; int32 (entries, 4)."""
    true = box_sums(np.ascontiguousarray(mines))
    row, col = np.nonzero(true != sums)
    return np.stack([row, col, sums[row, col], true[row, col]], axis=1).astype(np.int32)


Value = Boards | Reason
"""A reason comes with the status `infeasible`."""
