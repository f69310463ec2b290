"""Pictures of boards, read back."""

from __future__ import annotations

import re
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cpmines.cli import cli
from cpmines.errors import UsageError
from cpmines.report.drawing.picture import CELL, board_png, board_svg

SVG = "{http://www.w3.org/2000/svg}"


def pixels(png: bytes) -> np.ndarray:
    """The palette indices of an image as `board_png` writes it, by the standard."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size]) == (zlib.crc32(kind + data),)
        chunks[kind] = data
        at += 12 + size
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colour, rest) == (2, 3, [0, 0, 0])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not lines[:, 0].any()
    fours = np.stack([lines[:, 1:] >> shift & 3 for shift in (6, 4, 2, 0)], axis=2)
    return fours.reshape(height, -1)[:, :width]


def covered(document: str, colour: str, shape: tuple[int, int]) -> np.ndarray:
    """The cells that the rectangles of a colour cover, where they are whole cells."""
    cells = np.zeros(shape, np.bool_)
    for path in ElementTree.fromstring(document).iter(f"{SVG}path"):
        if path.get("fill") == colour:
            for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v", path.get("d", "")):
                col, row = int(x) // CELL, int(y) // CELL
                cells[row, col : col + max(1, int(width) // CELL)] = True
    return cells


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (7, 4), (1, 9), (30, 40)])
def test_png_shows_the_board(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    mines, unsure = rng.random((2, *shape)) < 0.5
    for scale in (1, 3):
        image = pixels(board_png(mines, unsure=unsure, scale=scale))
        assert np.array_equal(image, np.kron(mines + 2 * unsure, np.ones((scale, scale), int)))
    assert np.array_equal(pixels(board_png(mines, scale=1)), mines)


def test_png_of_a_large_board_has_a_pixel_a_cell() -> None:
    assert pixels(board_png(np.zeros((1200, 900), np.bool_))).shape == (1200, 900)
    assert pixels(board_png(np.zeros((10, 20), np.bool_))).shape == (500, 1000)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (7, 4)])
def test_svg_shows_the_board(shape: tuple[int, int]) -> None:
    mines = np.random.default_rng(2).random(shape) < 0.5
    document = board_svg(mines, numbers=np.where(mines, 7, -1), title="1 < 2 & 3")
    assert np.array_equal(covered(document, "#26303b", shape), mines)
    root = ElementTree.fromstring(document)
    assert [text.text for text in root.iter(f"{SVG}text")] == ["7"] * int(mines.sum())
    assert [title.text for title in root.iter(f"{SVG}title")] == ["1 < 2 & 3"]


def test_svg_shows_what_is_unsure() -> None:
    mines, unsure = np.random.default_rng(3).random((2, 6, 8)) < 0.5
    document = board_svg(mines, unsure=unsure)
    assert np.array_equal(covered(document, "#e2a23b", (6, 8)), unsure)
    assert np.array_equal(covered(document, "#26303b", (6, 8)), mines)


def test_svg_of_a_large_board_has_no_grid() -> None:
    assert "stroke" in board_svg(np.zeros((200, 200), np.bool_))
    assert "stroke" not in board_svg(np.zeros((200, 201), np.bool_))


def test_solve_draws(tmp_path: Path) -> None:
    table, puzzle = tmp_path / "table.txt", tmp_path / "puzzle.txt"
    table.write_text("2 2\n11\n11\n")
    puzzle.write_text("2 2\n4.\n..\n")
    runner = CliRunner()
    for suffix in ("svg", "png"):
        words = [
            "solve",
            "reconstruction",
            str(table),
            str(table),
            "--picture",
            str(tmp_path / f"a.{suffix}"),
        ]
        assert runner.invoke(cli, words, standalone_mode=False).exception is None
    assert covered((tmp_path / "a.svg").read_text(), "#e2a23b", (2, 2)).all()
    assert (tmp_path / "a-2.svg").read_text() == (tmp_path / "a.svg").read_text()
    assert set(np.unique(pixels((tmp_path / "a.png").read_bytes()))) == {2, 3}
    runner.invoke(cli, ["solve", "mosaic", str(puzzle), "--picture", str(tmp_path / "m.png")])
    assert (pixels((tmp_path / "m.png").read_bytes()) == 1).all()


def test_solve_says_what_can_not_be_drawn(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("1 3\n101\n")
    words = ["solve", "reconstruction", str(table), "--picture"]
    found = CliRunner().invoke(cli, [*words, "a.jpg"], standalone_mode=False)
    assert isinstance(found.exception, UsageError)
    assert "ends in .svg or .png" in str(found.exception)
    found = CliRunner().invoke(cli, [*words, str(tmp_path / "a.svg")], standalone_mode=False)
    assert "there is no board to draw" in found.output
    table.write_text("1 1\n1\n")
    for suffix in ("svg", "png"):
        target = str(tmp_path / "table.txt" / f"a.{suffix}")
        found = CliRunner().invoke(cli, [*words, target], standalone_mode=False)
        assert isinstance(found.exception, UsageError)
        assert str(found.exception) == f"{target}: {table} is no folder"
