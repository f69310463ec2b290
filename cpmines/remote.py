"""Engines whose solver runs in a process of its own, on the Model itself.

The process (see `cpmines.process.worker`) runs functions of the engine's file. A request has the ``model``,
the ``seed`` and, for a search, the ``count`` of assignments that are asked for; each assignment, and each
proved bound of the objective, is replied at once, so that a run out of time has the best so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from cpmines.answer import Limits, Status, Stop
from cpmines.engine import Outcome, Search, Tally
from cpmines.errors import LimitError, UsageError
from cpmines.model import Model
from cpmines.process.solver import Transcript, converse

__all__ = ["Optionless", "Remote", "RemoteCounter", "ask", "ask_core", "outcome_of", "require_room"]

BYTES_PER_LITERAL = 8
"""Of a Model as it is sent; what a solver makes of it is limited in its process."""


class Optionless:
    """A solver in a process of its own that has no options.

    Attributes
    ----------
    file
        The solver's file, which offers ``METHODS`` and ``LOADED``.
    """

    file: ClassVar[str]
    summary: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]

    def configure(self, options: Sequence[str]) -> Self:
        """This solver: it has no options."""
        if options:
            raise UsageError(f"{self.packages[0]} has no option {options[0]!r:.80}")
        return self


class Remote(Optionless):
    """What such an engine has besides its translation; among its ``METHODS`` is ``search``."""

    def prepare(self, model: Model, limits: Limits) -> Search:
        """See `cpmines.engine.Engine`. The search raises `EngineError` if the solver's process crashes."""
        require_room(model, limits)

        def search(count: int) -> Outcome:
            if model.variable_count == 0:
                return without_variables(model)
            request = {
                "method": "search",
                "model": model,
                "count": 1 if model.objective is not None else count,
            }
            transcript = converse(self.file, request, [], limits)
            return outcome_of(model, transcript, transcript.bound, {})

        return search


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
            return lambda: tally_without_variables(model)
        request, blocks = self.request(model, limits)

        def run() -> Tally:
            found = ask(self.file, {**request, "method": "count"}, blocks, limits)
            witness = found.pop("witness")
            return Tally(**found, witness=None if witness is None else np.frombuffer(witness, np.bool_))

        return run


def require_room(model: Model, limits: Limits) -> None:
    """Raise `LimitError` if the time is up, or the Model alone is too large for the memory."""
    limits.check()
    limits.require((model.size().literals + model.variable_count) * BYTES_PER_LITERAL, "the model")


def without_variables(model: Model) -> Outcome:
    """The only assignment is the empty one, which some solvers do not know."""
    empty = np.zeros(0, np.bool_)
    if not model.holds(empty):
        return Outcome(Status.INFEASIBLE, complete=True)
    bound = None if model.objective is None else model.value(empty)
    return Outcome(Status.SOLVED, assignments=(empty,), complete=True, bound=bound)


def tally_without_variables(model: Model) -> Tally:
    """The empty assignment, or none."""
    empty = np.zeros(0, np.bool_)
    holds = model.holds(empty)
    return Tally(int(holds), (), (int(holds),), empty if holds else None)


def outcome_of(
    model: Model, transcript: Transcript, bound: int | None, statistics: dict[str, float]
) -> Outcome:
    """What a search of `model` says, from what its process replied; of an optimisation the last assignment.

    Parameters
    ----------
    bound
        Proved by a search that was stopped.
    """
    assignments = tuple(np.frombuffer(values, np.bool_) for values in transcript.assignments)
    if model.objective is not None:
        assignments = assignments[-1:]
    if transcript.done is None:
        status = Status.FEASIBLE if assignments else Status.UNKNOWN
        return Outcome(status, transcript.stop, assignments, False, bound, statistics=statistics)
    statistics = statistics | transcript.done["statistics"]
    if not assignments:
        return Outcome(Status.INFEASIBLE, complete=True, statistics=statistics)
    bound = model.value(assignments[0]) if model.objective is not None else None
    complete = bool(transcript.done["complete"])
    return Outcome(Status.SOLVED, Stop.FINISHED, assignments, complete, bound, statistics=statistics)


def ask(file: str, request: dict[str, Any], blocks: Sequence[Any], limits: Limits) -> dict[str, Any]:
    """The result of a request that has no use for half of it. Raises `LimitError`."""
    transcript = converse(file, request, blocks, limits)
    if transcript.done is None:
        raise LimitError(transcript.stop)
    return transcript.done


def ask_core(file: str, model: Model, assumptions: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
    """See `cpmines.engine.Explaining`: the result of the method ``core``."""
    request = {"method": "core", "model": model, "assumptions": list(assumptions)}
    core: tuple[int, ...] | None = ask(file, request, [], limits)["core"]
    return core
