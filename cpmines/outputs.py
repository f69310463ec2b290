"""What commands write besides standard output: nothing is lost, and nothing but a regular file is replaced.

A regular file is written beside its place and renamed onto it when it is whole; it keeps its mode and its
owner. Links are followed. FIFOs, devices and standard output by its name (``/dev/stdout``) are written
through, and so are files that can't be replaced by another one: those with other names (hard links), of
another owner, in a folder that takes no new file, or that a file system is mounted on.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO

from cpmines import interrupts
from cpmines.errors import UsageError

__all__ = [
    "appended",
    "begin_command",
    "growing",
    "is_stream",
    "make_room",
    "require_regular",
    "spare",
    "whole_file",
    "write",
    "write_folder",
]

BESIDE = ".cpmines-"
"""Begin of the names of what is not whole yet; short, for a file may have the longest name there can be."""
BLOCK = 1 << 20
SPARED: set[tuple[int, int]] | None = None
"""Device and number of the files that this command reads; None where there is no command, but a program that
may do with its files what it wants."""
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS)
"""A folder that takes no new file."""
MOUNTED = (errno.EBUSY, errno.EXDEV)


def begin_command() -> None:
    """From now on what is read is not written over, by whatever name."""
    global SPARED
    SPARED = set()


def spare(status: os.stat_result) -> None:
    """Note that a command reads a file."""
    if SPARED is not None:
        SPARED.add((status.st_dev, status.st_ino))


def write(path: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, and make the folders above it. Raises `UsageError`."""
    with whole_file(path) as out:
        out.write(_encoded(content) if isinstance(content, str) else content)


def make_room(path: Path) -> None:
    """Make the folders above a file that is to be written. Raises `UsageError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageError(f"{path}: {path.parent} is no folder") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


def is_stream(path: Path) -> bool:
    """Is it something that is written through, beside which nothing can be put? Raises `UsageError`."""
    with _explained(path):
        status = _status(path)
        return status is not None and (not stat.S_ISREG(status.st_mode) or _given(status) is not None)


def require_regular(path: Path, what: str) -> None:
    """Raise `UsageError` if what is there can't be read again, as `what` is."""
    if is_stream(path):
        raise UsageError(f"{path}: found no regular file, expected one: {what} is read again")


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that is there, with its new content, once the block has ended without an error.

    Raises
    ------
    UsageError
        It can't be written; what was there before still is, unless it had to be written through.
    """
    make_room(path)
    with _explained(path), ExitStack() as stack:
        status = _status(path)
        _require_not_read(path, status)
        target = Path(os.path.realpath(path))
        if status is None:
            make_room(target)
        with interrupts.held():
            fresh = None if _unique(status) is False else _fresh(target, status)
            if fresh is not None:
                drop = partial(fresh.unlink, missing_ok=True)
                stack.callback(drop)
                stack.enter_context(interrupts.leaving(drop))
        if fresh is None:
            yield stack.enter_context(_through(path))
            return
        with fresh.open("wb") as out:
            yield out
        try:
            fresh.replace(target)
        except OSError as error:
            if error.errno not in MOUNTED:
                raise
            with fresh.open("rb") as data, _through(target) as out:
                while block := data.read(BLOCK):
                    out.write(block)


@contextmanager
def growing(path: Path) -> Iterator[Callable[[str], None]]:
    """A function that adds text to a file, for what takes long: each piece is there at once, and stays.

    What was in the file before goes when the first piece comes. Both raise `UsageError`.
    """
    make_room(path)
    with _explained(path), ExitStack() as stack:
        opened: list[BinaryIO] = []

        def add(text: str) -> None:
            with _explained(path):
                if not opened:
                    _require_not_read(path, _status(path))
                    opened.append(stack.enter_context(_through(path)))
                opened[0].write(_encoded(text))
                opened[0].flush()

        yield add


@contextmanager
def appended(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing at its end, after all that is there; a regular file can be read, too.

    Raises
    ------
    UsageError
        It can't be written.
    """
    make_room(path)
    with _explained(path):
        if is_stream(path):
            with _through(path) as out:
                yield out
        else:
            with path.open("a+b") as file:
                yield file


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder of files, in the place of one that may be there: that one is there until the new one is.

    A link to a folder is followed; folder and files keep their modes and owners.

    Raises
    ------
    UsageError
        It can't be written.
    """
    from shutil import rmtree  # loads much that no other output needs

    with _explained(folder):
        target = Path(os.path.realpath(folder))
        make_room(target)
        fresh = target.with_name(BESIDE + os.urandom(8).hex())
        before = fresh.with_name(f"{fresh.name}-before")

        def tidy() -> None:
            if before.exists() and not target.exists():
                before.rename(target)
            for rest in (fresh, before):
                rmtree(rest, ignore_errors=True)

        try:
            with interrupts.leaving(tidy):
                fresh.mkdir()
                for name, data in files.items():
                    (fresh / name).write_bytes(data)
                    _keep_access(fresh / name, _status(target / name))
                _keep_access(fresh, _status(target))
                if target.exists():
                    target.rename(before)
                fresh.rename(target)
        finally:
            tidy()


def _encoded(text: str) -> bytes:
    """UTF-8; bytes of a name that are none, which Python has as surrogates, as escapes."""
    return text.encode("utf-8", "backslashreplace")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn errors of the system into a `UsageError` that names what the user has named."""
    try:
        yield
    except IsADirectoryError:
        raise UsageError(f"{path}: found a folder, expected a file to write") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        if "null" not in str(error):
            raise
        raise UsageError(f"{path}: {error}") from None


