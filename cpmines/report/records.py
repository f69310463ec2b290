"""The record table of maxmines as text, JSON lines and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Group

from cpmines.files import write
from cpmines.problems.maxmines.periods import Period
from cpmines.problems.maxmines.records import BoardRecord
from cpmines.report.drawing.picture import board_svg
from cpmines.report.tables import table, titled
from cpmines.report.text import seconds_text

__all__ = ["board_pictures", "detail_table", "period_table", "record_table", "write_pictures"]

EACH_M = tuple(f"M={around}" for around in range(1, 9))


def mines_text(record: BoardRecord) -> str:
    """The most mines, or from how many to how many they may be."""
    return str(record.mines) if record.proved else f"{record.mines}-{record.bound}"


def record_table(records: Iterable[BoardRecord]) -> Group:
    """One line a size: the most mines for each M, and over all M the largest layer, the time, the proofs."""
    made = table("size", *EACH_M, "states", "time", "proofs", numbers=(*EACH_M, "states", "time"))
    by_size: dict[tuple[int, int], dict[int, BoardRecord]] = {}
    for record in records:
        by_size.setdefault((record.rows, record.cols), {})[record.M] = record
    for (rows, cols), found in sorted(by_size.items(), key=lambda item: (item[0][1], item[0][0])):
        values = [mines_text(found[around]) if around in found else "" for around in range(1, 9)]
        states = max(record.states for record in found.values())
        seconds = sum(record.seconds for record in found.values())
        proofs = Counter(name for record in found.values() if record.proved for name in _proofs(record))
        text = ", ".join(f"{name} {count}" for name, count in sorted(proofs.items()))
        made.add_row(f"{rows}x{cols}", *values, f"{states:,}", seconds_text(seconds), text)
    return titled("maxmines: the most mines", made)


def _proofs(record: BoardRecord) -> Sequence[str]:
    return record.proof, *record.confirmed


def detail_table(records: Iterable[BoardRecord]) -> Group:
    """One line a record."""
    made = table("size", "M", "mines", "proofs", "states", "time", numbers=("M", "mines", "states", "time"))
    for record in sorted(records, key=lambda record: (record.cols, record.rows, record.M)):
        proofs = ", ".join(_proofs(record)) if record.proved else "none"
        known = (mines_text(record), proofs, f"{record.states:,}", seconds_text(record.seconds))
        made.add_row(f"{record.rows}x{record.cols}", str(record.M), *known)
    return titled("maxmines: the most mines", made)


def board_pictures(records: Iterable[BoardRecord]) -> str:
    """The board of each record below its size, for a terminal."""
    return "\n\n".join("\n".join([title(record), *record.board]) for record in records)


def title(record: BoardRecord) -> str:
    mines = f"{mines_text(record)} mine{'s' * (record.bound != 1)}"
    return f"{record.rows}x{record.cols}, M = {record.M}: {mines}"


def period_table(periods: Iterable[Period]) -> Group:
    """Boards of any length: from how many lines on, how many lines more mean how many mines more."""
    names = ("side", "M", "from", "lines", "mines", "per cell", "density")
    made = table(*names, numbers=names)
    for found in periods:
        counts = (found.width, found.around, found.start + 1, found.lines, found.mines)
        made.add_row(*map(str, counts), str(found.density), f"{float(found.density):.4f}")
    return titled("maxmines: boards without end", made)


def write_pictures(records: Iterable[BoardRecord], folder: Path) -> int:
    """An SVG for each board; how many there are. Raises `UsageError`."""
    count = 0
    for record in records:
        name = f"{record.rows}x{record.cols}_M{record.M}.svg"
        assert record.value.board is not None
        write(folder / name, board_svg(record.value.board, title=title(record)))
        count += 1
    return count
