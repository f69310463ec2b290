"""Run one backend on one instance: time it, judge it, record it."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, TypeVar

from cpmines import registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import EngineError, LimitError, UsageError, WrongAnswerError
from cpmines.problem import Backend, Problem
from cpmines.program import Program

__all__ = ["Run", "Seconds", "run", "solve", "warm_up"]

V = TypeVar("V")


@dataclass(frozen=True)
class Seconds:
    """Wall time of the two steps of a backend, and of the judge; by run, if there were several."""

    build: float
    solve: float
    check: float = 0.0

    @property
    def total(self) -> float:
        return self.build + self.solve


@dataclass(frozen=True)
class Run(Generic[V]):
    """One backend on one instance: the claim, and what the judge says of it.

    Attributes
    ----------
    instance
        The instance's name: its file, or ``-``, with ``#k`` if there are several in one.
    faults
        What the judge found wrong with the value; empty if there is nothing wrong or no value.
    error
        What stopped the backend other than its limits, empty if nothing did. Such a run is `unknown`.
    """

    problem: str
    instance: str
    backend: str
    answer: Answer[V]
    seconds: Seconds
    seed: int = 0
    faults: tuple[str, ...] = ()
    error: str = ""

    @property
    def status(self) -> Status:
        return self.answer.status

    @property
    def value(self) -> V | None:
        return self.answer.value

    @property
    def decided(self) -> bool:
        """Answered in full."""
        return self.status in (Status.SOLVED, Status.INFEASIBLE)

    @property
    def trusted(self) -> bool:
        """Neither rejected by the judge nor broken off by an error."""
        return not self.faults and not self.error

    def versions(self) -> dict[str, str]:
        """Versions of cpmines and of the packages that this backend uses."""
        packages = registry.backend(self.problem, self.backend).packages
        return {name: version(name) for name in ("cpmines", *packages)}

    def to_json(self) -> dict[str, Any]:
        """The line of JSON output, schema 1."""
        record: dict[str, Any] = {
            "schema": 1,
            "problem": self.problem,
            "instance": self.instance,
            "backend": self.backend,
            "trust": str(registry.backend(self.problem, self.backend).trust),
            "status": str(self.status),
            "stop": str(self.answer.stop),
        }
        if self.value is not None and self.trusted:
            record["value"] = registry.problem(self.problem).to_json(self.value)
        record["seconds"] = {"build": round(self.seconds.build, 6), "solve": round(self.seconds.solve, 6)}
        record |= {"seed": self.seed, "versions": self.versions()}
        record |= {"statistics": dict(self.answer.statistics)} if self.answer.statistics else {}
        record |= {"note": self.answer.note} if self.answer.note else {}
        record |= {"faults": list(self.faults)} if self.faults else {}
        record |= {"error": self.error} if self.error else {}
        return record


def attempt(backend: Backend[Any, V], instance: Any, limits: Limits) -> tuple[Answer[V], Seconds]:
    """Build and solve once under a clock that starts now."""
    start = built = time.perf_counter()
    limits = limits.begin()
    try:
        step = backend.prepare(instance, limits)
        built = time.perf_counter()
        answer = step()
    except LimitError as limit:
        answer = Answer.unknown(Stop(limit.stop), limit.note)
    except MemoryError:
        answer = Answer.unknown(Stop.MEMORY_LIMIT, "the machine has no more memory")
    end = time.perf_counter()
    if not isinstance(answer, Answer):
        raise EngineError(f"the backend returned {type(answer).__name__}, expected Answer")
    if built == start:
        built = end
    return answer, Seconds(built - start, end - built)


def run(
    problem: str,
    instance: Any,
    backend: str,
    limits: Limits,
    *,
    label: str = "-",
    repeat: int = 1,
    solver: Backend[Any, Any] | None = None,
) -> Run[Any]:
    """Run `backend` on `instance`, `repeat` times, and have the value judged.

    Times are medians; claim and value are those of the first time. An error of the backend is recorded. With
    `solver`, that object is run, and `backend` is only its name in what comes out.
    """
    question = registry.problem(problem)
    solver = solver or registry.backend(problem, backend)
    try:
        attempts = [attempt(solver, instance, limits) for _ in range(repeat)]
        answer = attempts[0][0]
        values = [found.value for found, _ in attempts if found.value is not None]
        end = time.perf_counter()
        faults = tuple(dict.fromkeys(fault for value in values for fault in question.judge(instance, value)))
        faults += bound_faults(question, answer) if not faults else ()
        check = (time.perf_counter() - end) / max(1, len(values))
    except (Exception, SystemExit) as error:
        # A backend, perhaps somebody else's, may fail in any way: a result, not the end of a comparison.
        broken: Answer[Any] = Answer.unknown(Stop.FINISHED)
        message = f"{type(error).__name__}: {error}"
        return Run(problem, label, backend, broken, Seconds(0.0, 0.0), limits.seed, error=message)
    build = statistics.median(seconds.build for _, seconds in attempts)
    spent = statistics.median(seconds.solve for _, seconds in attempts)
    return Run(problem, label, backend, answer, Seconds(build, spent, check), limits.seed, faults)


def bound_faults(question: Problem[Any, V], answer: Answer[V]) -> tuple[str, ...]:
    """What is wrong with the bound of the objective among the statistics, beside the value."""
    bound = answer.statistics.get("bound")
    if question.objective is None or answer.value is None or bound is None:
        return ()
    reached = question.to_json(answer.value)[question.objective]
    return (f"the claimed bound {bound} is below the value {reached}",) if bound < reached else ()


@cache
def warm_up(problem: str, backend: str, *flags: str) -> None:
    """Solve the problem's small examples, so that compiling and loading are over before a clock starts.

    `flags` are options of the problem that are asked for, those that are on or off.

    It is done once in a process. Compiling a problem's kernels takes some seconds, once in an installation.
    """
    if isinstance(registry.backend(problem, backend), Program):
        return
    question = registry.problem(problem)
    for text in question.warm_up:
        for instance in question.read(text, "warm-up", **dict.fromkeys(flags, True)):
            run(problem, instance, backend, Limits(seconds=60))


def solve(
    problem: str,
    instance: Any,
    backend: str = "direct",
    *,
    time_limit: float | None = None,
    memory_limit: int = Limits.memory,
    seed: int = 0,
    **asked: Any,
) -> Run[Any]:
    """Solve one instance; the answer has passed the judge.

    Parameters
    ----------
    problem
        A name from `registry.problem_names`.
    instance
        Text in the problem's format, a `pathlib.Path` of a file with it, or an instance object.
    backend
        A name, or ``name:variant``.
    time_limit
        Seconds of wall time, None for no limit.
    memory_limit
        Bytes.
    asked
        Options of the problem, see `Problem.options`.

    Raises
    ------
    InputError
        The text can't be read as one instance.
    UsageError
        No such problem, backend or option.
    WrongAnswerError
        The judge rejected the backend's value, or the backend failed.

    >>> solve("maxmines", "2 2 3").value.mines
    3
    """
    question = registry.problem(problem)
    warm_up(problem, backend, *(name for name, value in asked.items() if value is True))
    parsed = _instance(question, instance, asked)
    result = run(problem, parsed, backend, Limits(time_limit, memory_limit, seed))
    if not result.trusted:
        raise WrongAnswerError(f"{backend} on {problem}: {'; '.join(result.faults) or result.error}")
    return result


def _names_file(text: str) -> bool:
    try:
        return "\n" not in text and Path(text).is_file()
    except OSError:  # longer than a name can be
        return False


def _instance(question: Problem[Any, Any], instance: Any, asked: dict[str, Any]) -> Any:
    if isinstance(instance, Path):
        from cpmines.files import read

        found = question.read(read(instance), str(instance), **asked)
    elif isinstance(instance, (str, bytes)):
        if isinstance(instance, str) and _names_file(instance):
            raise UsageError(f"{instance} is a file: pass pathlib.Path({instance!r}) to have it read")
        found = question.read(instance, "text", **asked)
    else:
        try:
            question.describe(instance)
        except Exception:
            raise UsageError(f"{type(instance).__name__} is no instance of this problem") from None
        return question.ask(instance, **asked)
    if len(found) != 1:
        raise UsageError(f"{len(found)} instances, expected one; Problem.parse gives all of them")
    return found[0]
