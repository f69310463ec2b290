"""Run one backend on one instance: time it, judge it, record it."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from cpmines import registry
from cpmines.answer import Answer, Limits, Status, Stop
from cpmines.errors import (
    EngineError,
    InstallationError,
    LimitError,
    UsageError,
    WrongAnswerError,
    advice,
    mending,
)
from cpmines.numerals import plural
from cpmines.problem import Backend, Problem
from cpmines.process.memory import memory_refused
from cpmines.program import Program
from cpmines.question import Asked, Maximise, present

__all__ = ["SCHEMA", "Run", "Seconds", "chosen", "run", "solve", "warm_up"]

V = TypeVar("V")

SCHEMA = 2
"""Of the JSON lines; 1 named no question."""


NOT_LOADED = re.compile(r"\b(Import|ModuleNotFound)Error: ")
"""Of an exception, also one that ended a solver's process."""


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
    asked
        The question that the claim answers.
    instance
        The instance's name: its file, or ``-``, with ``#k`` if there are several in one.
    faults
        What the judge found wrong with the value; empty if there is nothing wrong or no value.
    error
        What stopped the backend other than its limits, empty if nothing did. Such a run is `unknown`.
    """

    problem: str
    instance: str
    asked: Asked
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
        """Versions of all distributions that the answer depends on."""
        return registry.versions(self.problem, self.backend)

    def to_json(self) -> dict[str, Any]:
        """The line of JSON output."""
        record: dict[str, Any] = {"schema": SCHEMA, "problem": self.problem, "instance": self.instance}
        record |= {
            **self.asked.to_json(),
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


def median(times: list[float]) -> float:
    if len(times) == 1:
        return times[0]
    import statistics

    return statistics.median(times)


def attempt(
    backend: Backend[Any, V], instance: Any, asked: Asked, limits: Limits
) -> tuple[Answer[V], Seconds]:
    """Build and solve once under a clock that starts now."""
    start = built = time.perf_counter()
    limits = limits.begin()
    try:
        step = backend.prepare(instance, asked, limits)
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
    asked: Asked | None = None,
    *,
    label: str = "-",
    repeat: int = 1,
    solver: Backend[Any, Any] | None = None,
) -> Run[Any]:
    """Run `backend` on `instance`, `repeat` times, and have the value judged.

    Times are medians; claim and value are those of the first time. An error of the backend is recorded. With
    `solver`, that object is run, and `backend` is only its name in what comes out. Without `asked` it is the
    first question of the problem that the backend answers.
    """
    question = registry.problem(problem)
    solver = solver or registry.backend(problem, backend)
    answered = solver.questions or (question.questions[0].name,)
    if asked is None:
        asked = next((one for one in question.questions if one.name in answered), question.questions[0]).plain

    def unmeasured(answer: Answer[Any], **why: Any) -> Run[Any]:
        return Run(problem, label, asked, backend, answer, Seconds(0.0, 0.0), limits.seed, **why)

    if asked.name not in answered:
        return unmeasured(Answer.declined(f"{backend} does not answer the question {asked.name}"))
    try:
        attempts = [attempt(solver, instance, asked, limits) for _ in range(repeat)]
        answer = attempts[0][0]
        end = time.perf_counter()
        faults = dict.fromkeys(
            fault for found, _ in attempts for fault in _faults(question, instance, asked, found)
        )
        check = (time.perf_counter() - end) / len(attempts)
    except InstallationError:
        raise
    except WrongAnswerError as error:
        return unmeasured(Answer.unknown(Stop.FINISHED), faults=(str(error),))
    except (Exception, SystemExit) as error:
        # A backend, perhaps somebody else's, may fail in any way: a result, not the end of a comparison.
        message = f"{type(error).__name__}: {error}"
        if memory_refused(message):
            return unmeasured(Answer.unknown(Stop.MEMORY_LIMIT, str(error)))
        if NOT_LOADED.search(message) and solver.packages:
            message = f"{message}; {mending(*solver.packages)}"
        elif what := advice(error):
            message = f"{message}; {what}"
        return unmeasured(Answer.unknown(Stop.FINISHED), error=message)
    build, spent = median([one.build for _, one in attempts]), median([one.solve for _, one in attempts])
    seconds = Seconds(build, spent, check)
    return Run(problem, label, asked, backend, answer, seconds, limits.seed, tuple(faults))


def _faults(question: Problem[Any, Any], instance: Any, asked: Asked, answer: Answer[Any]) -> list[str]:
    """What the judge finds wrong with an answer, and what it lacks if it claims to be one in full."""
    none = answer.status is Status.INFEASIBLE
    if none and asked.question.relaxed:
        return [f"infeasible, and the question {asked.name} always has an answer"]
    if answer.value is None:
        return []
    lacking = asked.lacking(answer.value)
    if none and asked.question.fields and not lacking:
        return [f"infeasible, with a value that answers the question {asked.name}"]
    missing = [f"solved without {why}, which the question {asked.name} asks for" for why in lacking]
    faults = question.judge(instance, asked, answer.value)
    if answer.status is Status.SOLVED:
        faults = [*missing, *faults]
    return faults or _bound_faults(question, asked, answer)


def _bound_faults(question: Problem[Any, V], asked: Asked, answer: Answer[V]) -> list[str]:
    """What is wrong with the bound of the objective among the statistics, beside the value."""
    objective, bound = asked.question.objective, answer.statistics.get("bound")
    if objective is None or bound is None:
        return []
    reached = getattr(answer.value, objective.field)
    where = "below" if isinstance(objective, Maximise) else "above"
    return (
        [f"the claimed bound {bound} is {where} the value {reached}"]
        if objective.beats(reached, bound)
        else []
    )


@cache
def warm_up(problem: str, backend: str, asked: Asked | None = None) -> None:
    """Solve the problem's small examples, once in a process: loading is over before a clock starts."""
    if isinstance(registry.backend(problem, backend), Program):
        return
    question = registry.problem(problem)
    for text in question.warm_up:
        for instance in question.parse(text, "warm-up"):
            run(problem, instance, backend, Limits(seconds=60), asked)


