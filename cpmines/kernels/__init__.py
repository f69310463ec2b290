"""What all compiled kernels share: types of arrays, the pulse of limits and interrupts, and whether they are up to date.

Kernels are compiled when cpmines is installed, see ``hatch_build.py``. Where their sources stand beside them,
as in an editable installation, each folder of kernels is compared with what was compiled when it is first
imported.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from cpmines.errors import InstallationError

__all__ = ["check"]

RECORD = Path(__file__).with_name("compiled.json")
"""Digest of each source when it was compiled, by its path in the package."""
PACKAGE = Path(__file__).parent.parent
SUFFIXES = (".py", ".pxd")


def check(init: str) -> None:
    """Are the kernels beside this ``__init__.py`` compiled, for this Python, and from their present sources?

    Raises
    ------
    InstallationError
    """
    folder = Path(init).parent
    names = os.listdir(folder)
    sources = [name for name in names if name.endswith(SUFFIXES) and name != "__init__.py"]
    modules = {name.removesuffix(".py") for name in sources if name.endswith(".py")} or {""}
    extensions = {name.split(".")[0] for name in names if name.endswith(tuple(EXTENSION_SUFFIXES))} | {""}
    try:
        compiled_at, compiled = RECORD.stat().st_mtime_ns, json.loads(RECORD.read_bytes())
    except (OSError, ValueError):
        raise unusable(folder, "are not compiled") from None
    if not modules <= extensions or len(extensions) == 1:
        raise unusable(folder, "are not compiled for this Python and machine")
    for name in sources:
        path = folder / name
        changed = path.stat().st_mtime_ns > compiled_at
        if changed and compiled.get(path.relative_to(PACKAGE).as_posix()) != digest(path):
            raise unusable(folder, f"are older than {path.name}")


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def unusable(folder: Path, why: str) -> InstallationError:
    editable = (PACKAGE.parent / "hatch_build.py").exists()
    command = "pip install --editable ." if editable else "pip install --force-reinstall cpmines"
    name = ".".join(["cpmines", *folder.relative_to(PACKAGE).parts])
    return InstallationError(f"the kernels of {name} {why}: run {command}")


check(__file__)
