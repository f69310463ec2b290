"""From a spec to the runs that it means: instances read or generated, backends looked up, all combined."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cpmines import files, registry
from cpmines.campaign.runner import versions
from cpmines.campaign.spec import Generate, Group, Spec
from cpmines.campaign.task import Instance, Task, writable
from cpmines.errors import InputError, UsageError

__all__ = ["Plan", "plan"]

MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class Plan:
    """The runs of a campaign, each once, and their instances by key.

    `omitted` says of each optional backend that is not installed what it needs.
    """

    campaign: str
    tasks: tuple[Task, ...]
    instances: dict[str, Instance]
    omitted: dict[str, str]


def plan(spec: Spec) -> Plan:
    """All runs of a spec: first each once, then again for each repetition.

    Raises
    ------
    InputError, UsageError
        A file, a family, a parameter, a backend that does not exist; with the place in the spec.
    """
    instances: dict[str, Instance] = {}
    pairs: dict[tuple[str, str], None] = {}
    omitted: dict[str, str] = {}
    for group in spec.groups:
        omitted |= (lacking := {name: needed for name in group.optional if (needed := _lacking(name))})
        backends = [name for name in (*group.backends, *group.optional) if name not in lacking]
        for one in _instances(spec, group):
            instances.setdefault(one.key, one)
            for backend in backends:
                _check(spec, group, one.problem, backend)
                pairs[one.key, backend] = None
    limits = spec.limits
    if (number := spec.repeats * len(spec.seeds) * len(pairs)) > MOST_RUNS:
        raise UsageError(f"{spec.source}: {number} runs, expected at most {MOST_RUNS}")
    tasks = (
        Task(
            problem=instances[key].problem,
            instance=instances[key].name,
            instance_key=key,
            family=instances[key].family,
            size=instances[key].size,
            backend=backend,
            version=versions(instances[key].problem, backend),
            seed=seed,
            repeat=repeat,
            time_limit=limits.cpu_time,
            wall_limit=limits.wall_time,
            memory_limit=limits.memory,
            certificate_limit=limits.certificate,
            instrument=spec.instrument,
        )
        for repeat in range(spec.repeats)
        for seed in spec.seeds
        for key, backend in pairs
    )
    return Plan(spec.name, tuple({task.key: task for task in tasks}.values()), instances, omitted)


def _lacking(backend: str) -> str:
    """What an engine needs that is not installed, empty if nothing is."""
    name = backend.partition(":")[0]
    return registry.lacking(name) if name in registry.engine_names(missing=True) else ""


def _check(spec: Spec, group: Group, problem: str, backend: str) -> None:
    try:
        versions(problem, backend)
    except UsageError as error:
        raise UsageError(f"{spec.source}: {group.place}, backends: {error}") from None


def _instances(spec: Spec, group: Group) -> Iterator[Instance]:
    if group.problem is not None and group.problem not in registry.problem_names():
        there = ", ".join(registry.problem_names())
        raise UsageError(f"{spec.source}: {group.place}, problem: no {group.problem!r}, there are: {there}")
    for name in group.instances:
        for path in _files(spec, group, name):
            problem = group.problem or _problem_of(spec, group, path)
            yield from _read(problem, path)
    for generate in group.generate:
        assert group.problem is not None
        yield from _generated(spec, group.problem, generate)


def _problem_of(spec: Spec, group: Group, path: Path) -> str:
    names = registry.problem_names()
    try:
        return files.problem_of(path, names)
    except UsageError:
        why = f"none is given, and no folder above {path} is named like one ({', '.join(names)})"
        raise UsageError(f"{spec.source}: {group.place}, problem: {why}") from None


def _files(spec: Spec, group: Group, name: str) -> list[Path]:
    beside = spec.folder / name
    try:
        return files.instance_files(beside if beside.exists() else Path(name))
    except (InputError, OSError) as error:
        raise UsageError(f"{spec.source}: {group.place}, instances: {error}") from None


def _read(problem: str, path: Path) -> Iterator[Instance]:
    """The instances of a file; shipped ones are named from their problem's folder on."""
    question, shipped = registry.problem(problem), files.shipped()
    name = writable(str(path.relative_to(shipped)) if path.is_relative_to(shipped) else str(path))
    parsed = question.parse(files.read(path), str(path))
    for number, instance in enumerate(parsed, 1):
        k = number if len(parsed) > 1 else None
        label = name if k is None else f"{name}#{k}"
        text, expected = question.render(instance), files.expected_answer(path, k)
        family = str(Path(name).parent)
        yield Instance(problem, label, family, _cells(question.describe(instance)), text, expected)


def _cells(description: str) -> int:
    """Rows times columns of a size in words, which begins ``rows x cols``; 0 if it does not."""
    sides = re.match(r"(\d+) ?x ?(\d+)", description)
    return math.prod(map(int, sides.groups())) if sides else 0


def _generated(spec: Spec, problem: str, generate: Generate) -> Iterator[Instance]:
    families = registry.generators(problem).FAMILIES
    name = generate.family or next(iter(families))
    where = f"{spec.source}: {generate.place}"
    if name not in families:
        raise UsageError(f"{where}, family: no {name!r} of {problem}, there are: {', '.join(families)}")
    for chosen in generate.parameters:
        for seed in generate.seeds:
            instance = _make(where, families[name], seed, chosen)
            question = registry.problem(problem)
            words = [name, *(f"{key}={value}" for key, value in chosen.items()), f"seed={seed}"]
            size = _cells(question.describe(instance))
            yield Instance(problem, " ".join(words), name, size, question.render(instance))


def _make(where: str, family: Callable[..., Any], seed: int, chosen: Any) -> Any:
    known = {
        name: parameter.default for name, parameter in list(inspect.signature(family).parameters.items())[1:]
    }
    for name, value in chosen.items():
        if name not in known:
            raise UsageError(f"{where}, parameters: no {name!r}, there are: {', '.join(known)}")
        if isinstance(known[name], float) and not (isinstance(value, int | float) and 0 <= value <= 1):
            raise UsageError(f"{where}, parameters: {name} {value!r}, expected a number from 0 to 1")
    try:
        return family(np.random.default_rng(seed), **chosen)
    except (ValueError, TypeError, MemoryError, OverflowError) as error:
        raise UsageError(f"{where}, parameters: no such instance: {error}") from None
