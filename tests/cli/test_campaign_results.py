"""``cpmines campaign diff`` and ``report``: output and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from cpmines.campaign.record import Record
from cpmines.campaign.store import Store
from tests.campaign.synthetic import record, unsolved
from tests.cli.conftest import Cpmines


def stored(path: Path, *records: Record) -> Path:
    with Store.open(path, create=True) as store:
        for one in records:
            store.add(one)
    return path


def test_a_regression(cpmines: Cpmines, tmp_path: Path) -> None:
    before = stored(tmp_path / "a.db", record("1", "x", 1.0), record("2", "x", 1.0), record("3", "x", 1.0))
    after = stored(tmp_path / "b.db", record("1", "x", 2.0), unsolved("2", "x"))
    result = cpmines("campaign", "diff", before, after)
    assert result.code == 1
    assert result.out.splitlines()[-2:] == [
        "worse status: x on consistency (placement) 2: solved -> unknown (time limit)",
        "a regression; 2 pairs of backend and instance in both, 1 only in the first",
    ]
    record_of = json.loads(cpmines("campaign", "diff", before, after, "--format", "json").out)
    assert record_of["regressed"]
    assert record_of["paces"][0]["factor"] == {"value": 2.0, "low": None, "high": None}
    assert cpmines("campaign", "diff", before, before).code == 0


def test_versions_in_one_store(cpmines: Cpmines, tmp_path: Path) -> None:
    old = [record(f"{k}", "x", 1.0, version="cpmines 1") for k in range(6)]
    new = [record(f"{k}", "x", 3.0, number=1, version="cpmines 2") for k in range(6)]
    path = stored(tmp_path / "a.db", *old, *new)
    result = cpmines("campaign", "diff", f"{path}@cpmines 1", f"{path}@cpmines 2")
    assert result.code == 1
    assert "3 (3 to 3)" in result.out
    assert cpmines("campaign", "diff", f"{path}@cpmines 2", f"{path}@cpmines 1").code == 0


def test_bad_usage(cpmines: Cpmines, tmp_path: Path) -> None:
    path = stored(tmp_path / "a.db", record("1", "x", 1.0))
    for words, message in (
        ((path, "absent.db"), "absent.db: found no such file"),
        ((path, f"{path}@9"), f"{path}@9: no runs of a version with '9'"),
        ((path, path, "--by", "restarts"), "no measure 'restarts'; there are: cpu, wall"),
    ):
        result = cpmines("campaign", "diff", *words)
        assert (result.code, result.out) == (2, "")
        assert message in result.err


def test_report_and_plots(cpmines: Cpmines, tmp_path: Path) -> None:
    path = stored(tmp_path / "a.db", record("1", "x", 1.0), record("1", "y", 2.0))
    page, plots = tmp_path / "report.html", tmp_path / "plots"
    result = cpmines("campaign", "report", path, "-o", page, "--plots", plots)
    assert (result.code, result.out) == (0, "")
    assert page.read_text().startswith("<!doctype html>")
    names = sorted(file.name for file in plots.iterdir())
    assert names == [
        f"consistency-placement-{kind}.{end}" for kind in ("cactus", "scatter") for end in ("png", "svg")
    ]
    for words, message in (
        ((), "nothing to write: give -o FILE, --plots FOLDER or both"),
        (("-o", page, "--by", "restarts"), "no measure 'restarts'"),
        (("-o", page, "--scatter", "x", "y"), "--scatter without --plots: the page can show any two"),
        (
            ("--plots", plots, "--scatter", "x", "z"),
            "no question to the two backends x and z; there are: x, y",
        ),
        (("-o", "/dev/null/x"), "/dev/null/x: "),
    ):
        result = cpmines("campaign", "report", path, *words)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
