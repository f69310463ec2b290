from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cpmines


def test_a_certificate_is_written_and_checked(cpmines: Cpmines, tmp_path: Path) -> None:
    solved = cpmines("solve", "consistency", "--certificate", tmp_path / "p", stdin=b"2 3\n.1.\n.2.\n")
    assert solved.code == 0
    assert solved.out.endswith(f"certificate: {tmp_path / 'p' / 'input'}\n")
    checked = cpmines("check", tmp_path / "p")
    assert checked.code == 0
    assert "infeasible" in checked.out
    assert checked.out.endswith("  accepted\n")
    record = json.loads(cpmines("check", tmp_path / "p", "--format", "json").out)
    assert record["accepted"] is True
    assert record["fault"] == ""
    assert len(record["steps"]) == 2


def test_names_of_several_instances(cpmines: Cpmines, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.txt").write_text("2\n2 2 1\n2 2 3\n")
    (tmp_path / "x+2-1.txt").write_text("3 3 3\n")
    done = cpmines("solve", "maxmines", tmp_path, "--format", "json", "--certificate", tmp_path / "p")
    assert done.code == 0
    written = [Path(json.loads(line)["certificate"]) for line in done.out.splitlines()]
    assert len({path.name for path in written}) == 5
    assert {"x-1", "x-2"} <= {path.name for path in written}
    assert cpmines("check", *written).out.count("  accepted\n") == 5


def test_an_answer_without_a_certificate_is_given_all_the_same(cpmines: Cpmines, tmp_path: Path) -> None:
    words = ("solve", "counting", "--density", "1/5", "--certificate", tmp_path / "p")
    done = cpmines(*words, stdin=b"1 3\n.1.\n")
    assert done.code == 0
    assert "solved" in done.out
    assert "no certificate: with a density" in done.err
    assert not (tmp_path / "p").exists()


def test_questions_without_certificates_are_answered_and_the_exit_code_says_it(
    cpmines: Cpmines, tmp_path: Path
) -> None:
    words = ("solve", "maxmines", "--count", "--certificate", tmp_path / "p")
    done = cpmines(*words, stdin=b"2\n2 2 3\n2 3 1\n")
    assert done.code == 3
    assert done.out.count("solved") == 2
    assert done.err.count("no certificates for maxmines count: how many boards have the most mines") == 1
    assert not (tmp_path / "p").exists()


def test_exit_codes(cpmines: Cpmines, tmp_path: Path) -> None:
    cpmines("solve", "deduction", "--certificate", tmp_path / "p", stdin=b"2 3\n.1.\n.1.\n")
    shutil.copytree(tmp_path / "p" / "input", tmp_path / "p" / "other")
    (tmp_path / "p" / "other" / "placements.txt").unlink()
    rejected = cpmines("check", tmp_path / "p")
    assert rejected.code == 1
    assert "REJECTED: placements.txt" in rejected.out
    assert "accepted" in rejected.out
    none = cpmines("check", tmp_path / "none", tmp_path / "p" / "input")
    assert none.code == 2
    assert "no such folder" in none.err
    assert "accepted" in none.out


@pytest.mark.parametrize("target", ["file", "file/inside"])
def test_a_folder_that_cannot_be_written(cpmines: Cpmines, tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_text("")
    done = cpmines("solve", "consistency", "--certificate", tmp_path / target, stdin=b"1 2\n1.\n")
    assert done.code == 2
    assert "file" in done.err
