"""A solver in a process of its own that knows nothing of processes, so that limits and Ctrl-C end it.

The process (see `cpmines.process.worker`) runs `call` of this file. The solver, an engine or a counter, is
sent to it as a pickle.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from cpmines.answer import Limits
from cpmines.errors import EngineError, LimitError
from cpmines.model import Model
from cpmines.process.solver import EARLIER, limits_told
from cpmines.process.worker import Block, Reply, Request
from cpmines.remote import ask, require_room

__all__ = ["LOADED", "METHODS", "confined"]

LOADED = ()


def confined(solver: Any, method: str, model: Model, limits: Limits) -> Callable[..., Any]:
    """What ``solver.method(model, limits)`` returns, a function; all of the work is done when that is called.

    Raises
    ------
    EngineError
        The solver can't be sent to another process.
    """
    require_room(model, limits)
    try:
        pickle.dumps(solver)
    except Exception as error:
        why = f"it promises no end at its limits, and can't be sent to a process that can be ended: {error}"
        raise EngineError(why) from error

    def step(*arguments: Any) -> Any:
        request = {"method": "call", "solver": solver, "name": method, "model": model, "arguments": arguments}
        found = ask(__file__, request, [], limits)
        if "limit" in found:
            raise LimitError(*found["limit"])
        return found["result"]

    return step


def call(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """In the process: translate and solve."""
    limits = limits_told(request, EARLIER)
    try:
        step = getattr(request["solver"], request["name"])(request["model"], limits)
        return {"result": step(*request["arguments"])}
    except LimitError as limit:
        return {"limit": (str(limit.stop), limit.note)}


METHODS = {"call": call}
