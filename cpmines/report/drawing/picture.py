"""Boards as pictures: SVG for pages and slides, PNG for large ones. Neither needs a package."""

from __future__ import annotations

import struct
import zlib
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cpmines import outputs
from cpmines.problem import Picture
from cpmines.quoting import printable

__all__ = ["PICTURES", "board_png", "board_svg", "write_picture"]

Mask = NDArray[np.bool_]

PICTURES = (".svg", ".png")

CELL = 20
"""Side of a cell in the units of an SVG."""
GRID_LIMIT = 40_000
"""Boards of more cells are drawn without the lines between the cells."""
COLOURS = {"empty": "#f4f1ea", "mine": "#26303b", "open": "#e2a23b", "line": "#c9c3b6", "number": "#55606b"}
SIGNATURE = b"\x89PNG\r\n\x1a\n"
LARGEST_SIDE = 1000
"""Pixels of the longer side up to which the cells of a PNG are enlarged."""


def write_picture(path: Path, picture: Picture, title: str = "") -> None:
    """Write a board as the kind of picture that the file's name says, one of `PICTURES`.

    Raises
    ------
    UsageError
        It can't be written.
    """
    if path.suffix == ".svg":
        text = board_svg(picture.mines, numbers=picture.numbers, unsure=picture.unsure, title=title)
        outputs.write(path, text)
    else:
        outputs.write(path, board_png(picture.mines, unsure=picture.unsure))


def board_svg(
    mines: Mask, *, numbers: NDArray[np.int8] | None = None, unsure: Mask | None = None, title: str = ""
) -> str:
    """A board as an SVG document; its size grows with the runs of equal cells, not with the cells.

    Parameters
    ----------
    mines
        bool of shape (rows, cols).
    numbers
        Integers of the same shape, written into the cells; negative ones are left out.
    unsure
        bool of the same shape: cells in another colour, framed where they are a mine.
    title
        What a screen reader and a tooltip say.
    """
    rows, cols = mines.shape
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {cols * CELL} {rows * CELL}" '
        f'width="{cols * CELL}" height="{rows * CELL}">',
        f"<title>{escape(printable(title))}</title>" if title else "",
        f'<rect width="100%" height="100%" fill="{COLOURS["empty"]}"/>',
    ]
    if unsure is not None:
        parts.append(_cells(unsure, COLOURS["open"], 0))
        parts.append(_cells(mines & unsure, COLOURS["mine"], 4))
    parts.append(_cells(mines if unsure is None else mines & ~unsure, COLOURS["mine"], 0))
    if mines.size <= GRID_LIMIT:
        parts.append(_grid(rows, cols))
    if numbers is not None:
        parts.append(_numbers(numbers, mines))
    return "\n".join([part for part in parts if part] + ["</svg>", ""])


def _cells(chosen: Mask, colour: str, inset: int) -> str:
    """One path over the chosen cells; without an inset, runs of cells in a row are one rectangle."""
    if not chosen.any():
        return ""
    if inset:
        side = CELL - 2 * inset
        corners = (np.argwhere(chosen) * CELL + inset).tolist()
        path = "".join(f"M{x} {y}h{side}v{side}h-{side}z" for y, x in corners)
    else:
        padded = np.pad(chosen, ((0, 0), (1, 1))).view(np.int8)
        steps = np.diff(padded, axis=1)
        begins, ends = np.argwhere(steps == 1) * CELL, np.argwhere(steps == -1)[:, 1] * CELL
        path = "".join(
            f"M{x} {y}h{end - x}v{CELL}h-{end - x}z"
            for (y, x), end in zip(begins.tolist(), ends.tolist(), strict=True)
        )
    return f'<path d="{path}" fill="{colour}"/>'


def _grid(rows: int, cols: int) -> str:
    width, height = cols * CELL, rows * CELL
    path = "".join(f"M0 {row * CELL}h{width}" for row in range(rows + 1))
    path += "".join(f"M{col * CELL} 0v{height}" for col in range(cols + 1))
    return f'<path d="{path}" fill="none" stroke="{COLOURS["line"]}"/>'


def _numbers(numbers: NDArray[np.int8], mines: Mask) -> str:
    """The numbers that are not negative, light on mines and dark elsewhere."""
    texts = []
    for row, col in np.argwhere(numbers >= 0).tolist():
        light = f' fill="{COLOURS["empty"]}"' if mines[row, col] else ""
        x, y = col * CELL + CELL // 2, row * CELL + CELL * 3 // 4
        texts.append(f'<text x="{x}" y="{y}"{light}>{numbers[row, col]}</text>')
    style = f'font-family="sans-serif" font-size="{CELL * 2 // 3}" text-anchor="middle"'
    return f'<g {style} fill="{COLOURS["number"]}">' + "".join(texts) + "</g>"


def board_png(mines: Mask, *, unsure: Mask | None = None, scale: int | None = None) -> bytes:
    """A board as a PNG image with a palette, two bits a pixel.

    Parameters
    ----------
    mines
        bool of shape (rows, cols).
    unsure
        bool of the same shape: cells in another colour, a lighter one where they have no mine.
    scale
        Pixels a cell; by default as many as keep the longer side within `LARGEST_SIDE`, at least one.
    """
    codes = mines.astype(np.uint8)
    if unsure is not None:
        codes[unsure] += 2
    scale = scale or max(1, LARGEST_SIDE // max(codes.shape))
    codes = np.repeat(codes, scale, axis=1)
    height, width = len(codes) * scale, codes.shape[1]
    fours = np.pad(codes, ((0, 0), (0, -width % 4))).reshape(len(codes), -1, 4)
    packed = fours[..., 0] << 6 | fours[..., 1] << 4 | fours[..., 2] << 2 | fours[..., 3]
    lines = np.repeat(np.pad(packed, ((0, 0), (1, 0))), scale, axis=0)
    palette = [COLOURS["empty"], COLOURS["mine"], "#f3d9a6", COLOURS["open"]]
    return b"".join(
        [
            SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 2, 3, 0, 0, 0)),
            _chunk(b"PLTE", b"".join(bytes.fromhex(colour[1:]) for colour in palette)),
            _chunk(b"IDAT", zlib.compress(lines.tobytes())),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