def solve(
    problem: str,
    instance: Any,
    backend: str | None = None,
    *,
    ask: str | None = None,
    time_limit: float | None = None,
    memory_limit: int = Limits.memory,
    seed: int = 0,
    **options: Any,
) -> Run[Any]:
    """Solve one instance; the answer has passed the judge.

    Parameters
    ----------
    problem
        A name from `registry.problem_names`.
    instance
        Text in the problem's format, a `pathlib.Path` of a file with it, or an instance object.
    backend
        A name, or ``name:variant``; None for the first exact one that answers the question.
    ask
        Name of the question, see `Problem.questions`; None for the one that `options` belong to, else the
        first one that the backend answers.
    time_limit
        Seconds of wall time, None for no limit.
    memory_limit
        Bytes.
    options
        Of the question; and ``name=True`` for ``ask="name"``.

    Raises
    ------
    InputError
        The text can't be read as one instance.
    UsageError
        No such problem, backend, question or option.
    WrongAnswerError
        The judge rejected the backend's value.
    EngineError
        The backend failed.

    >>> solve("maxmines", "2 2 3").value.mines
    3
    """
    asked = chosen(problem, [backend] if backend else [], ask, **options)
    backend = backend or registry.default_backend(problem, asked.question)
    warm_up(problem, backend, asked)
    parsed = _instance(registry.problem(problem), instance, asked)
    result = run(problem, parsed, backend, Limits(time_limit, memory_limit, seed), asked)
    if result.faults:
        raise WrongAnswerError(f"{backend} on {problem}: {'; '.join(result.faults)}")
    if result.error:
        raise EngineError(f"{backend} on {problem}: {result.error}")
    return result


def chosen(problem: str, backends: Sequence[str], name: str | None = None, /, **options: Any) -> Asked:
    """The question that is named or that options belong to, else the first one that all backends answer.

    Without backends that is the problem's first one.

    Raises
    ------
    UsageError
        There is none.
    """
    question = registry.problem(problem)
    if name is None and not present(options):
        name = registry.common_question(problem, backends).name
    return question.ask(name, **options)


def _names_file(text: str) -> bool:
    try:
        return "\n" not in text and Path(text).is_file()
    except OSError:  # longer than a name can be
        return False


def _instance(question: Problem[Any, Any], instance: Any, asked: Asked) -> Any:
    if isinstance(instance, Path):
        from cpmines.files import read

        found = question.read(read(instance), str(instance), asked)
    elif isinstance(instance, (str, bytes)):
        if isinstance(instance, str) and _names_file(instance):
            raise UsageError(f"{instance} is a file: pass pathlib.Path({instance!r}) to have it read")
        found = question.read(instance, "text", asked)
    else:
        try:
            question.describe(instance)
        except Exception:
            raise UsageError(f"{type(instance).__name__} is no instance of this problem") from None
        if why := question.refusal(instance, asked):
            raise UsageError(why)
        return instance
    if len(found) != 1:
        raise UsageError(f"{plural(len(found), 'instance')}, expected one; Problem.parse gives all of them")
    return found[0]
