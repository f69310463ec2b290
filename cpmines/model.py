"""Model: Boolean variables, cardinality constraints, one linear objective. The exact statement of a problem.

A literal is a nonzero integer as in DIMACS: ``v`` for variable v = 1, 2, ..., ``-v`` for its negation. An
assignment is a bool array of shape (variables,), entry v - 1 for variable v. A Model knows nothing of
mines, and nothing of the solvers that translate it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cpmines.numerals import plural

__all__ = ["Constraints", "Model", "Size"]

Literals = NDArray[np.int32]
N = TypeVar("N", bound=np.generic)


@dataclass(frozen=True)
class Constraints:
    """All constraints, flat. Row k is ``lo[k] <= sum of its literals <= hi[k]``, if literal only_if[k] holds.

    Attributes
    ----------
    literals
        int32, the literals of all rows one after the other.
    starts
        int64 of shape (rows + 1,): row k is ``literals[starts[k]:starts[k + 1]]``.
    lo, hi
        int64 of shape (rows,); any integers, also bounds that can't be met.
    only_if
        int32 of shape (rows,): the enforcing literal, 0 for none.
    """

    literals: Literals
    starts: NDArray[np.int64]
    lo: NDArray[np.int64]
    hi: NDArray[np.int64]
    only_if: Literals

    def __len__(self) -> int:
        return len(self.lo)

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    def row(self, k: int) -> Literals:
        return self.literals[self.starts[k] : self.starts[k + 1]]

    def groups(self) -> Iterator[tuple[tuple[int, int, int, bool], Literals, Literals]]:
        """Rows of the same shape together: ``((length, lo, hi, enforced), literals, only_if)``.

        `literals` has shape (rows of the group, length), `only_if` shape (rows of the group,). Translations
        build a shape once and instantiate it by indexing.
        """
        columns = (self.lengths, self.lo, self.hi, self.only_if != 0)
        order = np.lexsort(columns[::-1])
        ordered = [column[order] for column in columns]
        new = np.zeros(len(order), np.bool_)
        new[:1] = True
        for column in ordered:
            new[1:] |= column[1:] != column[:-1]
        firsts = np.flatnonzero(new)
        keys = zip(*(column[firsts].tolist() for column in ordered), strict=True)
        for (length, lo, hi, enforced), rows in zip(keys, np.split(order, firsts[1:]), strict=False):
            literals = self.literals[self.starts[rows, None] + np.arange(length)]
            yield (length, lo, hi, enforced), literals, self.only_if[rows]


@dataclass(frozen=True)
class Size:
    """How large a Model is."""

    variables: int
    constraints: int
    literals: int
    objective_terms: int

    def __str__(self) -> str:
        parts = {"variable": self.variables, "constraint": self.constraints, "literal": self.literals}
        return ", ".join(plural(number, what) for what, number in parts.items())


class Model:
    """Variables, constraints ``lo <= sum of literals <= hi``, and an objective to maximise.

    >>> model = Model()
    >>> a, b, c = model.variables(3)
    >>> model.between([a, b, c], 1, 2)
    >>> model.between([a, b], 0, 0, only_if=c)
    >>> model.maximise([a, -b])
    >>> model.holds(np.array([True, False, False])), model.value(np.array([True, False, False]))
    (True, 2)
    """

    def __init__(self) -> None:
        self.variable_count = 0
        self._rows: list[Literals] = []
        self._lengths: list[NDArray[np.int64]] = []
        self._lo: list[NDArray[np.int64]] = []
        self._hi: list[NDArray[np.int64]] = []
        self._only_if: list[Literals] = []
        self.objective: tuple[Literals, NDArray[np.int64]] | None = None

    def variables(self, *shape: int) -> Literals:
        """New variables, as an int32 array of `shape` of their positive literals."""
        first = self.variable_count + 1
        self.variable_count += int(np.prod(shape, dtype=np.int64))
        return np.arange(first, self.variable_count + 1, dtype=np.int32).reshape(shape)

    def between(self, literals: ArrayLike, lo: int, hi: int, *, only_if: int = 0) -> None:
        """Add ``lo <= sum(literals) <= hi``; with `only_if`, only where that literal is true.

        Parameters
        ----------
        literals
            Of any shape. One that is there twice counts twice.
        lo, hi
            Need not be between 0 and the number of literals: a bound beyond says nothing, or can't be met.

        Raises
        ------
        ValueError
            A literal is 0, or of a variable that is not there.
        """
        row = np.asarray(literals, np.int32).reshape(1, -1)
        if (row == 0).any():
            raise ValueError("0 is not a literal")
        self.between_rows(row, [lo], [hi], only_if=[only_if])

    def between_rows(
        self, literals: ArrayLike, lo: ArrayLike, hi: ArrayLike, *, only_if: ArrayLike = 0
    ) -> None:
        """Add one constraint for each row of a matrix of literals; entries 0 are left out.

        Parameters
        ----------
        literals
            Shape (rows, width).
        lo, hi, only_if
            Shape (rows,) or a scalar for all rows; `only_if` is 0 for rows that always hold.

        Raises
        ------
        ValueError
            A literal of a variable that is not there.
        """
        matrix = np.asarray(literals, np.int32)
        count = len(matrix)
        lowest, highest = (np.full(count, bound, np.int64) for bound in (lo, hi))
        enforcing = np.full(count, only_if, np.int32)
        self._check(matrix)
        self._check(enforcing)
        self._rows.append(matrix[matrix != 0])
        self._lengths.append(np.count_nonzero(matrix, axis=1).astype(np.int64))
        self._lo.append(lowest)
        self._hi.append(highest)
        self._only_if.append(enforcing)

    def clause(self, *literals: int) -> None:
        """At least one of `literals` is true."""
        self.between(literals, 1, len(literals))

    def fix(self, literals: ArrayLike) -> None:
        """Each of `literals` is true."""
        self.between_rows(np.asarray(literals, np.int32).reshape(-1, 1), 1, 1)

    def maximise(self, literals: ArrayLike, weights: ArrayLike = 1) -> None:
        """Set the objective: the sum of `weights` (positive integers) over the literals that are true.

        Raises
        ------
        ValueError
            A weight is not positive, or a literal not there: to minimise, negate the literals.
        """
        terms = np.asarray(literals, np.int32).ravel()
        self._check(terms)
        values = np.broadcast_to(np.asarray(weights, np.int64), terms.shape)
        if (values <= 0).any() or (terms == 0).any():
            raise ValueError("literals must not be 0, weights must be positive; negate a literal to minimise")
        self.objective = terms, values

    def constraints(self) -> Constraints:
        """All constraints in the order in which they were added."""

        def join(parts: list[NDArray[N]], dtype: type[N]) -> NDArray[N]:
            # What is joined stays so: an assignment after the other is held against the same rows.
            if len(parts) != 1:
                parts[:] = [np.concatenate([np.empty(0, dtype), *parts])]
            return parts[0]

        starts = np.concatenate([[0], np.cumsum(join(self._lengths, np.int64))]).astype(np.int64)
        return Constraints(
            literals=join(self._rows, np.int32),
            starts=starts,
            lo=join(self._lo, np.int64),
            hi=join(self._hi, np.int64),
            only_if=join(self._only_if, np.int32),
        )

    def size(self) -> Size:
        literals = int(sum(len(row) for row in self._rows))
        terms = 0 if self.objective is None else len(self.objective[0])
        return Size(self.variable_count, sum(len(part) for part in self._lo), literals, terms)

    def violated(self, assignment: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Indices of the constraints that `assignment`, bool (variables,), breaks; ascending."""
        rows = self.constraints()
        true = _truth(rows.literals, assignment)
        totals = np.concatenate([[0], np.cumsum(true, dtype=np.int64)])
        sums = totals[rows.starts[1:]] - totals[rows.starts[:-1]]
        active = np.ones(len(rows), np.bool_)
        enforced = rows.only_if != 0
        active[enforced] = _truth(rows.only_if[enforced], assignment)
        return np.flatnonzero(active & ((sums < rows.lo) | (sums > rows.hi)))

    def holds(self, assignment: NDArray[np.bool_]) -> bool:
        """Does `assignment` satisfy every constraint?"""
        return len(self.violated(assignment)) == 0

    def value(self, assignment: NDArray[np.bool_]) -> int:
        """The objective under `assignment`; 0 without an objective."""
        if self.objective is None:
            return 0
        terms, weights = self.objective
        return int(weights[_truth(terms, assignment)].sum())

    def _check(self, literals: Literals) -> None:
        if literals.size and int(np.abs(literals).max()) > self.variable_count:
            raise ValueError(f"literal of variable {np.abs(literals).max()}, there are {self.variable_count}")


def _truth(literals: Literals, assignment: NDArray[np.bool_]) -> NDArray[np.bool_]:
    truth: NDArray[np.bool_] = assignment[np.abs(literals) - 1] == (literals > 0)
    return truth
