"""The text of a board is its face: parse and render are inverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cpmines.board import MINE, UNKNOWN, Board, Position, mine_rows, parse_mine_rows
from cpmines.grid import OFFSETS, box_sums, neighbour_counts, neighbour_table

shapes = array_shapes(min_dims=2, max_dims=2, max_side=6)
masks = arrays(np.bool_, shapes)


@given(arrays(np.int8, shapes, elements=st.integers(MINE, 8)))
def test_board_round_trip(cells: np.ndarray) -> None:
    board = Board(cells)
    assert Board.parse(str(board)) == board
    assert eval(repr(board)) == board
    assert np.array_equal(Board.parse(str(board).encode()).cells, cells)


@given(arrays(np.int8, shapes, elements=st.integers(UNKNOWN, 8)), st.data())
def test_position_round_trip(cells: np.ndarray, data: st.DataObject) -> None:
    position = Position(cells, data.draw(st.none() | st.integers(0, cells.size)))
    assert Position.parse(str(position)) == position
    assert eval(repr(position)) == position
    assert len({position, Position(cells.copy(), position.mines)}) == 1


def test_characters_of_a_position() -> None:
    assert Position.parse("2 4\n.?#-\n*080").cells.tolist() == [[UNKNOWN] * 4, [MINE, 0, 8, 0]]
    assert Position.parse("# a\n\n# b\n1 1 1\n#\n").cells.tolist() == [[UNKNOWN]]


def test_boards_are_read_only_and_leave_their_argument_alone() -> None:
    cells = np.zeros((2, 2), np.int8)
    board = Board(cells)
    with pytest.raises(ValueError, match="read-only"):
        board.cells[0, 0] = 1
    cells[0, 0] = 1


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (4,)])
def test_a_board_has_cells(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        Board(np.zeros(shape, np.int8))


def slow_count(mask: np.ndarray, row: int, col: int) -> int:
    rows, cols = mask.shape
    near = [(row + dr, col + dc) for dr, dc in OFFSETS]
    return sum(bool(mask[r, c]) for r, c in near if 0 <= r < rows and 0 <= c < cols)


@given(masks)
def test_sums_against_loops(mask: np.ndarray) -> None:
    counts = [[slow_count(mask, row, col) for col in range(mask.shape[1])] for row in range(mask.shape[0])]
    assert neighbour_counts(mask).tolist() == counts
    assert box_sums(mask).tolist() == (np.array(counts) + mask).tolist()
    table = neighbour_table(*mask.shape)
    assert ((table >= 0) & mask.ravel()[table]).sum(axis=1).reshape(mask.shape).tolist() == counts


@given(masks)
def test_mine_rows_round_trip(mask: np.ndarray) -> None:
    assert np.array_equal(parse_mine_rows(mine_rows(mask)), mask)
