"""Positions as clues, for explanations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.clues import ClueBoard, Clues

__all__ = ["CLUES"]


def board(position: Position) -> ClueBoard:
    return ClueBoard(position.cells, total=position.mines)


def consistent(position: Position, limits: Limits) -> bool:
    from cpmines.inference.existence import find_placement
    from cpmines.inference.propagation import propagate

    known = propagate(position, limits)
    return not known.contradiction() and find_placement(known, limits, shown=False)[0]


def certain(position: Position, limits: Limits) -> NDArray[np.int8] | None:
    from cpmines.inference.exact import infer

    inferred = infer(position, limits)
    return None if inferred is None else inferred.state


def trouble(position: Position, limits: Limits) -> list[int]:
    """Around a clue that propagation breaks, or the cells of a component without a placement."""
    from cpmines.inference.elimination import compile_circuit
    from cpmines.inference.network import Network
    from cpmines.inference.propagation import propagate
    from cpmines.inference.reduction import reduce

    known = propagate(position, limits)
    if known.conflict is not None:
        place = known.conflict[0] * position.shape[1] + known.conflict[1]
        return [cell for clue in board(position).clues if clue.place == place for cell in clue.cells]
    network = Network.of(known, limits)
    for k in range(network.components):
        part = network.part(k, k + 1)
        reduced = reduce(part, limits)
        if reduced is None or compile_circuit(reduced, limits) is None:
            cells: list[int] = part.cells.tolist()
            return cells
    return []


CLUES = Clues(Position, board, consistent, certain, trouble)
