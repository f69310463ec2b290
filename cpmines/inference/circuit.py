"""A circuit of sums and products that stands for all solutions of a reduced network.

It is built by eliminating sums: tables over partial sums are joined along a tree, and each row of a table
becomes a node, the sum over pairs of rows that join to it. Counts, counts by mines, probabilities and random
solutions all come from its nodes, each in time linear in its size.

References
----------
Darwiche (2003), A differential approach to inference in Bayesian networks. Journal of the ACM 50(3).
Dechter (1999), Bucket elimination: a unifying framework for reasoning. Artificial Intelligence 113.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from cpmines.inference.reduction import Reduced

__all__ = ["Circuit"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

PASCAL = np.array([[comb(n, k) for k in range(10)] for n in range(10)])
"""Binomials: groups of a variable are in the same sums, which have at most nine cells."""


@dataclass(frozen=True, eq=False)
class Circuit:
    """Nodes, ordered so that each comes after those it is made of; a table is a range of nodes.

    Attributes
    ----------
    reduced
        The network. Table v is that of its variable v, a node for each value; the others are joined.
    row_starts
        int64 (tables + 1,): the nodes of each table.
    parents
        int32 (tables,): the table that a table was joined to, -1 if to none: one for each component.
    pair_starts, left, right
        Node k is the sum over the pairs from ``pair_starts[k]`` to ``pair_starts[k + 1]`` of products of two
        nodes; leaves have no pairs.
    possible
        bool (leaves,): false where a value breaks a sum by itself.
    """

    reduced: Reduced
    row_starts: Longs
    parents: Ints
    pair_starts: Longs
    left: Ints
    right: Ints
    possible: NDArray[np.bool_]

    @property
    def nodes(self) -> int:
        return len(self.pair_starts) - 1

    @property
    def leaves(self) -> int:
        return len(self.possible)

    @cached_property
    def roots(self) -> NDArray[np.int64]:
        """The tables that stand for components."""
        return np.flatnonzero(self.parents < 0)

    @cached_property
    def tables(self) -> Ints:
        """int32 (nodes,): the table of each node."""
        return np.repeat(np.arange(len(self.parents), dtype=np.int32), np.diff(self.row_starts))

    @cached_property
    def owners(self) -> Ints:
        """int32 (leaves,): the variable of each leaf."""
        return np.repeat(np.arange(len(self.reduced.sizes), dtype=np.int32), self.reduced.sizes + 1)

    @cached_property
    def leaf_values(self) -> Longs:
        """int64 (leaves,): the value of the variable that each leaf stands for."""
        return np.arange(self.leaves) - self.row_starts[self.owners]

    @cached_property
    def leaf_mines(self) -> Longs:
        """int64 (leaves,): mines in the cells of the variable where it has the value of the leaf."""
        reduced, holding = self.reduced, self.leaf_values
        ones, zeros = reduced.ones[self.owners], reduced.zeros[self.owners]
        return holding * ones + (reduced.sizes[self.owners] - holding) * zeros

    @cached_property
    def weights(self) -> Longs:
        """int64 (leaves,): in how many ways the variable has the value of the leaf; 0 where it can't."""
        return np.where(self.possible, PASCAL[self.reduced.sizes[self.owners], self.leaf_values], 0)

    def components(self) -> Ints:
        """int32 (tables,): the number of the component of each table, in the order of `roots`."""
        number = np.full(len(self.parents), -1, np.int32)
        number[self.roots] = np.arange(len(self.roots))
        for table in range(len(number) - 1, -1, -1):
            if self.parents[table] >= 0:
                number[table] = number[self.parents[table]]
        return number
