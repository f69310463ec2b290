"""What others have named or said, on a terminal: it can neither steer it nor look like an answer."""

from __future__ import annotations

import ast
import io
import json
import re
import shlex
import sys
import unicodedata
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from cpmines import cli
from cpmines.answer import Answer, Stop
from cpmines.campaign.runner import end_servers
from cpmines.cli._progress import Bar
from cpmines.errors import InputError, LimitError, PluginWarning, UsageError
from cpmines.problem import Function, Trust
from cpmines.quoting import printable, printable_lines
from cpmines.report.tables import table, titled
from tests.cli.conftest import Cpmines, Result

HOSTILE = "a\x1b[2J\x1b[32m\nfake: solved\r\x07\u202e\u2066\x9b[red]x[bold]:bomb:\x85\udcff"
QUOTED = r"a\u001b[2J\u001b[32m\nfake: solved\r\u0007\u202e\u2066\u009b[red]x[bold]:bomb:\u0085\udcff"
BOARD = b"2 3 1\n.1.\n.1.\n"
CONTRADICTION = b"2 3\n.1.\n.2.\n"


def test_what_is_not_printable_is_written_as_in_json() -> None:
    assert printable(HOSTILE) == QUOTED == printable(QUOTED)
    assert printable("plain [bold] text, größer, 地雷 \\ \"'") == "plain [bold] text, größer, 地雷 \\ \"'"
    assert printable_lines("a\nb\x1b\r\n") == "a\nb\\u001b\\r\n"
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if not sign.isprintable():
            assert printable(sign) == json.dumps(sign)[1:-1]
        assert printable(sign).isprintable()


