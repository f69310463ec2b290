"""What the generators promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.problems.reconstruction import generate
from cpmines.problems.reconstruction.backends import direct
from cpmines.problems.reconstruction.problem import Boards, Table


def solutions(table: Table) -> int:
    value = direct.ANSWERS["facts"](table, Limits()).value
    return int(value.solutions or 0) if isinstance(value, Boards) else 0


@pytest.mark.parametrize("rows", range(1, 10))
@pytest.mark.parametrize("cols", range(1, 10))
def test_number_of_boards_is_as_named(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * 10 + cols)
    for _ in range(10):
        assert solutions(generate.random(rng, rows, cols)) > 0
        assert solutions(generate.unique(rng, rows, cols)) == 1
        if rows % 3 == 2 or cols % 3 == 2:
            assert solutions(generate.ambiguous(rng, rows, cols)) > 1


def test_ambiguous_puts_the_smallest_core_on_two_levels() -> None:
    rng = np.random.default_rng(5)
    assert all(solutions(generate.ambiguous(rng, 2, 2, levels=2)) > 1 for _ in range(400))


def test_ambiguous_needs_a_side_that_is_2_mod_3() -> None:
    with pytest.raises(UsageError, match=r"a table of 3 x 4 has at most one board: no side is 2 \(mod 3\)"):
        generate.ambiguous(np.random.default_rng(1), 3, 4)


def test_tables_spoilt_on_purpose_have_mostly_no_board() -> None:
    for family in (generate.changed, generate.doubled, generate.noise):
        for side in (9, 10, 11):
            rng = np.random.default_rng(side)
            assert sum(solutions(family(rng, side, side)) == 0 for _ in range(40)) >= 38


def test_tiny_tables_are_balanced_in_every_size_class() -> None:
    rng = np.random.default_rng(2)
    seen: Counter[tuple[int, int]] = Counter()
    feasible: Counter[tuple[int, int]] = Counter()
    for _ in range(3000):
        table = generate.tiny(rng)
        key = (table.shape[0] % 3, table.shape[1] % 3)
        seen[key] += 1
        feasible[key] += solutions(table) > 0
    assert len(seen) == 9
    assert all(250 < seen[key] < 420 and 0.35 < feasible[key] / seen[key] < 0.7 for key in seen)


@pytest.mark.parametrize("family", generate.FAMILIES)
def test_families_repeat_with_the_seed(family: str) -> None:
    make = generate.FAMILIES[family]
    first, again = (make(np.random.default_rng(3), rows=8, cols=5) for _ in range(2))
    assert first == again
    assert first.shape == (8, 5)


def test_shrinking_ends_at_the_smallest_table() -> None:
    table = generate.random(np.random.default_rng(4), 4, 5, 0.6)
    while (simpler := next(generate.shrink(table), None)) is not None:
        assert (simpler.sums.size, simpler.sums.sum()) < (table.sums.size, table.sums.sum())
        table = simpler
    assert table == Table.parse("1 1\n0\n")


@pytest.mark.parametrize("rows", [2, 5, 8, 9, 11])
@pytest.mark.parametrize("cols", [5, 7, 8, 11])
def test_counted_tables_have_exactly_so_many_boards(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * cols)
    made = set()
    for boards in range(1, 33):
        try:
            table = generate.counted(rng, rows, cols, boards)
        except UsageError:
            continue
        assert solutions(table) == boards
        made.add(boards)
    assert 1 in made
    if rows % 3 == cols % 3 == 2 and rows > 2:
        assert {2, 3, 4, 5, 6} <= made


def test_spoilt_tables_have_no_board() -> None:
    rng = np.random.default_rng(6)
    assert all(solutions(generate.spoilt(rng, side, 5, 0.2)) == 0 for side in range(1, 20))


@pytest.mark.parametrize(
    ("boards", "message"),
    [(0, "0 boards, expected at least 1"), (3, "no construction known for a table of 2 x 2 with exactly 3")],
)
def test_numbers_of_boards_that_can_not_be_made(boards: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        generate.counted(np.random.default_rng(0), 2, 2, boards)
