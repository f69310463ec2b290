"""The analyser beside brute force, beside the general engine, and beside itself started afresh."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cpmines import registry, solve
from cpmines.analysis import analyser, arrays
from cpmines.analysis.analyser import Analyser, analyse
from cpmines.analysis.analysis import Analysis
from cpmines.answer import Limits, Status
from cpmines.board import MINE, UNKNOWN, Position
from cpmines.errors import InputError, LimitError, UsageError
from cpmines.grid import neighbour_counts
from cpmines.inference.exact import OPEN, infer
from cpmines.run import run
from tests.conftest import REAL
from tests.effort import some

TOLERANCE = 1e-12
INDEX = REAL / "consistency" / "INDEX.tsv"


def tiny(count: int, seed: int = 0) -> Iterator[Position]:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        position: Position = registry.generators("consistency").tiny(rng)
        yield position


def board(
    seed: int, rows: int, cols: int, density: float = 0.2, share: float = 0.5, off: int | None = None
) -> Position:
    """Random mines, some cells shown; `off` is added to the total, None for no total."""
    rng = np.random.default_rng(seed)
    mines = rng.random((rows, cols)) < density
    shown = (rng.random((rows, cols)) < share) & ~mines
    cells = np.where(shown, neighbour_counts(mines), np.int8(UNKNOWN))
    return Position(cells, None if off is None else int(mines.sum()) + off)


def assert_same(found: Analysis | None, expected: Any, position: Position) -> None:
    """`expected` is an Inference or an Analysis."""
    assert (found is None) == (expected is None), position
    if found is None:
        return
    np.testing.assert_allclose(found.probability, expected.probability, rtol=0, atol=TOLERANCE)
    assert (found.state == expected.state).all(), position
    assert found.count == expected.count
    assert found.by_mines == expected.by_mines


def test_agrees_with_brute_force() -> None:
    inconsistent, count = 0, some(1000, 250)
    for position in tiny(count):
        brute = run("counting", position, "brute", Limits()).answer
        found = analyse(position)
        assert (found is None) == (brute.status is Status.INFEASIBLE), position
        if found is None:
            inconsistent += 1
            continue
        counts = brute.value
        assert counts is not None
        unknown = position.cells == UNKNOWN
        assert (found.count, found.by_mines) == (counts.count, counts.by_mines), position
        np.testing.assert_allclose(
            found.probability[unknown], counts.probability[unknown], rtol=0, atol=TOLERANCE
        )
        certain = np.where(counts.probability == 0, 0, np.where(counts.probability == 1, 1, OPEN))
        assert (found.state[unknown] == certain[unknown]).all(), position
        assert (found.state[~unknown] == (position.cells == MINE)[~unknown]).all()
    assert 0.2 * count < inconsistent < 0.8 * count


@pytest.mark.parametrize("density", [0.01, 0.206, 0.9])
def test_agrees_with_brute_force_at_a_density(density: float) -> None:
    asked = registry.problem("counting").ask(density=str(density))
    for position in tiny(some(150, 40), seed=2):
        plain = Position(position.cells)
        brute = run("counting", plain, "brute", Limits(), asked).answer
        found = analyse(plain, density=density)
        assert (found is None) == (brute.value is None)
        if found is not None and brute.value is not None:
            unknown = position.cells == UNKNOWN
            expected = brute.value.probability[unknown]
            np.testing.assert_allclose(found.probability[unknown], expected, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("off", [None, 0, -3, 4])
@pytest.mark.parametrize(("rows", "cols", "share"), [(8, 8, 0.6), (16, 30, 0.4), (20, 20, 0.5)])
def test_agrees_with_the_general_engine(rows: int, cols: int, share: float, off: int | None) -> None:
    for seed in range(4):
        position = board(seed, rows, cols, share=share, off=off)
        assert_same(analyse(position), infer(position, Limits()), position)


def test_totals_at_the_ends_of_what_is_possible() -> None:
    """There most cells are decided by the total."""
    decided = 0
    for seed in range(6):
        position = board(seed, 9, 12, share=0.4)
        free = analyse(position)
        assert free is not None
        assert free.by_mines is not None
        least, most = min(free.by_mines), max(free.by_mines)
        for total in (least, least + 1, most - 1, most):
            given = Position(position.cells, total)
            found = analyse(given)
            assert_same(found, infer(given, Limits()), given)
            assert found is not None
            decided += found.open_cells < free.open_cells
        assert analyse(position, least - 1) is None
        assert analyse(position, most + 1) is None
    assert decided >= 12


@pytest.mark.parametrize("free", range(5))
def test_a_component_that_has_five_or_seven_mines(free: int) -> None:
    """What other cells can make up for, and what not."""
    cells = np.full((4, 5), MINE, np.int8)
    cells[:, :3] = Position.parse("4 3\n**.\n4*3\n..2\n*.1\n").cells
    wall = np.zeros(cells.shape, np.bool_)
    wall[:, 3] = True
    cells[cells >= 0] += neighbour_counts(wall)[cells >= 0]
    cells[:free, 4] = UNKNOWN
    possible = []
    for total in range(17):
        given = Position(cells, total)
        expected = infer(given, Limits())
        assert_same(analyse(given), expected, given)
        possible += [total] if expected else []
    known = 8 - free
    fewest = [known + placed for placed in (5, 7)]
    assert possible == sorted({fewer + more for fewer in fewest for more in range(free + 1)})


def test_clue_by_clue_is_the_same_as_afresh() -> None:
    for seed in range(12):
        position = board(seed, 10, 12, share=0.55, off=0 if seed % 2 else None)
        rng = np.random.default_rng(seed)
        growing = Analyser(10, 12, position.mines)
        cells = np.full_like(position.cells, UNKNOWN)
        for place in rng.permutation(np.flatnonzero(position.cells != UNKNOWN)).tolist():
            row, col = divmod(place, 12)
            cells[row, col] = position.cells[row, col]
            growing.reveal(row, col, int(cells[row, col]))
            if rng.random() < 0.5:
                assert_same(growing.analyse(), analyse(Position(cells, position.mines)), position)


def test_wrong_clues_one_at_a_time() -> None:
    """Once there is no placement there never is one again."""
    broken = 0
    for position in tiny(150, seed=4):
        growing = Analyser(*position.shape, position.mines)
        possible = True
        for row, col in np.argwhere(position.cells != UNKNOWN).tolist():
            growing.reveal(row, col, int(position.cells[row, col]))
            now = growing.analyse()
            assert possible or now is None
            possible = now is not None
        assert_same(growing.analyse(), analyse(position), position)
        broken += not possible
    assert broken > 30


def test_only_what_a_clue_touches_is_solved_again() -> None:
    from cpmines.analysis.kernels.state import SOLVED

    growing = Analyser(5, 40, 30)
    for col in range(2, 40, 5):
        growing.reveal(2, col, 1)
    growing.analyse()
    solved = growing._state.counters[SOLVED]
    assert solved == 8
    growing.analyse()
    assert growing._state.counters[SOLVED] == solved
    growing.reveal(2, 13, 1)
    growing.analyse()
    assert growing._state.counters[SOLVED] == solved + 1


@pytest.mark.parametrize("most", [8, 1 << 18])
def test_little_room_gives_the_same_answers(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Scratch and store grow and are compacted; what scratch is too small for goes to the general engine."""
    monkeypatch.setattr(analyser, "FIRST_STATES", 8)
    monkeypatch.setattr(analyser, "MOST_STATES", most)
    monkeypatch.setattr(arrays, "FIRST_ROWS", 1)
    monkeypatch.setattr(arrays, "FIRST_REALS", 4)
    for seed in range(5):
        position = board(seed, 12, 12, share=0.5, off=0)
        growing = Analyser(12, 12, position.mines)
        for row in range(12):
            for col in range(12):
                if position.cells[row, col] != UNKNOWN:
                    growing.reveal(row, col, int(position.cells[row, col]))
            growing.analyse()
        assert_same(growing.analyse(), infer(position, Limits()), position)


