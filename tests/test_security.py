"""What SECURITY.md promises, as far as no other test holds it; and that the tests it names are there."""

from __future__ import annotations

import ast
import gzip
import json
import os
import re
import shlex
import sys
from functools import cache
from pathlib import Path

import pytest

import cpmines
from cpmines import files, registry
from cpmines.answer import Limits
from cpmines.check import check
from cpmines.check.folder import Files
from cpmines.check.verdict import Rejected
from cpmines.errors import InputError, UsageError
from cpmines.run import run
from tests.conftest import REPOSITORY

PACKAGE = Path(cpmines.__file__).parent
PAGE = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.findall(r"^  - `(.*)::(.*)`$", PAGE, re.MULTILINE)
SOURCES = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}

OWN_PICKLES = {
    "campaign/runexec.py",  # in a temporary folder, by processes of its own
    "process/command.py",
    "process/keeper.py",
    "process/solver.py",
    "process/worker.py",
}
"""What reads pickles: from a socket that is inherited, if nothing else is said."""
NETWORK = {
    "aiohttp",
    "ftplib",
    "http",
    "requests",
    "smtplib",
    "socket",
    "ssl",
    "telnetlib",
    "urllib",
    "xmlrpc",
}


def test_every_promise_names_its_tests() -> None:
    assert len(NAMED) == PAGE.count("\n  - ") > 25
    lines = [line for line in PAGE.splitlines() if line.startswith(("- ", "  - "))]
    for line, after in zip(lines, [*lines[1:], "- "], strict=True):
        assert line.startswith("  - ") or after.startswith("  - "), line


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_the_test_is_there(file: str, name: str) -> None:
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@cache
def calls(path: Path) -> list[tuple[str, ast.Call]]:
    """Every call in a source with the dotted name of what is called, as it stands there."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [(ast.unparse(node.func), node) for node in nodes if isinstance(node, ast.Call)]


def test_nothing_evaluates_text() -> None:
    others = ("yaml.", "shelve.", "joblib.", "os.system", "os.popen")
    for file, path in SOURCES.items():
        names = {name for name, _ in calls(path)}
        assert not names & {"eval", "exec", "compile", "__import__", "marshal.load", "marshal.loads"}, file
        assert not any(name.startswith(others) for name in names), file


def test_there_is_no_shell() -> None:
    for file, path in SOURCES.items():
        for _, call in calls(path):
            assert "shell" not in [word.arg for word in call.keywords], file


def test_pickles_come_only_from_processes_of_our_own() -> None:
    readers = {"pickle.load", "pickle.loads", "pickle.Unpickler", "pandas.read_pickle"}
    found = {name for name, path in SOURCES.items() if readers & {called for called, _ in calls(path)}}
    assert found == OWN_PICKLES


def test_arrays_are_loaded_without_pickles() -> None:
    loads = [call for path in SOURCES.values() for name, call in calls(path) if name == "np.load"]
    for call in loads:
        words = {word.arg: ast.unparse(word.value) for word in call.keywords}
        assert words.get("allow_pickle") == "False", ast.unparse(call)
    readers = ("fromfile", "read_array", "fromregex", "genfromtxt", "loadtxt")
    for name, path in SOURCES.items():
        for called, call in calls(path):
            if called.rpartition(".")[2] in readers:
                assert "allow_pickle=False" in ast.unparse(call), name


def test_nothing_speaks_to_the_network() -> None:
    for name, path in SOURCES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = node.module if isinstance(node, ast.ImportFrom) else None
                there = [module or ""] if module else [alias.name for alias in node.names]
                assert not {one.partition(".")[0] for one in there} & NETWORK, (name, there)


def test_what_unpacks_to_more_than_the_limit_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "LARGEST", 1000)
    file = tmp_path / "board.txt.gz"
    for size, refused in ((1000, False), (1001, True), (10**7, True)):
        file.write_bytes(gzip.compress(bytes(size)))
        if refused:
            with pytest.raises(InputError, match="more than 1000 bytes"):
                files.read(file)
        else:
            assert len(files.read(file)) == size


def test_a_program_gets_its_words_as_they_are(tmp_path: Path) -> None:
    words = [
        "$HOME",
        "*",
        "$(mkdir harm)",
        "`mkdir harm`",
        ";",
        "mkdir",
        "harm",
        ">",
        "harm",
        "a b",
        "|",
        "&&",
    ]
    told, script = tmp_path / "told", tmp_path / "script.py"
    script.write_text(f"import json, sys\nopen({str(told)!r}, 'w').write(json.dumps(sys.argv[1:]))\n")
    (instance,) = registry.problem("maxmines").parse("1 1 1")
    command = shlex.join([sys.executable, str(script), *words])
    run("maxmines", instance, f"program:{command}", Limits(seconds=60))
    assert json.loads(told.read_text()) == words
    assert not list(Path().glob("harm*"))


@pytest.mark.parametrize("name", ["x.py", "./x", "folder/x.py:BACKEND", "/etc/passwd"])
def test_a_file_is_no_backend(name: str) -> None:
    with pytest.raises(UsageError):
        registry.backend("consistency", name)


def written(folder: Path) -> Path:
    """A certificate that is accepted."""
    from cpmines.certificate import write
    from cpmines.run import solve

    (instance,) = registry.problem("consistency").parse("2 3\n.1.\n.2.\n")
    found = write("consistency", instance, solve("consistency", instance), folder).folder
    assert found is not None
    assert check(found).accepted
    return found


def test_a_certificate_names_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its digests are said to be of: only the files that its claim needs are opened."""
    folder, outside = written(tmp_path / "c"), tmp_path / "secret.txt"
    outside.write_text("x")
    said = json.loads((folder / "answer.json").read_text())
    said["sha256"] |= {"../secret.txt": "0", str(outside): "0", "/etc/passwd": "0"}
    (folder / "answer.json").write_text(json.dumps(said))
    opened: list[Path] = []
    read = Files.bytes

    def noted(self: Files, name: str) -> bytes:
        opened.append((self.path / name).resolve())
        return read(self, name)

    monkeypatch.setattr(Files, "bytes", noted)
    check(folder, None)  # in this process
    assert opened
    assert {path.parent for path in opened} == {folder.resolve()}


def test_a_certificate_has_regular_files(tmp_path: Path) -> None:
    folder = written(tmp_path / "c")
    (folder / "instance.txt").unlink()
    os.mkfifo(folder / "instance.txt")
    verdict = check(folder)
    assert not verdict.accepted
    assert "no regular file" in str(verdict.fault)
    with pytest.raises(Rejected, match="does not name"):
        Files.open(folder).bytes("../secret.txt")


def test_the_data_of_a_page_does_not_end_its_script() -> None:
    jinja2 = pytest.importorskip("jinja2")
    template = (PACKAGE / "report" / "campaign" / "page.html.j2").read_text(encoding="utf-8")
    safe = re.findall(r"{{\s*(\w+)\s*\|\s*safe\s*}}", template)
    assert sorted(safe) == ["script", "style"]  # files of the package
    inside = re.findall(r"<script[^>]*>\s*{{(.*?)}}", template)
    assert [one.strip() for one in inside] == ["data | tojson"]
    page = jinja2.Environment(autoescape=True).from_string("{{ data | tojson }}")
    assert "<" not in page.render(data={"</script>": "<!--<script>"})
