"""Values of a circuit and their derivatives.

Node k is a leaf, or the sum over its pairs of products of two earlier nodes. A value is a polynomial in the
number of mines: its coefficients, from ``low[k]`` mines on, stand at ``offset[k]`` to ``offset[k + 1]``.
Where mines are not counted, every polynomial is a single number.

The nodes of table t are ``row_starts[t]`` to ``row_starts[t + 1]``; the first tables are those of the leaves.
"""

import cython
from cython.cimports.cpmines.kernels.arrays import (
    ConstInts,
    ConstLongs,
    ConstReals,
    Ints,
    Keys,
    Longs,
    Reals,
    int64,
    uint64,
)
from cython.cimports.cpmines.kernels.pulse import Pulse, beat
from cython.cimports.cpmines.kernels.structure import Structure
from cython.cimports.libc.math import floor, ldexp, log2

__all__ = [
    "Nodes",
    "descend",
    "differentiate",
    "differentiate_modulo",
    "evaluate",
    "evaluate_modulo",
    "ranges",
]

LARGE = cython.declare(cython.double, 2.0**100)
SMALL = cython.declare(cython.double, 2.0**-100)


class Nodes(Structure):
    """A circuit, and how its values are stored.

    Attributes
    ----------
    row_starts, parents, pair_starts, left, right
        As in `cpmines.inference.circuit.Circuit`.
    low, offset
        As in `cpmines.inference.valuation.Valuation`.
    """


def ranges(
    leaves: int64,
    pair_starts: ConstLongs,
    left: ConstInts,
    right: ConstInts,
    low: Longs,
    high: Longs,
    pulse: Pulse,
) -> None:
    """Set the fewest and the most mines of each node that is not among the first, the `leaves`."""
    fewest: int64
    most: int64
    node: int64
    k: int64
    with cython.nogil:
        for node in range(leaves, len(low)):
            beat(pulse)
            fewest, most = cython.cast(int64, 1) << 62, -1  # beyond all that there can be
            for k in range(pair_starts[node], pair_starts[node + 1]):
                fewest = min(fewest, low[left[k]] + low[right[k]])
                most = max(most, high[left[k]] + high[right[k]])
            low[node], high[node] = fewest, most


def evaluate(
    nodes: Nodes,
    first: int64,
    last: int64,
    values: Reals,
    exponents: Longs,
    clip: cython.bint,
    pulse: Pulse,
) -> float:
    """Set the values of the tables from `first` to `last`, from those before.

    The values of a table are to be multiplied by 2 to the power of its entry in `exponents`, which are 0
    before. With `clip`, everything above 0 becomes 1: what is possible.

    Each row of a joined table is a sum of products of one row of either table, so a factor of a whole table
    is a factor of the whole table above it: values are compared within a table only, and a power of 2 loses
    no bit. Tables come before those they are joined to, so an exponent is complete when its turn comes. All
    terms are positive: a sum never cancels.

    Returns
    -------
    float
        The least that the largest value of a table was before it was scaled.
    """
    row_starts = nodes.row_starts
    parents = nodes.parents
    pair_starts = nodes.pair_starts
    left = nodes.left
    right = nodes.right
    low = nodes.low
    offset = nodes.offset
    least: cython.double = 1.0
    largest: cython.double
    x: cython.double
    power: int64
    table: int64
    top: int64
    bottom: int64
    node: int64
    start: int64
    a: int64
    b: int64
    begin: int64
    here: int64
    shift: int64
    i: int64
    j: int64
    k: int64
    with cython.nogil:
        for table in range(first, last):
            top, bottom = row_starts[table], row_starts[table + 1]
            largest = 0.0
            for node in range(top, bottom):
                start = offset[node]
                for i in range(start, offset[node + 1]):
                    values[i] = 0.0
                # Entries i and j stand for low[a] + i - offset[a] and low[b] + j - offset[b] mines; their
                # product for the sum of both, which is entry shift + j of the node.
                for k in range(pair_starts[node], pair_starts[node + 1]):
                    beat(pulse)
                    a, b = left[k], right[k]
                    here = start + low[a] + low[b] - low[node]
                    begin = offset[a]
                    for i in range(begin, offset[a + 1]):
                        if i > begin:
                            beat(pulse)
                        x = values[i]
                        shift = here + i - offset[a] - offset[b]
                        for j in range(offset[b], offset[b + 1]):
                            values[shift + j] += x * values[j]
                for i in range(start, offset[node + 1]):
                    if clip and values[i] > 0.0:
                        values[i] = 1.0
                    largest = max(largest, values[i])
            least = min(least, largest)
            # What stays within these bounds can be multiplied once more, and summed, and is in range.
            if largest > LARGE or 0.0 < largest < SMALL:
                power = cython.cast(int64, floor(log2(largest)))
                exponents[table] += power
                for i in range(offset[top], offset[bottom]):
                    values[i] *= ldexp(1.0, -power)
            if parents[table] >= 0:
                exponents[parents[table]] += exponents[table]
    return least


