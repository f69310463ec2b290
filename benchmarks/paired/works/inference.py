"""Propagation, networks, reduction, elimination, circuits and search on large boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.consistency import kernel_queue
from benchmarks.counting import chances, count, everything
from benchmarks.paired import Work
from benchmarks.paired.works import shrunk
from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.inference.elimination import compile_circuit, width
from cpmines.inference.exact import Inference, infer
from cpmines.inference.layouts import first_placement
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate
from cpmines.inference.reduction import Reduced, reduce
from cpmines.inference.search import search
from cpmines.positions import generate
from cpmines.problems.mosaic import generate as puzzles
from cpmines.problems.mosaic.network import network_of
from cpmines.problems.mosaic.problem import Puzzle

__all__ = ["works"]

Function = Callable[[], Any]


def board(side: int, share: float, total: bool = False) -> Position:
    return generate.revealed(np.random.default_rng(side), side, side, share=share, total=total)


def network(side: int, share: float) -> Network:
    return Network.of(propagate(board(side, share), Limits()), Limits())


def reduced(side: int, share: float) -> Reduced:
    found = reduce(network(side, share), Limits())
    assert found is not None
    return found


def propagation(side: int, share: float) -> Function:
    return partial(kernel_queue, board(side, share))


def building(side: int, share: float) -> Function:
    known = propagate(board(side, share), Limits())
    return lambda: vars(Network.of(known, Limits()))


def reducing(side: int, share: float) -> Function:
    whole = network(side, share)
    return lambda: vars(reduce(whole, Limits()))


def planning(side: int, share: float) -> Function:
    left = reduced(side, share)
    return lambda: [width(left, Limits(), order)[1] for order in range(3)]


def compiling(side: int, share: float) -> Function:
    left = reduced(side, share)

    def work() -> Any:
        circuit = compile_circuit(left, Limits())
        return circuit and [circuit.row_starts, circuit.parents, circuit.pair_starts, circuit.left]

    return work


def answering(side: int, share: float, total: bool, names: tuple[str, ...]) -> Function:
    """Answers from a circuit that is compiled before."""
    found = infer(board(side, share, total), Limits())
    assert found is not None
    return lambda: answers(replace(found), names)


def answers(found: Inference, names: tuple[str, ...]) -> list[Any]:
    return [getattr(found, name) for name in names]


def witness(side: int, share: float) -> Function:
    found = infer(board(side, share), Limits())
    assert found is not None
    return lambda: first_placement(replace(found))


def searching(side: int, share: float) -> Function:
    return each_part(network(side, share))


def fitting(side: int, share: float, make: Callable[..., Puzzle]) -> Function:
    """A search with tens of thousands of conflicts, in one component."""
    puzzle = make(np.random.default_rng(2), side, side, share=share)
    return each_part(network_of(puzzle.sums, Limits()))


def each_part(whole: Network) -> Function:
    parts = [whole.part(k, k + 1) for k in range(whole.components)]
    return lambda: [search(part, Limits(), np.zeros(len(part.cells), np.int8)) for part in parts]


def games(number: int) -> Function:
    boards = [
        generate.game(np.random.default_rng(seed), share=(0.1, 0.3, 0.5, 0.7, 0.9)[seed % 5], total=seed > 2)
        for seed in range(number)
    ]
    return partial(everything, boards)


def works(scale: float) -> Iterator[Work]:
    def made(name: str, prepare: Callable[..., Function], side: int, share: float, *more: Any) -> Work:
        side = shrunk(side, scale)
        size = f"{side} x {side}, {share:.0%} shown"
        return Work(f"inference: {name}", size, partial(prepare, side, share, *more))

    for share in (0.3, 0.6):
        yield made("propagation", propagation, 1000, share)
        yield made("network", building, 1000, share)
        yield made("reduction", reducing, 600, share)
    for side, share in ((200, 0.3), (1000, 0.6)):
        yield made("orders of elimination", planning, side, share)
        yield made("elimination", compiling, side, share)
        yield made("chances from the circuit", answering, side, share, False, ("probability", "state"))
        yield made("exact count from the circuit", answering, side, share, False, ("count",))
        yield made("first placement", witness, side, share)
    yield made("with a total, from the circuit", answering, 100, 0.6, True, ("count", "probability", "state"))
    yield made("exact chances", answering, 60, 0.6, False, ("ratios",))
    yield made("search of a position", searching, 300, 0.4)
    for side, share in ((60, 0.5), (100, 0.6), (300, 0.7)):
        yield made("search of a mosaic", fitting, side, share, puzzles.random)
    yield made("search of a mosaic without a board", fitting, 300, 0.7, puzzles.changed)
    side = shrunk(300, scale)
    yield Work(
        "inference: chances at a density", f"{side} x {side}", lambda: partial(chances, board(side, 0.5))
    )
    yield Work("inference: count", f"{side} x {side}", lambda: partial(count, board(side, 0.6)))
    number = max(5, round(100 * scale))
    yield Work("inference: all answers", f"{number} expert positions", partial(games, number))
