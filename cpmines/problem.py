"""What a problem is and what a backend is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from cpmines.answer import Answer, Limits
from cpmines.errors import UsageError
from cpmines.question import Asked, Question, ask

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cpmines.model import Model

__all__ = ["Backend", "Function", "Modelling", "Picture", "Problem", "Reading", "Solve", "Trust"]

I = TypeVar("I")  # noqa: E741
V = TypeVar("V")
I_contra = TypeVar("I_contra", contravariant=True)
Solve = Callable[[], Answer[V]]


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
    """Questions about boards: the instances, the values of answers, and the judge of both.

    The module ``problem.py`` of a problem's folder offers an instance of a subclass as ``PROBLEM``. Each
    field of the JSON value is an attribute of the value, by the same name, and None where it is not known.

    Attributes
    ----------
    summary
        One line for lists.
    questions
        What can be asked of every instance; the first is asked where nothing else is.
    printed
        Name of the question that the origin's judge asks, and that programs answer; empty if there is none.
    warm_up
        Instance texts that bring all of a backend into use.
    """

    summary: ClassVar[str]
    questions: ClassVar[tuple[Question, ...]]
    printed: ClassVar[str] = ""
    warm_up: ClassVar[tuple[str, ...]] = ()

    def ask(self, name: str | None = None, /, **given: Any) -> Asked:
        """One of the questions with options, see `cpmines.question.ask`. Raises `UsageError`."""
        return ask(self.questions, name, **given)

    def refusal(self, instance: I, asked: Asked) -> str:
        """Why this can't be asked of the instance; empty if it can."""
        return ""

    @abstractmethod
    def parse(self, data: bytes | str, source: str = "-") -> list[I]:
        """The instances of one input, at least one. Raises `InputError`."""

    def read(self, data: bytes | str, source: str, asked: Asked) -> list[I]:
        """`parse` for a question, which may take more input, or refuse some.

        Raises
        ------
        InputError, UsageError
        """
        instances = self.parse(data, source)
        for instance in instances:
            if why := self.refusal(instance, asked):
                raise UsageError(f"{source}: {why}")
        return instances

    @abstractmethod
    def render(self, instance: I) -> str:
        """Text that `parse` reads back as the equal instance."""

    @abstractmethod
    def size(self, instance: I) -> int:
        """How large it is: the number of its cells, or what the time that is needed grows with."""

    @abstractmethod
    def describe(self, instance: I) -> str:
        """A few words on its size, for tables."""

    @abstractmethod
    def judge(self, instance: I, asked: Asked, value: V) -> list[str]:
        """Everything that is wrong with `value`, from the rules on the board alone; empty if it is right.

        What only a proof could show (that an optimum is optimal, a count complete) is not judged here.
        """

    @abstractmethod
    def to_json(self, value: V) -> dict[str, Any]:
        """The fields of ``value`` in the JSON output; a field that is not known is left out."""

    @abstractmethod
    def from_json(self, fields: Mapping[str, Any]) -> V:
        """Inverse of `to_json`, as strict as that writes.

        Raises
        ------
        TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError
            They are not the fields of a value.
        """

    @abstractmethod
    def headline(self, value: V) -> str:
        """The value in a few characters, for tables."""

    @abstractmethod
    def draw(self, instance: I, value: V) -> str:
        """The value as a picture of text, for people."""

    def listing(self, instance: I, asked: Asked, value: V) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """Mines of boards that were asked for one by one, bool (rows, cols), each with what it is.

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
        """The answer to the question `printed` of a program that prints this; see `verdict`.

        Raises
        ------
        InputError
            It is nothing that the judge would read.
        """
        raise UsageError("the output of programs can't be read")


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

    @property
    def questions(self) -> tuple[str, ...]:
        """Names of the questions that it answers; empty for the problem's first one alone."""
        ...

    def prepare(self, instance: I_contra, asked: Asked, limits: Limits) -> Solve[V]:
        """Build what is needed, and return the function that solves.

        The question is one of `questions`. The clock of `limits` runs. Both steps may raise `LimitError`; the
        instance is not modified.
        """
        ...


Solver = Callable[..., Answer[V]]
"""A function of instance and limits, and of the options of the question by their names."""


