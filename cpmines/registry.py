"""Which problems, backends and engines there are. The file name is the registration.

- A folder of `cpmines.problems` is a problem; its ``problem.py`` offers ``PROBLEM``.
- A module of the folder's package ``backends`` is a backend and offers ``BACKEND``, if the packages are
  installed that it needs.
- A module of `cpmines.engines` offers ``ENGINE`` and is a backend of every problem that has a ``model.py``,
  unless its name begins with an underscore, or packages are missing that it needs. One that only counts is a
  backend of those whose Modelling has ``tallied``. A backend of the same name in the problem's folder comes
  first.
- Other distributions add to each by entry points: group ``cpmines.problems`` (name of the problem -> package
  laid out like a problem's folder), ``cpmines.backends`` (``problem.backend`` -> object), ``cpmines.engines``
  (name -> object).
- Anywhere else, ``package.module:OBJECT`` names an engine or a backend.

Nothing here imports a solver: modules of backends import theirs when they run.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from cpmines.engine import Counter, Engine, extra_of
from cpmines.errors import UsageError
from cpmines.modelled import Modelled, Tallied
from cpmines.packages import installed_version, modules, named_object
from cpmines.problem import Backend, Modelling, Problem, Trust
from cpmines.program import PREFIX, Program
from cpmines.relation import Relation

__all__ = [
    "backend",
    "backend_names",
    "by_place",
    "default_backends",
    "engine",
    "engine_names",
    "generators",
    "lacking",
    "modelling",
    "peers",
    "problem",
    "problem_names",
    "relations",
]

ORDER = ("direct", "propagation", "cpsat", "sat")
"""Backends that come first in lists; then the others by name; those that explain or mislead come last."""
LAST = ("brute", "published")

ONLY_OBJECTIVES = ("maxsat",)
"""Engines that `compare` leaves out by default where there is nothing to optimise."""


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def _lookup(kind: str, name: str, names: list[str]) -> None:
    if name not in names:
        raise UsageError(f"no {kind} named {name!r}; there are: {', '.join(names)}")


def problem_names() -> list[str]:
    """Names of all problems."""
    return sorted({*modules("cpmines.problems"), *_entry_points("cpmines.problems")})


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
    """The module ``generate`` of a problem: ``FAMILIES``, ``tiny``, ``PROFILES`` and ``shrink``."""
    return import_module(f"{folder(name)}.generate")


def relations(name: str) -> dict[str, Relation[Any]]:
    """What the problem `name` knows of pairs of instances, by name; nothing if it has no ``relations.py``."""
    module = f"{folder(name)}.relations"
    if find_spec(module) is None:
        return {}
    found: dict[str, Relation[Any]] = import_module(module).RELATIONS
    return found


def engine_names(*, missing: bool = False) -> list[str]:
    """Names of the engines whose packages are installed; with `missing` those of all."""
    names = sorted({*modules("cpmines.engines"), *_entry_points("cpmines.engines")})
    return [name for name in names if missing or not lacking(name)]


def engine(name: str, *, missing: bool = False) -> Engine | Counter:
    """The engine `name` with its default options; with `missing` also if it can't run here.

    Raises
    ------
    UsageError
        There is none, or its packages are not installed.
    """
    if "." in name:
        found: Engine | Counter = named_object(name)
        return found
    _lookup("engine", name, engine_names(missing=True))
    if not missing and (lacked := lacking(name)):
        raise UsageError(f"engine {name} needs {lacked}")
    return _engine(name)


def _engine(name: str) -> Engine | Counter:
    point = _entry_points("cpmines.engines").get(name)
    try:
        found: Engine | Counter = point.load() if point else import_module(f"cpmines.engines.{name}").ENGINE
    except Exception as error:
        raise UsageError(f"engine {name} can't be loaded: {error}") from error
    return found


def lacking(name: str) -> str:
    """What the engine `name` needs that is not installed, and how to install it; empty if that is nothing.

    An engine that can't be loaded lacks nothing that is known: who asks for it is told why.
    """
    try:
        found = _engine(name)
    except UsageError:
        return ""
    absent = [package for package in getattr(found, "packages", ()) if installed_version(package) is None]
    if absent and (extra := extra_of(found)):
        return f"the extra {extra}: pip install 'cpmines[{extra}]'"
    return f"{', '.join(absent)}: pip install {' '.join(absent)}" if absent else ""


def modelling(name: str) -> Modelling[Any, Any] | None:
    """How the problem `name` is stated as a Model, None if it is not."""
    module = f"{folder(name)}.model"
    if find_spec(module) is None:
        return None
    found: Modelling[Any, Any] = import_module(module).MODELLING
    return found


@cache
def _own_backends(name: str) -> dict[str, str]:
    """Dotted names of the modules of a problem's own backends, those of `peers` if they are installed."""
    package = f"{folder(name)}.backends"
    found = {module: f"{package}.{module}" for module in modules(package)}
    return {module: path for module, path in found.items() if module not in peers(name) or find_spec(module)}


