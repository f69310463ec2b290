"""The record table of maxmines for ``cpmines table``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path

from cpmines.answer import Answer, Limits, Stop
from cpmines.outputs import require_regular
from cpmines.problems.maxmines import periods, records
from cpmines.problems.maxmines.frontier import Reductions
from cpmines.problems.maxmines.problem import MaxMines, Rectangle
from cpmines.problems.maxmines.records import BoardRecord
from cpmines.process.spread import by_processes
from cpmines.table import RecordTable, Sheet, TableWork

__all__ = ["TABLE"]

EACH_M = tuple(f"M={around}" for around in range(1, 9))
TITLE = "maxmines: the most mines"
PERIODS = ("side", "M", "from", "lines", "mines", "per cell", "density")

Records = dict[Rectangle, BoardRecord]


class BoardTable:
    """The records of maxmines, a `RecordTable`."""

    backend = "direct"
    bounds = range(1, 9)
    reductions: tuple[str, ...] = ("dominance", "bounds", "meeting", "theorems")
    endless = Sheet("maxmines: boards without end", PERIODS, PERIODS)
    longest_side = periods.WIDEST_PERIOD

    def __init__(self) -> None:
        self.methods: Mapping[str, Callable[[Rectangle, Limits], Answer[MaxMines]]] = {
            "frontier:unbounded": self.unbounded
        }

    def sizes(self, least: int, most: int, squares: bool, bounds: Iterable[int]) -> list[Rectangle]:
        return records.sizes(most, squares, least, bounds)

    def known(self, shipped: bool, checkpoint: Path | None) -> Records:
        known = records.shipped_records() if shipped else {}
        if checkpoint is not None:
            require_regular(checkpoint, "a checkpoint")
            known |= records.read(checkpoint) if checkpoint.exists() else {}
            records.append(checkpoint, [])
        return known

    def missing(self, wanted: Iterable[Rectangle], known: Mapping[Rectangle, BoardRecord]) -> list[Rectangle]:
        return [size for size in wanted if size not in known or not known[size].proved]

    def learn(
        self, wanted: Sequence[Rectangle], known: Records, checkpoint: Path | None, work: TableWork
    ) -> Iterator[tuple[BoardRecord, str]]:
        for found, how in self._learned(wanted, known, work):
            known[found.size] = found
            if checkpoint is not None:
                records.append(checkpoint, [found])
            yield found, how

    def _learned(
        self, wanted: Sequence[Rectangle], known: Records, work: TableWork
    ) -> Iterator[tuple[BoardRecord, str]]:
        for found in self._computed(self.missing(wanted, known), work):
            yield found.joined(known.get(found.size)), found.proof
        for size, (method, confirm) in product(wanted, work.methods.items()):
            if method not in known[size].confirmed:
                found = known[size].confirmed_by(method, confirm(size))
                if method in found.confirmed:
                    yield found, method

    def _computed(self, sizes: Sequence[Rectangle], work: TableWork) -> Iterator[BoardRecord]:
        """Their records, one after the other."""
        compute = partial(self.compute, limits=work.limits, without=work.without)
        return by_processes(compute, sizes, work.workers)

    def compute(self, size: Rectangle, limits: Limits, without: Iterable[str] = ()) -> BoardRecord:
        off = set(without)
        kept = Reductions(**{name: name not in off for name in self.reductions if name != "theorems"})
        return records.compute(size, limits, kept, theorems="theorems" not in off)

    def unbounded(self, size: Rectangle, limits: Limits) -> Answer[MaxMines]:
        """The frontier without bounds and closed forms, as another method to confirm values by."""
        found = self.compute(size, limits, ("bounds", "theorems"))
        return Answer.solved(found.value) if found.proved else Answer.feasible(found.value, Stop.FINISHED)

    def sheet(self, found: Sequence[BoardRecord], detailed: bool) -> Sheet:
        return _by_record(found) if detailed else _by_size(found)

    def period(self, side: int, bound: int, limits: Limits) -> tuple[str, ...]:
        """From how many lines on, how many lines more mean how many mines more."""
        found = periods.period(side, bound, limits)
        counts = (found.width, found.around, found.start + 1, found.lines, found.mines)
        return (*map(str, counts), str(found.density), f"{float(found.density):.4f}")


def _by_size(found: Sequence[BoardRecord]) -> Sheet:
    """The most mines for each M, and over all M the largest layer, the time, the proofs."""
    by_size: dict[tuple[int, int], dict[int, BoardRecord]] = {}
    for record in found:
        by_size.setdefault((record.cols, record.rows), {})[record.M] = record
    rows = []
    for (cols, lines), here in sorted(by_size.items()):
        values = [here[around].known if around in here else "" for around in range(1, 9)]
        states = max(record.states for record in here.values())
        seconds = sum(float(record.seconds) for record in here.values())
        proofs = Counter(name for record in here.values() if record.proved for name in _proofs(record))
        text = ", ".join(f"{name} {count}" for name, count in sorted(proofs.items()))
        rows.append((f"{lines}x{cols}", *values, states, seconds, text))
    columns = ("size", *EACH_M, "states", "time", "proofs")
    return Sheet(TITLE, columns, (*EACH_M, "states", "time"), rows)


def _by_record(found: Sequence[BoardRecord]) -> Sheet:
    rows = []
    for record in sorted(found, key=lambda record: (record.cols, record.rows, record.M)):
        proofs = ", ".join(_proofs(record)) if record.proved else "none"
        known = (record.known, proofs, record.states, float(record.seconds))
        rows.append((f"{record.rows}x{record.cols}", str(record.M), *known))
    columns = ("size", "M", "mines", "proofs", "states", "time")
    return Sheet(TITLE, columns, ("M", "mines", "states", "time"), rows)


def _proofs(record: BoardRecord) -> tuple[str, ...]:
    return record.proof, *record.confirmed


TABLE: RecordTable = BoardTable()
