"""What must hold between the answers to two sizes."""

from __future__ import annotations

import numpy as np

from cpmines.relation import Related, same
from cpmines_stilllife.problem import Size

__all__ = ["RELATIONS"]


def transposition(rng: np.random.Generator, size: Size) -> Related[Size]:
    """Rows and columns exchanged."""
    other = Size(size.cols, size.rows)
    return Related(size, other, lambda status, fields: (status, same(fields, "live")))


RELATIONS = {"transposition": transposition}
