"""Every command in the README is run, and what it shows is what it prints, up to times and versions.

``python tests/test_readme.py`` writes the present output into the README.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cpmines import registry
from cpmines.answer import Limits
from cpmines.board import Board
from cpmines.cli import cli
from tests.effort import thorough
from tests.forks import Forks

README = Path(__file__).parent.parent / "README.md"
INSTALLED = Path(sys.executable).parent
STARTED = "Solving"
"""The section whose commands are started as a reader does; those of the others are forks."""
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMPILING = re.compile(r"^getting .* ready; .*\n", re.MULTILINE)
MEASURED = [
    (COMPILING, ""),
    (re.compile(r"\d[\d.e+-]* (s|ms|µs|ns)\b"), "TIME"),
    (re.compile(r"\b\d[\d.,e+-]*x(?=\s|$)"), "RATIO"),
    (re.compile(r'"seconds": \{[^}]*\}'), "SECONDS"),
    (re.compile(r'"versions": \{[^}]*\}'), "VERSIONS"),
    (re.compile(r" +"), " "),
]


def blocks(text: str) -> list[str]:
    return BLOCK.findall(text)


def sections(text: str) -> dict[str, str]:
    """Texts of the sections that have commands, by their titles."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {part.partition("\n")[0]: part for part in parts if blocks(part)}


def steps(block: str) -> Iterator[tuple[str, str]]:
    """Commands of a block, each with the output below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def execute(command: str, folder: Path, programs: Path = INSTALLED) -> str:
    """What a shell command prints, errors among it, in which `cpmines` and `benchmarks` are these."""
    path = os.pathsep.join([str(programs), str(INSTALLED), os.environ["PATH"]])
    checkout = os.pathsep.join([str(README.parent), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": checkout, "COLUMNS": "110"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
    )
    return re.sub(r"[ ]+$", "", done.stdout, flags=re.MULTILINE)


def without_measurements(text: str) -> str:
    for pattern, word in MEASURED:
        text = pattern.sub(word, text)
    return "\n".join(line.strip() for line in text.splitlines())


def rewrite(text: str, folder: Path) -> str:
    def refresh(block: re.Match[str]) -> str:
        outputs = ((command, execute(command, folder)) for command, _ in steps(block[1]))
        shown = "".join(f"$ {command}\n{COMPILING.sub('', output)}" for command, output in outputs)
        return f"```console\n{shown}```"

    return BLOCK.sub(refresh, text)


LONG = ("cpmines compare --problem reconstruction --brief",)
"""Commands that take longer than all others together, and on which none of these depends."""


def test_long_commands_are_there() -> None:
    assert all(f"\n$ {command}\n" in README.read_text() for command in LONG)


@pytest.mark.parametrize("title", sections(README.read_text()))
def test_commands_print_what_is_shown(title: str, tmp_path: Path, forks: Forks) -> None:
    """The blocks of a section are run one after the other in one folder, as a reader would."""
    programs = INSTALLED if title == STARTED else forks.folder
    for block in blocks(sections(README.read_text())[title]):
        for command, shown in steps(block):
            if command in LONG and not thorough():
                continue
            printed = execute(command, tmp_path, programs)
            assert without_measurements(printed) == without_measurements(shown), command


def test_python_examples() -> None:
    assert doctest.testfile(str(README), module_relative=False).failed == 0


def test_the_backend_example_runs() -> None:
    (source,) = (block for block in PYTHON.findall(README.read_text()) if not block.startswith(">>>"))
    names: dict[str, Any] = {}
    exec(source, names)
    board, asked = Board.parse("2 3\n1*1\n12.\n"), registry.problem("validation").ask("valid")
    assert names["BACKEND"].prepare(board, asked, Limits())().value.valid is False


def test_every_command_is_shown() -> None:
    shown = " ".join(blocks(README.read_text()))
    for name in cli.list_commands(None):  # type: ignore[arg-type]
        assert f"cpmines {name}" in shown, name


if __name__ == "__main__":
    import tempfile

    README.write_text(rewrite(README.read_text(), Path(tempfile.mkdtemp())))
