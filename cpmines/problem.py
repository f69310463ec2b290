"""What a problem is and what a backend is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cpmines.answer import Answer, Limits
from cpmines.engine import Assignment, Tally
from cpmines.errors import UsageError
from cpmines.model import Model

__all__ = ["Backend", "Function", "Modelling", "Option", "Picture", "Problem", "Solve", "Trust"]

I = TypeVar("I")  # noqa: E741
V = TypeVar("V")
I_contra = TypeVar("I_contra", contravariant=True)
Solve = Callable[[], Answer[V]]


@dataclass(frozen=True)
class Option:
    """Something more that can be asked: a flag of ``cpmines solve``, a keyword of `cpmines.solve`.

    Attributes
    ----------
    name
        As a Python name; the flag has dashes for underscores.
    kind
        bool for a flag without a value; else the type of its value: int, float or str.
    help
        One sentence.
    """

    name: str
    kind: type
    help: str


@dataclass(frozen=True)
class Picture:
    """A value as a board to be drawn.

    Attributes
    ----------
    mines
        bool of shape (rows, cols).
    numbers
        int8 of the same shape: what is written into the cells, negative where nothing is.
    unsure
        bool of the same shape: cells that are not the same in all answers.
    """

    mines: NDArray[np.bool_]
    numbers: NDArray[np.int8] | None = None
    unsure: NDArray[np.bool_] | None = None


class Trust(StrEnum):
    """What the answers of a backend are worth."""

    EXACT = "exact"
    """Complete: decides every instance, within its limits."""
    INCOMPLETE = "incomplete"
    """Sound, but may say `unknown` where a complete method would decide."""
    UNRELIABLE = "unreliable"
    """May be wrong. Never a default."""


class Problem(ABC, Generic[I, V]):
    """One question about boards: its instances, its values, and the judge of both.

    The module ``problem.py`` of a problem's folder offers an instance of a subclass as ``PROBLEM``.

    Attributes
    ----------
    question
        One line for lists.
    determined
        Fields of the JSON value that all solved answers to an instance share (optimum, count); compared
        where two answers both have them. A witness is not among them.
    objective
        The JSON field that is maximised, None for a decision or counting problem.
    warm_up
        Instance texts that bring every compiled kernel of the problem into use.
    options
        What can be asked beyond the plain question. See `ask`.
    """

    question: ClassVar[str]
    determined: ClassVar[tuple[str, ...]] = ()
    objective: ClassVar[str | None] = None
    warm_up: ClassVar[tuple[str, ...]] = ()
    options: ClassVar[tuple[Option, ...]] = ()

    def ask(self, instance: I, **asked: Any) -> I:
        """The instance with more asked of it: names from `options`, each with a value other than its default.

        Raises
        ------
        UsageError
            The problem has no such option, or not together, or not with this value.
        """
        if asked:
            raise UsageError(f"no option {', '.join(sorted(asked))} for this problem")
        return instance

    @abstractmethod
    def parse(self, data: bytes | str, source: str = "-") -> list[I]:
        """The instances of one input, at least one. Raises `InputError`."""

    def read(self, data: bytes | str, source: str = "-", **asked: Any) -> list[I]:
        """`parse` and `ask`. A problem may take more input than `parse` where something is asked.

        Raises
        ------
        InputError, UsageError
        """
        return [self.ask(instance, **asked) for instance in self.parse(data, source)]

    @abstractmethod
    def render(self, instance: I) -> str:
        """Text that `parse` reads back as the equal instance."""

    @abstractmethod
    def describe(self, instance: I) -> str:
        """A few words on its size, for tables."""

    @abstractmethod
    def judge(self, instance: I, value: V) -> list[str]:
        """Everything that is wrong with `value`, from the rules on the board alone; empty if it is right.

        What only a proof could show (that an optimum is optimal, a count complete) is not judged here.
        """

    @abstractmethod
    def to_json(self, value: V) -> dict[str, Any]:
        """The fields of ``value`` in the JSON output; a field that is not known is left out."""

    @abstractmethod
    def headline(self, value: V) -> str:
        """The value in a few characters, for tables."""

    @abstractmethod
    def draw(self, instance: I, value: V) -> str:
        """The value as a picture of text, for people."""

    def listing(self, instance: I, value: V) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """Mines of boards that were asked for besides the answer, bool (rows, cols), each with what it is.

        They are made one by one, as they are taken, and have passed the judge.

        Raises
        ------
        WrongAnswerError, LimitError
        """
        return iter(())

    def picture(self, instance: I, value: V) -> Picture | None:
        """The value as a board to be drawn, None if it is none."""
        return None

    @abstractmethod
    def verdict(self, instance: I, answer: Answer[V]) -> str:
        """What the origin's own judge expects on its standard input. Not called for `unknown` answers."""

    def read_verdict(self, instance: I, text: str) -> Answer[V]:
        """The answer that a program means which prints this for the origin's judge; see `verdict`.

        Raises
        ------
        InputError
            It is nothing that the judge would read.
        UsageError
            Programs can't answer this problem.
        """
        raise UsageError("programs can't answer this problem, as it does not say how to read their output")


class Backend(Protocol[I_contra, V]):
    """One way to solve one problem.

    A module of a problem's folder offers it as ``BACKEND``; the name of the file is the name of the backend.
    """

    @property
    def summary(self) -> str: ...

    @property
    def trust(self) -> Trust: ...

    @property
    def packages(self) -> tuple[str, ...]:
        """Distributions whose versions belong to the answer."""
        ...

    def prepare(self, instance: I_contra, limits: Limits) -> Solve[V]:
        """Build what is needed, and return the function that solves.

        The clock of `limits` runs. Both steps may raise `LimitError`; the instance is not modified.
        """
        ...


@dataclass(frozen=True)
class Function(Generic[I, V]):
    """A backend that is one function of instance and limits, with nothing to build."""

    solve: Callable[[I, Limits], Answer[V]]
    summary: str
    trust: Trust = Trust.EXACT
    packages: tuple[str, ...] = ("numpy",)
    extra: str = ""

    def prepare(self, instance: I, limits: Limits) -> Solve[V]:
        return lambda: self.solve(instance, limits)


@dataclass(frozen=True)
class Modelling(Generic[I, V]):
    """How a problem is stated as a Model. The module ``model.py`` of its folder offers it as ``MODELLING``.

    Attributes
    ----------
    formulations
        By name; the first is the default. All have the same solutions, projected to what `decode` reads; of a
        Model with an objective, at least the same optimum.
    decode
        Assignments (at least one) to a value; the flag says that they are all there are.
    literals
        Upper estimate of the number of literals of the largest formulation, without building it.
    solutions
        Number of assignments to ask for.
    cover
        Ask instead for assignments that together show every value that a variable can have.
    cells
        int32 array of the board's shape: the variable that is true if there is a mine, 0 where there is none.
        The same in all formulations. None if no variable stands for a cell.
    tallied
        The value from a count of the assignments, which is not 0; None if counting them does not answer the
        question. Raises `LimitError` if something else is asked.
    """

    formulations: Mapping[str, Callable[[I], Model]]
    decode: Callable[[I, Sequence[Assignment], bool], V]
    literals: Callable[[I], int]
    solutions: int = 1
    cover: bool = False
    cells: Callable[[I], NDArray[np.int32]] | None = None
    tallied: Callable[[I, Tally], V] | None = None
