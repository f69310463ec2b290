"""A Model as a formula in conjunctive normal form, instantiated shape by shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.model import Literals, Model
from cpmines.translate.templates import Template, template

__all__ = ["Cnf", "encode"]

CHUNK = 1 << 22
"""Literals that are instantiated at a time: between chunks the clock is looked at."""

BYTES_PER_CLAUSE_LITERAL = 4


@dataclass(frozen=True)
class Cnf:
    """Clauses over variables 1 to `variables`; the Model's come first and keep their numbers.

    Attributes
    ----------
    blocks
        int32 arrays of shape (clauses, width), width at least 1: the clauses, each with those of its width.
    """

    variables: int
    blocks: tuple[NDArray[np.int32], ...]

    def __len__(self) -> int:
        return sum(len(block) for block in self.blocks)

    def __iter__(self) -> Iterator[list[int]]:
        for block in self.blocks:
            yield from block.tolist()


def encode(model: Model, encoding: str, limits: Limits) -> Cnf:
    """The constraints of `model` as clauses, each row in `encoding` with auxiliary variables of its own.

    The assignments of the Model are the models of the formula projected on the Model's variables.

    Raises
    ------
    LimitError
        The time is up, or the clauses need more than the memory.
    """
    groups = []
    size = 0
    for shape, literals, only_if in model.constraints().groups():
        limits.check()
        form = template(shape, encoding, limits)
        size += form.literals * len(literals)
        limits.require(size * BYTES_PER_CLAUSE_LITERAL, "the formula")
        places = [literals, only_if[:, None]] if shape[3] else [literals]
        groups.append((form, np.concatenate(places, axis=1)))
    top = model.variable_count
    blocks: list[NDArray[np.int32]] = []
    for form, rows in groups:
        blocks += _instances(form, rows, top, limits)
        top += form.auxiliary * len(rows)
    return Cnf(top, tuple(blocks))


def _instances(form: Template, places: Literals, top: int, limits: Limits) -> Iterator[NDArray[np.int32]]:
    """The clauses of all rows of a shape; new variables begin at top + 1.

    `places` has shape (rows, places without the auxiliary ones).
    """
    step = max(1, CHUNK // max(1, form.literals))
    for first in range(0, len(places) if form.blocks else 0, step):
        limits.check()
        rows = places[first : first + step]
        start = top + 1 + first * form.auxiliary
        fresh = np.arange(start, start + len(rows) * form.auxiliary, dtype=np.int32).reshape(len(rows), -1)
        table = np.concatenate([rows, fresh], axis=1)
        for block in form.blocks:
            clauses = table[:, np.abs(block) - 1] * np.sign(block)
            yield clauses.reshape(-1, block.shape[1])
