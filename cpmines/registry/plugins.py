"""What other distributions add by entry points, and how anything is loaded that may be broken."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cpmines.errors import PluginWarning, UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["added", "has_module", "load_module", "load_point", "warn"]


@cache
def warn(message: str) -> None:
    """Say it, once in a process."""
    warnings.warn(message, PluginWarning, stacklevel=3)


def added(group: str, taken: Collection[str]) -> dict[str, EntryPoint]:
    """The entry points of a group by name, without those whose name is `taken`, or is there twice."""
    found: dict[str, EntryPoint] = {}
    for point in _points(group):
        if point.name in taken or point.name in found:
            owner = "cpmines" if point.name in taken else _distribution(found[point.name])
            what = group.removeprefix("cpmines.").removesuffix("s")
            warn(f"{what} {point.name} of {_distribution(point)} is not used: {owner} has one of that name")
        else:
            found[point.name] = point
    return found


@cache
def _points(group: str) -> list[EntryPoint]:
    from importlib.metadata import entry_points

    return sorted(entry_points(group=group), key=lambda point: (point.name, _distribution(point)))


def _distribution(point: EntryPoint) -> str:
    return "another distribution" if point.dist is None else point.dist.name


def load_point(what: str, point: EntryPoint) -> Any:
    """The object that an entry point names. Raises `UsageError` with what is wrong, in a line."""
    try:
        return point.load()
    except (Exception, SystemExit) as error:
        raise UsageError(f"{what} of {_distribution(point)} can't be loaded: {_said(error)}") from error


def load_module(what: str, module: str, attribute: str) -> Any:
    """What a module offers. Raises `UsageError` with what is wrong, in a line."""
    try:
        return getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{what}: {module} can't be loaded: {_said(error)}") from error


def has_module(module: str) -> bool:
    """Is it there, whole or broken?"""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
    except (Exception, SystemExit):  # what is imported on the way to it: who loads it is told
        return True


def _said(error: BaseException) -> str:
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
