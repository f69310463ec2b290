"""Long rows: their clauses are made by another process, the same ones, and under the limits."""

from __future__ import annotations

import time
from math import comb

import numpy as np
import pytest

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError, UsageError
from cpmines.model import Model
from cpmines.translate import encode, encodings, templates
from cpmines.translate.apart import made_apart

from ..patience import PATIENCE


def long_row(length: int, mines: int) -> Model:
    model = Model()
    model.between(model.variables(length), mines, mines)
    return model


@pytest.mark.parametrize("enforced", [False, True])
@pytest.mark.parametrize("encoding", ["binomial", "seqcounter", "pairwise"])
def test_another_process_makes_the_same_clauses(encoding: str, enforced: bool) -> None:
    shape = (40, 1, 7, enforced)
    here, there = templates.made(shape, encoding, Limits()), made_apart(shape, encoding, Limits())
    assert here.auxiliary == there.auxiliary
    for ours, theirs in zip(here.blocks, there.blocks, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_limit_ends_a_long_row() -> None:
    """Of 40,000 literals, 200 x 200 with a total: 15 s and more."""
    start = time.monotonic()
    with pytest.raises(LimitError) as ended:
        encode(long_row(20_000, 4_000), "binomial", Limits(0.1).begin())
    assert ended.value.stop == Stop.TIME_LIMIT
    assert "a row of 20000 literals" in str(ended.value)
    assert time.monotonic() - start < PATIENCE


@pytest.mark.parametrize(("length", "memory"), [(2_000, 200 << 20), (2_000, 1 << 20)])
def test_a_limit_of_memory_ends_a_long_row(length: int, memory: int) -> None:
    with pytest.raises(LimitError) as ended:
        encode(long_row(length, length // 2), "seqcounter", Limits(memory=memory))
    assert ended.value.stop == Stop.MEMORY_LIMIT


def test_an_unknown_encoding_of_a_long_row() -> None:
    with pytest.raises(UsageError, match="no encoding named 'nope'"):
        encode(long_row(1_000, 3), "nope", Limits())


def test_few_subsets() -> None:
    for length in range(2, 40):
        for size in range(1, length):
            few = comb(length, size) <= encodings.LARGEST_BINOMIAL
            assert encodings._few_subsets(length, size) is few, (length, size)


def test_clauses_keep_their_order_by_width() -> None:
    blocks = templates._by_width([[1, 2], [3], [-4, 5], [-6]])
    assert [block.tolist() for block in blocks] == [[[3], [-6]], [[1, 2], [-4, 5]]]
    assert templates._by_width([]) == ()


def test_a_formula_is_made_under_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each shape, and of each piece of many rows of one."""
    model = Model()
    for length in (3, 4, 5):
        for _ in range(20):
            model.between(model.variables(length), 1, 1)
    encode(model, "binomial", Limits())
    monkeypatch.setattr("cpmines.translate.clauses.CHUNK", 1)
    looks: list[float | None] = []
    monkeypatch.setattr(Limits, "check", lambda self, done=None: looks.append(done))
    encode(model, "binomial", Limits())
    assert len(looks) == 3 + 3 * 20
