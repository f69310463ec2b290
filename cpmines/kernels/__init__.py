"""What all compiled kernels share: types of arrays, the pulse of limits, and whether all is up to date.

Kernels are compiled when cpmines is installed, see ``hatch_build.py``. Where their sources stand beside them,
as in an editable installation, each folder of kernels is compared with what was compiled when it is first
imported.
"""

from __future__ import annotations

import os
from importlib.machinery import EXTENSION_SUFFIXES

from cpmines.errors import InstallationError

__all__ = ["check"]

SUFFIXES = tuple(EXTENSION_SUFFIXES)
HERE = os.path.dirname(__file__)
PACKAGE = os.path.dirname(HERE)
RECORD = os.path.join(HERE, "compiled.txt")
"""Lines with the digest of a source when it was compiled, and its path in the package."""


def check(init: str) -> None:
    """Are the kernels beside this ``__init__.py`` compiled, for this Python, and from their present sources?

    Raises
    ------
    InstallationError
    """
    folder = os.path.dirname(init)
    names = os.listdir(folder)
    sources = [name for name in names if name.endswith((".py", ".pxd")) and name != "__init__.py"]
    extensions = {name.partition(".")[0] for name in names if name.endswith(SUFFIXES)}
    try:
        wanted, compiled_at = sources or recorded(folder), os.stat(RECORD).st_mtime_ns
    except OSError:
        raise unusable(folder, "are not compiled") from None
    missing = {name.removesuffix(".py") for name in wanted if name.endswith(".py")} - extensions
    if missing or (folder == HERE and "shared" not in extensions):
        raise unusable(folder, "are not compiled for this Python and machine, or not all there")
    if any(is_cut_short(os.path.join(folder, name)) for name in names if name.endswith(SUFFIXES)):
        raise unusable(folder, "are damaged")
    for name in sources:
        path = os.path.join(folder, name)
        if os.stat(path).st_mtime_ns > compiled_at and not is_recorded(path):
            raise unusable(folder, f"are older than {name}")


def recorded(folder: str) -> list[str]:
    """The names of the sources of a folder that were compiled."""
    prefix = os.path.relpath(folder, PACKAGE).replace(os.sep, "/") + "/"
    with open(RECORD, encoding="utf-8") as record:
        names = [line.split()[1] for line in record]
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def is_recorded(path: str) -> bool:
    """Is this the source that was compiled? Its time does not tell: it may have come from a checkout."""
    from hashlib import sha256

    name = os.path.relpath(path, PACKAGE).replace(os.sep, "/")
    with open(path, "rb") as source, open(RECORD, encoding="utf-8") as record:
        return f"{sha256(source.read()).hexdigest()} {name}" in record.read().splitlines()


def is_cut_short(path: str) -> bool:
    """Does a library in the format ELF lack its end? The system ends the process that loads it.

    At the end is the table of sections, whose place, and size and number of entries, are in the header.
    """
    with open(path, "rb") as file:
        header = file.read(64)
    if header and header[:6] != b"\x7fELF\x02\x01":
        return False  # another system's, or of 32 bits
    if len(header) < 64:
        return True
    place, size, number = (
        int.from_bytes(header[k:end], "little") for k, end in ((40, 48), (58, 60), (60, 62))
    )
    return os.path.getsize(path) < place + size * number


def unusable(folder: str, why: str) -> InstallationError:
    editable = os.path.exists(os.path.join(os.path.dirname(PACKAGE), "hatch_build.py"))
    command = "pip install --editable ." if editable else "pip install --force-reinstall cpmines"
    name = ".".join(["cpmines", *os.path.relpath(folder, PACKAGE).split(os.sep)])
    return InstallationError(f"the kernels of {name} {why}: run {command}")


check(__file__)
