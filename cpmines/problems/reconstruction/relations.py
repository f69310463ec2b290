"""What must hold between the answers to two tables."""

from __future__ import annotations

import numpy as np

from cpmines.grid import box_sums
from cpmines.problems.reconstruction.problem import Table
from cpmines.relation import Fields, Related, Symmetry, looked_up, same, turned

__all__ = ["RELATIONS"]

EXCHANGED = str.maketrans(".*", "*.")


def make(table: Table, symmetry: Symmetry) -> Table:
    return Table(symmetry(table.sums))


def follow(fields: Fields, symmetry: Symmetry, table: Table) -> Fields:
    """As many boards, and their common cells turned."""
    found = same(fields, "solutions")
    if "forced" in fields:
        origin = symmetry(np.arange(table.sums.size).reshape(table.shape))
        found["forced"] = looked_up(fields["forced"], origin, ["?" * len(row) for row in origin])
    return found


def complement(rng: np.random.Generator, table: Table) -> Related[Table] | None:
    """Mines for empty cells: an entry and its new one make up the size of its block."""
    sums = box_sums(np.ones(table.shape, np.bool_)) - table.sums
    if sums.min() < 0:
        return None

    def exchanged(fields: Fields) -> Fields:
        forced = [row.translate(EXCHANGED) for row in fields.get("forced", ())]
        return same(fields, "solutions") | ({"forced": forced} if forced else {})

    return Related(table, Table(sums), lambda status, fields: (status, exchanged(fields)))


RELATIONS = {**turned(make, follow), "complement": complement}
