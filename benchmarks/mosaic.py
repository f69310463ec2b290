"""Mosaic: puzzles with one answer and larger ones, against the exact engines, which only look for a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines import registry
from cpmines.answer import Limits
from cpmines.modelled import Modelled
from cpmines.problems.mosaic import generate
from cpmines.problems.mosaic.problem import Puzzle, Solution
from cpmines.run import warm_up

__all__ = ["cases"]


def solver(backend: str, puzzles: list[Puzzle]) -> Callable[[], list[Solution | None]]:
    """Build and solve all puzzles, as a function of nothing; engines stop at the first board."""
    found: Any = registry.backend("mosaic", backend)
    if isinstance(found, Modelled):
        found = replace(found, modelling=replace(found.modelling, solutions=1))
    return lambda: [found.prepare(puzzle, Limits().begin())().value for puzzle in puzzles]


def agree(first: list[Solution | None], second: list[Solution | None]) -> bool:
    """The same puzzles have a board, and the same one where it is the only one."""
    pairs = zip(first, second, strict=True)
    return all(
        (one is None) == (other is None)
        and (one is None or other is None or one.solutions != 1 or np.array_equal(one.mines, other.mines))
        for one, other in pairs
    )


def versus(name: str, puzzles: list[Puzzle]) -> Case:
    rivals = {backend: solver(backend, puzzles) for backend in ("direct", "cpsat", "sat")}
    return Case(name, rivals, agree, sum(puzzle.sums.size for puzzle in puzzles))


def cases(scale: float) -> Iterator[Case]:
    for backend in ("direct", "cpsat", "sat"):
        warm_up("mosaic", backend)
    count, side = max(2, round(100 * scale)), max(20, round(100 * scale**0.5))
    rngs = [np.random.default_rng(seed) for seed in range(count)]
    puzzles = [generate.unique(rng, 20, 20, share=0.6) for rng in rngs]
    yield versus(f"{count} puzzles of 20 x 20, one board", puzzles)
    for share in (0.7, 0.8, 0.9):
        puzzle = generate.unique(np.random.default_rng(1), side, side, share=share)
        yield versus(f"{side} x {side}, one board, {share:.0%} shown", [puzzle])
        puzzle = generate.random(np.random.default_rng(2), side, side, share=share)
        yield versus(f"{side} x {side}, random, {share:.0%} shown", [puzzle])
        puzzle = generate.changed(np.random.default_rng(3), side, side, share=share)
        yield versus(f"{side} x {side}, a wrong sum, {share:.0%} shown", [puzzle])
