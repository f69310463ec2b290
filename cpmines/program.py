"""Programs as backends: an instance on standard input, what the origin's judge expects on standard output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cpmines.answer import Answer, Limits
from cpmines.errors import UsageError
from cpmines.problem import Problem, Solve, Trust
from cpmines.question import Asked

__all__ = ["PREFIX", "Program", "names_program"]

PREFIX = "program"
"""A backend is named ``program:COMMAND``, the command with its arguments as in a shell."""

LONGEST = 1 << 17
"""Characters of a command: Linux takes no longer words, and reading one takes the square of its length."""

LEAST_MEMORY = 16 << 20
"""Bytes without which hardly any program begins."""


def names_program(backend: str) -> bool:
    """Is it the name of a program?"""
    return backend.startswith(f"{PREFIX}:")


@dataclass(frozen=True)
class Program:
    """A backend that runs a command for each instance.

    What it answers is a claim: it is compared, and judged as far as it shows a board.
    """

    problem: Problem[Any, Any]
    command: tuple[str, ...]
    trust: Trust = Trust.UNRELIABLE
    packages: tuple[str, ...] = ()

    @classmethod
    def named(cls, problem: Problem[Any, Any], command: str) -> Program:
        """The command as a shell would read it. Raises `UsageError` if there is no such program."""
        import shlex
        import shutil

        if len(command) > LONGEST:
            raise UsageError(f"{PREFIX}: a command of {len(command)} characters, expected at most {LONGEST}")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"{PREFIX}:{command}: {error}") from None
        if not words or shutil.which(words[0]) is None:
            found = repr(words[0]) if words else "nothing"
            raise UsageError(f"{PREFIX}:{command}: {found} is no program here, expected {PREFIX}:COMMAND")
        return cls(problem, tuple(words))

    @property
    def summary(self) -> str:
        import shlex

        return f"the program {shlex.join(self.command)}"

    @property
    def questions(self) -> tuple[str, ...]:
        return (self.problem.printed,)

    def prepare(self, instance: Any, asked: Asked, limits: Limits) -> Solve[Any]:
        from cpmines.process.command import get_keeper_ready, run_command

        text = self.problem.render(instance)
        get_keeper_ready()

        def solve() -> Answer[Any]:
            limits.require(LEAST_MEMORY, "a program")
            said = run_command(self.command, text.encode(), limits)
            return self.problem.read_verdict(instance, said.decode("utf-8", "replace"))

        return solve
