"""What engines, and backends on packages of others, say that they can do, and whether they are installed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cpmines import registry
from cpmines.engine import Ability, abilities_of, extra_of
from cpmines.errors import UsageError
from cpmines.packages import installed_version, named_object
from cpmines.program import PREFIX

__all__ = ["Capability", "capabilities", "problems_of"]


@dataclass(frozen=True)
class Capability:
    """One engine or backend.

    Attributes
    ----------
    versions
        Of each package that it needs, None where that is not installed.
    extra
        The extra of cpmines that installs them, empty if they come with cpmines.
    abilities
        What it promises beyond answers within limits.
    problems
        Those that it solves, or would if it were installed.
    """

    name: str
    summary: str
    versions: dict[str, str | None]
    extra: str
    abilities: frozenset[Ability]
    problems: tuple[str, ...]

    @property
    def installed(self) -> bool:
        return None not in self.versions.values()

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "method": self.summary,
            "installed": self.installed,
            "extra": self.extra or None,
            "versions": self.versions,
            "abilities": [str(ability) for ability in Ability if ability in self.abilities],
            "problems": list(self.problems),
        }

    @classmethod
    def of(cls, name: str, found: Any, problems: tuple[str, ...]) -> Capability:
        versions = {package: installed_version(package) for package in found.packages}
        return cls(name, found.summary, versions, extra_of(found), abilities_of(found), problems)


def capabilities(problem: str | None = None, *, variants: bool = False) -> list[Capability]:
    """All engines, and backends that stand on packages of others, or those that serve `problem`.

    Parameters
    ----------
    variants
        After each engine also those of its variants that use another solver.
    """
    if problem is not None:
        registry.problem(problem)
    found = [*_engines(variants), *_foreign()]
    return [one for one in found if problem is None or problem in one.problems]


def _engines(variants: bool) -> Iterator[Capability]:
    for name in registry.engine_names(missing=True):
        engine = registry.engine(name, missing=True)
        problems = tuple(each for each in registry.sound_problems() if registry.serves(engine, each))
        yield Capability.of(name, engine, problems)
        if variants and not registry.missing_packages(name):
            for variant in getattr(engine, "variants", list)():
                yield Capability.of(f"{name}:{variant}", engine.configure([variant]), problems)


def _foreign() -> Iterator[Capability]:
    for problem in registry.sound_problems():
        for name, backend in registry.foreign_backends(problem).items():
            yield Capability.of(name, backend, (problem,))


def problems_of(name: str) -> list[str]:
    """The problems of a backend that is named as for `registry.backend`.

    Raises
    ------
    UsageError
        There is none, packages are missing, or a Backend is named that does not tell its problem.
    """
    base, _, variant = name.partition(":")
    if base == PREFIX:
        raise UsageError(f"{name} may be a backend of any problem: say of which, with --problem")
    if "." in base:
        found = named_object(f"{base}:{variant.partition('/')[0]}")
        if not hasattr(found, "configure"):
            raise UsageError(f"{name} is a backend of one problem: say of which, with --problem")
        return [problem for problem in registry.sound_problems() if registry.serves(found, problem)]
    problems = [each for each in registry.sound_problems() if base in registry.backend_names(each)]
    if not problems and base in registry.engine_names(missing=True):
        registry.engine(base)
    if not problems:
        there = {found for each in registry.sound_problems() for found in registry.backend_names(each)}
        raise UsageError(f"no backend named {base!r}; there are: {', '.join(sorted(there))}")
    return problems
