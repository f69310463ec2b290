"""Networks for tests, and what holds of them by exhaustive search."""

from __future__ import annotations

from itertools import product

import numpy as np

from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate


def network_of(position: Position) -> Network | None:
    """The network that propagation leaves open; None if nothing is, or there is a contradiction."""
    known = propagate(position, Limits())
    if known.conflict is not None or known.open_clues == 0:
        return None
    return Network.of(known, Limits())


def random_network(rng: np.random.Generator, cells: int, sums: int, wide: bool = True) -> Network:
    """Random sums over random cells; every cell is in one at least. With `wide`, some are inequalities."""
    members = [
        sorted(rng.choice(cells, rng.integers(1, min(cells, 6) + 1), replace=False)) for _ in range(sums)
    ]
    members.append(list(range(cells)))
    hidden = rng.integers(0, 2, cells)
    least = np.array([hidden[row].sum() + rng.integers(-1, 2) * (rng.random() < 0.2) for row in members])
    most = least + (rng.integers(0, 2, len(members)) if wide else 0)
    least[-1], most[-1] = (0, cells) if wide else (hidden.sum(), hidden.sum())
    return network(cells, members, least, most)


def network(cells: int, members: list[list[int]], least: np.ndarray, most: np.ndarray) -> Network:
    holding = [[s for s, row in enumerate(members) if cell in row] for cell in range(cells)]

    def rows(lists: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
        starts = np.cumsum([0, *map(len, lists)]).astype(np.int32)
        return starts, np.array([item for row in lists for item in row], np.int32)

    return Network(
        np.arange(cells, dtype=np.int32),
        *rows(members),
        *rows(holding),
        np.asarray(least, np.int32),
        np.asarray(most, np.int32),
        np.array([0, cells], np.int32),
        np.array([0, len(members)], np.int32),
        np.arange(len(members), dtype=np.int32),
    )


def satisfies(network: Network, values: np.ndarray) -> bool:
    parts = np.split(network.sum_cells, network.sum_starts[1:-1])
    sums = np.array([values[part].sum(dtype=int) for part in parts])
    return bool(((network.least <= sums) & (sums <= network.most)).all())


def solutions(network: Network) -> list[np.ndarray]:
    every = (np.array(values, np.int8) for values in product((0, 1), repeat=len(network.cells)))
    return [values for values in every if satisfies(network, values)]
