"""Times of one work on both sides, in turns."""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.paired import Work
from benchmarks.paired.sides import Side, SideError

__all__ = ["SLOWER", "Pair", "race"]

ENOUGH_SECONDS = 0.05
"""Shorter works are done several times in a row."""
SLOWER = 1.05
MOST_ROUNDS = 3
"""A work that seems slower is measured so many times as often before it is said to be."""


@dataclass(frozen=True)
class Pair:
    """Least seconds of processor time on both sides; `trouble` if they can't be compared, else empty."""

    work: Work
    baseline: float = math.nan
    here: float = math.nan
    trouble: str = ""

    @property
    def ratio(self) -> float:
        return self.here / self.baseline if self.baseline else math.nan

    @property
    def slower(self) -> bool:
        return self.ratio > SLOWER


def race(work: Work, baseline: Side, here: Side, repeat: int) -> Pair:
    """Prepare a work on both sides and time it in turns, `repeat` times or more.

    The least time counts: whatever else the machine does can only make a run longer.
    """
    sides = {"baseline": baseline, "here": here}
    found, name = {}, ""
    try:
        for name, side in sides.items():
            found[name] = side.ask(label=work.label)
        loops = math.ceil(ENOUGH_SECONDS / max(1e-6, min(first["seconds"] for first in found.values())))
        least = dict.fromkeys(sides, math.inf)
        for turn in range(MOST_ROUNDS * repeat):
            for name in sorted(sides, reverse=turn % 2 == 1):
                least[name] = min(least[name], sides[name].ask(loops=loops)["seconds"])
            if turn + 1 >= repeat and least["here"] <= SLOWER * least["baseline"]:
                break
    except SideError as error:
        return Pair(work, trouble=f"{name}: {error}")
    same = found["baseline"]["digest"] == found["here"]["digest"]
    return Pair(work, **least, trouble="" if same else "ANOTHER ANSWER")
