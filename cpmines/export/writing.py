"""Write a statement in one of the formats, and its map beside it."""

from __future__ import annotations

import gzip
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from cpmines import files
from cpmines.answer import Limits
from cpmines.errors import UsageError
from cpmines.export.mapping import Map, map_of, map_path
from cpmines.export.statement import StatedModel
from cpmines.translate import DEFAULT_ENCODING, encoding_names

__all__ = ["export", "export_file", "format_names"]

FORMATS = "cpmines.export.formats"
PARTIAL = ".partial"


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
    write = import_module(f"{FORMATS}.{kind}").write
    count: int = write(statement, encoding, limits or Limits(), out)
    return map_of(statement, kind, encoding, count)


def export_file(
    statement: StatedModel,
    kind: str,
    path: Path,
    *,
    encoding: str = DEFAULT_ENCODING,
    limits: Limits | None = None,
) -> Map:
    """`export` into a file, gzip-compressed if its name ends in ``.gz``, with the map beside it.

    The file appears when it is whole. Raises `UsageError` if it can't be written.
    """
    if path.is_dir():
        raise UsageError(f"{path}: found a folder, expected a file to write")
    with _whole_file(path) as out:
        found = export(statement, kind, out, encoding=encoding, limits=limits)
    files.write(map_path(path), found.text())
    return found


@contextmanager
def _whole_file(path: Path) -> Iterator[BinaryIO]:
    partial = path.with_name(path.name + PARTIAL)
    files.make_room(path)
    try:
        with gzip.open(partial, "wb") if path.suffix == ".gz" else partial.open("wb") as out:
            yield out  # type: ignore[misc]
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