def differentiate(
    nodes: Nodes,
    first: int64,
    last: int64,
    values: ConstReals,
    slopes: Reals,
    clip: cython.bint,
    pulse: Pulse,
) -> float:
    """Add to `slopes` what the tables from `first` to `last`, the last one first, hand on to earlier ones.

    The reverse pass of differentiation (Darwiche, 2003): for a term v[a] v[b] of a node with slope s, a gets
    s v[b] and b gets s v[a]. A table is joined to one other alone, so its slopes are complete when its turn
    comes, and may be scaled then: the derivatives within one table have a common unknown power of 2.

    Returns
    -------
    float
        As `evaluate`, of derivatives.
    """
    row_starts = nodes.row_starts
    pair_starts = nodes.pair_starts
    left = nodes.left
    right = nodes.right
    low = nodes.low
    offset = nodes.offset
    least: cython.double = 1.0
    largest: cython.double
    total: cython.double
    slope: cython.double
    power: int64
    table: int64
    top: int64
    bottom: int64
    node: int64
    start: int64
    a: int64
    b: int64
    begin: int64
    here: int64
    shift: int64
    i: int64
    j: int64
    k: int64
    with cython.nogil:
        for table in range(last - 1, first - 1, -1):
            top, bottom = row_starts[table], row_starts[table + 1]
            largest = 0.0
            for i in range(offset[top], offset[bottom]):
                if clip and slopes[i] > 0.0:
                    slopes[i] = 1.0
                largest = max(largest, slopes[i])
            least = min(least, largest)
            if largest > LARGE or 0.0 < largest < SMALL:
                power = cython.cast(int64, floor(log2(largest)))
                for i in range(offset[top], offset[bottom]):
                    slopes[i] *= ldexp(1.0, -power)
            for node in range(top, bottom):
                start = offset[node]
                for k in range(pair_starts[node], pair_starts[node + 1]):
                    beat(pulse)
                    a, b = left[k], right[k]
                    here = start + low[a] + low[b] - low[node]
                    begin = offset[a]
                    for i in range(begin, offset[a + 1]):
                        if i > begin:
                            beat(pulse)
                        shift = here + i - offset[a] - offset[b]  # as in `evaluate`
                        total = 0.0
                        for j in range(offset[b], offset[b + 1]):
                            slope = slopes[shift + j]
                            slopes[j] += slope * values[i]
                            total += slope * values[j]
                        slopes[i] += total
    return least


def evaluate_modulo(
    nodes: Nodes, first: int64, last: int64, values: Keys, modulus: uint64, pulse: Pulse
) -> None:
    """As `evaluate`, modulo a number below 2^31, or modulo 2^64 if it is 0; exact, without factors.

    Products of residues are below 2^62, and residues of them are added: 2^33 fit before a number is reduced,
    far more than a coefficient has terms. Modulo 2^64, the overflow of unsigned numbers is what is wanted.
    """
    row_starts = nodes.row_starts
    pair_starts = nodes.pair_starts
    left = nodes.left
    right = nodes.right
    low = nodes.low
    offset = nodes.offset
    x: uint64
    product: uint64
    node: int64
    start: int64
    a: int64
    b: int64
    begin: int64
    here: int64
    shift: int64
    i: int64
    j: int64
    k: int64
    with cython.nogil:
        for node in range(row_starts[first], row_starts[last]):
            start = offset[node]
            for i in range(start, offset[node + 1]):
                values[i] = 0
            for k in range(pair_starts[node], pair_starts[node + 1]):
                beat(pulse)
                a, b = left[k], right[k]
                here = start + low[a] + low[b] - low[node]
                begin = offset[a]
                for i in range(begin, offset[a + 1]):
                    if i > begin:
                        beat(pulse)
                    x = values[i]
                    shift = here + i - offset[a] - offset[b]
                    for j in range(offset[b], offset[b + 1]):
                        product = x * values[j]
                        values[shift + j] += product % modulus if modulus else product
            if modulus:
                for i in range(start, offset[node + 1]):
                    values[i] %= modulus