def test_large_boards() -> None:
    for off in (None, 0):
        position = board(1, 60, 60, share=0.65, off=off)
        assert_same(analyse(position), infer(position, Limits()), position)


def test_an_empty_board() -> None:
    found = analyse(np.full((3, 4), UNKNOWN), 5)
    assert found is not None
    assert (found.count, found.risk, found.elsewhere) == (792, 5 / 12, 5 / 12)
    assert len(found.safest) == 12
    for total, state in ((0, 0), (12, 1)):
        found = analyse(np.full((3, 4), UNKNOWN), total)
        assert found is not None
        assert (found.state == state).all()
        assert (found.probability == state).all()


def test_counts_of_any_size() -> None:
    found = analyse(np.full((100, 100), UNKNOWN))
    assert found is not None
    assert found.count == 2**10000


def test_a_snapshot_does_not_change_with_the_game() -> None:
    growing = Analyser(3, 5, 3)
    growing.reveal(1, 1, 2)
    before = growing.analyse()
    assert before is not None
    growing.reveal(1, 3, 1)
    growing.analyse()
    fresh = analyse("3 5 3\n.....\n.2...\n.....\n")
    assert_same(before, fresh, before.position)
    assert str(before.position) == "3 5 3\n.....\n.2...\n.....\n"
    assert not before.cells.flags.writeable


