"""Metamorphic relations: two instances, and what an answer to the first says about the second.

A problem states its own as data: the module ``relations.py`` of its folder offers ``RELATIONS``, name ->
`Relation`. Answers are told by their status and the fields of their JSON value, as in ``expected.jsonl``.

References
----------
Chen, Cheung, Yiu (1998), Metamorphic testing: a new approach for generating next test cases. HKUST-CS98-01.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Status

__all__ = ["SYMMETRIES", "Fields", "Related", "Relation", "Symmetry", "looked_up", "same", "turned"]

I = TypeVar("I")  # noqa: E741
A = TypeVar("A", bound=np.generic)

Fields = Mapping[str, Any]
Consequence = Callable[[Status, Fields], tuple[Status, Fields]]


@dataclass(frozen=True)
class Related(Generic[I]):
    """Two instances.

    Attributes
    ----------
    first
        Mostly the instance that was given, or one made of it.
    second
        The transformed one.
    consequence
        Status and fields of an answer to the first, other than `unknown`, to what follows for the second.
        Of the fields, those that all solved answers share.
    """

    first: I
    second: I
    consequence: Consequence


Relation = Callable[[np.random.Generator, I], Related[I] | None]
"""Makes two instances of one; the generator decides between several ways. None where that can't be done."""


@dataclass(frozen=True)
class Symmetry:
    """Perhaps a mirror image from left to right, then quarter turns."""

    quarters: int
    mirrored: bool = False

    def __call__(self, cells: NDArray[A]) -> NDArray[A]:
        return np.ascontiguousarray(np.rot90(cells[:, ::-1] if self.mirrored else cells, self.quarters))


SYMMETRIES = {
    "rotation": (Symmetry(1), Symmetry(2), Symmetry(3)),
    "reflection": (Symmetry(0, True), Symmetry(2, True)),
    "transposition": (Symmetry(1, True), Symmetry(3, True)),
}


def turned(
    make: Callable[[I, Symmetry], I], follow: Callable[[Fields, Symmetry, I], Fields]
) -> dict[str, Relation[I]]:
    """The relations of a problem whose answers turn with the board.

    Parameters
    ----------
    make
        The instance turned.
    follow
        Fields of an answer to the given instance, the symmetry, and that instance, to fields of the other.
    """

    def relation(choices: Sequence[Symmetry]) -> Relation[I]:
        def relate(rng: np.random.Generator, instance: I) -> Related[I]:
            symmetry = choices[int(rng.integers(len(choices)))]
            return Related(
                instance,
                make(instance, symmetry),
                lambda status, fields: (status, follow(fields, symmetry, instance)),
            )

        return relate

    return {name: relation(choices) for name, choices in SYMMETRIES.items()}


def same(fields: Fields, *names: str) -> dict[str, Any]:
    """Those of the fields, where they are there."""
    return {name: fields[name] for name in names if name in fields}


def looked_up(rows: Sequence[Any], origin: NDArray[np.int64], others: Sequence[Any]) -> list[Any]:
    """A field with an entry for each cell, for the second board.

    Parameters
    ----------
    rows
        The field for the first board: strings, a character a cell, or lists.
    origin
        For each cell of the second board the flat index of the one that it comes from, -1 for none.
    others
        Like `rows`, for the second board: the entries of the cells that come from none.
    """
    flat = [entry for row in rows for entry in row]
    found = []
    for sources, own in zip(origin.tolist(), others, strict=True):
        line = [flat[source] if source >= 0 else entry for source, entry in zip(sources, own, strict=True)]
        found.append("".join(line) if isinstance(own, str) else line)
    return found
