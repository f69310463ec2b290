"""Record tables: what is known of each size of a problem, and how it is known.

A problem that keeps one offers it as ``TABLE`` in the module ``table.py`` of its folder. ``cpmines table``
has what is missing computed and confirmed, and shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits

__all__ = ["Confirm", "RecordTable", "Sheet", "TableRecord", "TableWork"]

Confirm = Callable[[Any], Answer[Any]]
"""What another method says of a size; its values have passed the judge."""


@dataclass(frozen=True)
class Sheet:
    """Rows to be shown. Whole numbers get thousands, floats are seconds, text stays.

    Attributes
    ----------
    numbers
        Columns that are aligned to the right.
    """

    title: str
    columns: tuple[str, ...]
    numbers: tuple[str, ...]
    rows: Sequence[tuple[str | int | float, ...]] = ()


@dataclass(frozen=True)
class TableWork:
    """How records are computed and confirmed: without some reductions, in some processes, by some methods."""

    limits: Limits
    without: tuple[str, ...] = ()
    workers: int = 1
    methods: Mapping[str, Confirm] = field(default_factory=dict)


class TableRecord(Protocol):
    """What is known of one size. As text it is size and value, shorter than `title`."""

    @property
    def name(self) -> str:
        """Of a file with its picture, without suffix."""
        ...

    @property
    def title(self) -> str:
        """Size and value in a line."""
        ...

    @property
    def cells(self) -> NDArray[np.bool_]:
        """The best board known, bool (rows, cols)."""
        ...

    @property
    def proved(self) -> bool: ...

    def line(self) -> str:
        """It as JSON."""
        ...


class RecordTable(Protocol):
    """The records of a problem. A size is an instance of it.

    Attributes
    ----------
    backend
        The backend whose method computes them; it confirms nothing.
    bounds
        Values of what an instance has beside its sides; empty if there is nothing.
    reductions
        What the method may do without, at a price.
    methods
        Ways to confirm beside the backends, by name.
    endless, longest_side
        How boards of any length are shown, see `period`, and their longest side, 0 if there are none.
    """

    backend: str
    bounds: range
    reductions: tuple[str, ...]
    methods: Mapping[str, Callable[[Any, Limits], Answer[Any]]]
    endless: Sheet
    longest_side: int

    def sizes(self, least: int, most: int, squares: bool, bounds: Iterable[int]) -> list[Any]:
        """All sizes with sides from `least` to `most`, or the squares alone, small ones first."""
        ...

    def known(self, shipped: bool, checkpoint: Path | None) -> dict[Any, Any]:
        """The records that come with the problem and those of a file, by size; the file is made if need be.

        Raises
        ------
        InputError
            The file has a line that is no record.
        UsageError
            It can't be written.
        """
        ...

    def missing(self, wanted: Iterable[Any], known: Mapping[Any, Any]) -> list[Any]:
        """The sizes of which nothing is known, or no proof."""
        ...

    def learn(
        self, wanted: Sequence[Any], known: dict[Any, Any], checkpoint: Path | None, work: TableWork
    ) -> Iterator[tuple[TableRecord, str]]:
        """Compute what is missing, then confirm: each record that is new in `known`, and how it is known.

        Each is written to the file at once. Where a limit is met, it is not proved.

        Raises
        ------
        CpminesError
            Two methods have proved different numbers.
        """
        ...

    def sheet(self, found: Sequence[Any], detailed: bool) -> Sheet:
        """The records as a table: one row a size, or `detailed` one row a record."""
        ...

    def period(self, side: int, bound: int, limits: Limits) -> tuple[str, ...]:
        """What is known of boards of any length with such a side: a row. Raises `LimitError`."""
        ...