@cache
def peers(name: str) -> dict[str, Backend[Any, Any]]:
    """The backends of a problem that stand on packages of others, by the names of these, installed or not."""
    package = f"{folder(name)}.backends"
    found = {module: import_module(f"{package}.{module}").BACKEND for module in modules(package)}
    return {module: backend for module, backend in found.items() if getattr(backend, "extra", "")}


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
    statement = modelling(name)
    engines = [] if statement is None else [found for found in engine_names() if _serves(found, statement)]
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
    if base == PREFIX:
        return _program(name, variant)
    if "/" in base or base.endswith(".py"):
        raise UsageError(f"backend {spec} is a file, expected package.module:OBJECT or {PREFIX}:COMMAND")
    if "." in base:
        attribute, *options = variant.split("/")
        return _elsewhere(name, f"{base}:{attribute}", options)
    options = [option for option in variant.split("/") if option]
    if base not in backend_names(name):
        _explain_missing(name, base)
        there = f"{', '.join(backend_names(name))}; or package.module:OBJECT, with a dot, or {PREFIX}:COMMAND"
        raise UsageError(f"no backend of {name} named {base!r}; there are: {there}")
    if base not in _foreign_backends(name) and base not in _own_backends(name):
        return _modelled(name, base, options)
    if ":" in spec:
        raise UsageError(f"backend {base} of {name} has no variants, got {spec!r}")
    return _load(name, base)


def by_place(spec: str) -> bool:
    """Is a backend named by where it is: ``package.module:OBJECT`` or ``program:COMMAND``?"""
    base = spec.partition(":")[0]
    return "." in base or base == PREFIX


def _program(name: str, command: str) -> Program:
    question = problem(name)
    if type(question).read_verdict is Problem.read_verdict:
        raise UsageError(f"programs can't answer {name}, which does not say how to read their output")
    return Program.named(question, command)


def _serves(base: str, statement: Modelling[Any, Any]) -> bool:
    """Can the engine answer what the statement asks? Those of others are not loaded to find out."""
    foreign = base in _entry_points("cpmines.engines")
    return foreign or isinstance(_engine(base), Engine) or statement.tallied is not None


def _explain_missing(name: str, base: str) -> None:
    """Raises `UsageError` if there would be such a backend with more packages installed."""
    if base in engine_names(missing=True):
        engine(base)
    if base in peers(name):
        raise UsageError(f"backend {base} of {name} needs the extra peers: pip install 'cpmines[peers]'")


def _elsewhere(name: str, spec: str, options: list[str]) -> Backend[Any, Any]:
    """A backend, or an engine on the problem's Model, that ``package.module:OBJECT`` names."""
    found = named_object(spec)
    if hasattr(found, "configure"):
        return _modelled(name, spec, options)
    if options:
        raise UsageError(f"backend {spec} of {name} has no variants, got {'/'.join(options)!r}")
    return _checked(name, spec, found)


def _load(name: str, base: str) -> Backend[Any, Any]:
    """A backend that is an object of its own. Raises `UsageError` if it can't be loaded or is none."""
    point = _foreign_backends(name).get(base)
    try:
        found = point.load() if point else import_module(_own_backends(name)[base]).BACKEND
    except Exception as error:
        raise UsageError(f"backend {base} of {name} can't be loaded: {error}") from error
    return _checked(name, base, found)


def _checked(name: str, base: str, found: Any) -> Backend[Any, Any]:
    """The object, if it is a Backend. Raises `UsageError`."""
    if missing := [part for part in ("summary", "trust", "packages", "prepare") if not hasattr(found, part)]:
        raise UsageError(f"backend {base} of {name} is no Backend: it has no {', '.join(missing)}")
    checked: Backend[Any, Any] = found
    return checked


def _modelled(name: str, base: str, options: list[str]) -> Modelled[Any, Any] | Tallied[Any, Any]:
    statement = modelling(name)
    if statement is None:
        raise UsageError(f"{name} is not stated as a Model, so {base} can't solve it")
    chosen = [option for option in options if option in statement.formulations]
    if len(chosen) > 1:
        raise UsageError(f"one formulation at a time, got {' and '.join(chosen)}")
    default = next(iter(statement.formulations))
    try:
        configured = engine(base).configure([option for option in options if option not in chosen])
    except UsageError as error:
        raise UsageError(f"{error}; formulations of {name}: {', '.join(statement.formulations)}") from None
    formulation = statement.formulations[chosen[0] if chosen else default]
    if isinstance(configured, Engine):
        return Modelled(statement, configured, formulation)
    if statement.tallied is None:
        raise UsageError(f"{base} only counts, which does not answer {name}")
    return Tallied(statement, configured, formulation)


def default_backends(name: str) -> list[str]:
    """The backends that `compare` runs unless told otherwise: the exact ones that come without an extra."""
    found = []
    for candidate in backend_names(name):
        if candidate in ONLY_OBJECTIVES and problem(name).objective is None:
            continue
        if candidate in modules("cpmines.engines") and extra_of(_engine(candidate)):
            continue
        try:
            if backend(name, candidate).trust == Trust.EXACT:
                found.append(candidate)
        except UsageError as error:
            warnings.warn(str(error), stacklevel=2)
    return found
