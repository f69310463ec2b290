"""The figures as SVG and PNG files, by matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from cpmines.errors import UsageError
from cpmines.outputs import write
from cpmines.report.campaign.figures import Figure

__all__ = ["COLOURS", "DASHES", "MARKERS", "plot_files"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a3d9a", "#666666")
"""Told apart with every common colour blindness (Okabe, Ito 2008, and two more)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":")
"""Backends beyond the colours have them again with another marker and dash."""
SIZE = (6.4, 4.2)
SQUARE = (4.6, 4.4)
ROWS = 20
"""Backends in a column of the legend."""
WIDE = 1.8
"""Inches that each further column of the legend adds."""
DOTS_PER_INCH = 160
STEPS = ((3.0, (1.0,)), (1.5, (1.0, 3.0)), (0.8, (1.0, 2.0, 5.0)), (0.0, (1.0, 1.5, 2.0, 3.0, 4.0, 6.0)))
"""Where numbers stand in each decade of an axis that has more than so many of them."""


def plot_files(figures: Sequence[Figure], folder: Path, backends: Sequence[str]) -> list[Path]:
    """Draw each figure as ``PROBLEM-QUESTION-KIND.svg`` and ``.png``; the files.

    Parameters
    ----------
    backends
        All that the figures show, in the order of their colours: each has the same one in every figure.

    Raises
    ------
    UsageError
        matplotlib is not installed, or a file can't be written.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure as Canvas
    except ModuleNotFoundError:
        raise UsageError("this needs the extra campaign: pip install 'cpmines[campaign]'") from None
    written = []
    style = {"svg.fonttype": "none", "svg.hashsalt": "cpmines", "font.size": 9, "axes.titleweight": "bold"}
    with matplotlib.rc_context(style):
        for figure in figures:
            columns = 1 + (len(figure.series) - 1) // ROWS
            size = SQUARE if figure.kind == "scatter" else (SIZE[0] + WIDE * (columns - 1), SIZE[1])
            canvas = Canvas(figsize=size, layout="constrained")
            draw(canvas.add_subplot(), figure, backends)
            if figure.kind != "scatter":
                canvas.legend(loc="outside right upper", frameon=False, fontsize=7, ncols=columns)
            for suffix in (".svg", ".png"):
                path = folder / (figure.name + suffix)
                date = {"Date": None} if suffix == ".svg" else None
                canvas.savefig(drawn := BytesIO(), format=suffix[1:], dpi=DOTS_PER_INCH, metadata=date)
                write(path, drawn.getvalue())
                written.append(path)
    return written


def draw(axes: Any, figure: Figure, backends: Sequence[str]) -> None:
    """Draw a figure on matplotlib's `axes`."""
    axes.set(title=f"{figure.group}: {figure.title}", xlabel=figure.x_label, ylabel=figure.y_label)
    axes.set_xscale("log" if figure.x_log else "linear")
    axes.set_yscale("log" if figure.y_log else "linear")
    for series in figure.series:
        number = backends.index(series.backend)
        colour = COLOURS[number % len(COLOURS)]
        turn = number // len(COLOURS)
        marker, dash = MARKERS[(number + turn) % len(MARKERS)], DASHES[turn % len(DASHES)]
        line = dash if series.joined else "none"
        style = {"color": colour, "marker": marker, "markersize": 3.5, "linewidth": 1.2}
        axes.plot(series.x, series.y, linestyle=line, label=series.backend, **style)
        if series.trend:
            axes.plot(*zip(*series.trend, strict=True), color=colour, linewidth=1, linestyle=dash)
    if figure.kind == "scatter":
        _diagonal(axes, figure)
    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            _plain_numbers(axis)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)


def _plain_numbers(axis: Any) -> None:
    """Numbers as they are, and so few that they stand apart: 0.002, not 2 x 10^-3."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    low, high = axis.get_view_interval()
    decades = math.log10(high / low)
    steps = next(steps for least, steps in STEPS if decades > least)
    axis.set_major_locator(LogLocator(subs=steps))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _diagonal(axes: Any, figure: Figure) -> None:
    """Equal costs, and where what is not solved stands."""
    (series,) = figure.series
    ends = (min((*series.x, *series.y), default=1.0) / 1.5, figure.limit * 1.2)
    axes.set(xlim=ends, ylim=ends)
    grey = {"color": "grey", "linewidth": 0.8}
    axes.plot(ends, ends, **grey)
    axes.axhline(figure.limit, linestyle=":", **grey)
    axes.axvline(figure.limit, linestyle=":", **grey)
    axes.set_aspect("equal")
