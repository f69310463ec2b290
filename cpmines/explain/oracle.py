"""Can chosen clues be met together? By SAT; where the total is among them, by elimination as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.explain._network import Sum, network_of
from cpmines.explain.clues import Clue
from cpmines.oracle.session import SatSession

__all__ = ["Assumed", "ClueOracle"]

Mask = NDArray[np.bool_]
Assumed = tuple[tuple[int, bool], ...]
"""Cells, each with True for a mine, that are taken to be so beside the clues."""


class ClueOracle:
    """Asks again and again whether some of `clues` can be met together.

    Attributes
    ----------
    clues
    cells
        int64, ascending: the cells that they count, the total's left out.
    core
        After an answer of None: those of the chosen clues that already can't be met together.
    """

    def __init__(self, clues: Sequence[Clue], limits: Limits) -> None:
        self.clues, self.limits = clues, limits
        self.core: list[int] = []
        self.total = next((index for index, clue in enumerate(clues) if clue.is_total), None)
        self.local = [index for index, clue in enumerate(clues) if not clue.is_total]
        counted = [clues[index].cells for index in self.local]
        self.cells = np.unique(np.array([cell for cells in counted for cell in cells], np.int64))
        self._variable = {cell: k + 1 for k, cell in enumerate(self.cells.tolist())}
        self._flat = np.array([self._variable[c] - 1 for cells in counted for c in cells], np.int64)
        self._ends = np.cumsum([0, *map(len, counted)])
        self._mines = np.array([clues[index].mines for index in self.local], np.int64)
        self._selector = {index: len(self.cells) + k + 1 for k, index in enumerate(self.local)}
        self._index = {selector: index for index, selector in self._selector.items()}
        self._session = SatSession(self._encoded(), limits)

    def _encoded(self) -> tuple[NDArray[np.int32], ...]:
        """The clauses: each clue only if its selector is true."""
        from cpmines.model import Model
        from cpmines.translate import DEFAULT_ENCODING, encode

        model = Model()
        cells, selectors = model.variables(len(self.cells)), model.variables(len(self.local))
        rows = np.zeros((len(self.local), max(np.diff(self._ends), default=0)), np.int32)
        widths = np.diff(self._ends)
        rows[np.arange(rows.shape[1]) < widths[:, None]] = cells[self._flat]
        model.between_rows(rows, self._mines, self._mines, only_if=selectors)
        return encode(model, DEFAULT_ENCODING, self.limits).blocks

    def find(self, members: Iterable[int], assumed: Assumed = ()) -> Mask | None:
        """Values of `cells` that meet the chosen clues, bool (cells,), True for a mine; or None.

        With the total, the cells that no chosen clue counts can be filled so that it is met too.

        Raises
        ------
        LimitError
        """
        chosen = list(members)
        local = [index for index in chosen if index != self.total]
        values = self._solve(local, assumed)
        if values is None or len(local) == len(chosen):
            return values
        return self._meet_total(local, assumed, values)

    def _solve(self, local: list[int], assumed: Assumed) -> Mask | None:
        wanted = [self._selector[index] for index in local]
        for cell, mine in assumed:
            if cell in self._variable:
                wanted.append(self._variable[cell] if mine else -self._variable[cell])
        if self._session.satisfiable(wanted):
            return self._session.values[: len(self.cells)]
        self.core = [self._index[literal] for literal in self._session.core if literal in self._index]
        return None

    def _meet_total(self, local: list[int], assumed: Assumed, values: Mask) -> Mask | None:
        """As `find`, from values that meet all but the total."""
        assert self.total is not None
        total = self.clues[self.total]
        if filled := self._fill(local, assumed, values):
            return np.array([filled[cell] for cell in self.cells.tolist()], np.bool_)
        sums: list[Sum] = [(self.clues[index].cells, self.clues[index].mines) for index in local]
        sums += [((cell,), int(mine)) for cell, mine in assumed]
        found = placement(sums, total, self.limits)
        if found is None:
            self.core = [*local, self.total]
            return None
        return found[self.cells]

    def _fill(self, local: list[int], assumed: Assumed, values: Mask) -> dict[int, bool]:
        """`values`, with cells that no chosen clue counts changed so that the total is met; or empty."""
        assert self.total is not None
        total = self.clues[self.total]
        true = dict(zip(self.cells.tolist(), values.tolist(), strict=True)) | dict(assumed)
        lacking, outside = total.mines - sum(true.values()), len(total.cells) - len(true)
        if 0 <= lacking <= outside:
            return true
        touched = {cell for index in local for cell in self.clues[index].cells} | {
            cell for cell, _ in assumed
        }
        spare = [cell for cell in true if cell not in touched and true[cell] == (lacking < 0)]
        number = -lacking if lacking < 0 else lacking - outside
        if number > len(spare):
            return {}
        return true | dict.fromkeys(spare[:number], lacking > 0)

    def met(self, values: Mask) -> list[int]:
        """Indices of the clues that `values` meet, the total left out."""
        sums = np.concatenate([[0], np.cumsum(values[self._flat], dtype=np.int64)])[self._ends]
        return [self.local[k] for k in np.flatnonzero(np.diff(sums) == self._mines).tolist()]

    def close(self) -> None:
        """Give the solver back."""
        self._session.close()

    def __enter__(self) -> ClueOracle:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def placement(sums: Sequence[Sum], total: Clue, limits: Limits) -> Mask | None:
    """Mines that meet `sums` and `total`, bool by flat index of the cell, or None; by elimination.

    Raises
    ------
    LimitError
    """
    from cpmines.inference.elimination import compile_circuit
    from cpmines.inference.exact import Inference
    from cpmines.inference.layouts import first_placement
    from cpmines.inference.propagation import propagate
    from cpmines.inference.reduction import reduce

    if any(not 0 <= mines <= len(cells) for cells, mines in sums) or total.broken:
        return None
    network = network_of(sums)
    reduced = reduce(network, limits)
    circuit = None if reduced is None else compile_circuit(reduced, limits)
    if reduced is None or circuit is None:
        return None
    # What the total does not count stands as known mines: the position has its unknown cells and no clue.
    cells = np.full((1, total.cells[-1] + 1), MINE, np.int8)
    cells[0, list(total.cells)] = UNKNOWN
    position = Position(cells, int((cells == MINE).sum()) + total.mines)
    found = Inference(position, None, limits, propagate(position, limits), network, reduced, circuit)
    return first_placement(found)[0] if found.reaches_total else None