@dataclass(frozen=True)
class Function(Generic[V]):
    """A backend with nothing to build.

    Attributes
    ----------
    solve
        A function of instance and limits that answers the problem's first question; or for each question that
        is answered, by its name, a function of these and of the question's options.
    extra
        The extra of cpmines that installs its packages.
    """

    solve: Solver[V] | Mapping[str, Solver[V]]
    summary: str
    trust: Trust = Trust.EXACT
    packages: tuple[str, ...] = ("numpy",)
    extra: str = ""

    def __post_init__(self) -> None:
        solvers = list(self.solve.values()) if isinstance(self.solve, Mapping) else [self.solve]
        if not solvers or not all(map(callable, solvers)):
            raise TypeError(f"solve is {self.solve!r}, expected a function, or one for each question")

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(self.solve) if isinstance(self.solve, Mapping) else ()

    def prepare(self, instance: Any, asked: Asked, limits: Limits) -> Solve[V]:
        solve = self.solve[asked.name] if isinstance(self.solve, Mapping) else self.solve
        return lambda: solve(instance, limits, **asked.values())


@dataclass(frozen=True)
class Reading(Generic[I, V]):
    """How a question is put to a Model: what is asked of an engine, and what its assignments mean.

    Options of the question are given to the functions by their names.

    Attributes
    ----------
    decode
        Instance, assignments (at least one), and whether these are all there are, to a value. One that lacks
        fields of the question is a feasible answer. May raise `LimitError`.
    solutions
        Number of assignments to ask for, or a function of the options.
    cover
        Ask instead for assignments that together show every value that a variable can have.
    demand
        Adds to a Model of the instance what the question demands beyond the rules, mostly an objective.
    formulations, literals
        Other ones than the problem's own, for a question with other rules; see `Modelling`.
    tallied
        The value from a count of the assignments, which is not 0; None if counting them does not answer the
        question.
    """

    decode: Callable[..., V]
    solutions: int | Callable[..., int] = 1
    cover: bool = False
    demand: Callable[[I, Model], None] | None = None
    formulations: Mapping[str, Callable[[I], Model]] | None = None
    literals: Callable[[I], int] | None = None
    tallied: Callable[..., V] | None = None


@dataclass(frozen=True)
class Modelling(Generic[I, V]):
    """How a problem is stated as a Model. The module ``model.py`` of its folder offers it as ``MODELLING``.

    Attributes
    ----------
    formulations
        By name; the first is the default. All have the same solutions, projected to what is decoded; if the
        question demands an objective, at least the same optimum.
    readings
        By the name of the question; questions that are not here are none for a Model.
    literals
        Upper estimate of the number of literals of the largest formulation, without building it.
    cells
        int32 array of the board's shape: the variable that is true if there is a mine, 0 where there is none.
        The same in all formulations. None if no variable stands for a cell.
    """

    formulations: Mapping[str, Callable[[I], Model]]
    readings: Mapping[str, Reading[I, V]]
    literals: Callable[[I], int]
    cells: Callable[[I], NDArray[np.int32]] | None = None

    def with_formulations(self, more: Mapping[str, Callable[[I], Model]]) -> Modelling[I, V]:
        """The same with more formulations, after its own."""
        return replace(self, formulations={**self.formulations, **more}) if more else self

    def every_formulation(self) -> list[str]:
        """The names of all, whatever question they state."""
        own = (reading.formulations or () for reading in self.readings.values())
        return list(dict.fromkeys([*self.formulations, *(name for names in own for name in names)]))

    def formulations_of(self, question: str) -> Mapping[str, Callable[[I], Model]]:
        """Those that state the instance for this question."""
        own = self.readings[question].formulations
        return self.formulations if own is None else own

    def literals_of(self, question: str, instance: I) -> int:
        """Upper estimate of the number of literals of the largest of these, without building it."""
        return (self.readings[question].literals or self.literals)(instance)

    def state(self, question: str, instance: I, formulation: str = "") -> Model:
        """The Model of an instance for a question. Raises KeyError if there is no such formulation."""
        there = self.formulations_of(question)
        model = there[formulation or next(iter(there))](instance)
        if (demand := self.readings[question].demand) is not None:
            demand(instance, model)
        return model
