"""What a solver prints: its claim, and assignments, in the forms that are in use.

- SAT competition: ``s SATISFIABLE`` and ``v 1 -2 3 0``; plain lines of literals (MiniSat's output file).
- MaxSAT evaluations: the same with ``o`` lines, and since 2022 ``v 101``, one digit a variable.
- Pseudo-Boolean competition: ``s OPTIMUM FOUND`` and ``v x1 -x2 x3``.
- Mixed integer solvers: lines with the name of a variable and, after it, its value (HiGHS, CBC, SCIP, GLPK,
  Gurobi); others are 0, and only the first value of a name counts.
- CP-SAT: ``solution: 1`` lines, or ``solution: [1, 0]``, in the text of its response.

Everything else in a file is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cpmines.engine import Assignment
from cpmines.errors import InputError

__all__ = ["Claimed", "ImportedSolution", "read_solution"]

NONE = frozenset({"UNSAT", "UNSATISFIABLE", "INFEASIBLE", "INTEGER EMPTY"})
NOTHING = NONE | {"UNKNOWN", "INDET", "INTEGER UNDEFINED"}
OPTIMAL = frozenset({"OPTIMUM FOUND", "OPTIMAL", "INTEGER OPTIMAL"})
COMMENTS = ("c", "*", "#", "\\")
LITERALS = re.compile(r"(v\s+)?-?x?[0-9]+(\s+-?x?[0-9]+)*+")
NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", re.IGNORECASE)
STATUS = re.compile(r"(?:s\s++|[Ss]tatus:\s*+)?([A-Za-z ]++)")
"""Possessive: where spaces may belong to either part, a long line of them would be tried in all ways."""


@dataclass(frozen=True)
class Claimed:
    """What the solver says besides the assignments, none of which a solution proves."""

    none: bool = False
    optimal: bool = False


@dataclass(frozen=True)
class ImportedSolution:
    """Distinct assignments of the first variables of a file, and the solver's claim.

    Attributes
    ----------
    assignments
        Bool arrays of shape (variables,). Variables of which nothing is said are false.
    """

    claimed: Claimed
    assignments: tuple[Assignment, ...]


def read_solution(
    text: str, variables: int, file_variables: int, names: Sequence[str], source: str = "-"
) -> ImportedSolution:
    """Read a solver's output.

    Parameters
    ----------
    variables, file_variables
        Number of variables that are wanted, and of all that the file has.
    names
        The names of the first `variables` variables, where the format had names.

    Raises
    ------
    InputError
        A variable that the file does not have, a value other than 0 and 1, or neither claim nor assignment.
    """
    reader = _Reader(file_variables, {name: number for number, name in enumerate(names, 1)}, source)
    for number, line in enumerate(text.splitlines(), 1):
        reader.take(line.strip(), number)
    # Some programs print the point at which they gave up as well.
    found = [] if reader.nothing else reader.assignments(variables)
    if not found and not reader.nothing:
        raise InputError("neither a claim nor an assignment", "the output of a solver", source)
    distinct = {values.tobytes(): values for values in found}
    return ImportedSolution(Claimed(reader.none, reader.optimal), tuple(distinct.values()))


LONGEST = 18
"""Digits of a variable's number that are looked at: with so many it is none of any file."""


class _Reader:
    """Collects literals; one assignment ends with a 0, or where a variable comes on a line again."""

    def __init__(self, count: int, names: dict[str, int], source: str) -> None:
        self.count, self.names, self.source = count, names, source
        self.none = self.nothing = self.optimal = self.satisfied = False
        self.finished: list[dict[int, bool]] = []
        self.current: dict[int, bool] = {}
        self.begun: set[int] = set()
        self.listed = 0

    def take(self, line: str, number: int) -> None:
        words = line.split()
        if not words or words[0] in COMMENTS or words[0] == "o":
            return
        if words[0] == "v" and self._is_digits(words):
            self._finish()
            self.finished.append({k: digit == "1" for k, digit in enumerate(words[1], 1)})
        elif LITERALS.fullmatch(line):
            self.begun.clear()
            for word in words[words[0] == "v" :]:
                self._literal(word, number)
        elif words[0] == "v":
            odd = next((repr(word) for word in words[1:] if not LITERALS.fullmatch(word)), "nothing")
            raise InputError(f"{odd:.40} on a line of values", "literals", self.source, number)
        elif words[0] == "solution:":
            self._list(line, number)
        elif status := STATUS.fullmatch(line.partition(" - ")[0]):
            self._status(status[1].strip().upper())
        else:
            self._named(words, number)

    def assignments(self, variables: int) -> list[Assignment]:
        """The values of the first `variables` in each."""
        self._finish()
        found = []
        for values in self.finished or ([{}] if self.satisfied else []):
            assignment = np.zeros(variables, np.bool_)
            true = [variable for variable, value in values.items() if value and variable <= variables]
            assignment[np.array(true, np.int64) - 1] = True
            found.append(assignment)
        return found

    def _is_digits(self, words: list[str]) -> bool:
        """Is this the form with one digit a variable?"""
        return len(words) == 2 and len(words[1]) == self.count > 1 and set(words[1]) <= {"0", "1"}

    def _status(self, said: str) -> None:
        self.none |= said in NONE
        self.nothing |= said in NOTHING
        self.optimal |= said in OPTIMAL
        self.satisfied |= said in OPTIMAL or said in ("SAT", "SATISFIABLE", "FEASIBLE")

    def _literal(self, word: str, number: int) -> None:
        variable = int(word.lstrip("-x0")[:LONGEST] or 0)
        if variable == 0:
            self._finish(even_empty=True)
            self.begun.clear()
            return
        if variable in self.begun:
            raise InputError(f"variable {variable} twice", "each once in an assignment", self.source, number)
        self.begun.add(variable)
        self._set(variable, not word.startswith("-"), number)

    def _list(self, line: str, number: int) -> None:
        for word in re.findall(r"\S+", line.partition(":")[2].strip(" []").replace(",", " ")):
            self.listed += 1
            self._set(self.listed, self._value(word, number), number)

    def _named(self, words: list[str], number: int) -> None:
        """A line that has a known name: the first number after it is the value."""
        place = next((k for k, word in enumerate(words) if word in self.names), None)
        if place is None or self.names[words[place]] in self.current:
            return
        value = next(filter(NUMBER.fullmatch, words[place + 1 :]), "nothing")
        self._set(self.names[words[place]], self._value(value, number), number)

    def _value(self, word: str, number: int) -> bool:
        try:
            value = float(word)
        except ValueError:
            raise InputError(f"{word:.40}", "a value, 0 or 1", self.source, number) from None
        if not min(abs(value), abs(value - 1)) <= 1e-5:
            raise InputError(f"the value {word:.40}", "0 or 1", self.source, number)
        return value > 0.5

    def _set(self, variable: int, value: bool, number: int) -> None:
        if variable > self.count:
            expected = f"at most {self.count}, as many as the exported file has"
            raise InputError(f"variable {variable}", expected, self.source, number)
        if variable in self.current:
            self._finish()
        self.current[variable] = value

    def _finish(self, even_empty: bool = False) -> None:
        if self.current or even_empty:
            self.finished.append(self.current)
        self.current = {}
        self.listed = 0
