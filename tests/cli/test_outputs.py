"""Limits and files to write, which are alike in all commands."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cpmines import Limits, registry, solve
from cpmines.answer import LONGEST, MOST_MEMORY, MOST_SEED
from cpmines.campaign.runner import end_servers
from cpmines.campaign.store import Store
from cpmines.errors import InputError, UsageError
from tests.campaign.synthetic import record
from tests.cli.conftest import Cpmines
from tests.nodes import Fifo, full_device, mounted

BOARD = b"2 3 1\n.1.\n.1.\n"
CONTRADICTION = b"2 3\n.1.\n.2.\n"
TABLE = b"1 1\n1\n"
WITH_LIMIT = (
    ["solve", "consistency"],
    ["analyse"],
    ["explain", "--problem", "consistency"],
    ["compare", "--problem", "consistency", "-"],
    ["table", "maxmines"],
    ["fuzz", "consistency"],
)
WRITING = (
    (["analyse", "-o"], "a.txt", BOARD),
    (["analyse", "--format", "json", "-o"], "a.json", BOARD),
    (["analyse", "--format", "svg", "-o"], "a.svg", BOARD),
    (["analyse", "--format", "html", "-o"], "a.html", BOARD),
    (["explain", "--problem", "consistency", "-o"], "a.txt", BOARD),
    (["explain", "--problem", "consistency", "--all", "-o"], "all.txt", CONTRADICTION),
    (["export", "consistency", "-", "--format", "cnf", "-o"], "a.cnf", BOARD),
    (["export", "consistency", "-", "--format", "cnf", "-o"], "a.cnf.gz", BOARD),
    (["solve", "reconstruction", "--picture"], "a.svg", TABLE),
    (["solve", "reconstruction", "--picture"], "a.png", TABLE),
    (["table", "maxmines", "--max-side", "1", "--checkpoint"], "a.jsonl", b""),
)
FILES = (
    *WRITING,
    (["campaign", "export", "STORE", "-o"], "a.csv", b""),
    (["campaign", "export", "STORE", "--format", "parquet", "-o"], "a.parquet", b""),
    (["campaign", "report", "STORE", "-o"], "a.html", b""),
    (["campaign", "run", "SPEC", "--store"], "a.db", b""),
)
"""The words that name one file to write, a name for it, and standard input."""
SPEC = """[[group]]
problem = "consistency"
instances = ["board.txt"]
backends = ["direct"]
"""
READ_AGAIN = ("--checkpoint", "--store")
FOLDERS = (
    (["generate", "consistency", "-o"], b""),
    (["solve", "consistency", "--certificate"], BOARD),
    (["campaign", "report", "STORE", "--plots"], b""),
    (["table", "maxmines", "--max-side", "1", "--pictures"], b""),
    (["fuzz", "consistency", "--backend", "direct", "--backend", "published", "-o"], b""),
)


@pytest.mark.parametrize("words", WITH_LIMIT, ids=lambda words: words[0])
@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e300"])
def test_time_limits_are_alike(cpmines: Cpmines, words: list[str], seconds: str) -> None:
    result = cpmines(*words, "--time-limit", seconds, stdin=BOARD)
    assert result.code == 2
    assert "'--time-limit'" in result.err


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 1e300])
def test_time_limits_in_python(seconds: float) -> None:
    with pytest.raises(UsageError, match="expected more than 0 and at most 1000000000"):
        Limits(seconds)


@pytest.mark.parametrize("limits", [{"memory": 0}, {"memory": 2**60}, {"seed": -1}, {"seed": 2**31}])
def test_memory_and_seeds_that_no_solver_takes(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=r"bytes, expected 1 to|the seed .*, expected 0 to 2147483647"):
        Limits(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", registry.engine_names())
def test_the_largest_seed_and_memory(name: str) -> None:
    if name in registry.backend_names("counting"):
        found = solve("counting", "1 3\n.1.\n", name, seed=MOST_SEED, memory_limit=MOST_MEMORY)
        assert found.value.count == 2
    else:
        found = solve("maxmines", "2 2 3", name, seed=MOST_SEED, memory_limit=MOST_MEMORY)
        assert found.value.mines == 3


def test_a_text_that_is_too_long_for_a_name() -> None:
    with pytest.raises(InputError, match=r"text:1: "):
        solve("maxmines", "1 " * 3000)


@pytest.mark.parametrize("backend", ["direct", "cpsat", "sat", "maxsat", "brute"])
def test_the_longest_time_limit(cpmines: Cpmines, backend: str) -> None:
    words = ["solve", "consistency", "--backend", backend, "--format", "judge"]
    assert cpmines(*words, "--time-limit", LONGEST, stdin=BOARD).out == "YES\n"


@pytest.mark.parametrize(
    ("words", "name", "stdin"), WRITING, ids=[f"{words[0]} {name}" for words, name, _ in WRITING]
)
def test_folders_of_files_are_made(
    cpmines: Cpmines, tmp_path: Path, words: list[str], name: str, stdin: bytes
) -> None:
    target = tmp_path / "new" / "folder" / name
    result = cpmines(*words, target, stdin=stdin)
    assert (result.code, target.is_file()) == (0, True), result.err
    beside = target / name
    result = cpmines(*words, beside, stdin=stdin)
    assert result.code == 2
    assert name in result.err


every_file = pytest.mark.parametrize(
    ("words", "name", "stdin"), FILES, ids=[f"{' '.join(words)} {name}" for words, name, _ in FILES]
)
every_folder = pytest.mark.parametrize(("words", "stdin"), FOLDERS, ids=[words[0] for words, _ in FOLDERS])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    """A store and a spec, for the commands that read one."""
    pytest.importorskip("matplotlib")
    path = tmp_path / "store.db"
    (tmp_path / "board.txt").write_bytes(BOARD)
    (tmp_path / "spec.toml").write_text(SPEC)
    with Store.open(path, create=True) as opened:
        for k, backend in enumerate(("x", "y")):
            opened.add(record("1", backend, 1.0 + k))
    yield path
    end_servers()


def with_store(words: list[str], store: Path) -> list[str]:
    found = {"STORE": str(store), "SPEC": str(store.with_name("spec.toml"))}
    return [found.get(word, word) for word in words]


def has_answered(words: list[str], code: int) -> bool:
    """The fuzzing has a find to write, which is a conflict."""
    return code == (1 if words[0] == "fuzz" else 0)


@every_file
def test_a_link_to_a_file(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], name: str, stdin: bytes
) -> None:
    target, link = tmp_path / "target", tmp_path / "links" / name
    link.parent.mkdir()
    target.write_text("old\n" * (words[-1] not in READ_AGAIN))
    target.chmod(0o604)
    link.symlink_to(target)
    result = cpmines(*with_store(words, store), link, stdin=stdin)
    assert result.code == 0, result.err
    assert (link.is_symlink(), target.read_bytes()[:3] not in (b"", b"old")) == (True, True)
    assert target.stat().st_mode & 0o777 == 0o604


@every_file
def test_a_fifo(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], name: str, stdin: bytes
) -> None:
    fifo = Fifo(tmp_path / name)
    before = sorted(tmp_path.iterdir())
    result = cpmines(*with_store(words, store), fifo.path, stdin=stdin)
    if words[-1] in READ_AGAIN:
        assert (result.code, "expected one" in result.err, fifo.there()) == (2, True, True)
        return
    assert result.code == 0, result.err
    assert (len(fifo.read()) > 20, fifo.there()) == (True, True)
    assert sorted(tmp_path.iterdir()) == before


@every_file
def test_a_full_device(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], name: str, stdin: bytes
) -> None:
    node = full_device(tmp_path / name)
    before = sorted(tmp_path.iterdir())
    result = cpmines(*with_store(words, store), node, stdin=stdin)
    assert result.code == 2
    expected = "expected one" if words[-1] in READ_AGAIN else f"{node}: No space left on device\n"
    assert expected in result.err
    assert (node.is_char_device(), sorted(tmp_path.iterdir())) == (True, before)


@every_file
def test_a_file_in_a_folder_without_rights(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], name: str, stdin: bytes
) -> None:
    with mounted(tmp_path / "closed", "ro") as folder:
        result = cpmines(*with_store(words, store), folder / name, stdin=stdin)
        assert (result.code, list(folder.iterdir())) == (2, [])
    assert re.search(r"Read-only file system|unable to open database file", result.err), result.err
    assert "Traceback" not in result.err


@every_file
def test_a_file_whose_name_begins_with_a_dash(
    cpmines: Cpmines,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    name: str,
    stdin: bytes,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = cpmines(*with_store(words, store), f"-{name}", stdin=stdin)
    assert result.code == 0, result.err
    assert (tmp_path / f"-{name}").stat().st_size > 20


@every_folder
def test_a_link_to_a_folder(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], stdin: bytes
) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.mkdir()
    link.symlink_to(target)
    result = cpmines(*with_store(words, store), link, stdin=stdin)
    assert has_answered(words, result.code), result.err
    assert (link.is_symlink(), len(list(target.iterdir())) > 0) == (True, True)


@every_folder
def test_what_is_no_folder(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], stdin: bytes
) -> None:
    fifo, node = Fifo(tmp_path / "fifo"), full_device(tmp_path / "full")
    for path in (fifo.path, node):
        result = cpmines(*with_store(words, store), path, stdin=stdin)
        assert (result.code, str(path.name) in result.err, "Traceback" in result.err) == (2, True, False)
    assert (fifo.there(), node.is_char_device()) == (True, True)


@every_folder
@pytest.mark.parametrize("options", ["ro", "size=4k"])
def test_a_folder_without_rights_or_room(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], stdin: bytes, options: str
) -> None:
    with mounted(tmp_path / "mounted", options) as folder:
        if options != "ro":
            (folder / "rest").write_bytes(bytes(4096))
        before = list(folder.iterdir())
        result = cpmines(*with_store(words, store), folder / "new", stdin=stdin)
        left = [path for path in folder.rglob("*") if path.is_file() or path.name.startswith(".")]
        assert (result.code, left) == (2, before)
    assert re.search("Read-only file system|No space left on device", result.err), result.err
    assert "Traceback" not in result.err


@every_folder
def test_a_folder_whose_name_begins_with_a_dash(
    cpmines: Cpmines,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    stdin: bytes,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = cpmines(*with_store(words, store), "-new", stdin=stdin)
    assert has_answered(words, result.code), result.err
    assert list((tmp_path / "-new").iterdir())


@pytest.mark.parametrize("words", [words for words, _, _ in FILES if words[-1] == "-o"], ids=" ".join)
def test_a_dash_is_standard_output(tmp_path: Path, store: Path, words: list[str]) -> None:
    stdin = next(given for same, _, given in FILES if same is words)
    if "parquet" in words:
        pytest.skip("it needs a file")
    program = "import sys; from cpmines.cli import main; sys.argv[0] = 'cpmines'; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *with_store(words, store), "-"],
        input=stdin,
        capture_output=True,
        cwd=tmp_path,
    )
    assert (done.returncode, len(done.stdout) > 20) == (0, True), done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.txt", "spec.toml", "store.db"]


def test_a_store_is_a_file(cpmines: Cpmines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite has names of its own for what is not kept."""
    monkeypatch.chdir(tmp_path)
    with Store.open(":memory:", create=True) as opened:
        opened.add(record("1", "x", 1.0))
    with Store.open(":memory:") as opened:
        assert len(opened) == 1
    assert [path.name for path in tmp_path.iterdir()] == [":memory:"]


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize(
    "words",
    [
        ["analyse", "READ", "-o"],
        ["explain", "READ", "--problem", "consistency", "--all", "-o"],
        ["export", "consistency", "READ", "--format", "cnf", "-o"],
        ["solve", "reconstruction", "TABLE", "--picture"],
        ["campaign", "export", "STORE", "-o"],
        ["campaign", "report", "STORE", "-o"],
    ],
    ids=" ".join,
)
def test_what_is_read_is_not_written_over(
    cpmines: Cpmines, tmp_path: Path, store: Path, words: list[str], linked: bool
) -> None:
    """Nor by a hard link."""
    read = tmp_path / "read.svg"
    read.write_bytes(BOARD)
    table = tmp_path / "table.svg"
    table.write_bytes(TABLE)
    paths = {"READ": read, "TABLE": table, "STORE": store}
    target = next(paths[word] for word in words if word in paths)
    before = target.read_bytes()
    output = target
    if linked:
        output = tmp_path / "linked.svg"
        output.hardlink_to(target)
    result = cpmines(*(paths.get(word, word) for word in words), output)
    assert result.code == 2, result.out
    assert "found a file that this command reads, expected another one" in result.err
    assert target.read_bytes() == before