def _status(path: Path) -> os.stat_result | None:
    """Of what a name or a link means; None if there is nothing."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _require_not_read(path: Path, status: os.stat_result | None) -> None:
    """Raise `UsageError` for a regular file that is `SPARED`, also by another name of it."""
    if status is None or not stat.S_ISREG(status.st_mode):
        return
    if SPARED is not None and (status.st_dev, status.st_ino) in SPARED:
        raise UsageError(f"{path}: found a file that this command reads, expected another one")


def _unique(status: os.stat_result | None) -> bool | None:
    """Can another file take its place: is it a regular one with a single name? None if there is nothing."""
    if status is None:
        return None
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and _given(status) is None


def _given(status: os.stat_result) -> int | None:
    """A descriptor, open for writing, of this very file: where standard output goes, say."""
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):
            same = os.path.samestat(os.fstat(int(name)), status)
            if same and fcntl.fcntl(int(name), fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
                return int(name)
    return None


def _through(path: Path) -> BinaryIO:
    """Open what is there itself; a regular file is emptied, unless it is open already."""
    status = _status(path)
    given = None if status is None else _given(status)
    if given is not None:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        return os.fdopen(os.dup(given), "wb")
    return path.open("wb")


def _fresh(target: Path, status: os.stat_result | None) -> Path | None:
    """An empty file that can take the place of `target`; None if that is to be written through."""
    if status is not None:
        os.close(os.open(target, os.O_WRONLY))  # a file that can't be written is not replaced either
    fresh = target.with_name(BESIDE + os.urandom(8).hex())
    try:
        fresh.touch(exist_ok=False)
    except OSError as error:
        if status is None or error.errno not in CLOSED:
            raise
        return None
    if _keep_access(fresh, status):
        return fresh
    fresh.unlink()
    return None


def _keep_access(fresh: Path, status: os.stat_result | None) -> bool:
    """Give it the owner and the mode of another file, if there is one; false if the owner can't be given."""
    if status is None:
        return True
    made = fresh.stat()
    if (made.st_uid, made.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.chown(fresh, status.st_uid, status.st_gid)
        except PermissionError:
            return False
    fresh.chmod(stat.S_IMODE(status.st_mode))
    return True
