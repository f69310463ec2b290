"""3x3 arithmetic against its definition."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from cpmines.grid import above_block, block_sizes, box_sums


@pytest.mark.parametrize(("rows", "cols"), [*product(range(1, 5), repeat=2), (1, 9), (9, 2)])
def test_block_sizes_are_the_sums_of_a_full_board(rows: int, cols: int) -> None:
    assert np.array_equal(block_sizes(rows, cols), box_sums(np.ones((rows, cols), np.bool_)))


@pytest.mark.parametrize(("rows", "cols"), [*product(range(1, 5), repeat=2), (1, 9), (9, 2)])
def test_the_first_entry_above_its_block_is_found(rows: int, cols: int) -> None:
    sizes = block_sizes(rows, cols)
    assert above_block(sizes) is None
    rng = np.random.default_rng(rows * cols)
    for _ in range(30):
        sums = np.where(rng.random(sizes.shape) < 0.2, rng.integers(-1, 10, sizes.shape), 0)
        above = np.argwhere(sums > sizes)
        first = (*above[0].tolist(), int(sizes[tuple(above[0])])) if len(above) else None
        assert above_block(sums) == first