def test_a_file_of_its_own_in_a_folder_that_is_read_only(cpmines: Cpmines, tmp_path: Path) -> None:
    """One that is mounted there: no other file can take its place, but it can be written."""
    inside = tmp_path / "inside"
    inside.touch()
    with mounted(tmp_path / "closed", "rw") as folder:
        target = folder / "a.txt"
        target.touch()
        try:
            subprocess.run(["mount", "--bind", inside, target], check=True)
            subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
            result = cpmines("analyse", "-", "-o", target, stdin=BOARD)
        finally:
            subprocess.run(["umount", target], check=False)
    assert result.code == 0, result.err
    assert inside.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ["generate", "consistency", "-o"],
        ["table", "maxmines", "--max-side", "1", "--pictures"],
        ["campaign", "report", "STORE", "--plots"],
        ["solve", "consistency", "--certificate"],
        ["fuzz", "consistency", "-o"],
    ],
    ids=" ".join,
)
def test_an_empty_name_is_no_folder(cpmines: Cpmines, store: Path, words: list[str]) -> None:
    result = cpmines(*with_store(words, store), "", stdin=BOARD)
    assert result.code == 2
    assert "found an empty name, expected that of a folder to write to, . for this one" in result.err


def test_an_export_without_room_for_its_map_is_not_made(cpmines: Cpmines, tmp_path: Path) -> None:
    (tmp_path / "a.cnf.map.json").mkdir()
    result = cpmines("export", "consistency", "--format", "cnf", "-o", tmp_path / "a.cnf", stdin=BOARD)
    assert result.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.cnf.map.json"]


def test_a_message_that_can_not_be_written_changes_no_exit_code(tmp_path: Path) -> None:
    with full_device(tmp_path / "full").open("wb") as full:
        for words, code in ((["analyse", "there-is-none"], 2), (["solve", "x"], 2), (["--nope"], 2)):
            done = subprocess.run([sys.executable, "-m", "cpmines", *words], stderr=full)
            assert done.returncode == code, words


def test_a_certificate_has_a_folder_of_its_own(cpmines: Cpmines, tmp_path: Path) -> None:
    """Also if nothing but dots is left of the name without its ending."""
    for name in ("..txt", "...txt", "z.txt"):
        (tmp_path / name).write_bytes(BOARD)
    paths = [tmp_path / name for name in ("..txt", "...txt", "z.txt")]
    assert cpmines("solve", "consistency", *paths, "--certificate", tmp_path / "made").code == 0
    assert sorted(path.name for path in (tmp_path / "made").iterdir()) == ["input", "input+2", "z"]
    assert cpmines("check", *(tmp_path / "made").iterdir()).code == 0
