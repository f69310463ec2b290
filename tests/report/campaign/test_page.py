from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas
import pytest
from matplotlib.figure import Figure as Canvas

from cpmines.campaign.frame import frame
from cpmines.campaign.statistics import summaries
from cpmines.campaign.statistics.summary import ranked
from cpmines.campaign.store import Store
from cpmines.errors import UsageError
from cpmines.report.campaign.figures import Figure, figures
from cpmines.report.campaign.page import document
from cpmines.report.campaign.plots import COLOURS, draw, plot_files


def embedded(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_the_page_is_whole_and_loads_nothing(store: Store) -> None:
    page = document(store, frame(store))
    assert "{{" not in page
    assert "{%" not in page
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
    assert "<b>" not in page
    data = embedded(page)
    assert len(data["runs"]) == len(store) == 108
    assert {len(row) for row in data["runs"]} == {len(data["columns"])}
    assert set(data["instances"].values()) == {one.text for one in instances(store)}


def instances(store: Store) -> list[Any]:
    return [store.instance(key) for key in dict.fromkeys(frame(store)["instance_key"])]


def test_conflicts_come_first(store: Store) -> None:
    page = document(store, frame(store))
    assert page.index("there is an answer or there is none") < page.index("PAR-2")


def test_numbers_are_those_of_the_statistics(store: Store) -> None:
    runs = frame(store)
    page = document(store, runs)
    for one in summaries(runs):
        assert re.search(rf'{re.escape(one.backend)}</th>\s*<td class="number">{one.solved}<small>', page)
    curves = {one["backend"]: one for one in embedded(page)["figures"][0]["series"]}
    assert {name: len(one["x"]) for name, one in curves.items()} == {
        one.backend: one.solved for one in summaries(runs)
    }


def test_another_measure(store: Store) -> None:
    page = document(store, frame(store), "conflicts")
    assert "median conflicts" in page
    with pytest.raises(UsageError, match="no measure 'restarts'"):
        document(store, frame(store), "restarts")


def test_no_runs(tmp_path: Path) -> None:
    with (
        Store.open(tmp_path / "empty.db", create=True) as store,
        pytest.raises(UsageError, match="no runs to report"),
    ):
        document(store, frame(store))


def test_questions_are_apart(store: Store) -> None:
    """Figures, tables and sections of one question each, and the runs say which."""
    runs = frame(store)
    two = pandas.concat([runs, runs.assign(question="exists", key=runs["key"] + "x")])
    page = document(store, two)
    names = ["consistency: exists", "consistency: placement"]
    assert re.findall(r"<h2>(consistency.*)</h2>", page) == names
    for anchor in re.findall(r'<a href="#([^"]+)"', page):
        assert f'id="{anchor}"' in page
    data = embedded(page)
    assert list(dict.fromkeys(figure["group"] for figure in data["figures"])) == names
    assert list(data["costs"]) == names
    assert all(len(one["instances"]) == len(set(one["instances"])) for one in data["costs"].values())
    column = data["columns"].index("question")
    assert {row[column] for row in data["runs"]} == {"placement", "exists"}
    figure_names = [figure.name for figure in figures(two)]
    assert figure_names == [
        f"consistency-{question}-{kind}"
        for question in ("exists", "placement")
        for kind in ("cactus", "scatter", "growth")
    ]


def test_a_figure_of_a_question_with_options_has_a_name_for_a_file() -> None:
    figure = Figure("growth", "mosaic", "sample sample=3 of='a/b'", "", "", "", True, True, ())
    assert figure.name == "mosaic-sample-sample=3-of=-a-b--growth"


def test_figures(store: Store) -> None:
    cactus, scatter, growth = figures(frame(store))
    assert [one.kind for one in (cactus, scatter, growth)] == ["cactus", "scatter", "growth"]
    for series in cactus.series:
        assert list(series.y) == sorted(series.y)
        assert series.x == tuple(range(1, len(series.y) + 1))
    (points,) = scatter.series
    assert max(points.x + points.y) <= scatter.limit
    assert len(growth.series[0].trend) == 2


def test_plots_are_files_and_the_same_each_time(store: Store, tmp_path: Path) -> None:
    runs = frame(store)
    made, names = list(figures(runs)), ranked(runs)
    first = [path.read_bytes() for path in plot_files(made, tmp_path / "a", names)]
    second = plot_files(made, tmp_path / "b", names)
    assert [path.name for path in second] == [
        f"consistency-placement-{kind}.{suffix}"
        for kind in ("cactus", "scatter", "growth")
        for suffix in ("svg", "png")
    ]
    assert [path.read_bytes() for path in second] == first
    (tmp_path / "c").write_text("")
    with pytest.raises(UsageError, match="is no folder"):
        plot_files(made, tmp_path / "c", names)


def test_a_backend_has_its_colour_in_every_figure_and_numbers_are_plain(store: Store) -> None:
    runs = frame(store)
    names = ranked(runs)
    for figure in figures(runs):
        axes = Canvas().add_subplot()
        draw(axes, figure, names)
        drawn = {line.get_label(): line.get_color() for line in axes.lines}
        for series in figure.series:
            assert drawn[series.backend] == COLOURS[names.index(series.backend)]
        for axis in (axes.xaxis, axes.yaxis):
            texts = [label.get_text() for label in axis.get_ticklabels()]
            assert not any("$" in text for text in texts), texts


def test_the_scatter_is_the_one_that_the_page_begins_with(store: Store) -> None:
    best, second, _ = ranked(frame(store))
    (found,) = (one for one in figures(frame(store)) if one.kind == "scatter")
    assert found.title == f"{best} against {second}"


def test_the_scatter_is_of_any_two(store: Store) -> None:
    _, second, third = ranked(frame(store))
    (found,) = (one for one in figures(frame(store), pair=(third, second)) if one.kind == "scatter")
    assert found.title == f"{third} against {second}"
    with pytest.raises(UsageError, match="no question to the two backends"):
        list(figures(frame(store), pair=(third, third)))


def test_what_was_proved_is_said(store: Store) -> None:
    runs = frame(store)
    assert ">proved<" not in document(store, runs)
    certificates = runs["backend"].map({"direct": "accepted", "cpsat": "none: no time"}).fillna("")
    page = document(store, runs.assign(certificate=certificates))
    rows = re.findall(r"</span>(\S+)</th>.*?</tr>", page, re.DOTALL)
    proved = re.findall(r'class="number proved">(?:(\d+)<small> / (\d+))?', page)
    assert dict(zip(rows, proved, strict=False)) == {
        "direct": ("36", "36"),
        "cpsat": ("0", "36"),
        "sat:glucose4/totalizer": ("", ""),
    }
