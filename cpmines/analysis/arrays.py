"""The arrays of an analyser: made, and made larger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cpmines.answer import Limits
from cpmines.board import UNKNOWN
from cpmines.inference.propagation import steps_around

if TYPE_CHECKING:
    from cpmines.analysis.kernels.state import State, Work

__all__ = ["make_room", "new_state", "new_work"]

FIRST_REALS = 1 << 12
FIRST_ROWS = 64
PARTS = (
    *("clue_at", "cell_at", "class_of", "class_size", "class_cell", "class_starts", "class_clues"),
    *("clue_starts", "clue_classes", "order", "rank", "layer_starts", "edge_starts", "left", "shift"),
    *("open_clues", "states", "sources", "targets", "mines", "values"),
)
"""Arrays of `Work`."""


def new_state(rows: int, cols: int) -> State:
    """A board of which nothing is known."""
    from cpmines.analysis.kernels import state as fields

    size = (rows + 2) * (cols + 2)
    codes = np.full((rows + 2, cols + 2), fields.SAFE, np.int8)
    codes[1:-1, 1:-1] = UNKNOWN
    counters = np.zeros(fields.COUNTERS, np.int64)
    counters[fields.UNKNOWNS] = rows * cols
    return fields.State(
        around=steps_around(cols + 2),
        cells=codes.reshape(-1),
        need=np.full(size, fields.FAR, np.int8),
        spare=np.full(size, fields.FAR, np.int8),
        certain=np.full(size, UNKNOWN, np.int8),
        component=np.full(size, fields.NONE, np.int32),
        number=np.full(size, fields.NONE, np.int32),
        queue=np.empty(3 * size, np.int32),
        seeds=np.empty(size, np.int32),
        table=np.empty((FIRST_ROWS, fields.FIELDS), np.int32),
        ints=np.empty(4 * size, np.int32),
        reals=np.empty(FIRST_REALS),
        counters=counters,
    )


def make_room(state: State, limits: Limits) -> None:
    """Compact the store; what is still half full, or was full without gaps, is doubled.

    Raises `LimitError`.
    """
    from cpmines.analysis.kernels import state as fields
    from cpmines.analysis.kernels.refresh import compact

    counters = np.asarray(state.counters)
    before = counters.copy()
    compact(state)
    for name, used in (("table", fields.COMPONENTS), ("reals", fields.REALS)):
        store = np.asarray(getattr(state, name))
        if counters[used] == before[used] or 2 * counters[used] > len(store):
            limits.require(3 * store.nbytes, "the store of the components")
            larger = np.empty((2 * len(store), *store.shape[1:]), store.dtype)
            larger[: counters[used]] = store[: counters[used]]
            setattr(state, name, larger)


def new_work(rows: int, cols: int, states: int) -> Work:
    """Scratch for components of a board whose layers have up to `states` states together, a power of two."""
    from cpmines.analysis.kernels.state import Work

    size = (rows + 2) * (cols + 2)
    room = dict.fromkeys(("class_clues", "clue_classes"), 8 * size)
    room |= dict.fromkeys(("sources", "targets", "mines"), 4 * states)
    room |= {"states": states, "values": 8 * states}
    kinds = {"states": np.int64, "values": np.float64}
    special: dict[str, Any] = {
        "spans": np.empty((states, 6), np.int32),
        "hashed": np.zeros(2 * states, np.int64),
        "clock": np.ones(1, np.int64),
    }
    rest: dict[str, Any] = {name: np.empty(room.get(name, size), kinds.get(name, np.int32)) for name in PARTS}
    return Work(**rest, **special)
