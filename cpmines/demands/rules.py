"""What a problem offers to certificates and their check: the room ``rules.py`` of its folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.demands.claims import Claim, NotStated
from cpmines.demands.statement import Statement
from cpmines.question import Asked

__all__ = ["Rules"]

I = TypeVar("I")  # noqa: E741


def _no_reason(value: Any) -> bool:
    return False


@dataclass(frozen=True)
class Rules(Generic[I]):
    """What the answers of a problem claim, and what its boards demand. Offered as ``RULES``.

    It is what proofs are checked against, so it is written from the problem's definition alone: it imports no
    solver, and nothing that a solver uses but the problem's ``problem.py``.

    Attributes
    ----------
    claims
        By question: instance, what is asked, and the value of a solved answer, which the judge has accepted,
        to what it claims.
    statement
        What a placement has to satisfy. None where no answer is about placements: then all instances have
        one.
    faults
        What the judge finds wrong with a placement, bool of the shape of the statement.
    unstated
        Why other questions have no certificates, by their name: a line.
    is_reason
        Is this value not an answer, but a reason why there is no placement, which the judge checks?
    placed
        What is placed, in messages.
    """

    claims: Mapping[str, Callable[[I, Asked, Any], Claim]]
    statement: Callable[[I], Statement] | None = None
    faults: Callable[[I, NDArray[np.bool_]], list[str]] | None = None
    unstated: Mapping[str, str] = field(default_factory=dict)
    is_reason: Callable[[Any], bool] = _no_reason
    placed: str = "mines"

    def refusal(self, question: str) -> str:
        """Why answers to a question have no certificates; empty if they have."""
        if question in self.claims:
            return ""
        return self.unstated.get(question, f"there are none for the question {question}")

    def claim(self, instance: I, asked: Asked, value: Any) -> Claim:
        """What a solved answer claims."""
        why = self.refusal(asked.name)
        return NotStated(why) if why else self.claims[asked.name](instance, asked, value)
