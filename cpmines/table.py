"""Record tables: what is known of each size of a problem, and how it is known.

A problem that keeps one offers it as ``TABLE`` in the module ``table.py`` of its folder. ``cpmines table``
computes what is missing, has it confirmed, and shows it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits
from cpmines.errors import CpminesError

__all__ = ["Confirm", "RecordTable", "Sheet", "TableConflictError", "TableRecord"]

I = TypeVar("I")  # noqa: E741
R = TypeVar("R", bound="TableRecord")
Confirm = Callable[[Any], Answer[Any]]
"""What another method says of a size; its values have passed the judge."""


class TableConflictError(CpminesError):
    """Two methods have proved different numbers."""

    exit_code = 1


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
    rows: Sequence[tuple[str | int | float, ...]]


class TableRecord(Protocol):
    """What is known of one size."""

    @property
    def size(self) -> Any:
        """The instance."""
        ...

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
    def proof(self) -> str:
        """What the value rests on, in a word."""
        ...

    @property
    def proved(self) -> bool: ...

    @property
    def confirmed(self) -> tuple[str, ...]:
        """Backends and methods that have proved the same value."""
        ...

    def line(self) -> str:
        """It as JSON."""
        ...

    def joined(self, other: Self | None) -> Self:
        """What two records of one size know together."""
        ...

    def confirmed_by(self, method: str, answer: Answer[Any]) -> Self:
        """The record with `method` among those that have proved it, if the answer does; it passed the judge.

        Raises
        ------
        TableConflictError
            The answer and the record can't both be right.
        """
        ...

    def __str__(self) -> str:
        """Size and value, shorter than `title`."""
        ...


class RecordTable(ABC, Generic[I, R]):
    """The records of a problem.

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
    longest_side, endless_title, endless_columns
        Of boards of any length, see `endless`; 0 if there are none.
    """

    backend: ClassVar[str]
    bounds: ClassVar[range] = range(0)
    reductions: ClassVar[tuple[str, ...]] = ()
    longest_side: ClassVar[int] = 0
    endless_title: ClassVar[str] = ""
    endless_columns: ClassVar[tuple[str, ...]] = ()

    @property
    def methods(self) -> Mapping[str, Callable[[I, Limits], Answer[Any]]]:
        return {}

    @abstractmethod
    def sizes(self, least: int, most: int, squares: bool, bounds: Iterable[int]) -> list[I]:
        """All instances with sides from `least` to `most`, or the squares alone, small ones first."""

    @abstractmethod
    def shipped(self) -> dict[I, R]:
        """The records that come with the problem, by size."""

    @abstractmethod
    def read(self, path: Path) -> dict[I, R]:
        """The records of a file, by size. Raises `InputError`."""

    @abstractmethod
    def append(self, path: Path, found: Iterable[R]) -> None:
        """Write records to the end of a file, made if need be, each at once. Raises `UsageError`."""

    @abstractmethod
    def compute(self, size: I, limits: Limits, without: Iterable[str] = ()) -> R:
        """Solve one size, without some of the `reductions`; where a limit is met, it is not proved."""

    @abstractmethod
    def sheet(self, found: Sequence[R], detailed: bool = False) -> Sheet:
        """The records as a table: one row a size, or `detailed` one row a record."""

    def endless(self, side: int, bound: int, limits: Limits) -> tuple[str, ...]:
        """What is known of boards of any length with such a side: a row. Raises `LimitError`."""
        raise NotImplementedError

    def missing(self, wanted: Iterable[I], known: Mapping[I, R]) -> list[I]:
        """The sizes of which nothing is known, or no proof."""
        return [size for size in wanted if size not in known or not known[size].proved]

    def computed(self, sizes: Sequence[I], limits: Limits, without: Iterable[str], jobs: int) -> Iterator[R]:
        """Their records, one after the other, or with several `jobs` as they are ready."""
        work = partial(self.compute, limits=limits, without=without)
        if jobs == 1 or len(sizes) < 2:
            yield from map(work, sizes)
            return
        with ProcessPoolExecutor(jobs) as pool:
            try:
                for ready in as_completed([pool.submit(work, size) for size in sizes]):
                    yield ready.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def learned(
        self, known: Mapping[I, R], wanted: Iterable[I], computed: Iterable[R], methods: Mapping[str, Confirm]
    ) -> Iterator[tuple[R, str]]:
        """What `computed` adds to what is known, and what the methods confirm, each with how it is known.

        `known` is to have each of them before the next is taken.

        Raises
        ------
        TableConflictError
        """
        for found in computed:
            yield found.joined(known.get(found.size)), found.proof
        for size, (method, confirm) in product(wanted, methods.items()):
            if method not in known[size].confirmed:
                found = known[size].confirmed_by(method, confirm(size))
                if method in found.confirmed:
                    yield found, method
