"""``problems test`` finds each fault that is planted in a problem, and nothing where there is none."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.forks import Forks

EXAMPLE = REPOSITORY / "docs" / "examples" / "stilllife" / "cpmines_stilllife"
ENTRY = "[cpmines.problems]\nplanted = cpmines_stilllife\n"
METADATA = "Metadata-Version: 2.1\nName: planted\nVersion: 1\n"

JUDGE = "def judge(self, instance: Size, asked: Any, value: StillLife) -> list[str]:\n"
QUESTION = '("live",), ("live",), Maximise("live")'
FAULTS = {
    "a judge that accepts everything": ("problem.py", JUDGE, f"{JUDGE}        return []\n", "rejects"),
    "a judge that only counts": (
        "problem.py",
        "np.argwhere(wrong).tolist()",
        "np.argwhere(wrong & False).tolist()",
        "rejects",
    ),
    "what is compared is misspelt": (
        "problem.py",
        QUESTION,
        QUESTION.replace('("live",), M', '("lives",), M'),
        "fields",
    ),
    "the objective is misspelt": (
        "problem.py",
        QUESTION,
        QUESTION.replace('("live")', '("lives")'),
        "fields",
    ),
    "the objective is not compared": ("problem.py", QUESTION, '("live",), (), Maximise("live")', "fields"),
    "a field that no answer has": (
        "problem.py",
        QUESTION,
        QUESTION.replace('("live",), (', '("alive",), (', 1),
        "fields",
    ),
    "sides exchanged in the text": (
        "problem.py",
        'f"{instance.rows} {instance.cols}\\n"',
        'f"{instance.cols} {instance.rows}\\n"',
        "its text",
    ),
    "a number read back wrongly": (
        "problem.py",
        'whole_of(fields["live"])',
        'whole_of(fields["live"]) + 1',
        "JSON",
    ),
    "always the same instance": ("generate.py", "return up_to(4, rng)", "return Size(3, 3)", "all kinds"),
    "a step that is none": (
        "generate.py",
        "for rows in range(1, size.rows):",
        "for rows in range(1, size.rows + 1):",
        "smaller",
    ),
    "no step": (
        "generate.py",
        "    for rows in range(1, size.rows):",
        "    return\n    for rows in range(1, size.rows):",
        "smaller",
    ),
    "all of one size": ("problem.py", "return instance.rows * instance.cols", "return 7", "size"),
    "what does not follow": (
        "relations.py",
        'same(fields, "live")',
        '{"live": fields["live"] + 1}',
        "relations",
    ),
    "a Model of other rules": ("model.py", "0, 2, only_if=fewer", "0, 3, only_if=fewer", "agree"),
    "brute force that misses some": (
        "backends/brute.py",
        "min(first + BATCH, 1 << rows * cols)",
        "min(first + BATCH, (1 << rows * cols) // 16)",
        "agree",
    ),
    "a reading of no question": ("model.py", '{"most": Reading', '{"moost": Reading', "questions"),
    "a broken Model": ("model.py", "def plain(", "def plain(:", "questions"),
    "two backends of two minds": (
        "backends/direct.py",
        "around == 3), around != 3)",
        "around == 3), around != 4)",
        "agree",
    ),
    "output that is not read back": (
        "problem.py",
        "whole_number(text)",
        "whole_number(text + 'x')",
        "speaks",
    ),
    "an answer for programs that is no question": (
        "problem.py",
        'printed = "most"',
        'printed = "best"',
        "questions",
    ),
}


def outcome(folder: Path, forks: Forks) -> dict[str, bool]:
    """The checks, and which of them passed."""
    information = folder / "planted-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(METADATA)
    (information / "entry_points.txt").write_text(ENTRY)
    words = ("problems", "test", "planted", "--count", "10", "--format", "json")
    command = [str(forks.folder / "cpmines"), *words]
    paths = os.pathsep.join([str(folder), str(REPOSITORY)])
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, cwd=folder
    )
    assert done.returncode in (0, 1), done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == (0 if all(line.get("passed", True) for line in lines) else 1)
    return {line["check"]: line["passed"] for line in lines if "check" in line}


def planted(folder: Path, file: str = "", old: str = "", new: str = "") -> Path:
    """The example's package in `folder`, with a change in one of its files."""
    for path in EXAMPLE.rglob("*.py"):
        text = path.read_text()
        if str(path.relative_to(EXAMPLE)) == file:
            assert text.count(old) == 1, (file, old)
            text = text.replace(old, new)
        target = folder / EXAMPLE.name / path.relative_to(EXAMPLE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder


def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path, forks: Forks) -> None:
    assert all(outcome(planted(tmp_path), forks).values())


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_found(name: str, tmp_path: Path, forks: Forks) -> None:
    file, old, new, check = FAULTS[name]
    found = outcome(planted(tmp_path, file, old, new), forks)
    failed = [made for made, passed in found.items() if not passed]
    assert any(check in made for made in failed), failed
