"""The clauses of long rows, made in a process that can be ended: libraries look at no clock.

The process (see `cpmines.process.worker`) runs `call` of this file.
"""

from __future__ import annotations

from typing import Any

from cpmines.answer import Limits
from cpmines.errors import LimitError
from cpmines.process.solver import converse, limits_told
from cpmines.process.worker import Block, Reply, Request
from cpmines.translate.encodings import known
from cpmines.translate.templates import Shape, Template, made

__all__ = ["LOADED", "METHODS", "made_apart"]

LOADED = ("pysat.card",)


def made_apart(shape: Shape, encoding: str, limits: Limits) -> Template:
    """As `cpmines.translate.templates.made`, by another process. May raise `EngineError`, too."""
    known(encoding)
    transcript = converse(__file__, {"method": "make", "shape": shape, "encoding": encoding}, [], limits)
    if transcript.done is None:
        length = shape[0]
        raise LimitError(transcript.stop, f"a row of {length} literals is not yet stated in clauses")
    if "limit" in transcript.done:
        raise LimitError(*transcript.done["limit"])
    return Template(transcript.done["auxiliary"], transcript.done["blocks"])


def make(request: Request, blocks: list[Block], reply: Reply) -> dict[str, Any]:
    """In the process."""
    try:
        found = made(request["shape"], request["encoding"], limits_told(request))
    except LimitError as limit:
        return {"limit": (str(limit.stop), limit.note)}
    return {"auxiliary": found.auxiliary, "blocks": found.blocks}


METHODS = {"make": make}
