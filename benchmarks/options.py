"""Options that several tools have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["scale_option"]

F = TypeVar("F", bound=Callable[..., Any])


def scale_option(what: str = "the work to do") -> Callable[[F], F]:
    """The option ``--scale``, a part of everything from 0 to 1."""
    return click.option(
        "--scale",
        type=click.FloatRange(0, 1, min_open=True),
        default=1.0,
        show_default=True,
        help=f"Part of {what}, for a quick look.",
    )
