"""The verdict on one certificate, in a process that can be ended: limits hold, whatever the files demand.

The process (see `cpmines.process.worker`) runs `call` of this file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cpmines.answer import Limits
from cpmines.check.deciding import decide, unfinished
from cpmines.check.verdict import Verdict
from cpmines.errors import EngineError, InputError
from cpmines.process.solver import converse
from cpmines.process.worker import Block, Reply, Request

__all__ = ["LOADED", "METHODS", "decide_apart"]

LOADED = ("dratify",)

EARLIER = 0.9
"""Part of the time that the process is told: it can then still say how far it has come."""


def decide_apart(folder: Path, limits: Limits) -> Verdict:
    """As `cpmines.check.deciding.decide`; there is no verdict either if the process ends by itself."""
    request = {"method": "decide", "folder": folder.absolute(), "named": str(folder)}
    try:
        transcript = converse(__file__, request, [], limits.begin())
    except EngineError as error:
        return unfinished(folder, f"the check broke: {error}")
    if transcript.done is None:
        return unfinished(folder, str(transcript.stop))
    if "error" in transcript.done:
        raise transcript.done["error"]
    return Verdict(**transcript.done)


def call(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """In the process."""
    seconds = request["seconds"]
    limits = Limits(None if seconds is None else max(seconds * EARLIER, 1e-9), request["memory"]).begin()
    try:
        found = decide(request["folder"], limits)
    except InputError as error:
        return {"error": error}
    return vars(found) | {"folder": request["named"]}


METHODS = {"decide": call}
