"""Readers of what programs print, of answers as JSON, and of names, options and numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmarks.readers.trial import Read, Reader, Sample
from cpmines import registry
from cpmines.analysis.analyser import as_position
from cpmines.answer import Limits
from cpmines.check.claims import UNREADABLE
from cpmines.errors import InputError, UsageError
from cpmines.export.solution import read_solution
from cpmines.positions.problem import density_of
from cpmines.problem import Problem
from cpmines.question import Asked
from cpmines.run import run

__all__ = ["text_readers"]

INSTANCES = {
    "consistency": "2 3\n.1.\n.1.\n",
    "deduction": "2 5\n.....\n.121.\n",
    "counting": "3 4 3\n.1..\n..1.\n....\n",
    "validation": "2 3\n1*1\n12.\n",
    "maxmines": "4 4 3\n",
    "mosaic": "3 3\n1..\n.4.\n..2\n",
    "reconstruction": "3 3\n121\n121\n121\n",
}
"""An instance of each problem that has an answer to each question."""

SOLUTIONS = (
    "c comment\ns SATISFIABLE\nv 1 -2\nv 3 4 0\n",
    "o 17\ns OPTIMUM FOUND\nv 1010\n",
    "s SATISFIABLE\nv x1 -x2 x3 x4\n",
    "Model status\nOptimal\n\n# Columns 3\nmine_1_1 1\nmine_1_2 0\nx_3 0.9999999\n",
    "   1 mine_1_1     *              1             0             1\n   3 x_3 * 1 0 1\n",
    "solution: 1\nsolution: 0\nsolution: 1\nstatus: OPTIMAL\n",
    "solution: [1, 0, 1, 0]\n",
    "s UNSATISFIABLE\n",
)
BACKENDS = (
    "direct",
    "sat:cadical195",
    "sat:glucose4/totalizer",
    "cpsat:plain",
    "program:true 'a b' c",
    "maxsat",
)


def text_readers() -> list[Reader]:
    found = [solver_output(), densities(), names(), positions()]
    for name in registry.problem_names():
        found += [options(name), values(name)]
        if registry.problem(name).printed:
            found.append(program_output(name))
    return found


def decoded(data: bytes) -> str:
    """As the command line gets its arguments."""
    return data.decode("utf-8", "surrogateescape")


def all_asked(problem: Problem[Any, Any]) -> Iterator[Asked]:
    for question in problem.questions:
        given = {one.name: 1 for one in question.options if one.required}
        yield question.with_options(given)


def solver_output() -> Reader:
    def read(data: bytes) -> object:
        return read_solution(data.decode("utf-8", "replace"), 3, 4, ("mine_1_1", "mine_1_2", "x_3"))

    samples = tuple(Sample(text.encode(), read) for text in SOLUTIONS)
    return Reader("solver output", ("export.solution",), samples)


def densities() -> Reader:
    texts = ("0.2", "1/5", "2e-1", ".125", "99/480", "0.206")
    modules = ("positions.problem",)
    return Reader("density", modules, tuple(Sample(text.encode(), _density) for text in texts))


def _density(data: bytes) -> object:
    return density_of(decoded(data))


def names() -> Reader:
    def read(data: bytes) -> object:
        return registry.backend("consistency", decoded(data))

    return Reader(
        "backend name", ("registry.backends",), tuple(Sample(name.encode(), read) for name in BACKENDS)
    )


def positions() -> Reader:
    def read(data: bytes) -> object:
        return as_position(decoded(data)), as_position(data)

    return Reader("analyse", ("analysis.analyser",), (Sample(INSTANCES["counting"].encode(), read),))


def options(name: str) -> Reader:
    """Questions with options as ``expected.jsonl``, maps, stores and specs have them."""
    problem = registry.problem(name)

    def read(data: bytes) -> object:
        try:
            said = json.loads(data)
            given = {str(key): value for key, value in said.get("options", {}).items()}
        except (ValueError, AttributeError, RecursionError):
            raise InputError("other JSON", "a question") from None
        return problem.ask(said.get("question"), **given)

    texts = [json.dumps(asked.to_json()).encode() for asked in all_asked(problem)]
    texts += [b'{"question": "chances", "options": {"density": "1/5", "fractions": true}}'] * (
        name == "counting"
    )
    return Reader(f"question: {name}", ("question",), tuple(Sample(text, read) for text in texts))


def values(name: str) -> Reader:
    """Answers as JSON; what is read is judged, written and shown."""
    problem = registry.problem(name)
    (instance,) = problem.parse(INSTANCES[name])
    samples = []
    for asked in all_asked(problem):
        found = run(name, instance, registry.default_backend(name, asked.question), Limits(), asked)
        if found.value is not None:
            written = json.dumps(problem.to_json(found.value)).encode()
            samples.append(Sample(written, value_reader(problem, instance, asked)))
    modules = (f"problems.{name}.problem", "fields", "board")
    return Reader(f"value: {name}", modules, tuple(samples), (InputError, UsageError))


def value_reader(problem: Problem[Any, Any], instance: Any, asked: Asked) -> Read:
    def read(data: bytes) -> object:
        try:
            fields = json.loads(data)
            value = problem.from_json(fields)
        except (*UNREADABLE, RecursionError):
            raise InputError("another value", "the fields of a value") from None
        problem.to_json(value)
        return problem.judge(instance, asked, value)

    return read


def program_output(name: str) -> Reader:
    problem = registry.problem(name)
    (instance,) = problem.parse(INSTANCES[name])
    asked = problem.ask(problem.printed)
    found = run(name, instance, registry.default_backend(name, asked.question), Limits(), asked)

    def read(data: bytes) -> object:
        answer = problem.read_verdict(instance, data.decode("utf-8", "replace"))
        if answer.value is not None:
            problem.judge(instance, asked, answer.value)
        return answer

    samples = (Sample(problem.verdict(instance, found.answer).encode(), read),)
    return Reader(f"program output: {name}", ("printed", f"problems.{name}.problem"), samples)
