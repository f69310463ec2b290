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
from cpmines.process.solver import EARLIER, converse, limits_told
from cpmines.process.worker import Block, Reply, Request

__all__ = ["LOADED", "METHODS", "decide_apart"]

LOADED = ("dratify",)


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
    try:
        found = decide(request["folder"], limits_told(request, EARLIER))
    except InputError as error:
        return {"error": error}
    return vars(found) | {"folder": request["named"]}


METHODS = {"decide": call}
