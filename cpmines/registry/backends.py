"""Backends by name: a problem's own, those of other distributions, engines on its Model, programs."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from cpmines.errors import UsageError
from cpmines.packages import distribution_of, installed_version, modules, named_object
from cpmines.problem import Backend, Trust
from cpmines.program import PREFIX, Program
from cpmines.question import Question
from cpmines.registry import engines, problems
from cpmines.registry.engines import (
    comes_with_extra,
    engine,
    engine_names,
    has_engine,
    missing_packages,
    needed,
    shipped_engine,
)
from cpmines.registry.plugins import added, has_module, load_module, load_point, warn
from cpmines.registry.problems import folder, modelling, problem, sound_modelling

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from cpmines.engine import Counter, Engine
    from cpmines.modelled import Modelled, Tallied

__all__ = [
    "answered",
    "backend",
    "backend_names",
    "by_place",
    "common_question",
    "default_backend",
    "default_backends",
    "foreign_backends",
    "serves",
    "versions",
]

ORDER = ("direct", "propagation", "cpsat", "sat")
"""Backends that come first in lists; then the others by name; those that explain or mislead come last."""
LAST = ("brute", "published")
PARTS = ("summary", "trust", "packages", "questions", "prepare")


def _own_names(name: str) -> list[str]:
    """The modules of a problem's package ``backends``."""
    package = f"{folder(name)}.backends"
    return modules(package) if has_module(package) else []


@cache
def _added(name: str) -> dict[str, EntryPoint]:
    """The backends of other distributions; they can't take the place of one that is here."""
    taken = [f"{name}.{base}" for base in (*_own_names(name), *engine_names(missing=True))]
    points = added("cpmines.backends", taken)
    return {key.partition(".")[2]: point for key, point in points.items() if key.partition(".")[0] == name}


@cache
def _load(name: str, base: str) -> Backend[Any, Any]:
    """A backend that is an object of its own, installed or not. Raises `UsageError`."""
    what = f"backend {base} of {name}"
    if base in _own_names(name):
        return _checked(what, load_module(what, f"{folder(name)}.backends.{base}", "BACKEND"))
    return _checked(what, load_point(what, _added(name)[base]))


def _checked(what: str, found: Any) -> Backend[Any, Any]:
    """The object, if it is a Backend. Raises `UsageError`."""
    try:
        if missing := [part for part in PARTS if not hasattr(found, part)]:
            raise UsageError(f"{what} is no Backend: it has no {', '.join(missing)}")
        for part in ("packages", "questions"):
            if not isinstance(names := getattr(found, part), tuple) or not all(
                isinstance(n, str) for n in names
            ):
                raise UsageError(f"{what} is no Backend: {part} is {names!r}, expected a tuple of names")
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"{what} is no Backend: {type(error).__name__}: {error}") from error
    checked: Backend[Any, Any] = found
    return checked


def _lacking(found: Backend[Any, Any]) -> str:
    return needed(found.packages, str(getattr(found, "extra", "")))


@cache
def _objects(name: str) -> dict[str, Backend[Any, Any]]:
    """All backends of a problem that are objects and can be loaded; of each other one a warning says why."""
    found = {}
    for base in [*_own_names(name), *_added(name)]:
        try:
            found[base] = _load(name, base)
        except UsageError as error:
            warn(str(error))
    return found


def foreign_backends(name: str) -> dict[str, Backend[Any, Any]]:
    """The backends of a problem that stand on packages of others, installed or not."""
    return {base: found for base, found in _objects(name).items() if getattr(found, "extra", "")}


def backend_names(name: str) -> list[str]:
    """Names of the backends of the problem `name` that can run here, without their variants."""
    return list(_backend_names(name))


@cache
def _backend_names(name: str) -> tuple[str, ...]:
    serving = [base for base in engine_names() if serves(engine(base), name)]
    names = {*serving, *(base for base, found in _objects(name).items() if not _lacking(found))}
    first = [found for found in ORDER if found in names]
    last = [found for found in LAST if found in names]
    return (*first, *sorted(names - {*first, *last}), *last)


def serves(solver: Engine | Counter, name: str) -> bool:
    """Can an engine, or a counter, answer any question of the problem?"""
    from cpmines.engine import solves

    statement = sound_modelling(name, foreign=False)
    if statement is None:
        return False
    return solves(solver) or any(reading.tallied for reading in statement.readings.values())


def _served_by(name: str, base: str) -> bool:
    """Is it an engine that can run here, and answer any question of the problem?"""
    try:
        return has_engine(base) and not missing_packages(base) and serves(engine(base), name)
    except UsageError as error:
        warn(str(error))
        return False


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
        return _by_place(name, f"{base}:{attribute}", options)
    if base in _own_names(name) or (not shipped_engine(base) and base in _added(name)):
        found = _load(name, base)
        if lacking := _lacking(found):
            raise UsageError(f"backend {base} of {name} needs {lacking}")
        if ":" in spec:
            raise UsageError(f"backend {base} of {name} has no variants, got {spec!r}")
        return found
    if not _served_by(name, base):
        if base in engine_names(missing=True):
            engine(base)  # says what is not installed
        there = f"{', '.join(backend_names(name))}; or package.module:OBJECT, with a dot, or {PREFIX}:COMMAND"
        raise UsageError(f"no backend of {name} named {base!r}; there are: {there}")
    return _modelled(name, base, [option for option in variant.split("/") if option])


