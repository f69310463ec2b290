"""Counts and components of a moment, worked out when they are asked for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.inference.exact import Component, Inference, infer
from cpmines.inference.integers import dot
from cpmines.inference.network import inner
from cpmines.inference.polynomial import binomials, product, product_tree

__all__ = ["Snapshot"]

EXACT = 2**53

AT_LEAST = 1e-6
"""Seconds of a clock whose time is spent: it must have some, and ends at the first look."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Copies of the solved components of an `Analyser`.

    Attributes
    ----------
    table, ints, reals
        The store, see `cpmines.analysis.kernels.state`.
    free, mines
        Unknown cells that touch no open clue, and known mines.
    cells, total
        The position.
    limits
        For the analysis and all that is asked of it, together.
    spent
        One number: the seconds that it took so far.
    """

    table: NDArray[np.int32]
    ints: NDArray[np.int32]
    reals: NDArray[np.float64]
    free: int
    mines: int
    cells: NDArray[np.int8]
    total: int | None
    limits: Limits
    spent: list[float] = field(default_factory=lambda: [0.0])

    @contextmanager
    def clock(self) -> Iterator[Limits]:
        """The limits with the time that is left by the analysis and by what was asked of it before."""
        seconds = self.limits.seconds
        left = None if seconds is None else max(seconds - self.spent[0], AT_LEAST)
        begun, before = time.monotonic(), self.spent[0]
        try:
            yield replace(self.limits, seconds=left).begin()
        finally:
            self.spent[0] = before + time.monotonic() - begun

    @cached_property
    def rows(self) -> list[dict[str, int]]:
        """The standing components."""
        names = ("live", "clues", "cells", "classes", "ints", "reals", "least", "length", "width", "states")
        return [dict(zip(names, row, strict=True)) for row in self.table.tolist() if row[0]]

    @cached_property
    def polynomials(self) -> list[tuple[int, list[int]]] | None:
        """Exponent and exact coefficients of each component; None if some are too large to be exact."""
        found = []
        for row in self.rows:
            own = self.reals[row["reals"] : row["reals"] + row["length"]].tolist()
            if max(own) >= EXACT:
                return None
            found.append((row["least"], [int(value) for value in own]))
        return found

    @cached_property
    def general(self) -> Inference:
        """The same from the general engine."""
        with self.clock() as limits:
            found = infer(Position(self.cells, self.total), limits)
        assert found is not None
        return found

    @cached_property
    def product(self) -> tuple[int, list[int]]:
        """Exponent and coefficients of the product of all components and the known mines."""
        assert self.polynomials is not None
        least = self.mines + sum(exponent for exponent, _ in self.polynomials)
        with self.clock() as limits:
            return least, product_tree([own for _, own in self.polynomials], limits)[-1][0]

    @cached_property
    def count(self) -> int:
        if self.polynomials is None:
            return self.general.count
        if self.total is None:
            return prod(sum(own) for _, own in self.polynomials) << self.free
        least, inside = self.product
        length = len(inside)
        with self.clock() as limits:
            outside = binomials(self.free, self.total - least - length + 1, length, limits)
            return dot(inside, outside[::-1], limits)

    @cached_property
    def by_mines(self) -> dict[int, int] | None:
        if self.polynomials is None:
            return self.general.by_mines
        if self.total is not None:
            return {self.total: self.count}
        least, inside = self.product
        if (len(inside) + self.free) ** 2 > 8 * self.limits.memory:
            return None
        with self.clock() as limits:
            counts = product(inside, binomials(self.free, 0, self.free + 1, limits), limits)
        return {least + k: number for k, number in enumerate(counts) if number}

    @cached_property
    def components(self) -> tuple[Component, ...]:
        stride = self.cells.shape[1] + 2
        found = []
        for row in self.rows:
            clues = inner(self.ints[row["ints"] : row["ints"] + row["clues"]], stride)
            start = row["ints"] + row["clues"]
            cells = inner(self.ints[start : start + row["cells"]], stride)
            found.append(Component(cells, clues, (row["states"] - 1).bit_length()))
        return tuple(found)
