"""Fields are read as they are written, and nothing else is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from cpmines.board import mine_rows
from cpmines.fields import board_of, codes_of, count_of, known, whole_of
from cpmines.numerals import decimal

CODES = {".": 0, "*": 1, "?": -1}


@given(arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, max_side=5)))
def test_boards_are_read_back(mines: np.ndarray) -> None:
    np.testing.assert_array_equal(board_of(mine_rows(mines)), mines)


@given(st.integers(0, 10**30) | st.integers(10**5000, 10**5001))
def test_counts_are_read_back(count: int) -> None:
    assert count_of(decimal(count)) == count


def test_codes_are_looked_up() -> None:
    assert codes_of([".*", "?."], CODES).tolist() == [[0, 1], [-1, 0]]


def test_what_is_left_out_is_not_known() -> None:
    assert known({}, "mines", whole_of) is None
    assert known({"mines": 0}, "mines", whole_of) == 0
    with pytest.raises(ValueError, match="NoneType"):
        known({"mines": None}, "mines", whole_of)


@pytest.mark.parametrize("rows", [[], [""][:0], ["*x"], ["*", ".."], "*.", ["*."][0], [["*", "."]], None, 3])
def test_other_boards_are_refused(rows: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        board_of(rows)


@pytest.mark.parametrize("rows", [[], [".*", "."], ["x"], ".*", [[".", "*"]], None, {".": 1}])
def test_other_codes_are_refused(rows: Any) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)):
        codes_of(rows, CODES)


@pytest.mark.parametrize("text", ["", "-1", "+1", "01", "00", "1.0", "1e3", " 1", "١", 1, 1.0, True, None])
def test_other_counts_are_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="the count"):
        count_of(text)


@pytest.mark.parametrize("number", [True, 1.0, "1", None, 10**40, -(10**40)])
def test_other_numbers_are_refused(number: Any) -> None:
    with pytest.raises(ValueError, match="expected a whole number"):
        whole_of(number)
