"""What an exact solver is: a Model in, assignments out. The solvers themselves stand in `cpmines.engines`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Status, Stop
from cpmines.model import Model

__all__ = ["Covering", "Engine", "Outcome", "Search"]

Assignment = NDArray[np.bool_]


@dataclass(frozen=True)
class Outcome:
    """What an engine claims of a Model.

    Attributes
    ----------
    status
        `solved`: an assignment, optimal if the Model has an objective. `feasible`: an assignment that is not
        proved optimal. `infeasible`, `unknown`: no assignment.
    assignments
        Distinct assignments, each a bool array of shape (variables,); more than one only if asked for.
    complete
        True if there are no other assignments than these; False if there are or that is not known. Of a
        cover: no variable has a value that these do not show.
    bound
        Proved upper bound of the objective, None if there is none.
    statistics
        The solver's own counters, by its own names.
    """

    status: Status
    stop: Stop = Stop.FINISHED
    assignments: tuple[Assignment, ...] = ()
    complete: bool = False
    bound: int | None = None
    note: str = ""
    statistics: dict[str, float] = field(default_factory=dict)


Search = Callable[[int], Outcome]
"""Run the solver and ask for up to so many distinct assignments (1 for a Model with an objective)."""


class Engine(Protocol):
    """One exact solver with its options. Modules of `cpmines.engines` offer it as ``ENGINE``."""

    summary: str
    packages: tuple[str, ...]

    def configure(self, options: Sequence[str]) -> Engine:
        """This engine with the options of a variant, the parts of ``name:option/option``.

        Raises
        ------
        UsageError
            If an option is unknown; the message lists what exists.
        """

    def translate(self, model: Model, limits: Limits) -> Any:
        """The solver's native object for `model`."""

    def prepare(self, model: Model, limits: Limits) -> Search:
        """Translate `model`, to be solved under `limits` (whose clock runs)."""


@runtime_checkable
class Covering(Protocol):
    """An engine with its own way to a cover: assignments that show every value that a variable can have."""

    def cover(self, model: Model, limits: Limits) -> Callable[[], Outcome]:
        """Translate `model`, which has no objective, to be solved under `limits` (whose clock runs)."""
