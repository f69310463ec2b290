"""The objective as formats have it that minimise."""

from __future__ import annotations

import numpy as np

from cpmines.model import Model
from cpmines.translate.objective import net_terms

__all__ = ["costs"]


def costs(model: Model) -> tuple[dict[int, int], int] | None:
    """What is to be minimised: coefficients by variable, and a constant; None without an objective.

    The Model's objective is the negative of it.
    """
    terms = net_terms(model)
    if terms is None:
        return None
    signs = np.sign(terms.literals)
    coefficients = (-signs * terms.weights).tolist()
    constant = -(terms.constant + int(terms.weights[signs < 0].sum()))
    return dict(zip(np.abs(terms.literals).tolist(), coefficients, strict=True)), constant
