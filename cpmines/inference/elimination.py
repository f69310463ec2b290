"""From a reduced network to its circuit: sums are eliminated along an order that promises small tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Limits, Stop
from cpmines.errors import LimitError
from cpmines.inference.circuit import Circuit
from cpmines.inference.reduction import Reduced

if TYPE_CHECKING:
    from cpmines.inference.kernels.keys import Builder
    from cpmines.inference.kernels.order import Planner

__all__ = ["compile_circuit", "width"]

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Terms = tuple[Ints, Ints, Ints, Ints]

SLICE = 4_000_000
"""Pairs made between two looks at the clock: a part of a second."""
ATTEMPTS = 16
"""Times that an order of elimination is tried."""
AT_RANDOM = 3
"""Attempts with orders as they come; later ones take, in turns, as many that promise the least of many."""
PLANS = 100
PLANNED = 100_000
"""Orders that are planned to choose from: so many, or with so many variables in all of them."""
FIRST_WORK = 1 << 18
WORK_PER_VARIABLE = 64
"""Pairs of rows that the first may make; twice as many for each that follows."""
IMPOSSIBLE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""`NOTHING` of `kernels.keys`: the key of a row that breaks a sum."""
KEY_BITS = 64
"""A sum takes at least one bit of a key: a table with more of them in its scope can't be built."""
ANY_WIDTH = 1 << 62
TOO_WIDE = "a table of the elimination has too many sums in its scope"
COPIED = 1 << 20
"""Entries copied to a larger array between two looks at the clock: some thousandths of a second."""
BYTES_PER_PAIR = 24
BYTES_PER_TERM = 60


def compile_circuit(reduced: Reduced, limits: Limits, attempts: int = ATTEMPTS) -> Circuit | None:
    """The circuit of a reduced network; None if it has no solution.

    Parameters
    ----------
    attempts
        How often to try an order of elimination; the work that it may take doubles each time.

    Raises
    ------
    LimitError
        Time or memory run out, or a table has more sums in its scope than a key can hold.
    """
    limits.require(len(reduced.sums) * BYTES_PER_TERM, "the plan of elimination")
    work = max(FIRST_WORK, WORK_PER_VARIABLE * len(reduced.sizes))
    for attempt, order in enumerate(islice(_orders(reduced, limits), attempts)):
        try:
            builder = _attempt(reduced, order, work << attempt, limits)
        except LimitError as limit:
            if limit.stop == Stop.TIME_LIMIT or attempt == attempts - 1:
                raise
        else:
            return None if builder is None else _circuit(reduced, builder)
    raise AssertionError("the last attempt returns or raises")