def differentiate_modulo(
    nodes: Nodes, first: int64, last: int64, values: Keys, slopes: Keys, modulus: uint64, pulse: Pulse
) -> None:
    """As `differentiate`, modulo a number as in `evaluate_modulo`; slopes of leaves may exceed it.

    A slope is reduced when its node's turn comes, and all that is added to it has been; leaves have no turn.
    """
    row_starts = nodes.row_starts
    pair_starts = nodes.pair_starts
    left = nodes.left
    right = nodes.right
    low = nodes.low
    offset = nodes.offset
    x: uint64
    total: uint64
    slope: uint64
    node: int64
    start: int64
    a: int64
    b: int64
    begin: int64
    here: int64
    shift: int64
    i: int64
    j: int64
    k: int64
    with cython.nogil:
        for node in range(row_starts[last] - 1, row_starts[first] - 1, -1):
            start = offset[node]
            if modulus:
                for i in range(start, offset[node + 1]):
                    slopes[i] %= modulus
            for k in range(pair_starts[node], pair_starts[node + 1]):
                beat(pulse)
                a, b = left[k], right[k]
                here = start + low[a] + low[b] - low[node]
                begin = offset[a]
                for i in range(begin, offset[a + 1]):
                    if i > begin:
                        beat(pulse)
                    x, total = values[i], 0
                    shift = here + i - offset[a] - offset[b]
                    for j in range(offset[b], offset[b + 1]):
                        slope = slopes[shift + j]
                        if modulus:
                            slopes[j] += slope * x % modulus
                            total += slope * values[j] % modulus
                        else:
                            slopes[j] += slope * x
                            total += slope * values[j]
                    slopes[i] += total % modulus if modulus else total


def descend(
    nodes: Nodes,
    first: int64,
    tables: ConstInts,
    values: ConstReals,
    draws: ConstReals,
    chosen: Ints,
    powers: Longs,
    pulse: Pulse,
) -> None:
    """From a node and a power for each root, choose them for all tables down to the leaves.

    A solution with `power` mines of a node is one of each part of one of its pairs, with mines that add up:
    the shares of the pairs are the terms of the coefficient that `evaluate` has summed.

    Parameters
    ----------
    tables
        int32 (nodes,): the table of each node.
    draws
        float64 (tables,), from 0 to below 1: the choice for a table is where this share of all that there
        is, by value, is passed. 0 takes the first possibility. Where `evaluate` has scaled a table, its entry
        is multiplied by the inverse factor, as the products of its pairs are not scaled.
    chosen, powers
        int32, int64 (tables,): node chosen, and the number of mines in it; set for all tables but the roots.
    """
    pair_starts = nodes.pair_starts
    left = nodes.left
    right = nodes.right
    low = nodes.low
    offset = nodes.offset
    wanted: cython.double
    passed: cython.double
    share: cython.double
    power: int64
    rest: int64
    table: int64
    node: int64
    a: int64
    b: int64
    begin: int64
    i: int64
    k: int64
    with cython.nogil:
        for table in range(len(chosen) - 1, first - 1, -1):
            node, power = chosen[table], powers[table]
            wanted = draws[table] * values[offset[node] + power - low[node]]
            passed = 0.0
            for k in range(pair_starts[node], pair_starts[node + 1]):
                beat(pulse)
                a, b = left[k], right[k]
                begin = offset[a]
                for i in range(begin, offset[a + 1]):
                    if i > begin:
                        beat(pulse)
                    rest = power - low[a] - (i - offset[a]) - low[b]
                    if rest < 0 or rest >= offset[b + 1] - offset[b]:
                        continue
                    share = values[i] * values[offset[b] + rest]
                    # The last share that is not 0 stands if rounding leaves `wanted` at the sum of all.
                    if share > 0.0 and passed <= wanted:
                        chosen[tables[a]], powers[tables[a]] = a, low[a] + i - offset[a]
                        chosen[tables[b]], powers[tables[b]] = b, low[b] + rest
                    passed += share
                    if passed > wanted:
                        break
                if passed > wanted:
                    break
