"""Questions of a problem, and their options, as flags of a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from cpmines import registry
from cpmines.errors import UsageError
from cpmines.question import Asked, Question, flags_of, present

__all__ = ["ProblemCommand", "ask_option", "several_asked"]

F = TypeVar("F", bound=Callable[..., Any])


class ProblemCommand(click.Command):
    """Has the flags of the problem that is named among its arguments as well.

    These are the questions that can be asked by a flag, and the options of all questions. What has a name of
    the command's own options is left out.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = (word.removeprefix("--problem=") for word in args)
        ctx.obj = next((word for word in words if word[:1] != "-" and registry.has_problem(word)), None)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        questions = registry.problem(ctx.obj).questions if ctx.obj else ()
        taken = {word for one in own for word in (one.name, *one.opts)}
        return [*own, *(flag for flag in _flags(questions) if taken.isdisjoint((flag.name, *flag.opts)))]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, and below them the questions of the problem."""
        super().format_options(ctx, formatter)
        if ctx.obj:
            with formatter.section(f"Questions of {ctx.obj} (the first is asked by default)"):
                formatter.write_dl(
                    [(question.name, question.summary) for question in registry.problem(ctx.obj).questions]
                )


def ask_option(*, several: bool = False) -> Callable[[F], F]:
    """The option ``--ask``; with `several` it may be given more than once."""
    more = "; may be given several times" if several else ""
    told = f"Name of a question, see `cpmines list`{more}.  [default: the first that is answered]"
    return click.option("--ask", multiple=several, metavar="QUESTION", help=told)


def _flags(questions: Sequence[Question]) -> list[click.Option]:
    flags = flags_of(questions)
    asking = [_flag(one.name, bool, one.summary) for one in questions if one.name in flags]
    options = {option.name: option for question in questions for option in question.options}
    return [*asking, *(_flag(option.name, option.kind, option.help) for option in options.values())]


def _flag(name: str, kind: type, help: str) -> click.Option:
    flag = "--" + name.replace("_", "-")
    return click.Option([flag, name], type=kind, is_flag=kind is bool or None, help=help)


def several_asked(problem: str, names: Sequence[str], given: Mapping[str, Any]) -> list[Asked]:
    """The questions that are named or asked for by a flag, each with those of the options that it has.

    Of the names, those that the problem has. Without a question, the one that the options belong to; none if
    there are no options.

    Raises
    ------
    UsageError
        No question has one of the options.
    """
    question = registry.problem(problem)
    options = present(given)
    flags = [name for name in flags_of(question.questions) if options.pop(name, False)]
    if not names and not flags:
        return [question.ask(**options)] if options else []
    chosen = [one for one in question.questions if one.name in {*names, *flags}]
    own = {one.name: {option.name for option in one.options} for one in chosen}
    if unused := sorted(set(options).difference(*own.values())):
        raise UsageError(f"no option {', '.join(unused)} of the question {' or '.join(own)}")
    return [
        one.with_options({name: options[name] for name in options if name in own[one.name]}) for one in chosen
    ]