def test_threads_share_an_analyser() -> None:
    position = board(3, 16, 30, share=0.4, off=0)
    alone = analyse(position)
    shared = Analyser(16, 30, position.mines)
    known = np.argwhere(position.cells != UNKNOWN).tolist()

    def work(part: int) -> None:
        for row, col in known[part::4]:
            shared.reveal(row, col, int(position.cells[row, col]))
            shared.analyse()
            assert_same(analyse(position), alone, position)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert_same(shared.analyse(), alone, position)


def test_analysis_of_text_and_files(tmp_path: Any) -> None:
    text = "2 3 2\n.1.\n.1.\n"
    file = tmp_path / "board.txt"
    file.write_text(text)
    for given in (text, text.encode(), file, Position.parse(text)):
        found = analyse(given, 1)
        assert found is not None
        assert found.count == 4
        assert (found.total, found.mines, found.safe) == (1, [], [])
    assert repr(analyse(text, 1)) == "<Analysis of 2 x 3: 0 safe, 0 mines, 4 open>"
    with pytest.raises(InputError):
        analyse("2 3\n.1.\n")


@pytest.mark.parametrize(
    "wrong",
    [
        {"board": np.zeros(3)},
        {"board": np.full((2, 2), 9)},
        {"board": np.full((2, 2), 0.5)},
        {"board": [[]]},
        {"mines": -1},
        {"mines": 7},
        {"mines": 1.5},
        {"density": "1/0"},
        {"density": 1 - Fraction(1, 10**1000)},
        {"density": Fraction(1, 10**5000)},
        {"density": 0.0},
        {"density": 1.0},
        {"density": float("nan")},
        {"mines": 1, "density": 0.2},
        {"time_limit": 0},
    ],
)
def test_bad_arguments(wrong: dict[str, Any]) -> None:
    given = {"board": "2 3\n.1.\n.1.\n", **wrong}
    with pytest.raises(UsageError):
        analyse(**given)


@pytest.mark.parametrize(
    "density", ["1e-300", "1e-400", "0.999999999999999", 1 - Fraction(1, 10**30), f"1/{10**900}"]
)
def test_densities_near_the_edge(density: Fraction | str) -> None:
    """As `solve` takes them, and to the last digits: 1 - p has lost them where p is a float."""
    text = "4 6\n..2...\n....1.\n..2...\n......\n"
    found, expected = analyse(text, density=density), solve("counting", text, density=density)
    assert found is not None
    unknown = ~np.isnan(expected.value.probability)
    np.testing.assert_allclose(
        found.probability[unknown], expected.value.probability[unknown], rtol=1e-12, atol=5e-324
    )
    analyser = Analyser(4, 6, density=density)
    analyser.update(Position.parse(text).cells)
    assert analyser.analyse() is not None


def test_bad_clues() -> None:
    growing = Analyser(2, 3, 1)
    growing.reveal(0, 1, 1)
    growing.reveal(0, 1, 1)
    wrong: list[tuple[Any, Any, Any]] = [(0, 1, 2), (2, 0, 1), (-1, 0, 1), (0, 0, 9), (0, 0, UNKNOWN)]
    for row, col, clue in (*wrong, (0, 0, 1.5), (0.0, 0, 1), (0, None, 1), (0, 0, "1")):
        with pytest.raises(UsageError):
            growing.reveal(row, col, clue)
    shown = [[UNKNOWN, 1, UNKNOWN], [UNKNOWN] * 3]
    beyond_bytes = np.array(shown) + 256 * (np.array(shown) == 1)
    for cells in (np.full((2, 3), UNKNOWN), np.full((3, 2), UNKNOWN), np.full((2, 3), 9), beyond_bytes):
        with pytest.raises(UsageError):
            growing.update(cells)
    for other in (np.array(shown) + 0.7, [shown[0], [1]]):
        with pytest.raises(UsageError):
            growing.update(other)
    found = growing.analyse()
    assert found is not None
    assert found.count == 5


def test_memory_limit() -> None:
    with pytest.raises(LimitError):
        Analyser(1000, 1000, limits=Limits(memory=1 << 20))


