"""The options of a problem as flags of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cpmines import registry
from cpmines.problem import Option

__all__ = ["ProblemCommand", "chosen_options"]


class ProblemCommand(click.Command):
    """Has the options of the problem that is named among its arguments as well."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.obj = next((word for word in args if word in registry.problem_names()), None)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        options = registry.problem(ctx.obj).options if ctx.obj else ()
        return [*super().get_params(ctx), *map(_click_option, options)]


def _click_option(option: Option) -> click.Option:
    flag = "--" + option.name.replace("_", "-")
    return click.Option(
        [flag, option.name], type=option.kind, is_flag=option.kind is bool or None, help=option.help
    )


def chosen_options(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, as keywords of `Problem.ask`."""
    return {name: value for name, value in asked.items() if value is not None and value is not False}
