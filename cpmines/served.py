"""How engines and counters are asked, so that limits and optima hold whatever they promise.

What does not promise to `INTERRUPT` its search runs in a process that can be ended. An engine that does not
promise to `OPTIMISE` never sees an objective: its assignments are tightened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpmines.answer import Limits
from cpmines.engine import Ability, Counter, Covering, Engine, Outcome, Search, Tally, abilities_of
from cpmines.model import Model
from cpmines.tightening import tightened

__all__ = ["count", "cover", "search"]


def search(engine: Engine, model: Model, limits: Limits) -> Search:
    """As `Engine.prepare`."""

    def prepare(stated: Model, limits: Limits) -> Search:
        found: Search = _interruptible(engine, "prepare", stated, limits)
        return found

    if model.objective is None or Ability.OPTIMISE in abilities_of(engine):
        return prepare(model, limits)
    return tightened(prepare, model, limits)


def cover(engine: Covering, model: Model, limits: Limits) -> Callable[[], Outcome]:
    """As `Covering.cover`."""
    found: Callable[[], Outcome] = _interruptible(engine, "cover", model, limits)
    return found


def count(counter: Counter, model: Model, limits: Limits) -> Callable[[], Tally]:
    """As `Counter.count`."""
    found: Callable[[], Tally] = _interruptible(counter, "count", model, limits)
    return found


def _interruptible(solver: Any, method: str, model: Model, limits: Limits) -> Callable[..., Any]:
    if Ability.INTERRUPT in abilities_of(solver):
        found: Callable[..., Any] = getattr(solver, method)(model, limits)
        return found
    from cpmines.confined import confined

    return confined(solver, method, model, limits)
