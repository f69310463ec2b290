"""Deduction: the exact backends on the shipped boards, and direct on random boards that grow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import Case
from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.files import instance_files, read, shipped
from cpmines.positions import generate as positions
from cpmines.run import run, warm_up

__all__ = ["cases"]

BACKENDS = ("direct", "cpsat", "sat")


def deduce(boards: list[Position], backend: str) -> list[list[str] | None]:
    found = (run("deduction", position, backend, Limits()) for position in boards)
    return [None if done.value is None else done.value.rows() for done in found]


def equal(first: Any, second: Any) -> bool:
    return bool(first == second)


def cases(scale: float) -> Iterator[Case]:
    for backend in BACKENDS:
        warm_up("deduction", backend)
    boards = [Position.parse(read(file), str(file)) for file in instance_files(shipped() / "deduction")]
    boards = boards[:: max(1, round(1 / scale))]
    rivals = {backend: partial(deduce, boards, backend) for backend in BACKENDS}
    yield Case(f"shipped instances, {len(boards)} boards", rivals, equal)
    rng = np.random.default_rng(1)
    for share in (0.3, 0.4, 0.5, 0.6):
        side = max(20, int(1000 * scale**0.5))
        position = positions.revealed(rng, side, side, share=share)
        name = f"random {side} x {side}, {share:.0%} shown"
        yield Case(name, {"direct": partial(deduce, [position], "direct")}, units=side * side)
