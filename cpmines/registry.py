"""Which problems, backends and engines there are. The file name is the registration.

- A folder of `cpmines.problems` is a problem; its ``problem.py`` offers ``PROBLEM``.
- A module of that folder is a backend and offers ``BACKEND``, unless it is one of the `ROOMS` that every
  problem has, or its name begins with an underscore.
- A module of the folder's package ``peers`` is a backend if the package of the same name is installed.
- A module of `cpmines.engines` offers ``ENGINE`` and is a backend of every problem that has a ``model.py``,
  unless its name begins with an underscore. A backend of the same name in the problem's folder comes first.
- Other distributions add to each by entry points: group ``cpmines.problems`` (name of the problem -> package
  laid out like a problem's folder), ``cpmines.backends`` (``problem.backend`` -> object), ``cpmines.engines``
  (name -> object).

Nothing here imports a solver: modules of backends import theirs when they run.
"""

from __future__ import annotations

import pkgutil
import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from cpmines.engine import Engine
from cpmines.errors import UsageError
from cpmines.modelled import Modelled
from cpmines.problem import Backend, Modelling, Problem, Trust

__all__ = [
    "backend",
    "backend_names",
    "default_backends",
    "engine",
    "engine_names",
    "generators",
    "modelling",
    "problem",
    "problem_names",
]

ROOMS = frozenset({"problem", "model", "generate", "kernels", "peers"})
"""Modules of a problem's folder that are not backends."""

ORDER = ("direct", "propagation", "cpsat", "sat")
"""Backends that come first in lists; then the others by name; those that explain or mislead come last."""
LAST = ("brute", "published")

ONLY_OBJECTIVES = ("maxsat",)
"""Engines that `compare` leaves out by default where there is nothing to optimise."""


@cache
def _modules(package: str) -> list[str]:
    """Public modules and packages inside `package`."""
    path = import_module(package).__path__
    return sorted(found.name for found in pkgutil.iter_modules(path) if not found.name.startswith("_"))


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def _lookup(kind: str, name: str, names: list[str]) -> None:
    if name not in names:
        raise UsageError(f"no {kind} named {name!r}; there are: {', '.join(names)}")


def problem_names() -> list[str]:
    """Names of all problems."""
    return sorted({*_modules("cpmines.problems"), *_entry_points("cpmines.problems")})


@cache
def folder(name: str) -> str:
    """Dotted name of a problem's package."""
    _lookup("problem", name, problem_names())
    point = _entry_points("cpmines.problems").get(name)
    return point.value if point else f"cpmines.problems.{name}"


def problem(name: str) -> Problem[Any, Any]:
    """The problem `name`. Raises `UsageError` with the names that exist."""
    found: Problem[Any, Any] = import_module(f"{folder(name)}.problem").PROBLEM
    return found


def generators(name: str) -> Any:
    """The module ``generate`` of a problem: ``FAMILIES``, ``tiny`` and ``shrink``."""
    return import_module(f"{folder(name)}.generate")


def engine_names() -> list[str]:
    """Names of all engines."""
    return sorted({*_modules("cpmines.engines"), *_entry_points("cpmines.engines")})


def engine(name: str) -> Engine:
    """The engine `name` with its default options."""
    _lookup("engine", name, engine_names())
    point = _entry_points("cpmines.engines").get(name)
    found: Engine = point.load() if point else import_module(f"cpmines.engines.{name}").ENGINE
    return found


def modelling(name: str) -> Modelling[Any, Any] | None:
    """How the problem `name` is stated as a Model, None if it is not."""
    module = f"{folder(name)}.model"
    if find_spec(module) is None:
        return None
    found: Modelling[Any, Any] = import_module(module).MODELLING
    return found


@cache
def _own_backends(name: str) -> dict[str, str]:
    """Dotted names of the modules of a problem's own backends."""
    package = folder(name)
    found = {module: f"{package}.{module}" for module in _modules(package) if module not in ROOMS}
    if "peers" in _modules(package):
        installed = [module for module in _modules(f"{package}.peers") if find_spec(module)]
        found |= {module: f"{package}.peers.{module}" for module in installed}
    return found


def _foreign_backends(name: str) -> dict[str, EntryPoint]:
    """Backends of other distributions; they can't take the place of one that is here."""
    points = _entry_points("cpmines.backends")
    own = {*_own_backends(name), *engine_names()}
    found = {key.partition(".")[2]: point for key, point in points.items() if key.startswith(f"{name}.")}
    for clash in found.keys() & own:
        warnings.warn(f"{found[clash].value} is not used: {name} has a backend {clash}", stacklevel=2)
    return {key: point for key, point in found.items() if key not in own}


def backend_names(name: str) -> list[str]:
    """Names of the backends of the problem `name`, without their variants."""
    engines = engine_names() if modelling(name) is not None else []
    names = {*_own_backends(name), *_foreign_backends(name), *engines}
    first = [found for found in ORDER if found in names]
    last = [found for found in LAST if found in names]
    return [*first, *sorted(names - {*first, *last}), *last]


def backend(name: str, spec: str) -> Backend[Any, Any]:
    """The backend `spec` of the problem `name`: a name, or ``name:option/option`` for a variant.

    The options of an exact engine are a formulation of the problem's Model and the engine's own options.
    Raises `UsageError` with what exists.
    """
    base, _, variant = spec.partition(":")
    options = [option for option in variant.split("/") if option]
    _lookup(f"backend of {name}", base, backend_names(name))
    if base not in _foreign_backends(name) and base not in _own_backends(name):
        return _modelled(name, base, options)
    if ":" in spec:
        raise UsageError(f"backend {base} of {name} has no variants, got {spec!r}")
    return _load(name, base)


def _load(name: str, base: str) -> Backend[Any, Any]:
    """A backend that is an object of its own. Raises `UsageError` if it can't be loaded or is none."""
    point = _foreign_backends(name).get(base)
    try:
        found = point.load() if point else import_module(_own_backends(name)[base]).BACKEND
    except Exception as error:
        raise UsageError(f"backend {base} of {name} can't be loaded: {error}") from error
    if missing := [part for part in ("summary", "trust", "packages", "prepare") if not hasattr(found, part)]:
        raise UsageError(f"backend {base} of {name} is no Backend: it has no {', '.join(missing)}")
    checked: Backend[Any, Any] = found
    return checked


def _modelled(name: str, base: str, options: list[str]) -> Modelled[Any, Any]:
    statement = modelling(name)
    assert statement is not None
    chosen = [option for option in options if option in statement.formulations]
    if len(chosen) > 1:
        raise UsageError(f"one formulation at a time, got {' and '.join(chosen)}")
    default = next(iter(statement.formulations))
    try:
        configured = engine(base).configure([option for option in options if option not in chosen])
    except UsageError as error:
        raise UsageError(f"{error}; formulations of {name}: {', '.join(statement.formulations)}") from None
    return Modelled(statement, configured, statement.formulations[chosen[0] if chosen else default])


def default_backends(name: str) -> list[str]:
    """The backends that `compare` runs unless told otherwise: all that are exact."""
    found = []
    for candidate in backend_names(name):
        if candidate in ONLY_OBJECTIVES and problem(name).objective is None:
            continue
        try:
            if backend(name, candidate).trust == Trust.EXACT:
                found.append(candidate)
        except UsageError as error:
            warnings.warn(str(error), stacklevel=2)
    return found
