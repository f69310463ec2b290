"""Encodings by name: the shipped ones, and those of other distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from cpmines.answer import Limits
from cpmines.conformance import Effort
from cpmines.conformance.engine import finds_all
from cpmines.engines import sat
from cpmines.errors import UsageError
from cpmines.translate import Encoding, encodings, templates


class Point:
    """What `importlib.metadata` finds for a line of ``entry_points.txt``."""

    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value, self.found = name, f"mine:{name}", value

    def load(self) -> Any:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    def put(**found: Any) -> None:
        points = [Point(name, value) for name, value in found.items()]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
        forget()

    def forget() -> None:
        encodings._foreign.cache_clear()
        encodings.known.cache_clear()
        templates._kept.cache_clear()

    yield put
    forget()


def subsets(literals: Any, bound: int, top: int) -> list[list[int]]:
    """As `binomial`, each clause behind a variable of its own that is true."""
    clauses = [[-literal for literal in subset] for subset in combinations(literals, bound + 1)]
    extra = range(top + 1, top + 1 + len(clauses))
    return [part for x, clause in zip(extra, clauses, strict=True) for part in ([*clause, -x], [x])]


def test_an_encoding_of_another_distribution(plant: Callable[..., None]) -> None:
    plant(mine=Encoding(subsets))
    assert encodings.encoding_names()[0] == encodings.DEFAULT_ENCODING
    assert encodings.encoding_names()[-1] == "mine"
    engine = sat.ENGINE.configure(["glucose4", "mine"])
    assert engine.encoding == "mine"
    assert finds_all(engine, Effort(40)).passed


def test_a_wrong_encoding_is_found(plant: Callable[..., None]) -> None:
    plant(mine=Encoding(lambda literals, bound, top: subsets(literals, bound + 1, top)))
    assert not finds_all(sat.ENGINE.configure(["mine"]), Effort(40)).passed


def test_names_are_not_taken_over(plant: Callable[..., None]) -> None:
    plant(totalizer=Encoding(subsets))
    with pytest.warns(UserWarning, match="mine:totalizer is not used: there is an encoding totalizer"):
        assert encodings.encoding_names() == list(encodings.SHIPPED)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (3, "encoding mine is int, expected"),
        (ImportError("no luck"), "encoding mine can't be loaded: no luck"),
    ],
)
def test_what_is_no_encoding_is_said(plant: Callable[..., None], found: Any, message: str) -> None:
    plant(mine=found)
    with pytest.raises(UsageError, match=message):
        encodings.at_most([1, 2, 3, 4], 2, 4, "mine", Limits())
    with pytest.raises(UsageError, match="no encoding named 'yours'; there are: binomial, pairwise"):
        encodings.at_most([1, 2, 3, 4], 2, 4, "yours", Limits())


@pytest.mark.parametrize("name", list(encodings.SHIPPED))
@pytest.mark.parametrize(("length", "bound"), [(1, 0), (4, 3), (5, 1), (5, 2), (6, 3)])
def test_at_most(name: str, length: int, bound: int) -> None:
    """Each assignment can be extended if and only if it has few enough true literals."""
    literals = [-v if v % 2 else v for v in range(1, length + 1)]
    clauses, top = encodings.at_most(literals, bound, length + 2, name, Limits())
    assert top >= length + 2
    from pysat.solvers import Solver

    with Solver("cadical195", clauses) as solver:
        for values in product([False, True], repeat=length):
            assumed = [v if true else -v for v, true in enumerate(values, 1)]
            true = np.count_nonzero([values[abs(x) - 1] == (x > 0) for x in literals])
            assert solver.solve(assumptions=assumed) == (true <= bound)
