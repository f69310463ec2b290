"""Every table without a board has a reason that the checker accepts, and nothing else has one."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from cpmines.answer import Limits, Status
from cpmines.grid import box_sums
from cpmines.problems.reconstruction import explain, generate
from cpmines.problems.reconstruction.backends import brute, direct
from cpmines.problems.reconstruction.core import solve_core
from cpmines.problems.reconstruction.cycle import cycle
from cpmines.problems.reconstruction.problem import PROBLEM, Table
from cpmines.problems.reconstruction.reason import Reason, faults_of_reason, weights_of
from tests.effort import some

NO_LIMITS = Limits()
FACTS = PROBLEM.ask("facts")
facts, by_brute = direct.ANSWERS["facts"], brute.BACKEND.solve["facts"]


def by_definition(reason: Reason, table: Table) -> bool:
    """Does the reason hold? Cell by cell, and sharing nothing with the checker."""
    rows, cols = table.shape
    weight: Counter[tuple[int, int]] = Counter()
    total = 0
    for row, col, factor in reason.entries.tolist():
        total += factor * int(table.sums[row, col])
        for near in range(max(row - 1, 0), min(row + 2, rows)):
            for beside in range(max(col - 1, 0), min(col + 2, cols)):
                weight[near, beside] += factor
    least = sum(w for w in weight.values() if w < 0)
    most = sum(w for w in weight.values() if w > 0)
    assert (total, least, most) == (reason.total, reason.least, reason.most)
    return not least <= total <= most


def check(table: Table) -> Reason:
    """Both ways to find a reason give one that holds; the one that `direct` gives."""
    general = Reason.of(table.sums, explain.general(table.sums, NO_LIMITS))
    answer = facts(table, NO_LIMITS)
    assert answer.status == Status.INFEASIBLE
    assert isinstance(answer.value, Reason)
    for reason in (answer.value, general):
        assert by_definition(reason, table)
        assert faults_of_reason(reason, table.sums) == PROBLEM.judge(table, FACTS, reason) == []
        assert not np.any(reason.entries[:, 2] == 0)
    return answer.value


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (2, 5), (5, 2), (1, 8)])
def test_every_single_changed_entry(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows)
    for _ in range(some(12, 4)):
        mines = rng.random((rows, cols)) < rng.random()
        for cell in range(mines.size):
            for entry in range(10):
                sums = box_sums(mines)
                sums.flat[cell] = entry
                table = Table(sums)
                if by_brute(table, NO_LIMITS).status == Status.INFEASIBLE:
                    check(table)
                else:
                    assert facts(table, NO_LIMITS).status == Status.SOLVED


@pytest.mark.parametrize("rows", [5, 8, 9, 10, 14])
@pytest.mark.parametrize("cols", [5, 8, 11, 12, 13])
def test_larger_tables_of_all_classes(rows: int, cols: int) -> None:
    rng = np.random.default_rng(rows * cols)
    for round_ in range(12):
        make = (generate.doubled, generate.changed, generate.noise)[round_ % 3]
        table = make(rng, rows, cols)
        if facts(table, NO_LIMITS).status == Status.INFEASIBLE:
            check(table)


def test_a_wrong_entry_in_a_large_table_shows_in_few_entries() -> None:
    rng = np.random.default_rng(1)
    for side in (99, 100, 101):
        sizes = [len(check(generate.spoilt(rng, side, side)).entries) for _ in range(10)]
        assert np.median(sizes) <= 16


@pytest.mark.parametrize("rows", range(2, 12))
def test_contradictory_chains_of_all_lengths(rows: int) -> None:
    """Cores in which column 1 puts row 0 into S and the last out, and column k + 2 puts k + 1 in if k is."""
    order = np.random.default_rng(rows).permutation(rows)
    gaps = np.zeros((rows, rows + 1), np.int32)
    gaps[order, 1] = [2, *[1] * (rows - 2), 0]
    for k in range(rows - 1):
        gaps[order[[*range(k), k + 1]], k + 2] = 1
    pattern = -gaps
    assert solve_core(pattern.astype(np.int8)) is None
    row, col, weight = cycle(pattern)
    value = int((pattern[row, col] * weight).sum())
    assert not weight[weight < 0].sum() <= value <= weight[weight > 0].sum()
    assert not np.bincount(row, weight).any(), "shifts of rows cancel"
    assert not np.bincount(col, weight).any(), "shifts of columns cancel"
    assert len(row) == 2 * (rows + 1)
    pattern[order[1 % rows], 2] += 1
    assert rows == 2 or solve_core(pattern.astype(np.int8)) is not None, "each link is needed"


def test_random_cores_have_a_cycle_exactly_if_they_have_no_solution() -> None:
    rng = np.random.default_rng(3)
    seen: Counter[bool] = Counter()
    for _ in range(2000):
        pattern = rng.integers(0, 2, rng.integers(2, 7, 2)).astype(np.int8)
        pattern += rng.integers(-1, 2, pattern.shape[1]).astype(np.int8)
        pattern.flat[rng.integers(pattern.size)] += rng.integers(0, 3)
        solvable = solve_core(pattern) is not None
        seen[solvable] += 1
        if solvable:
            with pytest.raises((AssertionError, IndexError)):
                cycle(pattern.astype(np.int32))
        else:
            row, col, weight = cycle(pattern.astype(np.int32))
            value = int((pattern[row, col] * weight).sum())
            assert not weight[weight < 0].sum() <= value <= weight[weight > 0].sum()
    assert min(seen.values()) > 100


def test_weights_of_few_and_of_many_entries_agree() -> None:
    rng = np.random.default_rng(4)
    entries = np.array([(row, col, rng.integers(-3, 4)) for row in range(6) for col in range(7)], np.int32)
    cells, weight = weights_of(entries, (6, 7))
    for part in (entries[:3], entries):
        wide = weights_of(part, (60, 70))
        dense = np.zeros((60, 70), np.int64)
        for row, col, factor in part.tolist():
            dense[max(row - 1, 0) : row + 2, max(col - 1, 0) : col + 2] += factor
        assert np.array_equal(wide[0], np.flatnonzero(dense))
        assert np.array_equal(wide[1], dense.ravel()[wide[0]])
    assert len(cells) == len(weight)


TABLE = Table.parse("2 2\n31\n11\n")
RIGHT = Reason.of(TABLE.sums, np.array([[0, 0, 1], [0, 1, -1]], np.int32))


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        (Reason(np.empty((0, 3)), 0, 0, 0), "a reason without entries"),
        (Reason(np.array([[0, 2, 1]]), 0, 0, 0), "the reason names entries outside of the table"),
        (Reason(np.array([[-1, 0, 1]]), 0, 0, 0), "the reason names entries outside of the table"),
        (Reason(np.array([[0, 0, 1], [0, 0, 1]]), 6, 0, 8), "the reason names an entry twice"),
        (Reason(np.array([[0, 0, 1]]), 3, 0, 4), "the sum 3 of the reason lies between 0 and 4"),
        (Reason(RIGHT.entries, 3, 0, 0), "the reason says 3 for its sum, it is 2"),
        (Reason(RIGHT.entries, 2, -1, 0), "the reason says -1 for its lower bound, it is 0"),
        (Reason(RIGHT.entries, 2, 0, 1), "the reason says 1 for its upper bound, it is 0"),
    ],
)
def test_the_checker_rejects(reason: Reason, fault: str) -> None:
    assert fault in faults_of_reason(reason, TABLE.sums)


def test_reason_as_json_and_as_a_sentence() -> None:
    assert faults_of_reason(RIGHT, TABLE.sums) == []
    fields = json.loads(json.dumps(PROBLEM.to_json(RIGHT)))
    assert fields == {"reason": {"entries": [[0, 0, 1], [0, 1, -1]], "sum": 2, "least": 0, "most": 0}}
    assert faults_of_reason(PROBLEM.from_json(fields), TABLE.sums) == []
    assert RIGHT.sentence((2, 2)) == "the table's A[1,1] - A[1,2] is 2; it is 0, which is 0"
    assert PROBLEM.draw(TABLE, RIGHT) == RIGHT.sentence((2, 2))
    assert PROBLEM.headline(RIGHT) == "shown by 2 entries"
    many = Reason.of(np.zeros((9, 9), np.int8), np.array([(r, c, 2) for r in range(9) for c in range(9)]))
    assert " + ... is 0; it is 8 X[1,1] + 12 X[1,2]" in many.sentence((9, 9))


def test_without_memory_for_the_reason_the_answer_stays() -> None:
    table = generate.changed(np.random.default_rng(1), 101, 101, 0.0)
    need = 8 * 101 * 101 + 32 * 202
    answer = facts(table, Limits(memory=need))
    assert answer.status == Status.INFEASIBLE
    assert answer.value is None or PROBLEM.judge(table, FACTS, answer.value) == []
