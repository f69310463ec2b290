"""All placements of an `Inference`, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cpmines.inference import sets
from cpmines.inference.exact import Inference
from cpmines.inference.layouts import assemble, value_at

__all__ = ["enumerate_placements"]


@dataclass
class ChoiceTable:
    """The state of an enumeration: node and mines of each table, groups that hold, mines in free cells."""

    nodes: list[int]
    powers: list[int]
    holding: NDArray[np.bool_]
    free: NDArray[np.bool_]


Step = Callable[[], Iterator[None]]
"""The possibilities for one part of a placement, given the parts before it: each is noted, then yielded."""


def enumerate_placements(found: Inference) -> Iterator[NDArray[np.bool_]]:
    """All placements, each once; bool (rows, cols), an array of its own each.

    Raises
    ------
    LimitError
        Time is up, looked at between two placements.
    """
    circuit = found.circuit
    tables = len(circuit.parents)
    state = ChoiceTable(
        [0] * tables,
        [0] * tables,
        np.zeros(found.group_starts[-1], np.bool_),
        np.zeros(found.free, np.bool_),
    )
    for _ in odometer(Steps(found, state).all()):
        found.limits.check()
        yield assemble(found, state.holding, state.free)


def odometer(steps: list[Step]) -> Iterator[None]:
    """Go through all combinations of possibilities, the last step fastest."""
    if not steps:
        yield None
        return
    running = [steps[0]()]
    while running:
        for _ in running[-1]:
            break
        else:
            running.pop()
            continue
        if len(running) < len(steps):
            running.append(steps[len(running)]())
        else:
            yield None


class Steps:
    """The parts of a placement: mines of each component, nodes from the roots down, groups, free cells."""

    def __init__(self, found: Inference, state: ChoiceTable) -> None:
        self.found, self.state = found, state
        self.circuit = found.circuit
        self.valuation = found.plain if found.target is None else found.graded
        self.values, _ = self.valuation.floats(found.circuit.possible.astype(np.float64), clip=True)
        self.totals = [1]
        if found.target is not None:
            for _, row in reversed(found.spectra):
                self.totals.append(sets.sumset(self.totals[-1], row))
            self.totals.reverse()

    def all(self) -> list[Step]:
        roots, circuit = self.circuit.roots.tolist(), self.circuit
        steps: list[Step] = []
        if self.found.target is not None:
            steps += [partial(self.mines, k, root) for k, root in enumerate(roots)]
        steps += [partial(self.row, root) for root in roots]
        joined = range(len(circuit.parents) - 1, len(self.found.reduced.sizes) - 1, -1)
        steps += [partial(self.pair, table) for table in joined]
        steps += [partial(self.groups, variable) for variable in range(len(self.found.reduced.sizes))]
        return [*steps, self.free]

    def mines(self, k: int, root: int) -> Iterator[None]:
        """Mines of component `k`, so that the others and the free cells can make up the total."""
        found = self.found
        assert found.target is not None
        roots = self.circuit.roots.tolist()
        before = sum(self.state.powers[table] for table in roots[:k])
        rest = sum(low for low, _ in found.spectra[k + 1 :])
        low, more = found.spectra[k]
        for x in sets.bits(more):
            left = found.target - before - low - x - rest
            if self.totals[k + 1] & sets.between(left - found.free, left):
                self.state.powers[root] = low + x
                yield

    def value(self, node: int, power: int) -> float:
        return value_at(self.valuation, self.values, node, power)

    def row(self, root: int) -> Iterator[None]:
        for node in range(int(self.circuit.row_starts[root]), int(self.circuit.row_starts[root + 1])):
            if self.value(node, self.state.powers[root]):
                self.state.nodes[root] = node
                yield

    def pair(self, table: int) -> Iterator[None]:
        """The two rows that a row is joined from, and how its mines are shared out."""
        circuit, low, offset = self.circuit, self.valuation.low, self.valuation.offset
        nodes, powers = self.state.nodes, self.state.powers
        node, power = nodes[table], powers[table]
        for k in range(int(circuit.pair_starts[node]), int(circuit.pair_starts[node + 1])):
            a, b = int(circuit.left[k]), int(circuit.right[k])
            first = int(low[a])
            for mines in range(first, first + int(offset[a + 1] - offset[a])):
                if self.value(a, mines) and self.value(b, power - mines):
                    table_a, table_b = circuit.tables[a], circuit.tables[b]
                    nodes[table_a], powers[table_a] = a, mines
                    nodes[table_b], powers[table_b] = b, power - mines
                    yield

    def groups(self, variable: int) -> Iterator[None]:
        start, end = self.found.group_starts[variable : variable + 2].tolist()
        held = self.state.nodes[variable] - int(self.circuit.row_starts[variable])
        for chosen in combinations(range(start, end), held):
            self.state.holding[start:end] = False
            self.state.holding[list(chosen)] = True
            yield

    def free(self) -> Iterator[None]:
        free = self.found.free
        if self.found.target is None:
            sizes = range(free + 1)
        else:
            lacking = self.found.target - sum(
                self.state.powers[table] for table in self.circuit.roots.tolist()
            )
            sizes = range(lacking, lacking + 1)
        for size in sizes:
            for chosen in combinations(range(free), size):
                self.state.free[:] = False
                self.state.free[list(chosen)] = True
                yield
