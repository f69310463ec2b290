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
from cpmines.export.statement import state

__all__ = ["Imported", "import_solution"]

NAMED = frozenset({"lp", "mps", "cpsat"})
"""Formats whose variables have names."""


@dataclass(frozen=True)
class Imported:
    """What a solution says of the instance.

    Attributes
    ----------
    status
        `solved` if the value is all that the problem asks for, `feasible` if more than a valid value would
        have to be proved, `unknown` if there is no value: a solution never proves that there is none.
    faults
        What is wrong with the assignments: constraints that they break, what the judge finds.
    """

    problem: str
    instance: Any
    status: Status
    value: Any
    faults: tuple[str, ...] = ()
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """One line of output, schema 1."""
        record: dict[str, Any] = {"schema": 1, "problem": self.problem, "status": str(self.status)}
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
    statement = state(found.problem, found.parsed(), found.formulation)
    if statement.model.variable_count != found.variables:
        count = statement.model.variable_count
        raise InputError(f"a map of {found.variables} variables", f"{count} as the formulation has", "map")
    names = statement.names() if found.format in NAMED else ()
    text = files.read(path).decode("utf-8", "replace")
    solution = read_solution(text, found.variables, found.file_variables, names, str(path))
    return _judged(found, statement.instance, statement.model, solution, complete)


def _judged(found: Map, instance: Any, model: Any, solution: ImportedSolution, complete: bool) -> Imported:
    def unknown(note: str, *faults: str) -> Imported:
        return Imported(found.problem, instance, Status.UNKNOWN, None, faults, note)

    if not solution.assignments:
        claim = "claims that there is none, which its output can't prove; `cpmines solve --certificate` does"
        return unknown(f"the solver {claim if solution.claimed.none else 'has found nothing'}")
    broken = [len(model.violated(each)) for each in solution.assignments]
    if any(broken):
        worst = max(broken)
        return unknown("", f"an assignment breaks {worst} constraint{'s' * (worst > 1)} of the formulation")
    modelling, question = registry.modelling(found.problem), registry.problem(found.problem)
    assert modelling is not None
    count = len(solution.assignments)
    not_all = f"{count} right assignment{'s' * (count > 1)}, not said to be all; --complete says so"
    if modelling.cover and not complete:
        return unknown(not_all)
    try:
        value = modelling.decode(instance, solution.assignments, complete)
    except LimitError:  # a count; its note is about an engine that stops at a number of placements
        return unknown(not_all)
    faults = tuple(question.judge(instance, value))
    if model.objective is None:
        note = "that these are all is not proved" if complete else ""
        return Imported(found.problem, instance, Status.SOLVED, value, faults, note)
    note = "the solver claims that it is optimal, which is not proved" if solution.claimed.optimal else ""
    return Imported(found.problem, instance, Status.FEASIBLE, value, faults, note)
