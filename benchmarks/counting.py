"""Counting: elimination against a sweep in plain Python, exact counts, and probabilities at a density."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb, prod
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.inference.exact import infer
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate
from cpmines.inference.spectrum import sweep
from cpmines.positions import generate as positions
from cpmines.run import warm_up

__all__ = ["cases", "sweep_count"]

DENSITY = 0.206


def sweep_count(position: Position) -> int:
    """Number of placements of a consistent position, by a sweep with a dict of states, without a total."""
    known = propagate(position, Limits())
    network = Network.of(known, Limits())
    counts = []
    for component in range(network.components):
        layer = {0: 1}
        for step in sweep(network.part(component, component + 1), Limits()):
            following: dict[int, int] = {}
            for before, count in layer.items():
                for ones, after in step.moves(before):
                    following[after] = following.get(after, 0) + count * comb(len(step.cells), ones)
            layer = following
        counts.append(layer.get(0, 0))
    return prod(counts) << known.unknowns - len(network.cells)


def count(position: Position) -> int:
    found = infer(position, Limits())
    assert found is not None
    return found.count


def everything(boards: list[Position]) -> list[int]:
    """Count, states and probabilities of each."""
    counts = []
    for position in boards:
        found = infer(position, Limits())
        assert found is not None
        assert found.state.shape == found.probability.shape
        counts.append(found.count)
    return counts


def chances(position: Position) -> Any:
    found = infer(position, Limits(memory=8 << 30), density=DENSITY)
    assert found is not None
    return found.probability


def equal(first: Any, second: Any) -> bool:
    return bool(first == second)


def cases(scale: float) -> Iterator[Case]:
    warm_up("counting", "direct")
    rng = np.random.default_rng(1)
    games = [
        positions.game(rng, share=share, total=total)
        for share in (0.1, 0.3, 0.5, 0.7, 0.9)
        for total in (False, True)
        for _ in range(max(1, round(10 * scale)))
    ]
    yield Case("all answers on expert positions", {"direct": lambda: everything(games)}, units=len(games))
    for side, share in ((20, 0.5), (40, 0.6)):
        position = positions.revealed(np.random.default_rng(side), side, side, share=share)
        rivals = {"direct": partial(count, position), "plain Python sweep": partial(sweep_count, position)}
        yield Case(f"count, random {side} x {side}, {share:.0%} shown", rivals, equal)
    for side, share in ((50, 0.3), (100, 0.6)):
        position = positions.revealed(np.random.default_rng(side), side, side, share=share, total=True)
        yield Case(f"count with a total, {side} x {side}, {share:.0%}", {"direct": partial(count, position)})
    for side in (100, 300, 1000):
        for share in (0.3, 0.4, 0.5, 0.6):
            size = max(20, int(side * scale**0.5))
            position = positions.revealed(np.random.default_rng(side), size, size, DENSITY, share)
            name = f"probabilities at a density, {size} x {size}, {share:.0%}"
            yield Case(name, {"direct": partial(chances, position)}, units=size * size)
