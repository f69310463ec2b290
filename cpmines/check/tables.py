"""A bound on all placements by tables, one for each number of cells that are placed.

A table gives, for the states in ascending order, one more than a bound on the mines that the cells not yet
placed can have, or 0 where no way goes on. It is right if no way of placing the next cell gains more than the
difference of two bounds. What a state is, and what follows it, the problem says: `cpmines.demands.tables`.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

import numpy as np
from numpy.typing import NDArray

from cpmines.check.verdict import Rejected
from cpmines.demands.tables import Filling, layers_of
from cpmines.npy import array_of, read_header
from cpmines.numerals import plural

__all__ = ["BOUNDS", "check_tables"]

BOUNDS = "bounds.npz"

DAMAGES = (
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading an archive raises that is none, or not whole."""

PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What numpy writes; others may take memory that has nothing to do with what is in them."""


def check_tables(filling: Filling, data: bytes, most: int) -> str:
    """Check that the tables in `data` show that no board has more than `most` mines.

    Raises
    ------
    Rejected
    """
    if filling.too_large:
        raise Rejected(f"{BOUNDS}: {filling.too_large}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as tables:
            return _check_tables(filling, tables, most)
    except DAMAGES as error:
        raise Rejected(f"{BOUNDS} is damaged: {type(error).__name__} {error}") from None


def _check_tables(filling: Filling, tables: zipfile.ZipFile, most: int) -> str:
    count = 0
    layers = layers_of(filling)
    states, bounds = next(layers), _table(tables, 0, filling, 1)
    if bounds[0] > most + 1:
        raise Rejected(f"{BOUNDS} shows at most {plural(int(bounds[0]) - 1, 'mine')}, claimed are {most}")
    for cell, after in enumerate(layers):
        next_bounds = _table(tables, cell + 1, filling, len(after))
        for gain, reached, allowed in filling.step(states, cell):
            bound = next_bounds[np.searchsorted(after, reached[allowed])]
            if ((bound > 0) & (bounds[allowed] < bound + gain)).any():
                raise Rejected(f"{BOUNDS}: a bound before {filling.place(cell)} is too small")
        count += len(states)
        states, bounds = after, next_bounds
    if (bounds < 1).any():
        raise Rejected(f"{BOUNDS}: a bound after the last cell is too small")
    bounds_in = f"the {plural(count, 'bound')} in {plural(filling.cells, 'table')}"
    return f"{bounds_in} hold for each next cell: at most {plural(most, 'mine')}"


def _table(tables: zipfile.ZipFile, cell: int, filling: Filling, states: int) -> NDArray[np.int64]:
    """One table; no more is unpacked than a list of so many bounds takes."""
    found, wrong = tables.getinfo(f"before_{cell}.npy"), f"{BOUNDS}: the table before cell {cell + 1} is"
    if found.compress_type not in PACKINGS:
        raise Rejected(f"{wrong} packed in another way than numpy does")
    with tables.open(found) as file:
        header = read_header(file)
        if header.dtype.kind != "u" or header.shape != (states,):
            raise Rejected(f"{wrong} no list of {plural(states, 'bound')}")
        entries = file.read(header.size + 1)
    if len(entries) != header.size:
        raise Rejected(f"{wrong} longer or shorter than it says")
    table = array_of(entries, header)
    if (largest := table.max()) > filling.cells + 1:  # beside it, a bound and a gain can't overflow
        bound = f"a bound of {plural(int(largest) - 1, 'mine')}"
        raise Rejected(f"{BOUNDS}: {bound} before cell {cell + 1}, on {filling.cells}")
    return table.astype(np.int64)
