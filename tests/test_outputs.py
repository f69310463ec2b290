"""Files that are written: what is replaced, what is written through, what is kept."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cpmines import outputs
from cpmines.errors import LimitError, UsageError
from tests.nodes import Fifo, full_device, mounted

NEW = "new\n"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_has_the_mode_that_the_user_wants(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a"
    before = os.umask(0o027)
    try:
        outputs.write(path, NEW)
        outputs.write_folder(tmp_path / "folder", {"a": b"1"})
    finally:
        os.umask(before)
    assert (path.read_text(), names(path.parent)) == (NEW, ["a"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o750


def test_mode_and_owner_are_kept(tmp_path: Path) -> None:
    path, folder = tmp_path / "a", tmp_path / "b"
    path.write_text("old")
    folder.mkdir()
    (folder / "a").write_text("old")
    for one, mode in ((path, 0o600), (folder / "a", 0o604), (folder, 0o711)):
        if os.geteuid() == 0:
            os.chown(one, 12345, 23456)
        one.chmod(mode)
    before = [
        (one.stat().st_uid, one.stat().st_gid, one.stat().st_mode) for one in (path, folder, folder / "a")
    ]
    number = path.stat().st_ino
    outputs.write(path, NEW)
    outputs.write_folder(folder, {"a": b"1"})
    after = [
        (one.stat().st_uid, one.stat().st_gid, one.stat().st_mode) for one in (path, folder, folder / "a")
    ]
    assert (path.read_text(), (folder / "a").read_bytes()) == (NEW, b"1")
    assert path.stat().st_ino != number
    assert after == before


def test_what_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")

    def fail() -> None:
        with outputs.whole_file(path) as out:
            out.write(b"half")
            raise LimitError("time limit")

    with pytest.raises(LimitError):
        fail()
    assert (path.read_text(), names(tmp_path)) == ("old", ["a"])


INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from cpmines import interrupts, outputs
interrupts.install()
class Last(dict):
    def items(self):
        yield from super().items()
        os.kill(os.getpid(), signal.SIGINT)
if sys.argv[1] == "file":
    with outputs.whole_file(Path("a")) as out:
        out.write(b"half")
        os.kill(os.getpid(), signal.SIGINT)
else:
    outputs.write_folder(Path("a"), Last({"b": b"half"}))
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_an_interrupt_leaves_nothing_beside(tmp_path: Path, kind: str) -> None:
    if kind == "file":
        (tmp_path / "a").write_text("old")
    else:
        outputs.write_folder(tmp_path / "a", {"b": b"old"})
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, kind], cwd=tmp_path, capture_output=True)
    assert done.returncode == 130, done.stderr
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a" / ("b" if kind == "folder" else "")).read_bytes() == b"old"


@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path: Path, there: bool) -> None:
    target, link, second = tmp_path / "far" / "target", tmp_path / "link", tmp_path / "second"
    target.parent.mkdir()
    if there:
        target.write_text("old")
    link.symlink_to("far/target")
    second.symlink_to(link)
    outputs.write(second, NEW)
    assert (link.is_symlink(), second.is_symlink(), target.read_text()) == (True, True, NEW)
    assert names(target.parent) == ["target"]
    with outputs.appended(second) as out:
        out.write(b"more")
    assert target.read_text() == NEW + "more"


def test_links_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(UsageError, match="Too many levels of symbolic links"):
        outputs.write(tmp_path / "a", NEW)


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to("target")
    outputs.write_folder(tmp_path / "link", {"a": b"1"})
    assert (tmp_path / "link").is_symlink()
    assert names(tmp_path) == ["link", "target"]
    assert (tmp_path / "target" / "a").read_bytes() == b"1"


def test_other_names_of_a_file_stay_its_names(tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_text("old, and longer than the new one")
    other.hardlink_to(path)
    outputs.write(path, NEW)
    assert other.read_text() == NEW


def test_a_fifo_is_written_through(tmp_path: Path) -> None:
    fifo = Fifo(tmp_path / "fifo")
    outputs.write(fifo.path, NEW)
    assert (fifo.read(), fifo.path.is_fifo(), names(tmp_path)) == (b"new\n", True, ["fifo"])


def test_a_growing_file_has_each_piece_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old, and longer than the new one")
    with outputs.growing(path) as add:
        assert path.read_text().startswith("old")
        for piece in ("1\n", "2\n"):
            add(piece)
            assert path.read_text().endswith(piece)
    assert path.read_text() == "1\n2\n"


def test_a_full_device(tmp_path: Path) -> None:
    node = full_device(tmp_path / "full")
    with pytest.raises(UsageError, match="full: No space left on device"):
        outputs.write(node, NEW)
    with pytest.raises(UsageError, match="full: No space left on device"), outputs.appended(node) as out:
        out.write(b"more")
    with pytest.raises(UsageError, match="full: No space left on device"), outputs.growing(node) as add:
        add("more")
    assert node.is_char_device()


def test_a_full_file_system(tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "size=16k") as folder:
        (folder / "a").write_text("old")
        (folder / "b").mkdir()
        (folder / "b" / "c").write_text("old")
        with pytest.raises(UsageError, match="a: No space left on device"):
            outputs.write(folder / "a", bytes(1 << 16))
        with pytest.raises(UsageError, match="b: No space left on device"):
            outputs.write_folder(folder / "b", {"c": bytes(1 << 16)})
        assert ((folder / "a").read_text(), (folder / "b" / "c").read_text()) == ("old", "old")
        assert names(folder) == ["a", "b"]


def test_a_file_that_something_is_mounted_on(tmp_path: Path) -> None:
    """As a container has files of its host."""
    path, outside = tmp_path / "inside", tmp_path / "outside"
    path.touch()
    outside.write_text("old, and longer than the new one")
    if subprocess.run(["mount", "--bind", outside, path], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        outputs.write(path, NEW)
        assert (path.read_text(), outside.read_text()) == (NEW, NEW)
    finally:
        subprocess.run(["umount", path], check=True)
    assert names(tmp_path) == ["inside", "outside"]


AS_ANOTHER = """
import os, sys
from pathlib import Path
from cpmines import outputs
from cpmines.errors import UsageError
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(23456), os.setuid(12345)
for name in sys.argv[1:]:
    try:
        outputs.write(Path(name), "new\\n")
    except UsageError as error:
        print(error)
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can go into, unlike pytest's."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_user_without_rights(public: Path) -> None:
    """A file in a folder without rights is written through; one without rights is not replaced."""
    closed, opened = public / "closed", public / "opened"
    for folder in (closed, opened):
        folder.mkdir()
        for name, mode in (("writable", 0o666), ("readable", 0o444)):
            (folder / name).write_text("old, and longer than the new one")
            (folder / name).chmod(mode)
    closed.chmod(0o555)
    opened.chmod(0o777)
    cases = [folder / name for folder in (closed, opened) for name in ("writable", "readable")]
    done = subprocess.run(
        [sys.executable, "-c", AS_ANOTHER, *cases, closed / "absent"], capture_output=True, text=True
    )
    assert (done.stderr, done.returncode) == ("", 0)
    denied = [closed / "readable", opened / "readable", closed / "absent"]
    assert done.stdout.splitlines() == [f"{path}: Permission denied" for path in denied]
    assert [path.read_text() == NEW for path in cases] == [True, False, True, False]
    assert names(opened) == ["readable", "writable"]
    if os.geteuid() == 0:
        assert {path.stat().st_uid for path in cases} == {0}


