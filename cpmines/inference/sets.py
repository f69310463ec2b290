"""Sets of small non-negative integers as the bits of one integer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["allowed", "between", "bits", "descend", "differences", "of", "split", "sumset", "tree"]

T = TypeVar("T")


def of(present: Sequence[float]) -> int:
    """The indices at which `present` is not 0."""
    return sum(1 << k for k, x in enumerate(present) if x)


def between(first: int, last: int) -> int:
    """The numbers from `first` to `last`, those below 0 left out."""
    return (1 << last + 1) - (1 << max(first, 0)) if last >= max(first, 0) else 0


def bits(number: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def runs(number: int) -> Iterator[tuple[int, int]]:
    """The members of a set as runs: first member and length."""
    start = 0
    while number:
        gap = (number & -number).bit_length() - 1
        number >>= gap
        length = (~number & number + 1).bit_length() - 1
        yield start + gap, length
        number >>= length
        start += gap + length


def sumset(a: int, b: int) -> int:
    """All sums of a number in `a` and one in `b`."""
    total = 0
    for start, length in runs(b):
        total |= widen(a, length) << start
    return total


def differences(a: int, b: int) -> int:
    """All non-negative differences of a number in `a` and one in `b`."""
    total = 0
    for start, length in runs(b):
        wide = widen(a, length)
        shift = start + length - 1
        total |= wide >> shift
    return total


def widen(a: int, length: int) -> int:
    """The union of `a` shifted up by 0 to length - 1."""
    done = 1
    while done < length:
        step = min(done, length - done)
        a |= a << step
        done += step
    return a


def tree(parts: Sequence[int]) -> list[list[int]]:
    """The sets, the sumsets of two neighbours, and so on up to that of all."""
    levels = [list(parts) or [1]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        above = [sumset(a, b) for a, b in zip(below[::2], below[1::2], strict=False)]
        levels.append(above + below[2 * len(above) :])
    return levels


def allowed(levels: list[list[int]], wanted: int) -> list[int]:
    """The members of each set that, with one of each other set, have a sum in `wanted`; from a `tree`."""
    current = [wanted]
    for level in reversed(levels[:-1]):
        pairs = [(current[k // 2], level[k ^ 1] if k ^ 1 < len(level) else 1) for k in range(len(level))]
        current = [differences(above, other) for above, other in pairs]
    return [a & b for a, b in zip(current, levels[0], strict=True)]


def split(levels: list[list[int]], total: int) -> list[int]:
    """A member of each set so that they add up to `total`, which is in the sumset of all."""

    def share(left: int, right: int, total: int) -> int:
        return total - next(x for x in bits(right) if total >= x and left >> total - x & 1)

    return descend(levels, total, share)


def descend(levels: Sequence[Sequence[T]], total: int, share: Callable[[T, T, int], int]) -> list[int]:
    """Divide `total` down a tree of pairs; a number for each node of the lowest level.

    Parameters
    ----------
    levels
        From the lowest up to the one of a single node; node k stands for the nodes 2k and 2k + 1 below.
    share
        For two nodes and what they have together: what the first of them gets.
    """
    current = [total]
    for level in reversed(levels[:-1]):
        below = []
        for k, part in enumerate(current):
            if 2 * k + 1 == len(level):
                below.append(part)
                continue
            first = share(level[2 * k], level[2 * k + 1], part)
            below += [first, part - first]
        current = below
    return current
