"""A solver's answer to an exported file: decoded, and judged like any other answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cpmines import files, registry
from cpmines.answer import Status
from cpmines.errors import InputError, LimitError
from cpmines.export.mapping import Map
from cpmines.export.solution import ImportedSolution, read_solution
from cpmines.export.statement import StatedModel, state
from cpmines.numerals import plural
from cpmines.question import Asked
from cpmines.run import SCHEMA

__all__ = ["Imported", "import_solution"]

NAMED = frozenset({"lp", "mps", "cpsat"})
"""Formats whose variables have names."""


@dataclass(frozen=True)
class Imported:
    """What a solution says of the instance.

    Attributes
    ----------
    status
        `solved` if the value is all that the question asks for, `feasible` if it is less or would have to be
        proved, `unknown` if there is no value: a solution never proves that there is none.
    faults
        What is wrong with the assignments: constraints that they break, what the judge finds.
    """

    problem: str
    instance: Any
    asked: Asked
    status: Status
    value: Any
    faults: tuple[str, ...] = ()
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """One line of output."""
        record: dict[str, Any] = {"schema": SCHEMA, "problem": self.problem}
        record |= {**self.asked.to_json(), "status": str(self.status)}
        if self.value is not None and not self.faults:
            record["value"] = registry.problem(self.problem).to_json(self.value)
        record |= {"note": self.note} if self.note else {}
        return record | ({"faults": list(self.faults)} if self.faults else {})


def import_solution(found: Map, path: Path, *, complete: bool = False) -> Imported:
    """Read the output of a solver, decode it and have it judged.

    Parameters
    ----------
    complete
        The assignments are all that there are (somebody vouches for that): counts and deductions follow.

    Raises
    ------
    InputError
        The file can't be read as the output of a solver for this export.
    """
    statement = state(found.problem, found.parsed(), found.formulation, asked=found.asked())
    if statement.model.variable_count != found.variables:
        count = statement.model.variable_count
        raise InputError(
            f"a map of {plural(found.variables, 'variable')}", f"{count} as the formulation has", "map"
        )
    names = statement.names() if found.format in NAMED else ()
    text = files.read(path).decode("utf-8", "replace")
    solution = read_solution(text, found.variables, found.file_variables, names, str(path))
    return _judged(statement, solution, complete)


def _judged(statement: StatedModel, solution: ImportedSolution, complete: bool) -> Imported:
    problem, instance, asked = statement.problem, statement.instance, statement.asked
    model = statement.model

    def imported(status: Status, value: Any, note: str, *faults: str) -> Imported:
        return Imported(problem, instance, asked, status, value, faults, note)

    if not solution.assignments:
        claim = "claims that there is none, which its output can't prove; `cpmines solve --certificate` does"
        told = f"the solver {claim if solution.claimed.none else 'has found nothing'}"
        return imported(Status.UNKNOWN, None, told)
    broken = [len(model.violated(each)) for each in solution.assignments]
    if any(broken):
        worst = max(broken)
        told = f"an assignment breaks {plural(worst, 'constraint')} of the formulation"
        return imported(Status.UNKNOWN, None, "", told)
    modelling, question = registry.modelling(problem), registry.problem(problem)
    assert modelling is not None
    reading = modelling.readings[asked.name]
    count = len(solution.assignments)
    not_all = f"{plural(count, 'right assignment')}, not said to be all; --complete says so"
    if reading.cover and not complete:
        return imported(Status.UNKNOWN, None, not_all)
    try:
        value = reading.decode(instance, solution.assignments, complete, **asked.values())
    except LimitError:  # a count; its note is about an engine that stops at a number of placements
        return imported(Status.UNKNOWN, None, not_all)
    faults = question.judge(instance, asked, value)
    if model.objective is not None:
        note = "the solver claims that it is optimal, which is not proved" if solution.claimed.optimal else ""
        return imported(Status.FEASIBLE, value, note, *faults)
    if asked.question.lacking(value):
        return imported(Status.FEASIBLE, value, not_all, *faults)
    note = "that these are all is not proved" if complete else ""
    return imported(Status.SOLVED, value, note, *faults)
