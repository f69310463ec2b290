"""``campaign``: run, status, export."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpmines.campaign.runner import end_servers
from cpmines.cli import LazyGroup
from cpmines.cli.campaign import command as group
from tests.cli.conftest import Cpmines
from tests.cli.test_others import start
from tests.forks import Forks
from tests.patience import PATIENCE

SPEC = """
repeats = {repeats}
[limits]
cpu_time = 20
memory = 512
[[group]]
problem = "maxmines"
instances = ["maxmines/{folder}"]
backends = {backends}
"""


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small spec in the present folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "maxmines" / "small").mkdir(parents=True)
    (tmp_path / "maxmines" / "small" / "all.txt").write_text("2\n2 2 3\n4 4 4\n")
    path = tmp_path / "mine.toml"
    path.write_text(SPEC.format(repeats=2, folder="small", backends='["direct", "brute"]'))
    yield path
    end_servers()


def test_a_dry_run_says_the_limits(cpmines: Cpmines, spec: Path) -> None:
    limits = "limits of a run: 20 s of CPU time, 65 s of wall time, 512 MiB"
    assert f"{limits}\n" in cpmines("campaign", "run", "mine.toml", "--dry-run").out
    spec.write_text(spec.read_text().replace("memory = 512", "memory = 512\ncertificate = 30"))
    assert f"{limits}; 30 s for its proof\n" in cpmines("campaign", "run", "mine.toml", "--dry-run").out


def test_a_campaign_from_the_start_to_the_table(cpmines: Cpmines, spec: Path) -> None:
    first = cpmines("campaign", "run", "mine.toml", "--dry-run")
    assert first.code == 0
    assert "maxmines (most): 2 instances, 2 backends x 2 times: 8 runs" in first.out
    assert "8 of 8 runs missing in mine.db" in first.out
    assert not Path("mine.db").exists()
    done = cpmines("campaign", "run", "mine.toml", "--workers", 1)
    assert (done.code, done.err) == (0, "")
    assert "mine.db: 8 runs, complete" in done.out
    assert cpmines("campaign", "run", "mine.toml", "--dry-run").out.endswith(
        "0 of 8 runs missing in mine.db\n"
    )
    status = cpmines("campaign", "status", "mine.db")
    assert status == done
    rows = list(csv.DictReader(io.StringIO(cpmines("campaign", "export", "mine.db").out)))
    assert len(rows) == 8
    assert {row["category"] for row in rows} == {"right"}
    assert json.loads(rows[0]["value"])["mines"] == 3
    lines = cpmines("campaign", "export", "mine.db", "--format", "json").out.splitlines()
    assert [json.loads(line)["key"] for line in lines] == [row["key"] for row in rows]
    text = cpmines("campaign", "export", "mine.db", "--instance", rows[0]["instance_key"][:9]).out
    assert cpmines("solve", "maxmines", "--format", "judge", stdin=text.encode()).out == "3\n"


def test_several_questions(cpmines: Cpmines, spec: Path) -> None:
    backends = '["direct", "sat"]\nask = ["most", "count"]'
    spec.write_text(SPEC.format(repeats=1, folder="small", backends=backends))
    done = cpmines("campaign", "run", "mine.toml", "--workers", 1)
    assert done.code == 0
    assert done.err == "cpmines: left out: sat on maxmines, which does not answer the question count\n"
    shown = [line.split()[:5] for line in done.out.splitlines() if line.startswith("maxmines")]
    assert shown == [
        ["maxmines", "most", "direct", "2", "2"],
        ["maxmines", "most", "sat", "2", "2"],
        ["maxmines", "count", "direct", "2", "2"],
    ]
    rows = list(csv.DictReader(io.StringIO(cpmines("campaign", "export", "mine.db").out)))
    assert Counter(row["question"] for row in rows) == {"most": 4, "count": 2}
    assert {"optimal_boards" in row["value"] for row in rows if row["question"] == "count"} == {True}
    page = Path("page.html")
    assert cpmines("campaign", "report", "mine.db", "-o", page).code == 0
    assert re.findall("<h2>(maxmines.*)</h2>", page.read_text()) == ["maxmines: count", "maxmines: most"]


def test_parquet(cpmines: Cpmines, spec: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    cpmines("campaign", "run", "mine.toml", "--workers", 1)
    assert cpmines("campaign", "export", "mine.db", "--format", "parquet").code == 2
    assert cpmines("campaign", "export", "mine.db", "--format", "parquet", "-o", "mine.parquet").code == 0
    table = pandas.read_parquet("mine.parquet")
    assert len(table) == 8
    assert json.loads(table["value"][0])["mines"] == 3
    refused = cpmines("campaign", "export", "mine.db", "--format", "parquet", "-o", "mine.toml/mine.parquet")
    assert (refused.code, "Traceback" in refused.err) == (2, False)


def test_a_conflict_and_what_is_missing(cpmines: Cpmines, spec: Path, forks: Forks) -> None:
    spec.write_text(SPEC.format(repeats=1, folder="small", backends='["direct", "published"]'))
    result = cpmines("campaign", "run", "mine.toml", "--store", "other.db", "--workers", 1)
    assert result.code == 1
    assert "CONFLICT published is wrong on maxmines" in result.out
    line = next(line for line in result.out.splitlines() if line.startswith("  cpmines campaign export"))
    words, _, compare = line.strip().partition(" | ")
    text = cpmines(*words.split()[1:]).out
    again = cpmines(*compare.split()[1:], stdin=text.encode())
    assert again.code == 1
    spec.write_text(SPEC.format(repeats=1, folder="small", backends='["direct", "sat"]'))
    program = (
        "from cpmines.campaign.plan import plan\nfrom cpmines.campaign.spec import load\n"
        "from cpmines.campaign.store import Store\nfrom pathlib import Path\n"
        "Store.open('empty.db', create=True).plan('mine', plan(load(Path('mine.toml'))).tasks)"
    )
    subprocess.run(forks.program(program), check=True)
    status = cpmines("campaign", "status", "empty.db")
    assert status.code == 3
    assert "MISSING 2 planned runs of sat on maxmines (most) missing" in status.out


def test_interrupt(spec: Path, cpmines: Cpmines) -> None:
    """What has ended is kept, nothing goes on, and it is said how to continue."""
    spec.write_text(SPEC.format(repeats=40, folder="small", backends='["direct", "brute"]'))
    process = start("campaign", "run", "mine.toml", "--workers", "1")
    while not Path("mine.db").exists() or '"' not in cpmines("campaign", "export", "mine.db").out:
        assert process.poll() is None
        time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert re.search(r"\d runs? in mine.db; to go on: cpmines campaign run mine.toml --store mine.db", err)
    assert err.endswith("interrupted\n")
    assert cpmines("campaign", "status", "mine.db").code == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["run", "nothing"],
            "no spec nothing: neither a file nor one of the shipped ones (direct-vs-exact, ",
        ),
        (["run", "bad.toml"], "bad.toml: found the key 'x', expected one of repeats"),
        (["run", "mine.toml", "--executor", "dask"], "--executor dask needs --address"),
        (["run", "mine.toml", "--address", "tcp://x"], "--address is for --executor dask"),
        (["run", "mine.toml", "--store", "bad.toml/mine.db"], "bad.toml is no folder"),
        (
            ["run", "mine.toml", "--executor", "dask", "--address", "nonsense"],
            "the address 'nonsense'",
        ),
        (["run", "mine.toml", "--store", "bad.toml"], "found another kind of file"),
        (["status", "none.db"], "none.db: found no such file, expected the store of a campaign"),
        (["status", "bad.toml"], "bad.toml: found another kind of file"),
        (["export", "bad.toml"], "bad.toml: found another kind of file"),
        (["export", "none.db"], "none.db: found no such file"),
    ],
)
def test_bad_usage(cpmines: Cpmines, spec: Path, words: list[str], message: str) -> None:
    Path("bad.toml").write_text("x = 3\n" + "# a comment that makes the file longer than a header\n" * 20)
    result = cpmines("campaign", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_every_subcommand_has_help_with_an_example(cpmines: Cpmines) -> None:
    assert isinstance(group, LazyGroup)
    for name in group.list_commands(None):  # type: ignore[arg-type]
        result = cpmines("campaign", name, "--help")
        assert result.code == 0
        assert f"cpmines campaign {name}" in result.out.partition("Example:")[2], name