def spaced(seed: int) -> tuple[Position, Position]:
    """Clues two cells apart, which have many states together; and the same with a few more."""
    rng = np.random.default_rng(seed)
    mines = rng.random((9, 13)) < 0.35
    mines[1::2, 1::2] = False
    counts = neighbour_counts(mines)
    shown = (rng.random(mines.shape) < 0.08) & ~mines
    first = np.full(mines.shape, UNKNOWN, np.int8)
    first[1::2, 1::2] = counts[1::2, 1::2]
    return Position(first), Position(np.where(shown, counts, first))


@pytest.mark.parametrize("seed", [10, 11])
def test_answers_after_one_that_was_broken_off(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it left in scratch is not taken for states of the next."""
    first, second = spaced(seed)
    expected = analyse(second)
    assert expected is not None
    for stop in range(1, 12):
        growing, looks = Analyser(*first.shape), iter(range(1, stop + 1))

        def check(*_: Any, looks: Iterator[int] = looks, stop: int = stop) -> None:
            if next(looks) == stop:
                raise LimitError("enough")

        growing.update(first.cells)
        with monkeypatch.context() as patch:
            patch.setattr(Limits, "check", check)
            with pytest.raises(LimitError):
                growing.analyse()
        growing.update(second.cells)
        found = growing.analyse()
        assert found is not None
        assert (found.probability == expected.probability).all()


@pytest.mark.skipif(not INDEX.exists(), reason="the collection is not here")
def test_counts_of_the_collection() -> None:
    checked = 0
    for line in INDEX.read_text().splitlines()[1:]:
        name, _, _, expected, *_ = line.split("\t")
        file = REAL / "consistency" / f"{name}.txt"
        if not file.exists():
            continue
        found = analyse(file)
        facts = dict(part.split("=", 1) for part in expected.split("; ") if "=" in part)
        assert (found is not None) == (facts["consistent"] == "yes"), name
        if found is not None and facts.get("solutions", "").isdecimal():
            checked += 1
            assert str(found.count) == facts["solutions"], name
            if "forced_safe" in facts:
                certain = (len(found.safe), len(found.mines))
                assert certain == (int(facts["forced_safe"]), int(facts["forced_mine"])), name
    assert checked > 50


def test_probabilities_are_near_the_exact_ratios() -> None:
    position = board(7, 16, 30, share=0.35, off=0)
    found, exact = analyse(position), infer(position, Limits())
    assert found is not None
    assert exact is not None
    for ratio, chance in zip(exact.ratios.ravel(), found.probability.ravel(), strict=True):
        if ratio is not None:
            assert abs(Fraction(float(chance)) - ratio) < TOLERANCE


@pytest.mark.parametrize("density", [Fraction(1, 5), "1/5", 0.2])
def test_a_density_is_any_kind_of_number(density: Any) -> None:
    found = analyse("1 4\n.1..\n", density=density)
    assert found is not None
    assert found.probability.tolist() == [[0.5, 0.0, 0.5, 0.2]]


def test_the_time_limit_is_for_an_analysis_and_all_that_is_asked_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not for each of them anew; time in which nothing is asked does not count."""
    analyser = Analyser(3, 8, mines=6, limits=Limits(10.0))
    for col in (1, 4, 7):
        analyser.reveal(1, col, 2)
    analysis = analyser.analyse()
    assert analysis is not None
    clock = iter(range(0, 10_000, 7))
    monkeypatch.setattr("cpmines.analysis.snapshot.time.monotonic", lambda: float(next(clock)))
    details = analysis.details
    for _ in range(2):
        with details.clock() as limits:
            pass
    assert details.spent[0] > 10
    with details.clock() as limits:
        assert limits.left() == 0.0


def test_a_store_that_grows_is_counted_against_memory() -> None:
    """Many components, one after the other: the store is doubled again and again."""
    analyser = Analyser(2, 3000, limits=Limits(memory=1 << 30))
    analyser.limits = Limits(memory=1 << 12)
    for col in range(0, 3000, 5):
        analyser.reveal(0, col, 1)
    with pytest.raises(LimitError, match="the store of the components needs"):
        analyser.analyse()
    analyser.limits = Limits()
    found, again = analyser.analyse(), Analyser(2, 3000)
    for col in range(0, 3000, 5):
        again.reveal(0, col, 1)
    afresh = again.analyse()
    assert found is not None
    assert afresh is not None
    assert np.array_equal(found.probability, afresh.probability)
    assert found.count == afresh.count
