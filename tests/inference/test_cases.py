"""Answers by cases, and what is certain by search: against plain elimination, and where that is too wide."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

import cpmines
from cpmines.answer import Limits, Status, Stop
from cpmines.board import UNKNOWN, Position
from cpmines.errors import LimitError
from cpmines.grid import neighbour_counts
from cpmines.inference import cases, cutset, elimination
from cpmines.inference.cases import Cases, answers, placements, sampler
from cpmines.inference.cover import certain
from cpmines.inference.exact import Inference, infer
from cpmines.inference.propagation import Propagated, decide, propagate
from cpmines.positions import generate as positions
from cpmines.problems.deduction.backends import direct
from tests.effort import some

LIMITS = Limits()


def lattice(side: int) -> Position:
    """A clue in every second row and column: as wide as a board can be."""
    mines = np.random.default_rng(1).random((side, side)) < 0.3
    shown = np.zeros_like(mines)
    shown[1::2, 1::2] = True
    return Position(np.where(shown, neighbour_counts(mines & ~shown), np.int8(UNKNOWN)))


def tiny(count: int, seed: int) -> list[Propagated]:
    rng = np.random.default_rng(seed)
    known = [propagate(positions.tiny(rng, 11), LIMITS) for _ in range(count)]
    return [position for position in known if not position.contradiction()]


def check(found: Cases, plain: Inference) -> None:
    assert (found.count, found.by_mines) == (plain.count, plain.by_mines)
    np.testing.assert_array_equal(found.state, plain.state)
    np.testing.assert_array_equal(found.ratios, plain.ratios)
    np.testing.assert_array_equal(found.rounded, plain.rounded)
    np.testing.assert_array_equal(found.free_cells, plain.free_cells)
    np.testing.assert_allclose(found.probability, plain.probability, rtol=1e-12, atol=0)
    listed = {mines.tobytes() for mines in placements(found)}
    assert listed == {mines.tobytes() for mines in placements(plain)}
    assert len(list(placements(found))) == len(listed)


def test_any_cells_make_cases_with_the_same_answers() -> None:
    rng = np.random.default_rng(3)
    feasible, count = 0, some(110, 40)
    for known in tiny(count, 1):
        unknown = np.flatnonzero(known.position.cells == UNKNOWN)
        cells = tuple(rng.permutation(unknown)[: rng.integers(0, 4)].tolist())
        density = Fraction(int(rng.integers(1, 100)), 100)
        for chosen in (None, density) if known.position.mines is None else (None,):
            plain = infer(known.position, LIMITS, density=chosen)
            found = Cases(known, cells, chosen, LIMITS)
            assert (plain is None) == (found.summary is None)
            if plain is not None:
                check(found, plain)
                feasible += 1
    assert feasible > count / 2.2


def test_deciding_a_cell_is_as_if_it_were_known() -> None:
    for known in tiny(100, 2):
        for cell in np.flatnonzero(known.position.cells == UNKNOWN).tolist():
            cells = known.position.cells.copy()
            cells.flat[cell] = -1
            shown = propagate(Position(cells, known.position.mines), LIMITS)
            decided = decide(known, cell, True, LIMITS)
            assert (decided.conflict is None) == (shown.conflict is None)
            if shown.conflict is None:
                np.testing.assert_array_equal(decided.cells % 16, shown.cells % 16)
                assert decided.open_clues == shown.open_clues
                assert (decided.mines, decided.unknowns) == (shown.mines, shown.unknowns)


def test_cases_are_made_where_elimination_is_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    position = lattice(16)
    plain = infer(position, LIMITS)
    assert plain is not None
    monkeypatch.setattr(elimination, "FIRST_WORK", 1)
    monkeypatch.setattr(elimination, "WORK_PER_VARIABLE", 0)
    monkeypatch.setattr(elimination, "ATTEMPTS", 1)
    complete = cases.complete
    attempts = {"attempts": 13}
    for module in (cases, cutset):
        monkeypatch.setattr(module, "complete", lambda *args, **rest: complete(*args, **{**rest, **attempts}))
    monkeypatch.setattr(cases, "infer", lambda *args, **rest: too_wide())
    found = answers(position, LIMITS)
    assert isinstance(found, Cases)
    assert found.cells
    assert (found.count, found.by_mines) == (plain.count, plain.by_mines)
    np.testing.assert_array_equal(found.ratios, plain.ratios)
    drawn = [next(sampler(found)(1, seed)) for seed in range(3)]
    clues = position.cells != UNKNOWN
    for mines in drawn:
        np.testing.assert_array_equal(neighbour_counts(mines)[clues], position.cells[clues])


def too_wide() -> None:
    raise LimitError(Stop.MEMORY_LIMIT, "too wide")


def test_samples_of_cases_are_as_likely_as_their_placements() -> None:
    position = Position.parse("2 4\n.1..\n....\n")
    known = propagate(position, LIMITS)
    found = Cases(known, (0, 3), None, LIMITS)
    drawn = [mines.tobytes() for mines in sampler(found)(600, 1)]
    numbers = np.unique(np.array(drawn), return_counts=True)[1]
    assert len(numbers) == found.count == 20
    expected = 600 / len(numbers)
    assert ((numbers - expected) ** 2 / expected).sum() < 50


def test_what_is_certain_by_search() -> None:
    for known in tiny(400, 5):
        plain, state = infer(known.position, LIMITS), certain(known, LIMITS)
        assert (plain is None) == (state is None)
        if plain is not None:
            np.testing.assert_array_equal(state, plain.state)


def test_a_lattice_too_wide_for_elimination_is_deduced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "ATTEMPTS", 1)
    found = direct.solve(lattice(40), LIMITS)
    assert found.status is Status.SOLVED
    assert found.value is not None
    assert {"s", "m", "?"} <= set("".join(found.value.rows()))


@pytest.mark.slow
def test_a_lattice_is_deduced_as_by_sat() -> None:
    position = lattice(40)
    ours, theirs = (cpmines.solve("deduction", position, backend) for backend in ("direct", "sat"))
    np.testing.assert_array_equal(ours.value.cells, theirs.value.cells)


def test_limits_hold() -> None:
    known = propagate(lattice(40), LIMITS)
    for limits in (Limits(seconds=0.01).begin(), Limits(memory=1 << 12)):
        with pytest.raises(LimitError):
            certain(known, limits)
        with pytest.raises(LimitError):
            answers(known.position, limits)


@pytest.mark.parametrize("memory", [64, 256, 512, 1024, 4096])
def test_boards_that_are_not_wide_need_memory_too(memory: int) -> None:
    """The smallest that met a limit where no case makes anything narrower."""
    for text in ("1 1\n.", "2 2\n.1\n1.", "3 3\n.2.\n1.1\n..."):
        with suppress(LimitError):
            assert answers(Position.parse(text), Limits(memory=memory).begin()) is not None
