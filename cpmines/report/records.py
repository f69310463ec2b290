"""Record tables as text, pictures of text, and SVG."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.console import Group

from cpmines.board import mine_rows
from cpmines.outputs import write
from cpmines.quoting import printable
from cpmines.report.drawing.picture import board_svg
from cpmines.report.tables import table, titled
from cpmines.report.text import seconds_text
from cpmines.table import Sheet, TableRecord

__all__ = ["board_pictures", "sheet_table", "write_pictures"]


def sheet_table(sheet: Sheet) -> Group:
    made = table(*sheet.columns, numbers=sheet.numbers)
    for row in sheet.rows:
        made.add_row(*map(_cell, row))
    return titled(sheet.title, made)


def _cell(value: str | int | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else seconds_text(value)


def board_pictures(records: Iterable[TableRecord]) -> str:
    """The board of each record below its size, for a terminal."""
    return "\n\n".join("\n".join([printable(record.title), *mine_rows(record.cells)]) for record in records)


def write_pictures(records: Iterable[TableRecord], folder: Path) -> int:
    """An SVG for each board; how many there are. Raises `UsageError`."""
    count = 0
    for record in records:
        write(folder / f"{record.name}.svg", board_svg(record.cells, title=record.title))
        count += 1
    return count
