"""What is installed: modules of a package, versions of distributions, objects by their dotted names."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from cpmines.errors import UsageError

__all__ = ["distribution_of", "installed_version", "modules", "named_object"]


@cache
def modules(package: str) -> list[str]:
    """Public modules and packages inside `package`."""
    path = import_module(package).__path__
    return sorted(found.name for found in pkgutil.iter_modules(path) if not found.name.startswith("_"))


@cache
def installed_version(distribution: str) -> str | None:
    """None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def distribution_of(module: str) -> str:
    """The distribution that a module comes with, empty if it comes with none."""
    from importlib.metadata import packages_distributions

    return next(iter(packages_distributions().get(module.partition(".")[0], ())), "")


def named_object(name: str) -> Any:
    """What ``package.module:OBJECT`` names. Raises `UsageError` with what is wrong."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (Exception, SystemExit) as error:
        raise UsageError(f"{name} can't be loaded, expected package.module:OBJECT: {error}") from error
