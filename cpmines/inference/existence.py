"""Has a position a placement? By elimination, while its tables are small; else by search with learning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.exact import complete
from cpmines.inference.layouts import first_placement
from cpmines.inference.propagation import Propagated
from cpmines.inference.witness import witness

__all__ = ["find_placement"]

ELIMINATION_MEMORY = 1 << 29
ATTEMPTS = 5
"""Bytes and orders of elimination, a few seconds in all, before the search is tried instead."""


def find_placement(
    known: Propagated, limits: Limits, shown: bool = True
) -> tuple[bool, NDArray[np.bool_] | None]:
    """Whether what propagation left open, without contradiction, has a placement, and one: bool (rows, cols).

    If not `shown`, it may be left out where it is more work.

    Raises
    ------
    LimitError
    """
    if known.open_clues == 0:
        return True, known.placement() if shown else None
    try:
        few = replace(limits, memory=min(limits.memory, ELIMINATION_MEMORY))
        found = complete(known, few, attempts=ATTEMPTS)
        return found is not None, first_placement(found) if found is not None and shown else None
    except LimitError as limit:
        if limit.stop == Stop.TIME_LIMIT:
            raise
    mines = witness(known, limits)
    return mines is not None, mines
