"""Write a statement in one of the formats, and its map beside it."""

from __future__ import annotations

import gzip
import pkgutil
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.export.mapping import Map, map_of, map_path
from cpmines.export.statement import StatedModel
from cpmines.outputs import is_stream, whole_file
from cpmines.translate import DEFAULT_ENCODING, encoding_names

__all__ = ["export", "export_file", "format_names"]

FORMATS = "cpmines.export.formats"

PIECE = 1 << 18
"""Bytes that are compressed at once: a hundredth of a second."""


def format_names() -> list[str]:
    """Names of all formats."""
    found = pkgutil.iter_modules(import_module(FORMATS).__path__)
    return sorted(module.name for module in found if not module.name.startswith("_"))


def export(
    statement: StatedModel,
    kind: str,
    out: BinaryIO,
    *,
    encoding: str = DEFAULT_ENCODING,
    limits: Limits | None = None,
) -> Map:
    """Write a statement; returns the map of its variables.

    Parameters
    ----------
    kind
        A name from `format_names`.
    encoding
        How sums become clauses, see `cpmines.translate.encoding_names`.

    Raises
    ------
    UsageError
        No such format or encoding.
    LimitError
        The time is up, or the file's content needs more than the memory.

    >>> import io
    >>> from cpmines import registry
    >>> from cpmines.export.statement import state
    >>> (instance,) = registry.problem("maxmines").parse("1 2 8")
    >>> out = io.BytesIO()
    >>> found = export(state("maxmines", instance, "plain"), "opb", out)
    >>> print(out.getvalue().decode().splitlines()[-1], found.cells)
    -1 x2 -1 x1 >= -1 ; ((1, 1, 1), (1, 2, 2))
    """
    if kind not in format_names():
        raise UsageError(f"no format {kind!r}; there are: {', '.join(format_names())}")
    if encoding not in encoding_names():
        raise UsageError(f"no encoding {encoding!r}; there are: {', '.join(encoding_names())}")
    writer = import_module(f"{FORMATS}.{kind}")
    count: int = writer.write(statement, encoding, limits or Limits(), out)
    return map_of(statement, kind, encoding, count)


class Packed(gzip.GzipFile):
    """Compressed in pieces: while a large one is, no interrupt comes through."""

    def write(self, data: Any) -> int:
        for k in range(0, len(data), PIECE):
            super().write(data[k : k + PIECE])
        return len(data)


def export_file(
    statement: StatedModel,
    kind: str,
    path: Path,
    *,
    encoding: str = DEFAULT_ENCODING,
    limits: Limits | None = None,
) -> Map:
    """`export` into a file, gzip-compressed if its name ends in ``.gz``, with the map beside it.

    The file appears when it is whole. Beside a FIFO or a device there is no map. Raises `UsageError` if they
    can't be written.
    """
    with ExitStack() as stack:
        # First, so that there is nothing without it.
        beside = None if is_stream(path) else stack.enter_context(whole_file(map_path(path)))
        out = stack.enter_context(whole_file(path))
        if path.suffix == ".gz":
            with Packed(path.name, "wb", fileobj=out) as packed:
                found = export(statement, kind, packed, encoding=encoding, limits=limits)  # type: ignore[arg-type]
        else:
            found = export(statement, kind, out, encoding=encoding, limits=limits)
        if beside is not None:
            beside.write(found.text().encode())
    return found