def harmless(result: Result, named: bool = True) -> None:
    """Nothing but lines of printable characters, none of which the name has made; the name is told."""
    said = result.out + result.err
    for line in said.split("\n"):
        assert line.isprintable(), ascii(line)
        assert not line.lstrip().startswith("fake"), line
        assert not any(unicodedata.category(sign) == "Cf" for sign in line)
    if named:
        # Tables may be broken at the end of a line.
        assert "".join(QUOTED.removesuffix(r"\udcff").split()) in "".join(said.split()), said


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with boards of hostile names, below one that is named like their problem."""
    monkeypatch.chdir(tmp_path)
    found = tmp_path / "consistency" / HOSTILE
    found.mkdir(parents=True)
    for name, board in (("right", BOARD), ("wrong", b"2 3\n.x.\n.1.\n"), ("contradiction", CONTRADICTION)):
        (found / f"{name}{HOSTILE}.txt").write_bytes(board)
    return found


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "consistency", "FOLDER"],
        ["solve", "consistency", "FOLDER", "--format", "json"],
        ["solve", "consistency", "FOLDER", "--format", "judge"],
        ["solve", "consistency", "FOLDER", "--certificate", "FOLDER-proofs"],
        ["solve", "consistency", "FOLDER/right.txt", "--picture", "FOLDER/right"],
        ["compare", "FOLDER", "--backend", "direct", "--backend", "brute"],
        ["compare", "FOLDER", "--backend", "direct", "--format", "jsonl"],
        ["analyse", "FOLDER/right.txt"],
        ["analyse", "FOLDER/contradiction.txt"],
        ["analyse", "FOLDER/wrong.txt"],
        ["analyse", "FOLDER/right.txt", "-o", "FOLDER"],
        ["explain", "FOLDER/right.txt"],
        ["explain", "FOLDER/contradiction.txt", "--all"],
        ["export", "consistency", "FOLDER/right.txt", "--format", "cnf", "-o", "FOLDER/new"],
        ["import-solution", "FOLDER/absent", "FOLDER/absent"],
        ["check", "FOLDER"],
        ["generate", "consistency", "-o", "FOLDER/right.txt"],
        ["table", "maxmines", "--max-side", "1", "--pictures", "FOLDER"],
        ["table", "maxmines", "--max-side", "1", "--checkpoint", "FOLDER/right.txt"],
        ["fuzz", "consistency", "--backend", "direct", "--backend", "published", "-o", "FOLDER"],
        ["fuzz", "consistency", "FOLDER/wrong.txt", "--backend", "direct"],
        ["campaign", "run", "FOLDER/right.txt"],
        ["campaign", "status", "FOLDER/right.txt"],
        ["campaign", "diff", "FOLDER", "FOLDER"],
        ["solve", "NAME"],
        ["solve", "consistency", "--backend", "NAME"],
        ["solve", "consistency", "--backend", "program:NAME"],
        ["solve", "consistency", "--ask", "NAME"],
        ["solve", "counting", "--density", "NAME"],
        ["export", "consistency", "--format", "NAME"],
        ["generate", "consistency", "NAME"],
        ["generate", "consistency", "rows=NAME"],
        ["backends", "test", "NAME"],
        ["list", "NAME"],
        ["NAME"],
        ["solve", "--NAME"],
        ["explain", "--cell", "NAME"],
        ["solve", "consistency", "--time-limit", "NAME"],
    ],
    ids=" ".join,
)
def test_names(cpmines: Cpmines, folder: Path, words: list[str]) -> None:
    """Whether a name is one of an input, of an output or of something that is not there."""
    names = [word.replace("NAME", HOSTILE.rstrip("\udcff")) for word in words]
    names = [
        word.replace("FOLDER/new", str(folder / "new")).replace("FOLDER/absent", str(folder / "absent"))
        for word in names
    ]
    for name in ("right", "wrong", "contradiction"):
        names = [word.replace(f"FOLDER/{name}.txt", str(folder / f"{name}{HOSTILE}.txt")) for word in names]
    names = [word.replace("FOLDER", str(folder)) for word in names]
    result = cpmines(*names, stdin=BOARD)
    assert result.code in (0, 1, 2)
    structured = {"json", "jsonl", "judge"} & set(words) or words[:2] == ["explain", "--cell"]
    told_in_pythons_way = "NAME" in "".join(words) and "program" not in "".join(words)
    harmless(result, named=not structured and not told_in_pythons_way)


def test_a_campaign(cpmines: Cpmines, folder: Path) -> None:
    """Its spec, its store, its instances and what is wrong with them."""
    spec, store = folder / f"{HOSTILE}.toml", folder / f"{HOSTILE}.db"
    instances = json.dumps(str(folder / "r*").encode("utf-8", "replace").decode())
    spec.write_text(f'[[group]]\nproblem = "consistency"\ninstances = [{instances}]\nbackends = ["direct"]\n')
    (folder / "right").mkdir()
    local = folder / "right" / "b\x1b[2J\nfake.txt"
    local.write_bytes(BOARD)
    instances = json.dumps("right")
    spec.write_text(
        f'[[group]]\nproblem = "consistency"\ninstances = [{instances}]\nbackends = ["direct", "published"]\n'
    )
    try:
        for words in (
            ("run", spec, "--store", store, "--dry-run"),
            ("run", spec, "--store", store),
            ("status", store),
            ("diff", store, store),
            ("report", store, "-o", folder / "page.html", "--plots", folder / "plots"),
        ):
            harmless(cpmines("campaign", *words), named=words[0] != "diff")
    finally:
        end_servers()


def test_certificates(cpmines: Cpmines, folder: Path, tmp_path: Path) -> None:
    """Right and forged ones: what they say is said by others."""
    board = folder / f"right{HOSTILE}.txt"
    assert cpmines("solve", "consistency", board, "--certificate", folder / "proofs").code == 0
    harmless(cpmines("check", folder / "proofs"))
    (answer,) = folder.rglob("answer.json")
    said = json.loads(answer.read_text())
    for name in ("format", "problem", "question", "status", "evidence", "backend"):
        answer.write_text(json.dumps(said | {name: HOSTILE}))
        harmless(cpmines("check", folder / "proofs"))


def fail(*_: object, **__: object) -> Answer[Any]:
    raise RuntimeError(HOSTILE)


def give_up(*_: object, **__: object) -> Answer[Any]:
    raise LimitError(Stop.TIME_LIMIT, HOSTILE)


def note(*_: object, **__: object) -> Answer[Any]:
    return Answer.unknown(Stop.MEMORY_LIMIT, HOSTILE)


def decline(*_: object, **__: object) -> Answer[Any]:
    return Answer.declined(HOSTILE)


FAILING, ENDING, NOTING, DECLINING = (
    Function(solve, HOSTILE, Trust.EXACT) for solve in (fail, give_up, note, decline)
)


@pytest.mark.parametrize("name", ["FAILING", "ENDING", "NOTING", "DECLINING"])
def test_what_backends_say(cpmines: Cpmines, tmp_path: Path, name: str) -> None:
    backend = f"{__name__}:{name}"
    path = tmp_path / "a.txt"
    path.write_bytes(BOARD)
    harmless(cpmines("solve", "consistency", path, "--backend", backend))
    both = ("--problem", "consistency", "--backend", "direct", "--backend", backend)
    harmless(cpmines("compare", path, *both), named=False)
    fuzz = ("fuzz", *both[1:], "--rounds", 2, "-o", tmp_path)
    harmless(cpmines(*fuzz), named=name == "DECLINING")
    harmless(cpmines("backends", "test", backend, "--problem", "consistency", "--count", 2), named=False)


@pytest.mark.parametrize("end", ["exit 1", "exit 0", "kill -SEGV $$"])
def test_what_programs_say(cpmines: Cpmines, tmp_path: Path, end: str) -> None:
    program = tmp_path / f"b{HOSTILE}"
    printed = HOSTILE.encode("utf-8", "surrogateescape").decode("latin-1")
    words = shlex.quote(printed.encode("latin-1").decode("utf-8", "ignore"))
    program.write_text(f"#!/bin/sh\nprintf %s {words}\nprintf %s {words} >&2\n{end}\n")
    program.chmod(0o755)
    backend = f"program:{shlex.quote(str(program))}"
    harmless(cpmines("solve", "consistency", "--backend", backend, stdin=BOARD))


def test_errors_and_warnings_in_python() -> None:
    for error in (UsageError(HOSTILE), InputError(HOSTILE, "b", HOSTILE, 1), PluginWarning(HOSTILE)):
        assert str(error).isprintable()
        assert QUOTED in str(error)
    with pytest.warns(PluginWarning) as caught:
        warnings.warn(PluginWarning(HOSTILE), stacklevel=1)
    assert str(caught[0].message) == QUOTED


def test_tables_take_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    made = table("a", HOSTILE)
    made.add_row(HOSTILE, Text("a\x1b[2J", "red"))
    Console(width=1000, force_terminal=False).print(titled(HOSTILE, made))
    out = capsys.readouterr().out
    assert out.count(QUOTED) == 3
    assert all(line.isprintable() for line in out.splitlines())


def test_bars_take_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("rich.console.Console", partial(Console, file=out, force_terminal=True, width=1000))
    bar = Bar(HOSTILE)
    bar.timer.start()
    bar.draw()
    bar.end()
    assert QUOTED.removesuffix(":bomb:\\u0085\\udcff") in re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", out.getvalue())
    assert "\x1b[2J" not in out.getvalue()


def test_everything_is_said_by_one_room() -> None:
    """No command prints by other means: what `say` quotes can't be forgotten."""
    for path in Path(cli.__file__).parent.rglob("*.py"):
        if path.name == "_say.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in ("print", "click.echo", "click.secho", "sys.stdout.write"), (
                f"{path}: {called}"
            )
