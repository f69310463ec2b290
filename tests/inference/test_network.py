"""The network says what the board says, in both directions, component by component."""

from __future__ import annotations

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.errors import LimitError
from cpmines.inference.network import Network
from cpmines.inference.propagation import propagate
from cpmines.positions import generate as positions
from tests.inference.networks import network_of


def boards() -> list[Position]:
    rng = np.random.default_rng(1)
    return [positions.revealed(rng, 12, 15, share=share) for share in (0.2, 0.4, 0.6) for _ in range(8)]


def members(starts: np.ndarray, items: np.ndarray) -> list[set[int]]:
    return [set(part.tolist()) for part in np.split(items, starts[1:-1])]


@pytest.mark.parametrize("position", boards())
def test_sums_are_the_open_clues(position: Position) -> None:
    known = propagate(position, Limits())
    network = Network.of(known, Limits())
    rows, cols = position.shape
    padded = known.cells.reshape(rows + 2, cols + 2)
    need = known.need.reshape(rows + 2, cols + 2)
    expected = []
    for row, col in zip(*np.nonzero(position.cells >= 0), strict=True):
        block = padded[row : row + 3, col : col + 3] == -2
        down, right = np.nonzero(block)
        if len(down):
            places = (row - 1 + down) * cols + col - 1 + right
            expected.append((sorted(places.tolist()), int(need[row + 1, col + 1])))
    found = [
        (sorted(network.cells[list(part)].tolist()), int(total))
        for part, total in zip(members(network.sum_starts, network.sum_cells), network.most, strict=True)
    ]
    assert sorted(found) == sorted(expected)
    assert (network.least == network.most).all()


@pytest.mark.parametrize("position", boards())
def test_both_directions_agree(position: Position) -> None:
    network = network_of(position)
    assert network is not None
    of_sum = members(network.sum_starts, network.sum_cells)
    of_cell = members(network.cell_starts, network.cell_sums)
    pairs = {(s, cell) for s, cells in enumerate(of_sum) for cell in cells}
    assert pairs == {(s, cell) for cell, sums in enumerate(of_cell) for s in sums}
    assert len(pairs) == len(network.sum_cells)


@pytest.mark.parametrize("position", boards())
def test_classes_are_cells_with_the_same_sums(position: Position) -> None:
    network = network_of(position)
    assert network is not None
    of_cell = [frozenset(sums) for sums in members(network.cell_starts, network.cell_sums)]
    assert network.classes(Limits()).tolist() == [of_cell.index(sums) for sums in of_cell]


@pytest.mark.parametrize("position", boards())
def test_components_are_connected_and_apart(position: Position) -> None:
    network = network_of(position)
    assert network is not None
    cells = np.arange(len(network.cells))
    label = np.searchsorted(network.cell_ends, cells, "right") - 1
    group = cells.copy()
    for part in members(network.sum_starts, network.sum_cells):
        assert len(set(label[list(part)])) == 1
        joined = set(group[list(part)])
        group[np.isin(group, list(joined))] = min(joined)
    assert len(set(group)) == network.components
    assert network.cell_ends[-1] == len(network.cells)
    assert network.sum_ends[-1] == len(network.most)


@pytest.mark.parametrize("size", [1, 20, 10_000])
def test_blocks_take_the_network_apart(size: int) -> None:
    rng = np.random.default_rng(2)
    network = network_of(positions.revealed(rng, 40, 40, share=0.6))
    assert network is not None
    blocks = network.blocks(size)
    assert [first for first, _ in blocks[1:]] == [last for _, last in blocks[:-1]]
    assert (blocks[0][0], blocks[-1][1]) == (0, network.components)
    seen = []
    for first, last in blocks:
        part = network.part(first, last)
        assert last == first + 1 or len(part.cells) <= size
        assert part.components == last - first
        named = [{int(part.cells[c]) for c in cells} for cells in members(part.sum_starts, part.sum_cells)]
        seen += [(cells, int(need)) for cells, need in zip(named, part.most, strict=True)]
    whole = members(network.sum_starts, network.sum_cells)
    expected = [
        ({int(network.cells[c]) for c in cells}, int(need))
        for cells, need in zip(whole, network.most, strict=True)
    ]
    assert seen == expected


def test_with_total_adds_a_sum_of_all_cells() -> None:
    rng = np.random.default_rng(3)
    network = network_of(positions.revealed(rng, 12, 12, share=0.4))
    assert network is not None
    wider = network.with_total(3, 7)
    assert members(wider.sum_starts, wider.sum_cells)[:-1] == members(network.sum_starts, network.sum_cells)
    assert members(wider.sum_starts, wider.sum_cells)[-1] == set(range(len(network.cells)))
    last = len(network.most)
    before = members(network.cell_starts, network.cell_sums)
    assert members(wider.cell_starts, wider.cell_sums) == [sums | {last} for sums in before]
    assert (wider.least[-1], wider.most[-1], wider.components) == (3, 7, 1)


def test_memory_is_asked_for() -> None:
    known = propagate(positions.revealed(np.random.default_rng(4), 50, 50, share=0.4), Limits())
    with pytest.raises(LimitError, match="the network needs"):
        Network.of(known, Limits(memory=10_000))
