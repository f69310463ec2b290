"""A Model as linear inequalities over 0/1 variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cpmines.answer import Limits
from cpmines.model import Model

__all__ = ["Row", "linear_rows"]

CHUNK = 10_000
"""Rows between two looks at the clock."""


@dataclass(frozen=True)
class Row:
    """``lo <= sum of coefficients * variables <= hi``; None for no bound.

    Variables are distinct, numbered from 1; coefficients are not 0.
    """

    variables: list[int]
    coefficients: list[int]
    lo: int | None
    hi: int | None


def linear_rows(model: Model, limits: Limits) -> Iterator[Row]:
    """Every constraint as one row, or as one for each bound if a literal enforces it.

    A negative literal is 1 minus its variable. An enforced bound is loosened, where the literal is false, by
    as much as makes it void: with n literals, ``sum >= lo`` becomes ``sum + lo * (1 - e) >= lo``, and
    ``sum <= hi`` becomes ``sum - (n - hi) * (1 - e) <= hi``. Less would not do.
    """
    for (length, lo, hi, enforced), literals, only_if in model.constraints().groups():
        for number, (row, guard) in enumerate(zip(literals.tolist(), only_if.tolist(), strict=True)):
            if number % CHUNK == 0:
                limits.check()
            terms = [(literal, 1) for literal in row]
            if not enforced:
                if lo > 0 or hi < length:
                    yield _netted(terms, lo if lo > 0 else None, hi if hi < length else None)
                continue
            if lo > 0:
                yield _netted([*terms, (-guard, lo)], lo, None)
            if hi < length:
                yield _netted([*terms, (-guard, hi - length)], None, hi)


def _netted(terms: list[tuple[int, int]], lo: int | None, hi: int | None) -> Row:
    """Weighted literals as a row over variables."""
    net: dict[int, int] = {}
    constant = 0
    for literal, weight in terms:
        variable = abs(literal)
        net[variable] = net.get(variable, 0) + (weight if literal > 0 else -weight)
        constant += weight if literal < 0 else 0
    used = [variable for variable, coefficient in net.items() if coefficient]
    return Row(
        used,
        [net[variable] for variable in used],
        None if lo is None else lo - constant,
        None if hi is None else hi - constant,
    )
