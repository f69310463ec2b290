"""A Model's objective in the form that solvers take: every variable at most once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Stop
from cpmines.errors import LimitError
from cpmines.model import Model

__all__ = ["Terms", "net_terms", "require_small"]

MOST_WEIGHT = 10**6
"""Of an objective for floating-point numbers: tolerances of 1e-6 and gaps below 1 are safe far beyond, but
not without an end."""


@dataclass(frozen=True)
class Terms:
    """Maximise ``constant + sum of weights over the literals that are true``.

    Attributes
    ----------
    literals
        int32 of shape (terms,), of distinct variables.
    weights
        int64 of shape (terms,), positive.
    """

    literals: NDArray[np.int32]
    weights: NDArray[np.int64]
    constant: int

    def over_variables(self) -> tuple[list[int], list[int], int]:
        """The same over 0/1 variables: their numbers, a coefficient for each, and the constant.

        A negative literal is 1 minus its variable.
        """
        signs = np.sign(self.literals)
        shift = int(self.weights[signs < 0].sum())
        return np.abs(self.literals).tolist(), (signs * self.weights).tolist(), self.constant + shift


def net_terms(model: Model) -> Terms | None:
    """The objective of `model` with repeated and opposite literals netted; None without an objective."""
    if model.objective is None:
        return None
    literals, weights = model.objective
    net = np.zeros(model.variable_count, np.int64)
    np.add.at(net, np.abs(literals) - 1, np.where(literals > 0, weights, -weights))
    used = np.flatnonzero(net)
    constant = int(weights[literals < 0].sum() - np.maximum(-net, 0).sum())
    return Terms((np.sign(net[used]) * (used + 1)).astype(np.int32), np.abs(net[used]), constant)


def require_small(terms: Terms | None, solver: str) -> None:
    """For solvers that compute with floating-point numbers.

    Raises
    ------
    LimitError
        Declined: the weights add up to more than `MOST_WEIGHT`.
    """
    if terms is not None and (total := int(terms.weights.sum())) > MOST_WEIGHT:
        why = f"weights of {total} in all, {solver} is trusted up to {MOST_WEIGHT}"
        raise LimitError(Stop.DECLINED, why)
