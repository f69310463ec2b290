"""On what was measured: processor, memory, kernel, versions, sources. No name of user or machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from cpmines.process.spread import cores

__all__ = ["environment"]


@cache
def environment() -> dict[str, Any]:
    """What is stored with the records, one entry a fact."""
    return {
        "cpu": _first("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": cores(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": _packages(),
        "git": _git(),
    }


def _first(path: str, name: str) -> str:
    """The value of the first line ``name : value`` of a file."""
    try:
        lines = Path(path).read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _packages() -> dict[str, str]:
    """Versions of cpmines and of what it can use, as far as that is installed."""
    used = [line for line in requires("cpmines") or () if not re.search("extra == .dev", line)]
    names = {"cpmines", *(re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in used)}
    found = {}
    for name in sorted(names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git() -> str:
    """Commit of the checkout that the package is run from, and whether it is changed; empty without one."""
    folder = Path(__file__).parent.parent
    words = ["describe", "--always", "--abbrev=12", "--dirty", "--exclude=*"]
    try:
        tracked = _ask_git(folder, "ls-files", "--error-unmatch", "__init__.py")
        return _ask_git(folder, *words) if tracked else ""
    except (OSError, subprocess.SubprocessError):
        return ""


def _ask_git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()
