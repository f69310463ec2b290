"""All answers on positions, against exhaustive search and against the answers known for real boards."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import LimitError
from cpmines.files import read
from cpmines.inference.exact import OPEN, Inference, infer
from cpmines.positions import generate as positions
from cpmines.positions.exhaustive import placements
from tests.conftest import REAL
from tests.effort import some

LIMITS = Limits()
BOARDS = REAL / "consistency"


class Expected:
    """What exhaustive search says of a position."""

    def __init__(self, position: Position) -> None:
        self.unknown = [tuple(cell) for cell in np.argwhere(position.cells == UNKNOWN).tolist()]
        self.known = int((position.cells == MINE).sum())
        found = list(placements(position, LIMITS))
        self.by_mines = dict(sorted(Counter(map(len, found)).items()))
        self.holding = [Counter(len(mines) for mines in found if cell in mines) for cell in self.unknown]

    def ratios(self, density: Fraction = Fraction(1, 2)) -> list[Fraction]:
        total = self.weigh(self.by_mines, density)
        return [self.weigh(holding, density) / total for holding in self.holding]

    def weigh(self, by_mines: dict[int, int], density: Fraction) -> Fraction:
        most = self.known + len(self.unknown)
        odds = (
            (mines, density ** (mines - self.known) * (1 - density) ** (most - mines)) for mines in by_mines
        )
        return sum((by_mines[mines] * weight for mines, weight in odds), Fraction(0))


def check(found: Inference, expected: Expected) -> None:
    unknown = found.position.cells == UNKNOWN
    ratios = expected.ratios()
    assert found.count == sum(expected.by_mines.values())
    assert found.by_mines == expected.by_mines
    assert list(found.ratios[unknown]) == ratios
    np.testing.assert_allclose(found.probability[unknown], [float(x) for x in ratios], rtol=1e-12, atol=0)
    assert found.rounded[unknown].tolist() == [float(x) for x in ratios]
    assert found.state[unknown].tolist() == [int(x) if x in (0, 1) else OPEN for x in ratios]


def agree(count: int, most: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    none = 0
    for _ in range(count):
        position = positions.tiny(rng, most)
        expected, found = Expected(position), infer(position, LIMITS)
        if found is None:
            assert not expected.by_mines, str(position)
            none += 1
            continue
        check(found, expected)
        if position.mines is None:
            density = Fraction(int(rng.integers(1, 100)), 100)
            again = infer(position, LIMITS, density=density)
            assert again is not None
            assert list(again.ratios[position.cells == UNKNOWN]) == expected.ratios(density)
            np.testing.assert_allclose(again.probability, again.rounded, rtol=1e-12, atol=0)
    assert count / 5 < none < 4 * count / 5


def test_small_positions_agree_with_exhaustive_search() -> None:
    agree(some(800, 200), 9, 0)


@pytest.mark.slow
def test_thousands_of_positions_agree_with_exhaustive_search() -> None:
    agree(5000, 11, 1)
    agree(400, 15, 2)


def test_positions_of_twenty_unknown_cells() -> None:
    rng = np.random.default_rng(7)
    done = 0
    while done < some(3, 2):
        position = positions.revealed(rng, 5, 6, 0.3, 0.4, total=done == 1)
        if 14 <= (position.cells == UNKNOWN).sum() <= 16:
            found = infer(position, LIMITS)
            assert found is not None
            check(found, Expected(position))
            done += 1


def index() -> list[dict[str, str]]:
    file = BOARDS / "INDEX.tsv"
    if not file.exists():
        return []
    with file.open() as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def board(name: str) -> Position | None:
    for suffix in (".txt", ".txt.gz"):
        file = BOARDS / f"{name}{suffix}"
        if file.exists():
            return Position.parse(read(file), str(file))
    return None


def stated(row: dict[str, str], name: str) -> int | None:
    found = re.search(rf"(?<![a-z_]){name}=(\d+)", row["expected"])
    return int(found[1]) if found else None


@pytest.mark.skipif(not BOARDS.exists(), reason="the collection of real boards is not there")
def test_real_boards_have_the_known_answers() -> None:
    counted = 0
    for row in index():
        position = board(row["name"])
        if position is None:
            continue
        totals = [None, int(row["mines_total"])] if row["mines_total"] else [position.mines]
        for total in totals:
            found = infer(Position(position.cells, total), LIMITS)
            if found is None:
                assert "consistent=no" in row["expected"], row["name"]
                continue
            name = "solutions" if total is None else "solutions_with_total"
            if (count := stated(row, name)) is not None:
                assert found.count == count, row["name"]
                counted += 1
            for name, state in (("forced_safe", 0), ("forced_mine", 1)):
                number = stated(row, name)
                if total is None and number is not None:
                    assert ((found.state == state) & (position.cells == UNKNOWN)).sum() == number
    assert counted > 100


@pytest.mark.skipif(not BOARDS.exists(), reason="the collection of real boards is not there")
def test_the_largest_circuit_board() -> None:
    position = board("googlectf_minethegap_FULL")
    assert position is not None
    found = infer(position, LIMITS)
    assert found is not None
    unknown = position.cells == UNKNOWN
    assert found.count == 64
    assert unknown[23].sum() == 124
    assert (found.state[23][unknown[23]] != OPEN).all()
    assert (found.state[unknown] == OPEN).sum() == 60


def test_components_have_their_cells_and_clues() -> None:
    position = Position.parse("3 9\n.........\n.2..1..2.\n.........\n")
    found = infer(position, LIMITS)
    assert found is not None
    assert [part.clues.tolist() for part in found.components] == [[10], [13], [16]]
    assert (
        sorted(cell for part in found.components for cell in part.cells)
        == np.flatnonzero(position.cells == UNKNOWN).tolist()
    )


@pytest.mark.parametrize("density", [0.0, 1.0, -1.0, 2.0])
def test_densities_out_of_bounds(density: float) -> None:
    with pytest.raises(ValueError, match="density"):
        infer(Position.parse("1 2\n..\n"), LIMITS, density=density)


def test_a_density_beside_a_total_is_refused() -> None:
    with pytest.raises(ValueError, match="density"):
        infer(Position.parse("1 2 1\n..\n"), LIMITS, density=0.5)


def test_counts_beyond_the_memory_are_left_out() -> None:
    found = infer(Position(np.full((40, 40), UNKNOWN)), Limits(memory=300_000))
    assert found is not None
    assert found.count == 1 << 1600
    assert found.by_mines is None


def test_limits_hold() -> None:
    position = positions.revealed(np.random.default_rng(0), 60, 60, share=0.3)
    with pytest.raises(LimitError):
        infer(position, Limits(seconds=1e-6).begin())
    with pytest.raises(LimitError):
        infer(position, Limits(memory=1000))


def test_a_count_needs_less_memory_than_the_counts_by_mines() -> None:
    position = positions.revealed(np.random.default_rng(1), 30, 30, share=0.3)
    plain = infer(position, LIMITS)
    assert plain is not None
    found = replace(plain, limits=Limits(memory=24 * int(plain.graded.offset[-1]) - 1))
    assert (found.count, found.by_mines) == (plain.count, None)


@pytest.mark.parametrize(
    ("text", "density"),
    [
        ("1 3\n...", Fraction(10**20 - 1, 10**20)),
        ("2 4\n.1..\n..1.", Fraction(1, 10**30)),
        ("2 4\n.1..\n..1.", Fraction(1, 10**300)),
        ("1 9\n.1.1.1.1.", 1 - Fraction(1, 10**28)),
    ],
)
def test_0_and_1_are_only_what_is_certain(text: str, density: Fraction) -> None:
    found = infer(Position.parse(text), Limits().begin(), density=density)
    assert found is not None
    uncertain = found.state == OPEN
    assert uncertain.any()
    for probability in (found.probability, found.rounded):
        assert np.array_equal((probability > 0) & (probability < 1), uncertain)
