"""Tables of 3x3 sums, in full or with gaps, as text and arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from cpmines.board import read_only
from cpmines.files import read_sums
from cpmines.grid import box_sums
from cpmines.text import Document

__all__ = ["GAP", "Sums", "Table"]

Sums = NDArray[np.int8]

GAP = -1


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """For each cell the number of mines in the 3x3 block around it, the cell itself included.

    Attributes
    ----------
    sums
        int8 of shape (rows, cols), read-only: entries from `lowest` to 9, `GAP` where none is shown.

    >>> Table.parse("2 3\\n1 1 0\\n1 1 0\\n")
    Table.parse('2 3\\n110\\n110\\n')
    """

    sums: Sums

    lowest: ClassVar[int] = 0
    """The smallest entry: `GAP` where a subclass has tables with gaps."""

    def __post_init__(self) -> None:
        sums = np.asarray(self.sums)
        if sums.ndim != 2 or sums.size == 0:
            raise ValueError(f"sums of shape {sums.shape}, expected (rows, cols), both at least 1")
        if sums.min() < self.lowest or sums.max() > 9:
            gap = f", {GAP} for a gap" if self.lowest == GAP else ""
            raise ValueError(f"sums from {sums.min()} to {sums.max()}, expected 0 to 9{gap}")
        object.__setattr__(self, "sums", read_only(sums))

    @classmethod
    def parse(cls, data: bytes | str, source: str = "-", *, fitting: bool = True) -> Self:
        """Read ``rows cols`` and the rows of entries, with or without spaces, or an ``.npy`` array.

        Parameters
        ----------
        fitting
            An entry above the size of its block is an error; measured tables may have such entries.

        Raises
        ------
        InputError
        """
        return cls(read_sums(data, source, cls.lowest, cls.rows_of, fitting=fitting))

    @staticmethod
    def rows_of(document: Document, rows: int, cols: int) -> Sums:
        """Read so many rows of so many entries of a text. Raises `InputError`."""
        return document.digits(rows, cols)

    @classmethod
    def of(cls, mines: NDArray[np.bool_]) -> Self:
        """The table of a board."""
        return cls(box_sums(np.ascontiguousarray(mines)))

    @property
    def shape(self) -> tuple[int, int]:
        rows, cols = self.sums.shape
        return rows, cols

    def __str__(self) -> str:
        characters = np.frombuffer(b"0123456789.", np.uint8)
        lines = [characters[row].tobytes().decode() for row in self.sums]
        return "\n".join(["{} {}".format(*self.shape), *lines, ""])

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Table) and type(self) is type(other) and np.array_equal(self.sums, other.sums)
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.sums.tobytes()))
