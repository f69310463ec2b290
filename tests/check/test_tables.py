"""The most mines: tables of bounds, theorems, against trying everything."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.certificate.tables import bounds_file
from cpmines.check.tables import check_tables
from cpmines.check.verdict import Rejected
from cpmines.problems.maxmines.placing import Placing
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.problems.maxmines.rules import theorem
from cpmines.problems.reconstruction.rules import is_unique
from cpmines.run import run

SIZES = [(rows, cols) for rows in range(1, 5) for cols in range(1, 8) if rows * cols <= 12]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_tables_and_theorems_agree_with_trying_everything(size: tuple[int, int]) -> None:
    for around in range(1, 9):
        best = run("maxmines", Rectangle(*size, around), "brute", Limits()).value
        assert best is not None
        frontier = Placing.of(*size, around)
        data, most = bounds_file(frontier, Limits())
        assert most == best.mines
        said = check_tables(frontier, data, most)
        assert said.endswith(f"at most {most} mine{'s' * (most != 1)}")
        with pytest.raises(Rejected, match=r"at most \d+ mines?, claimed"):
            check_tables(frontier, data, most - 1)
        assert theorem(*size, around).bound >= best.mines
        if around == 8:
            assert theorem(*size, around).bound == best.mines


@pytest.mark.parametrize("around", [3, 4])
def test_a_wider_board_agrees_with_the_solver(around: int) -> None:
    best = run("maxmines", Rectangle(7, 6, around), "direct", Limits()).value
    assert best is not None
    assert bounds_file(Placing.of(7, 6, around), Limits())[1] == best.mines


def packed(tables: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **tables)
    return file.getvalue()


def test_every_bound_is_needed() -> None:
    """Each bound that is lowered by one makes the tables wrong, and is found."""
    frontier = Placing.of(3, 4, 2)
    data, most = bounds_file(frontier, Limits())
    tables = dict(np.load(io.BytesIO(data)))
    changed = 0
    for name, bounds in tables.items():
        for index in np.flatnonzero(bounds):
            if name == "before_0":
                continue
            lowered = bounds.copy()
            lowered[index] -= 1
            with pytest.raises(Rejected, match="is too small"):
                check_tables(frontier, packed({**tables, name: lowered}), most)
            changed += 1
    assert changed > 100


def test_damaged_tables_are_rejected() -> None:
    frontier = Placing.of(3, 4, 2)
    data, most = bounds_file(frontier, Limits())
    tables = dict(np.load(io.BytesIO(data)))
    short = {name: table for name, table in tables.items() if name != "before_5"}
    wrong = [
        b"",
        b"PK",
        data[:200],
        data[:-1],
        packed(short),
        packed({**tables, "before_3": tables["before_4"]}),
    ]
    wrong.append(packed({**tables, "before_3": tables["before_3"].astype(np.int32)}))
    wrong.append(packed({**tables, "before_3": tables["before_3"].astype(object)}))
    for other in wrong:
        with pytest.raises(Rejected, match=r"bounds\.npz"):
            check_tables(frontier, other, most)
    with pytest.raises(Rejected, match=r"bounds\.npz"):
        check_tables(Placing.of(3, 4, 3), data, most)


def test_unique_tables() -> None:
    """The matrix of ones on three diagonals is regular but for lengths 2 (mod 3)."""
    for rows in range(1, 10):
        band = np.tri(rows, rows, 1) - np.tri(rows, rows, -2)
        assert is_unique(rows, 1) == (abs(np.linalg.det(band)) > 0.5)
        assert is_unique(1, rows) == is_unique(rows, 1)
