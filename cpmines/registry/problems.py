"""Problems by name, and the rooms of a problem's folder."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cpmines.errors import UsageError
from cpmines.problem import Modelling, Problem
from cpmines.question import Asked
from cpmines.registry.plugins import added, has_module, load_module, load_point, warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from cpmines.relation import Relation

__all__ = [
    "distribution",
    "folder",
    "formulation_distribution",
    "generators",
    "has_problem",
    "lookup",
    "modelling",
    "problem",
    "problem_names",
    "relations",
    "room",
    "shipped",
    "sound_modelling",
    "sound_problems",
]

SHIPPED = "cpmines.problems"


def lookup(kind: str, name: str, names: list[str]) -> None:
    """Raises `UsageError` if the name is not among `names`."""
    if name not in names:
        raise UsageError(f"no {kind} named {name!r}; there are: {', '.join(names)}")


@cache
def _shipped() -> list[str]:
    """The folders of `cpmines.problems`; one that is no package is named, and left out."""
    found = []
    for path in map(Path, import_module(SHIPPED).__path__):
        for inside in sorted(path.iterdir()):
            if inside.name[0] in "._" or not inside.is_dir() or not any(inside.glob("*.py")):
                continue
            if (inside / "__init__.py").is_file():
                found.append(inside.name)
            else:
                warn(f"problem {inside.name} is not used: its folder has no __init__.py")
    return found


@cache
def _added() -> dict[str, EntryPoint]:
    return added("cpmines.problems", _shipped())


def shipped(name: str) -> bool:
    """Is the problem one of ours? That is known without a look at other distributions, which takes longer."""
    return name in _shipped()


def has_problem(name: str) -> bool:
    """Is there a problem of this name, whole or broken?"""
    return shipped(name) or name in _added()


def problem_names() -> list[str]:
    """Names of all problems, those that can't be loaded among them."""
    return sorted([*_shipped(), *_added()])


@cache
def sound_problems() -> dict[str, Problem[Any, Any]]:
    """All problems that can be loaded, by name; of each other one a warning says why."""
    found = {}
    for name in problem_names():
        try:
            found[name] = problem(name)
        except UsageError as error:
            warn(str(error))
    return found


def folder(name: str) -> str:
    """Dotted name of a problem's package. Raises `UsageError` if there is no such problem."""
    if shipped(name):
        return f"{SHIPPED}.{name}"
    lookup("problem", name, problem_names())
    return _added()[name].value


def distribution(name: str) -> str:
    """The distribution that a problem comes with."""
    point = None if shipped(name) else _added().get(name)
    return point.dist.name if point and point.dist else "cpmines"


@cache
def problem(name: str) -> Problem[Any, Any]:
    """The problem `name`.

    Raises
    ------
    UsageError
        There is none, with the names that exist; or it can't be loaded, with what is wrong.
    """
    found = room(name, "problem", "PROBLEM")
    if found is None:
        raise UsageError(f"problem {name}: its folder has no problem.py")
    if not isinstance(found, Problem):
        raise UsageError(
            f"problem {name}: PROBLEM in problem.py is {type(found).__name__}, expected a Problem"
        )
    if missing := [part for part in ("summary", "questions") if not getattr(found, part, None)]:
        raise UsageError(f"problem {name}: PROBLEM in problem.py has no {' and no '.join(missing)}")
    return found


@cache
def room(name: str, file: str, attribute: str) -> Any:
    """What a room of a problem's folder offers, None if the folder has no such room.

    Parameters
    ----------
    file
        Of the folder, without its suffix.

    Raises
    ------
    UsageError
        No such problem, or the room is broken.
    """
    module = f"{folder(name)}.{file}"
    if not has_module(module):
        return None
    return load_module(f"problem {name}", module, attribute)


def generators(name: str) -> Any:
    """The module ``generate`` of a problem: ``FAMILIES``, ``tiny``, ``PROFILES`` and ``shrink``.

    Raises
    ------
    UsageError
        There is none, or it is broken, or lacks one of these other than ``PROFILES``.
    """
    for attribute in ("FAMILIES", "tiny", "shrink"):
        if room(name, "generate", attribute) is None:
            raise UsageError(f"problem {name}: its folder has no generate.py, which makes instances")
    return import_module(f"{folder(name)}.generate")


def relations(name: str, asked: Asked | None = None) -> dict[str, Relation[Any]]:
    """What the problem `name` knows of pairs of instances, by name; nothing if it has no ``relations.py``.

    They follow fields by their names, which mean the same in the answers to every question; but not where
    options change what is asked, or where the question has an answer and the others have none.
    """
    if asked is not None and (asked.options or asked.question.relaxed):
        return {}
    return dict(room(name, "relations", "RELATIONS") or {})


@cache
def modelling(name: str, *, foreign: bool = True) -> Modelling[Any, Any] | None:
    """How the problem `name` is stated as a Model, also by other distributions; None if it is not.

    Without `foreign`, by itself alone, which is known sooner.
    """
    found: Modelling[Any, Any] | None = room(name, "model", "MODELLING")
    if found is None or not foreign:
        return found
    taken = [f"{name}.{formulation}" for formulation in found.formulations]
    more = {}
    for key, point in added("cpmines.formulations", taken).items():
        problem_name, _, formulation = key.partition(".")
        if problem_name == name:
            try:
                more[formulation] = load_point(f"formulation {key}", point)
            except UsageError as error:
                warn(str(error))
    return found.with_formulations(more)


def sound_modelling(name: str, *, foreign: bool = True) -> Modelling[Any, Any] | None:
    """The same, also None if it is broken, of which a warning says why."""
    try:
        return modelling(name, foreign=foreign)
    except UsageError as error:
        warn(str(error))
        return None


def formulation_distribution(name: str, formulation: str) -> str:
    """The distribution that adds a formulation to a problem; empty if none does."""
    found = room(name, "model", "MODELLING")
    taken = [] if found is None else [f"{name}.{own}" for own in found.formulations]
    point = added("cpmines.formulations", taken).get(f"{name}.{formulation}")
    return point.dist.name if point and point.dist else ""
