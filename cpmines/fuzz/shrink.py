"""From an instance on which something goes wrong to a minimal one on which it still does.

References
----------
Zeller, Hildebrandt (2002), Simplifying and isolating failure-inducing input. IEEE Trans. Software Eng. 28.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cpmines import registry

__all__ = ["descend", "smallest"]


def nothing() -> None:
    """The check of a search that no limit ends."""


def descend(
    problem: str, instance: Any, fails: Callable[[Any], bool], check: Callable[[], None] = nothing
) -> Iterator[Any]:
    """The simpler instances on the way down, each a step of the problem's own from the one before.

    Of the steps from an instance (``shrink`` of the problem's generators) the first that still fails is
    taken, and the search begins again from there, so that the last instance has none.

    Parameters
    ----------
    fails
        Does it still go wrong? Called for each step that is tried; the given instance is taken for one that
        does.
    check
        Called before each of them; what it raises ends the search.
    """
    shrink = registry.generators(problem).shrink
    while True:
        for simpler in shrink(instance):
            check()
            if fails(simpler):
                break
        else:
            return
        instance = simpler
        yield instance


def smallest(
    problem: str, instance: Any, fails: Callable[[Any], bool], check: Callable[[], None] = nothing
) -> Any:
    """The last instance of `descend`: none of the problem's steps from it still fails."""
    for simpler in descend(problem, instance, fails, check):
        instance = simpler
    return instance
