"""The record table: what ships, and reading and writing it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cpmines.answer import Limits
from cpmines.errors import InputError, UsageError
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.problems.maxmines.records import (
    BoardRecord,
    append,
    compute,
    read,
    shipped_records,
    sizes,
)
from cpmines.problems.maxmines.table import TABLE
from cpmines.problems.maxmines.theorems import closed_form, upper_bound

SQUARES = {
    8: (9, 20, 34, 43, 52, 52, 53, 55),
    10: (16, 32, 55, 64, 77, 80, 84, 84),
    12: (16, 43, 76, 94, 114, 115, 120, 128),
}


@pytest.fixture(scope="module")
def table() -> dict[Rectangle, BoardRecord]:
    """Reading judges every board."""
    return shipped_records()


def test_the_shipped_table_is_complete_and_proved(table: dict[Rectangle, BoardRecord]) -> None:
    wanted = sizes(12)
    assert len(wanted) == 78 * 8
    assert list(TABLE.missing(wanted, table)) == []
    for side, values in SQUARES.items():
        assert tuple(table[Rectangle(side, side, around)].mines for around in range(1, 9)) == values


def test_the_shipped_values_fit_together(table: dict[Rectangle, BoardRecord]) -> None:
    for size, record in table.items():
        assert record.mines <= upper_bound(size)
        exact = closed_form(size)
        assert exact is None or record.mines == exact
        assert (record.proof == "theorem") == (exact is not None)
        easier = table.get(replace(size, around=size.around + 1)) if size.around < 8 else None
        assert easier is None or easier.bound >= record.mines


def test_the_shipped_squares_go_up_to_16(table: dict[Rectangle, BoardRecord]) -> None:
    assert list(TABLE.missing(sizes(16, squares=True), table)) == []


def test_a_longer_board_of_the_shipped_table_has_no_fewer_mines(table: dict[Rectangle, BoardRecord]) -> None:
    """From M = 3 on: a line of empty cells at the border of a valid board has at most 3 mines around each."""
    for size, record in table.items():
        for rows, cols in ((size.rows - 1, size.cols), (size.rows, size.cols - 1)):
            shorter = (
                table.get(Rectangle(min(rows, cols), max(rows, cols), size.around)) if rows * cols else None
            )
            assert size.around < 3 or shorter is None or shorter.mines <= record.bound


def test_the_shipped_values_are_confirmed_by_another_method(table: dict[Rectangle, BoardRecord]) -> None:
    assert all(table[size].confirmed for size in sizes(12))


def test_some_shipped_values_are_found_again(table: dict[Rectangle, BoardRecord]) -> None:
    for size in sizes(9)[::5]:
        record = compute(size, Limits(), theorems=False)
        assert (record.mines, record.bound) == (table[size].mines, table[size].bound)


def test_a_record_is_read_back(tmp_path: Path) -> None:
    records = [compute(size, Limits()) for size in sizes(3)]
    file = tmp_path / "records.jsonl"
    append(file, records[:5])
    append(file, records[5:])
    assert read(file) == {record.size: record for record in records}
    better = replace(records[0], confirmed=("sat",))
    append(file, [better])
    assert read(file)[better.size] == better


def test_a_line_that_is_cut_off_is_written_again(tmp_path: Path) -> None:
    records = [compute(size, Limits()) for size in sizes(2)]
    file = tmp_path / "records.jsonl"
    append(file, records)
    whole = file.read_text()
    file.write_text(whole[:-20])
    assert len(read(file)) == len(records) - 1
    append(file, records[-1:])
    assert file.read_text() == whole


@pytest.mark.parametrize(
    "change",
    [
        *({"board": ["**", "**"]}, {"mines": 2}, {"bound": 0}, {"M": 9}, {"extra": 1}, {"board": [".."]}),
        *({"seconds": "1"}, {"seconds": -1}, {"seconds": float("nan")}, {"states": None}, {"mines": 1.0}),
        *({"bound": True}, {"proof": "hope"}, {"confirmed": [1]}, {"confirmed": 5}, {"states": -1}),
        *({"board": ["xx", "x*"]}, {"bound": 5}),
    ],
)
def test_a_line_that_is_no_record_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    record = compute(Rectangle(2, 2, 1), Limits())
    file = tmp_path / "records.jsonl"
    file.write_text(record.line() + "\n" + json.dumps({**json.loads(record.line()), **change}) + "\n")
    with pytest.raises(InputError, match=r"records\.jsonl:2: found a line that is no record"):
        read(file)


@pytest.mark.parametrize("line", [b"\xff\xfe", b"", b"[]", b"[" * 100_000, b"{}"])
def test_other_lines_are_named(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(line + b"\n")
    with pytest.raises(InputError, match=r"records\.jsonl:1: found a line that is no record"):
        read(file)


@pytest.mark.parametrize("text", [b"my only copy", b"\x89PNG", b'{"row', b'{"rows": 2, "co'])
def test_only_a_record_is_taken_for_one_that_is_cut_off(tmp_path: Path, text: bytes) -> None:
    """It is removed when records are added; anything else is kept."""
    file = tmp_path / "records.jsonl"
    file.write_bytes(text)
    if text.startswith(b"{"):
        assert read(file) == {}
        return
    with pytest.raises(InputError, match=r"records\.jsonl:1: found a last line that is no record"):
        read(file)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="file is no folder"):
        append(tmp_path / "file" / "records.jsonl", [])
    with pytest.raises(UsageError):
        append(tmp_path, [])


def test_two_records_of_a_size_know_more_together() -> None:
    best = compute(Rectangle(4, 4, 4), Limits())
    more = replace(best, bound=14)
    board = ("....", "....", "...*", "....")
    lower = replace(best, mines=1, board=board, bound=13)
    assert more.joined(lower) == lower.joined(more) == replace(best, bound=13)
    assert best.joined(None) == best


def test_a_limit_leaves_a_record_that_is_not_proved() -> None:
    record = compute(Rectangle(9, 9, 4), Limits(memory=200_000))
    assert not record.proved
    assert record.mines < 54 <= record.bound
    assert list(TABLE.missing([record.size], {record.size: record})) == [record.size]