def _orders(reduced: Reduced, limits: Limits) -> Iterator[int]:
    """Seeds of orders of elimination, without end."""
    yield from range(AT_RANDOM)
    plans = min(PLANS, max(AT_RANDOM, PLANNED // (1 + len(reduced.sizes))))
    best = sorted(range(plans), key=lambda order: width(reduced, limits, order)[0])[:AT_RANDOM]
    yield from cycle(best)


def _attempt(reduced: Reduced, order: int, end: int, limits: Limits) -> Builder | None:
    """Eliminate in an order, with up to `end` pairs of rows: another order may need far less."""
    from cpmines.inference.kernels import tables as kernels
    from cpmines.inference.kernels.keys import WORK
    from cpmines.kernels.pulse import Pulse

    limits.check()
    planned, builder = _start(reduced, order, limits)
    joins, pulse = kernels.Joins(), Pulse(limits.check)
    while (outcome := kernels.build(builder, joins, min(SLICE, end), pulse)) != kernels.DONE:
        limits.check()
        if outcome == kernels.EMPTY:
            return None
        if outcome == kernels.WIDE:
            raise LimitError(Stop.MEMORY_LIMIT, TOO_WIDE)
        if outcome == kernels.FULL:
            _enlarge(builder, limits)
        if builder.counters[WORK] > end:
            raise LimitError(Stop.MEMORY_LIMIT, f"elimination needs more than {end} pairs of rows")
    if not planned:
        raise LimitError(Stop.MEMORY_LIMIT, TOO_WIDE)
    starts = np.asarray(builder.row_starts)[: len(reduced.sizes)]
    if len(starts) and not np.logical_or.reduceat(_possible(reduced, builder), starts).all():
        return None
    return builder


def _possible(reduced: Reduced, builder: Builder) -> NDArray[np.bool_]:
    keys = np.asarray(builder.keys)
    possible: NDArray[np.bool_] = keys[: builder.row_starts[len(reduced.sizes)]] != IMPOSSIBLE
    return possible


def _circuit(reduced: Reduced, builder: Builder) -> Circuit:
    """The circuit, in arrays of its own size."""
    from cpmines.inference.kernels import keys as kernels

    tables, rows, pairs = (int(builder.counters[k]) for k in (kernels.TABLES, kernels.ROWS, kernels.PAIRS))
    return Circuit(
        reduced,
        np.array(builder.row_starts[: tables + 1]),
        np.array(builder.parents[:tables]),
        np.array(builder.pair_starts[: rows + 1]),
        np.array(builder.left[:pairs]),
        np.array(builder.right[:pairs]),
        _possible(reduced, builder),
    )


def _start(reduced: Reduced, order: int, limits: Limits) -> tuple[bool, Builder]:
    """The tables of the variables, and the planned eliminations; first, whether all are planned.

    If not, the last of them makes a table that a key is too short for: other tables may show before that that
    there is no solution.
    """
    from cpmines.inference.kernels import keys, tables
    from cpmines.inference.kernels.order import FILLED, HEAP, STEPS

    terms = _terms(reduced)
    most = terms[-1]
    planner = _plan(reduced, terms, order, limits, KEY_BITS)
    steps, filled = int(planner.counters[STEPS]), int(planner.counters[FILLED])
    variables, leaves = len(reduced.sizes), int(reduced.sizes.sum(dtype=np.int64)) + len(reduced.sizes)
    room, tables_made = max(1 << 10, 4 * leaves), 2 * variables + 1
    limits.require(BYTES_PER_PAIR * room, "the elimination")
    bits = np.frexp(reduced.need.astype(np.float64))[1] + 1
    names = np.arange(variables + steps, dtype=np.int32)
    builder = keys.Builder(
        need=reduced.need,
        most=most,
        bits=bits.astype(np.int32),
        live=np.zeros(len(most), np.int32),
        bucket_starts=planner.bucket_starts[: steps + 1],
        bucket_tables=planner.bucket_tables[:filled],
        names=names,
        row_starts=np.zeros(tables_made, np.int64),
        scope_starts=np.zeros(tables_made, np.int64),
        parents=np.full(tables_made, -1, np.int32),
        scope=np.empty(4 * len(reduced.sums) + 64, np.int32),
        absorbed=np.empty(4 * len(reduced.sums) + 64, np.int32),
        keys=np.empty(room, np.uint64),
        pair_starts=np.empty(room, np.int64),
        left=np.empty(room, np.int32),
        right=np.empty(room, np.int32),
        counters=np.zeros(keys.COUNTERS, np.int64),
    )
    tables.begin(builder, reduced.starts, reduced.sums, reduced.coefficients, reduced.sizes)
    return int(planner.counters[HEAP]) == 0, builder


def width(reduced: Reduced, limits: Limits, order: int = 0) -> tuple[float, Ints]:
    """What an order of elimination promises: binary logarithm of all rows, and the widest scope.

    The scope is that of the largest table: sums of `reduced`, int32. Raises `LimitError`.

    Parameters
    ----------
    order
        0 for the order by promise alone, any other seed for one with some luck in it.
    """
    from cpmines.inference.kernels.order import STEPS

    planner = _plan(reduced, _terms(reduced), order, limits)
    tables = len(reduced.sizes) + int(planner.counters[STEPS])
    if not tables:
        return -np.inf, np.empty(0, np.int32)
    sizes = np.asarray(planner.sizes)[:tables]
    widest = int(np.argmax(sizes))
    scope = planner.scope[planner.scope_starts[widest] : planner.scope_starts[widest + 1]]
    return float(np.logaddexp2.reduce(sizes)), np.array(scope)


def _terms(reduced: Reduced) -> Terms:
    """Variable, sum and most of each term that is not alone in its sum; the most of each sum."""
    owners = np.repeat(np.arange(len(reduced.sizes), dtype=np.int32), np.diff(reduced.starts))
    weights = np.abs(reduced.coefficients) * reduced.sizes[owners]
    most = np.bincount(reduced.sums, weights, len(reduced.need)).astype(np.int32)
    several = weights != most[reduced.sums]
    return owners[several], reduced.sums[several], weights[several], most


def _plan(reduced: Reduced, terms: Terms, order: int, limits: Limits, widest: int = ANY_WIDTH) -> Planner:
    """An order of elimination, which ends with the first table that has more than `widest` sums in its scope.

    Raises `LimitError`.
    """
    from cpmines.inference.kernels import order as kernels
    from cpmines.kernels.pulse import Pulse

    owners, sums, weights, most = terms
    rows = len(most)
    luck = np.ones(rows) if order == 0 else np.random.default_rng(order).uniform(0.5, 1.5, rows)
    planner = _planner(reduced, owners, sums, weights, most, luck, float(order % 2 == 0), limits)
    pulse = Pulse(limits.check)
    kernels.begin(planner, pulse)
    while kernels.plan(planner, widest, pulse) == kernels.CRAMPED:
        planner.scope, planner.absorbed = (
            _doubled(np.asarray(planner.scope), limits),
            _doubled(np.asarray(planner.absorbed), limits),
        )
    return planner


def _planner(
    reduced: Reduced,
    owners: Ints,
    sums: Ints,
    weights: Ints,
    most: Ints,
    luck: NDArray[np.float64],
    thrift: float,
    limits: Limits,
) -> Planner:
    """The arrays of a plan; see `cpmines.inference.kernels.order.Planner`."""
    from cpmines.inference.kernels import order as kernels

    rows, variables, terms = len(most), len(reduced.sizes), len(sums)
    lengths, scopes = np.bincount(sums, minlength=rows), np.bincount(owners, minlength=variables + rows)
    room, heap = 4 * terms + 64, 4 * rows + 64
    return kernels.Planner(
        need=reduced.need,
        most=most,
        sum_starts=_starts(lengths),
        sum_lengths=lengths.astype(np.int32),
        sum_tables=owners[np.argsort(sums, kind="stable")],
        scope_starts=_starts(scopes),
        scope=_resized(sums, room, limits),
        absorbed=_resized(weights.astype(np.int32), room, limits),
        sizes=np.append(np.log2(reduced.sizes + 1.0), np.zeros(rows)),
        luck=luck,
        thrift=thrift,
        scores=np.empty(rows),
        heap_scores=np.empty(heap),
        heap_sums=np.empty(heap, np.int32),
        seen=np.full(rows, -1, np.int64),
        taken=np.empty(rows, np.int32),
        found=np.empty(rows, np.int32),
        touched=np.empty(rows, np.int32),
        bucket_starts=np.zeros(rows + 1, np.int64),
        bucket_tables=np.empty(terms + rows, np.int32),
        counters=np.zeros(kernels.COUNTERS, np.int64),
    )


def _starts(lengths: NDArray[np.int64]) -> Longs:
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def _enlarge(builder: Builder, limits: Limits) -> None:
    """Room for the join that found an array full."""
    from cpmines.inference.kernels import keys as kernels

    wanted = int(builder.counters[kernels.WANTED])
    rows = max(2 * len(builder.keys), int(builder.counters[kernels.ROWS]) + wanted + 1)
    pairs = max(2 * len(builder.left), int(builder.counters[kernels.PAIRS]) + wanted)
    limits.require(BYTES_PER_PAIR * max(rows, pairs), "the elimination")
    scopes = 2 * len(builder.scope)
    for names, size in (
        (("scope", "absorbed"), scopes),
        (("keys", "pair_starts"), rows),
        (("left", "right"), pairs),
    ):
        for name in names:
            setattr(builder, name, _resized(np.asarray(getattr(builder, name)), size, limits))


A = TypeVar("A", bound=np.generic)


def _resized(array: NDArray[A], size: int, limits: Limits) -> NDArray[A]:
    larger = np.empty(size, array.dtype)
    for start in range(0, len(array), COPIED):
        limits.check()
        part = array[start : start + COPIED]
        larger[start : start + len(part)] = part
    return larger


def _doubled(array: NDArray[A], limits: Limits) -> NDArray[A]:
    return _resized(array, 2 * len(array), limits)