def by_place(spec: str) -> bool:
    """Is a backend named by where it is: ``package.module:OBJECT`` or ``program:COMMAND``?"""
    base = spec.partition(":")[0]
    return "." in base or base == PREFIX


def _program(name: str, command: str) -> Program:
    if not problem(name).printed:
        raise UsageError(f"programs can't answer {name}, which does not say how to read their output")
    return Program.named(problem(name), command)


def _by_place(name: str, spec: str, options: list[str]) -> Backend[Any, Any]:
    """A backend, or an engine on the problem's Model, that ``package.module:OBJECT`` names."""
    found = named_object(spec)
    if hasattr(found, "configure"):
        return _modelled(name, spec, options)
    if options:
        raise UsageError(f"backend {spec} of {name} has no variants, got {'/'.join(options)!r}")
    return _checked(f"backend {spec} of {name}", found)


def _modelled(name: str, base: str, options: list[str]) -> Modelled[Any, Any] | Tallied[Any, Any]:
    from cpmines.engine import Counter, solves
    from cpmines.modelled import Modelled, Tallied

    statement = modelling(name, foreign=bool(options))
    if statement is None:
        raise UsageError(f"{name} is not stated as a Model, so {base} can't solve it")
    there = statement.every_formulation()
    chosen = [option for option in options if option in there]
    if len(chosen) > 1:
        raise UsageError(f"one formulation at a time, got {' and '.join(chosen)}")
    try:
        configured = engine(base).configure([option for option in options if option not in chosen])
    except UsageError as error:
        raise UsageError(f"{error}; formulations of {name}: {', '.join(there)}") from None
    formulation = chosen[0] if chosen else ""
    if solves(configured):
        return Modelled(statement, configured, formulation)
    counting = Tallied(statement, cast(Counter, configured), formulation)
    if not counting.questions:
        raise UsageError(f"{base} only counts, which does not answer {name}")
    return counting


def answered(name: str, spec: str) -> list[Question]:
    """The questions that a backend of the problem answers, in the problem's order."""
    there = problem(name).questions
    named = backend(name, spec).questions
    return [question for question in there if question.name in named] if named else [there[0]]


def common_question(name: str, specs: Iterable[str]) -> Question:
    """The first question of a problem that all these backends answer.

    Raises
    ------
    UsageError
        There is none, with what each of them answers.
    """
    answers = {spec: answered(name, spec) for spec in specs}
    for question in problem(name).questions:
        if all(question in found for found in answers.values()):
            return question
    said = (f"{spec} {', '.join(one.name for one in found) or 'none'}" for spec, found in answers.items())
    raise UsageError(f"no question of {name} is answered by all of these; they answer: {'; '.join(said)}")


def default_backends(name: str, question: Question | None = None) -> list[str]:
    """The backends that `compare` runs unless told otherwise: the exact ones that come without an extra.

    Of these, those that answer the question, which is the problem's first one by default.
    """
    question = question or problem(name).questions[0]
    found = []
    for candidate in backend_names(name):
        try:
            if _by_default(name, candidate, question):
                found.append(candidate)
        except UsageError as error:
            warn(str(error))
    return found


def _by_default(name: str, candidate: str, question: Question) -> bool:
    if candidate not in _objects(name):
        only_optimises = getattr(engine(candidate), "only_optimises", False)
        if comes_with_extra(candidate) or (only_optimises and question.objective is None):
            return False
    return _is_exact(name, candidate, question)


def default_backend(name: str, question: Question | None = None) -> str:
    """The one that `solve` runs unless told otherwise: the first exact one that answers the question.

    It is the problem's first question by default. Raises `UsageError` if there is none.
    """
    question = question or problem(name).questions[0]
    first = ORDER[0]
    if first in _own_names(name):  # known without the engines and other distributions, which take longer
        with suppress(UsageError):
            if _is_exact(name, first, question):
                return first
    for candidate in backend_names(name):
        if _is_exact(name, candidate, question):
            return candidate
    there = ", ".join(backend_names(name)) or "none"
    raise UsageError(f"{name} has no exact backend that answers {question.name}; there are: {there}")


def _is_exact(name: str, candidate: str, question: Question) -> bool:
    return backend(name, candidate).trust == Trust.EXACT and question in answered(name, candidate)


@cache
def versions(name: str, spec: str) -> dict[str, str]:
    """Versions of what an answer depends on: of the distributions that state the problem, the backend and its
    engine, and of the packages that the backend uses."""
    from cpmines.translate.encodings import encoding_distribution

    base = spec.partition(":")[0]
    found = ["cpmines", problems.distribution(name)]
    if base in _own_names(name) or shipped_engine(base):
        pass
    elif base in _added(name):
        found.append(getattr(_added(name)[base].dist, "name", ""))
    elif has_engine(base):
        found.append(engines.distribution(base))
    elif "." in base:
        found.append(distribution_of(base))
    found += [problems.formulation_distribution(name, option) for option in spec.split(":")[-1].split("/")]
    found += [encoding_distribution(option) for option in spec.split(":")[-1].split("/")]
    found += backend(name, spec).packages
    installed = {package: installed_version(package) for package in found if package}
    return {package: version for package, version in installed.items() if version is not None}
