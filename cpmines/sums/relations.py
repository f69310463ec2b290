"""What must hold between the answers to two tables, with or without gaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.fields import count_of
from cpmines.grid import block_sizes
from cpmines.numerals import decimal
from cpmines.relation import Fields, Related, Relation, Symmetry, looked_up, same, turned
from cpmines.sums.table import GAP, Table

__all__ = ["indices", "rearranged", "sums_relations"]

T = TypeVar("T", bound=Table)

EXCHANGED = str.maketrans(".*", "*.")


def indices(table: Table) -> NDArray[np.int64]:
    """The flat index of each cell."""
    return np.arange(table.sums.size).reshape(table.shape)


def rearranged(fields: Fields, origin: NDArray[np.int64], count: Callable[[int], int] = int) -> Fields:
    """Fields for a table that has the cells of the first one in other places.

    Parameters
    ----------
    origin
        For each cell of the second table the flat index of the first one's cell that is there, -1 for a cell
        that is free.
    count
        Makes the number of the second's boards from that of the first's.
    """
    found = same(fields, "mine_count", "distance")
    if "solutions" in fields:
        found["solutions"] = decimal(count(count_of(fields["solutions"])))
    if "unique" in fields:
        found["unique"] = fields["unique"] and count(1) == 1
    if "forced" in fields:
        found["forced"] = looked_up(fields["forced"], origin, ["?" * len(row) for row in origin])
    return found


def make(table: T, symmetry: Symmetry) -> T:
    return type(table)(symmetry(table.sums))


def follow(fields: Fields, symmetry: Symmetry, table: Table) -> Fields:
    """As many boards, and their common cells turned."""
    return rearranged(fields, symmetry(indices(table)))


def complement(rng: np.random.Generator, table: T) -> Related[T] | None:
    """Mines for empty cells: an entry and its new one make up the size of its block."""
    block = block_sizes(*table.shape)
    if (table.sums > block).any():
        return None

    def exchanged(fields: Fields) -> Fields:
        found = same(fields, "solutions", "unique", "distance")
        if "forced" in fields:
            found["forced"] = [row.translate(EXCHANGED) for row in fields["forced"]]
        return found

    second = type(table)(np.where(table.sums == GAP, np.int8(GAP), block - table.sums))
    return Related(table, second, lambda status, fields: (status, exchanged(fields)))


def sums_relations() -> dict[str, Relation[T]]:
    """Those that hold for every table."""
    return {**turned(make, follow), "complement": complement}
