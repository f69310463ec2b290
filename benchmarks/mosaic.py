"""Mosaic: puzzles with one answer and larger ones: is there only one board? Against the exact engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import Case
from cpmines import registry
from cpmines.answer import Limits
from cpmines.problems.mosaic import generate
from cpmines.problems.mosaic.problem import PROBLEM, Puzzle
from cpmines.question import Asked
from cpmines.run import warm_up
from cpmines.sums.boards import Boards

__all__ = ["cases"]


UNIQUE, FACTS = PROBLEM.ask("unique"), PROBLEM.ask("facts")


def solver(backend: str, puzzles: list[Puzzle], asked: Asked = UNIQUE) -> Callable[[], list[Boards | None]]:
    """Build and solve all puzzles, as a function of nothing."""
    found = registry.backend("mosaic", backend)
    return lambda: [found.prepare(puzzle, asked, Limits().begin())().value for puzzle in puzzles]


def agree(first: list[Boards | None], second: list[Boards | None]) -> bool:
    """The same puzzles have one board, the same one, several, or none."""
    return all(map(alike, first, second))


def alike(one: Boards | None, other: Boards | None) -> bool:
    if one is None or other is None:
        return one is other
    same = np.array_equal(one.mines, other.mines)
    return one.unique == other.unique and (same or one.unique is False)


def versus(name: str, puzzles: list[Puzzle]) -> Case:
    rivals = {backend: solver(backend, puzzles) for backend in ("direct", "cpsat", "sat")}
    return Case(name, rivals, agree, sum(puzzle.sums.size for puzzle in puzzles))


def cases(scale: float) -> Iterator[Case]:
    for backend in ("direct", "cpsat", "sat"):
        warm_up("mosaic", backend, UNIQUE)
    warm_up("mosaic", "direct", FACTS)
    count, side = max(2, round(100 * scale)), max(20, round(100 * scale**0.5))
    rngs = [np.random.default_rng(seed) for seed in range(count)]
    puzzles = [generate.unique(rng, 20, 20, share=0.6) for rng in rngs]
    yield versus(f"{count} puzzles of 20 x 20, one board", puzzles)
    for share in (0.7, 0.8, 0.9):
        puzzle = generate.unique(np.random.default_rng(1), side, side, share=share)
        yield versus(f"{side} x {side}, one board, {share:.0%} shown", [puzzle])
        puzzle = generate.random(np.random.default_rng(2), side, side, share=share)
        yield versus(f"{side} x {side}, random, {share:.0%} shown", [puzzle])
        yield counting(f"{side} x {side}, random, {share:.0%} shown", puzzle)
        puzzle = generate.changed(np.random.default_rng(3), side, side, share=share)
        yield versus(f"{side} x {side}, a wrong sum, {share:.0%} shown", [puzzle])


def counting(name: str, puzzle: Puzzle) -> Case:
    """How much longer it takes to count all boards."""
    asked = {"unique": UNIQUE, "facts": FACTS}
    rivals = {question: solver("direct", [puzzle], asked[question]) for question in asked}
    return Case(f"{name}: unique or facts", rivals, None, puzzle.sums.size)
