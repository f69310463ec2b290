"""Comments, and matrices of numbers as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cpmines.export.statement import StatedModel

__all__ = ["comment_block", "lines_of"]

CHUNK = 1 << 20
"""Numbers that are turned into text at a time."""


def comment_block(statement: StatedModel, mark: str) -> bytes:
    """The comments of a file, each line after `mark`."""
    return "".join(f"{mark} {line}\n" for line in statement.comments()).encode()


def lines_of(matrix: NDArray[np.int32], head: bytes = b"") -> Iterator[bytes]:
    """Each row as a line: `head`, its numbers, each followed by a space, and 0.

    Digits are written column by column into a matrix of bytes with room for the longest number; what is not
    filled is cut out at the end.
    """
    step = max(1, CHUNK // max(1, matrix.shape[1]))
    for first in range(0, len(matrix), step):
        rows = matrix[first : first + step]
        width = len(str(int(np.abs(rows).max()))) if rows.size else 0
        text = np.zeros((*rows.shape, width + 2), np.uint8)
        text[:, :, 0] = np.where(rows < 0, ord("-"), 0)
        text[:, :, -1] = ord(" ")
        rest = np.abs(rows)
        for place in range(width, 0, -1):
            text[:, :, place] = np.where(rest > 0, rest % 10 + ord("0"), 0)
            rest = rest // 10
        line = np.zeros((len(rows), len(head) + rows.shape[1] * (width + 2) + 2), np.uint8)
        line[:, : len(head)] = np.frombuffer(head, np.uint8)
        line[:, len(head) : -2] = text.reshape(len(rows), -1)
        line[:, -2:] = (ord("0"), ord("\n"))
        yield line[line != 0].tobytes()
