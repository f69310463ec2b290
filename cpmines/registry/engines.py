"""Engines by name."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cpmines.errors import UsageError
from cpmines.packages import installed_version, modules, named_object
from cpmines.registry.plugins import added, load_module, load_point, warn
from cpmines.registry.problems import lookup

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from cpmines.engine import Counter, Engine

__all__ = [
    "comes_with_extra",
    "distribution",
    "engine",
    "engine_names",
    "has_engine",
    "missing_packages",
    "needed",
    "shipped_engine",
]

SHIPPED = "cpmines.engines"

PRESENT = frozenset({"cpmines", "numpy"})
"""Distributions that are in use before any backend is: looking them up takes longer than a small instance."""


@cache
def _added() -> dict[str, EntryPoint]:
    return added("cpmines.engines", modules(SHIPPED))


@cache
def _sound() -> dict[str, Engine | Counter]:
    """All engines that can be loaded, installed or not; of each other one a warning says why."""
    found = {}
    for name in sorted({*modules(SHIPPED), *_added()}):
        try:
            found[name] = _load(name)
        except UsageError as error:
            warn(str(error))
    return found


@cache
def _load(name: str) -> Engine | Counter:
    found: Engine | Counter
    if shipped_engine(name):
        found = load_module(f"engine {name}", f"{SHIPPED}.{name}", "ENGINE")
    else:
        found = load_point(f"engine {name}", _added()[name])
    if missing := [part for part in ("summary", "packages", "configure") if not hasattr(found, part)]:
        raise UsageError(f"engine {name} is no engine: it has no {', '.join(missing)}")
    return found


def engine_names(*, missing: bool = False) -> list[str]:
    """Names of the engines whose packages are installed; with `missing` those of all."""
    return [name for name in _sound() if missing or not missing_packages(name)]


def shipped_engine(name: str) -> bool:
    """Is the engine one of ours, installed or not?"""
    return name in modules(SHIPPED)


def has_engine(name: str) -> bool:
    """Is there an engine of this name, installed or not, whole or broken?"""
    return shipped_engine(name) or name in _added()


def engine(name: str, *, missing: bool = False) -> Engine | Counter:
    """The engine `name` with its default options; with `missing` also if it can't run here.

    Raises
    ------
    UsageError
        There is none, it can't be loaded, or its packages are not installed.
    """
    if "." in name:
        found: Engine | Counter = named_object(name)
        return found
    if not has_engine(name):
        lookup("engine", name, sorted({*modules(SHIPPED), *_added()}))
    found = _load(name)
    if not missing and (extra := missing_packages(name)):
        raise UsageError(f"engine {name} needs {extra}")
    return found


def missing_packages(name: str) -> str:
    """What the engine `name` needs and has not, and how to install it; empty if nothing is missing."""
    from cpmines.engine import extra_of

    return needed(_load(name).packages, extra_of(_load(name)))


def needed(packages: tuple[str, ...], extra: str) -> str:
    """What has to be installed, and how; empty if all packages are there."""
    lacking = [name for name in packages if name not in PRESENT and installed_version(name) is None]
    if not lacking:
        return ""
    if extra:
        return f"the extra {extra}: pip install 'cpmines[{extra}]'"
    return f"{' and '.join(lacking)}: pip install {' '.join(lacking)}"


def comes_with_extra(name: str) -> bool:
    """Is the engine one of ours that a plain installation does not have?"""
    from cpmines.engine import extra_of

    return shipped_engine(name) and bool(extra_of(_load(name)))


def distribution(name: str) -> str:
    """The distribution that an engine comes with."""
    point = None if shipped_engine(name) else _added().get(name)
    return point.dist.name if point and point.dist else "cpmines"
