"""From a spec to the runs that it means: instances read or generated, backends looked up, all combined."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cpmines import files, registry
from cpmines.campaign.runner import versions
from cpmines.campaign.spec import AskedFor, Generate, Group, Spec
from cpmines.campaign.task import Instance, Task, writable
from cpmines.errors import InputError, UsageError
from cpmines.numerals import plural, share_of
from cpmines.problem import Problem
from cpmines.question import Asked

__all__ = ["Plan", "plan"]

MOST_RUNS = 1_000_000
LARGEST_SIZE = 2**63 - 1


@dataclass(frozen=True)
class Plan:
    """The runs of a campaign, each once, and their instances by key.

    `left_out` says, one by one, what is not run: a backend that is not installed, or asked what it does not
    answer.
    """

    campaign: str
    tasks: tuple[Task, ...]
    instances: dict[str, Instance]
    left_out: tuple[str, ...]


def plan(spec: Spec) -> Plan:
    """All runs of a spec: first each once, then again for each repetition.

    Raises
    ------
    InputError, UsageError
        A file, a family, a parameter, a backend that does not exist; with the place in the spec.
    """
    instances: dict[str, Instance] = {}
    runs: dict[tuple[str, PlannedQuestion, str], None] = {}
    left_out: dict[str, None] = {}
    for group in spec.groups:
        lacking = {name: needed for name in group.optional if (needed := _lacking(name))}
        left_out |= dict.fromkeys(f"{name}, which needs {needed}" for name, needed in lacking.items())
        backends = [name for name in (*group.backends, *group.optional) if name not in lacking]
        for one, wanted in _instances(spec, group):
            instances.setdefault(one.key, one)
            for backend in backends:
                if wanted.name in _answers(spec, group, one.problem, backend):
                    runs[one.key, wanted, backend] = None
                else:
                    said = f"{backend} on {one.problem}, which does not answer the question {wanted.name}"
                    left_out[said] = None
    if not 0 < (number := spec.repeats * len(spec.seeds) * len(runs)) <= MOST_RUNS:
        why = "".join(f"; left out: {said}" for said in left_out)
        raise UsageError(f"{spec.source}: {plural(number, 'run')}, expected 1 to {MOST_RUNS}{why}")
    limits = spec.limits
    tasks = (
        Task(
            problem=instances[key].problem,
            instance=instances[key].name,
            instance_key=key,
            family=instances[key].family,
            size=instances[key].size,
            question=wanted.question,
            options=wanted.options,
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
        for key, wanted, backend in runs
    )
    return Plan(spec.name, tuple({task.key: task for task in tasks}.values()), instances, tuple(left_out))


@dataclass(frozen=True)
class PlannedQuestion:
    """A question as tasks name it, see `Conditions`."""

    name: str
    question: str
    options: str


def _questions(spec: Spec, group: Group, problem: str) -> dict[PlannedQuestion, Asked]:
    """What is asked of the instances of a problem. Raises `UsageError`, with the place in the spec."""
    found: dict[PlannedQuestion, Asked] = {}
    question = registry.problem(problem)
    for one in group.ask or (AskedFor(question.questions[0].name, {}, group.place),):
        try:
            asked = question.ask(one.name, **one.options)
        except (UsageError, TypeError) as error:
            raise UsageError(f"{spec.source}: {one.place}: {error}") from None
        options = json.dumps(one.options, sort_keys=True)
        found[PlannedQuestion(asked.name, writable(str(asked)), options)] = asked
    return found


def _lacking(backend: str) -> str:
    """What an engine needs that is not installed, empty if that is nothing."""
    name = backend.partition(":")[0]
    return registry.missing_packages(name) if name in registry.engine_names(missing=True) else ""


def _answers(spec: Spec, group: Group, problem: str, backend: str) -> frozenset[str]:
    """The names of the questions that a backend answers. Raises `UsageError`, with the place in the spec."""
    try:
        return _answered(problem, backend)
    except UsageError as error:
        raise UsageError(f"{spec.source}: {group.place}, backends: {error}") from None


@cache
def _answered(problem: str, backend: str) -> frozenset[str]:
    return frozenset(question.name for question in registry.answered(problem, backend))


def _instances(spec: Spec, group: Group) -> Iterator[tuple[Instance, PlannedQuestion]]:
    if group.problem is not None and group.problem not in registry.problem_names():
        there = ", ".join(registry.problem_names())
        raise UsageError(f"{spec.source}: {group.place}, problem: no {group.problem!r}, there are: {there}")
    for name in group.instances:
        for path in _files(spec, group, name):
            problem = group.problem or _problem_of(spec, group, path)
            for wanted, asked in _questions(spec, group, problem).items():
                yield from ((one, wanted) for one in _read(problem, path, asked))
    for generate in group.generate:
        assert group.problem is not None
        questions = _questions(spec, group, group.problem)
        for made in _generated(spec, group.problem, generate, list(questions.values())):
            yield from ((made, wanted) for wanted in questions)


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
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"{spec.source}: {group.place}, instances: {why}") from None


def _read(problem: str, path: Path, asked: Asked) -> Iterator[Instance]:
    """The instances of a file."""
    question, name = registry.problem(problem), writable(files.short_name(path))
    parsed = question.read(files.read(path), str(path), asked)
    for number, instance in enumerate(parsed, 1):
        k = number if len(parsed) > 1 else None
        label = name if k is None else f"{name}#{k}"
        text, expected = question.render(instance), files.expected_answer(path, k)
        family = str(Path(name).parent)
        yield Instance(problem, label, family, _size(question, instance), text, expected)


def _size(question: Problem[Any, Any], instance: Any) -> int:
    """How large it is, or the largest number that a store can hold."""
    return min(question.size(instance), LARGEST_SIZE)


def _generated(spec: Spec, problem: str, generate: Generate, asked: Sequence[Asked]) -> Iterator[Instance]:
    families = registry.generators(problem).FAMILIES
    name = generate.family or next(iter(families))
    where = f"{spec.source}: {generate.place}"
    if name not in families:
        raise UsageError(f"{where}, family: no {name!r} of {problem}, there are: {', '.join(families)}")
    for chosen in generate.parameters:
        for seed in generate.seeds:
            instance = _make(where, families[name], seed, chosen)
            question = registry.problem(problem)
            label = " ".join([name, *(f"{key}={value}" for key, value in chosen.items()), f"seed={seed}"])
            for each in asked:
                if why := question.refusal(instance, each):
                    raise UsageError(f"{where}: {label}: {why}")
            yield Instance(problem, label, name, _size(question, instance), question.render(instance))


def _make(where: str, family: Callable[..., Any], seed: int, chosen: Any) -> Any:
    known = {
        name: parameter.default for name, parameter in list(inspect.signature(family).parameters.items())[1:]
    }
    given = dict(chosen)
    for name, value in chosen.items():
        if name not in known:
            raise UsageError(f"{where}, parameters: no {name!r}, there are: {', '.join(known)}")
        if isinstance(known[name], float):
            try:
                given[name] = share_of(value)
            except ValueError as error:
                raise UsageError(f"{where}, parameters: {name}={error}") from None
    try:
        return family(np.random.default_rng(seed), **given)
    except (ValueError, TypeError, MemoryError, OverflowError) as error:
        raise UsageError(f"{where}, parameters: no such instance: {error}") from None
