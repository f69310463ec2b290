"""Two workers against one, on the same work: how much of a second core is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines.analysis.bot import play_all
from cpmines.analysis.game import EXPERT, Game
from cpmines.answer import Limits
from cpmines.fuzz.session import FuzzPlan, Session
from cpmines.positions import generate
from cpmines.problems.maxmines.table import TABLE
from cpmines.process.spread import by_processes
from cpmines.registry import problem
from cpmines.run import run
from cpmines.table import TableWork

__all__ = ["cases"]


def case(name: str, work: Callable[[int], Any], units: int | None = None) -> Case:
    return Case(name, {"2 workers": partial(work, 2), "1 worker": partial(work, 1)}, units=units)


def answer(position: Any) -> str:
    return str(run("counting", position, "direct", Limits(), problem("counting").questions[0].plain).status)


def spin(number: int) -> int:
    """Nothing but the processor."""
    return sum(number ^ k for k in range(1_000_000))


def spinning(count: int, workers: int) -> list[int]:
    """What the machine can give just now: other work takes from it."""
    return list(by_processes(spin, range(count), workers))


def boards(count: int, workers: int) -> list[str]:
    """What ``cpmines solve`` does with many instances."""
    rng = np.random.default_rng(1)
    positions = [generate.revealed(rng, 100, 100, share=0.5) for _ in range(count)]
    return list(by_processes(answer, positions, workers))


def games(count: int, workers: int) -> int:
    return sum(played.won for played in play_all((Game(*EXPERT, seed) for seed in range(count)), workers))


def rounds(count: int, workers: int) -> int:
    plan = FuzzPlan(
        "consistency",
        ("direct", "cpsat", "sat"),
        Limits(60),
        problem("consistency").questions[0].plain,
        rounds=count,
        size="small",
        workers=workers,
    )
    return len(list(Session(plan).finds()))


def sizes(side: int, workers: int) -> list[int]:
    wanted = TABLE.sizes(side, side, False, range(1, 9))
    found = TABLE.learn(wanted, {}, None, TableWork(Limits(), workers=workers))
    return sorted(record.known for record, _ in found)  # type: ignore[attr-defined]


def cases(scale: float) -> Iterator[Case]:
    count = max(4, round(40 * scale))
    yield case("spinning: the most that is to be had", partial(spinning, count), count)
    count = max(4, round(100 * scale))
    yield case(f"solve {count} boards, counting", partial(boards, count), count)
    count = max(4, round(400 * scale))
    yield case(f"{count} expert games", partial(games, count), count)
    count = max(10, round(600 * scale))
    yield case(f"{count} rounds of fuzz", partial(rounds, count), count)
    side = max(4, round(8 * scale))
    yield case(f"sizes up to {side} of the table", partial(sizes, side))
