"""Counters that run in a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cpmines.answer import Limits
from cpmines.engine import Tally
from cpmines.engines._remote import Optionless, ask, require_room
from cpmines.model import Model

__all__ = ["RemoteCounter"]


class RemoteCounter(Optionless):
    """What such a counter has besides its translation.

    The method ``count`` of its file returns the fields of a `Tally`, the witness as one byte a variable.
    """

    def request(self, model: Model, limits: Limits) -> tuple[dict[str, Any], Sequence[Any]]:
        """What the process is asked, and the clauses for it."""
        return {"model": model}, []

    def count(self, model: Model, limits: Limits) -> Callable[[], Tally]:
        """See `cpmines.engine.Counter`."""
        require_room(model, limits)
        if model.variable_count == 0:
            return lambda: without_variables(model)
        request, blocks = self.request(model, limits)

        def run() -> Tally:
            found = ask(self.file, {**request, "method": "count"}, blocks, limits)
            witness = found.pop("witness")
            return Tally(**found, witness=None if witness is None else np.frombuffer(witness, np.bool_))

        return run


def without_variables(model: Model) -> Tally:
    """The empty assignment, or none."""
    empty = np.zeros(0, np.bool_)
    holds = model.holds(empty)
    return Tally(int(holds), (), (int(holds),), empty if holds else None)
