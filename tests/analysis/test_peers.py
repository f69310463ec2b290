"""ms-toollib beside the analyser: where it agrees, and the differences that its backend states."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.analysis import positions
from cpmines import registry
from cpmines.analysis.analyser import analyse
from cpmines.answer import Limits, Status
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.run import run

pytest.importorskip("ms_toollib")
from cpmines.problems.deduction.backends.ms_toollib import probabilities


def test_it_is_a_backend_that_is_no_default() -> None:
    assert "ms_toollib" in registry.backend_names("deduction")
    assert "ms_toollib" not in registry.default_backends("deduction")


def test_it_agrees_on_positions_of_games() -> None:
    for position in positions(seed=3) + positions(seed=8):
        found = analyse(position)
        assert found is not None
        assert position.mines is not None
        chances = probabilities(position, position.mines)
        assert chances is not None
        unknown = position.cells == UNKNOWN
        np.testing.assert_allclose(chances[unknown], found.probability[unknown], rtol=0, atol=1e-9)
        claims = [run("deduction", position, name, Limits()) for name in ("ms_toollib", "direct")]
        assert (claims[0].value.cells == claims[1].value.cells).all()


def test_it_agrees_on_tiny_boards_with_a_total_and_a_placement() -> None:
    rng, compared = np.random.default_rng(1), 0
    while compared < 150:
        position: Position = registry.generators("consistency").tiny(rng)
        found = analyse(position)
        if found is None or not position.mines or (position.cells == MINE).any():
            continue
        compared += 1
        chances = probabilities(position, position.mines)
        assert chances is not None
        unknown = position.cells == UNKNOWN
        np.testing.assert_allclose(chances[unknown], found.probability[unknown], rtol=0, atol=1e-9)


@pytest.mark.parametrize("text", ["1 2\n1.\n", "1 2 0\n0.\n", "1 3 1\n*1.\n"])
def test_what_it_does_not_take(text: str) -> None:
    found = run("deduction", Position.parse(text), "ms_toollib", Limits())
    assert (found.status, found.error) == (Status.UNKNOWN, "")


def test_it_takes_a_board_without_a_placement() -> None:
    position = Position.parse("1 2 1\n11\n")
    assert analyse(position) is None
    assert run("deduction", position, "ms_toollib", Limits()).status is Status.SOLVED
