"""What a count is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cpmines.board import read_only
from cpmines.fields import count_of, known, whole_of
from cpmines.numerals import Shown, decimal

__all__ = ["Counts", "digits", "fields_of", "read_fields"]

RATIO = re.compile(r"(\d+)(?:/([1-9]\d*))?", re.ASCII)


@dataclass(frozen=True, eq=False, repr=False)
class Counts(Shown):
    """How many placements there are, and what they have in common; None for what is not known.

    Attributes
    ----------
    count
        With a total in the position, of placements that have it.
    by_mines
        Number of mines, known ones included -> number of placements.
    probability
        float64 (rows, cols), read-only: of a mine, 0 and 1 only for what is certain; NaN in known cells. At
        a density if one was asked for.
    fractions
        object (rows, cols): the same as exact fractions, None in known cells.
    layouts, samples
        Placements listed and drawn, bool (rows, cols) each; they may be made only when they are taken.
    """

    count: int | None = None
    by_mines: dict[int, int] | None = None
    probability: NDArray[np.float64] | None = None
    fractions: NDArray[np.object_] | None = None
    layouts: Iterable[NDArray[np.bool_]] | None = None
    samples: Iterable[NDArray[np.bool_]] | None = None

    def __post_init__(self) -> None:
        if self.probability is not None:
            object.__setattr__(self, "probability", read_only(self.probability, np.float64))


def digits(ratio: Fraction) -> str:
    """``str(ratio)`` of any size."""
    whole = decimal(ratio.numerator)
    return whole if ratio.denominator == 1 else f"{whole}/{decimal(ratio.denominator)}"


def fields_of(value: Counts) -> dict[str, Any]:
    """The JSON fields; boards are none of them."""
    fields: dict[str, Any] = {}
    if value.count is not None:
        fields["count"] = decimal(value.count)
    if value.by_mines is not None:
        fields["by_mines"] = {str(mines): decimal(count) for mines, count in value.by_mines.items()}
    if value.probability is not None:
        rows = value.probability.tolist()
        fields["probability"] = [[None if x != x else x for x in row] for row in rows]
    if value.fractions is not None:
        fields["fractions"] = [[None if x is None else digits(x) for x in row] for row in value.fractions]
    return fields


def read_fields(fields: Mapping[str, Any]) -> Counts:
    """Inverse of `fields_of`. Raises ValueError and others for what is not written by it."""
    return Counts(
        known(fields, "count", count_of),
        known(fields, "by_mines", _by_mines),
        known(fields, "probability", _probabilities),
        known(fields, "fractions", _fractions),
    )


def _by_mines(counts: Any) -> dict[int, int]:
    return {whole_of(count_of(mines)): count_of(count) for mines, count in counts.items()}


def _probabilities(rows: Any) -> NDArray[np.float64]:
    for entry in (entry for row in rows for entry in row):
        if entry is not None and (type(entry) is not float or entry != entry):
            raise ValueError(f"the probability {str(entry)[:40]}")
    return _table(
        np.array([[np.nan if entry is None else entry for entry in row] for row in rows], np.float64)
    )


def _fractions(rows: Any) -> NDArray[np.object_]:
    return _table(
        np.array([[None if entry is None else _ratio(entry) for entry in row] for row in rows], np.object_)
    )


def _table(entries: NDArray[Any]) -> NDArray[Any]:
    if entries.ndim != 2:
        raise ValueError("rows of different lengths")
    return entries


def _ratio(text: Any) -> Fraction:
    parts = RATIO.fullmatch(text)
    if parts is None:
        raise ValueError(f"the fraction {text[:40]!r}")
    ratio = Fraction(count_of(parts[1]), 1 if parts[2] is None else count_of(parts[2]))
    if digits(ratio) != text:
        raise ValueError(f"the fraction {text[:40]!r} is not in lowest terms")
    return ratio