@pytest.mark.parametrize("redirection", [">>", "|"])
@pytest.mark.parametrize("name", ["{folder}/stdout", "/dev/fd/3", "{folder}/there"])
def test_standard_output_by_its_name(tmp_path: Path, name: str, redirection: str) -> None:
    """What is there, and what is printed before and after, stays in its order.

    A link of the test's own stands for ``/dev/stdout``, which a mistake of ours must not destroy.
    """
    there = tmp_path / "there"
    there.write_text("old\n")
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    if "there" in name and redirection == "|":
        pytest.skip("a pipe has no name")
    program = (
        "import sys; from pathlib import Path; from cpmines import outputs\n"
        "print('before'); outputs.write(Path(sys.argv[1]), 'new\\n'); print('after')"
    )
    end = f">> {there}" if redirection == ">>" else f"| cat >> {there}"
    words = [
        "sh",
        "-c",
        f'("$@" 3>&1) {end}',
        "sh",
        sys.executable,
        "-c",
        program,
        name.format(folder=tmp_path),
    ]
    subprocess.run(words, check=True)
    assert there.read_text() == "old\nbefore\nnew\nafter\n"
    assert names(tmp_path) == ["stdout", "there"]
    assert (tmp_path / "stdout").is_symlink()


def test_names_that_can_not_be(tmp_path: Path) -> None:
    for name, message in (
        ("a" * 300, "File name too long"),
        ("a\0b", "null"),
        ("a" * 256 + "/b", "too long"),
    ):
        with pytest.raises(UsageError, match=message):
            outputs.write(tmp_path / name, NEW)
        with pytest.raises(UsageError, match=message):
            outputs.write_folder(tmp_path / name, {"a": b"1"})
    longest = tmp_path / ("a" * 255)
    outputs.write(longest, NEW)
    outputs.write_folder(tmp_path / ("b" * 255), {"a": b"1"})
    assert longest.read_text() == NEW
