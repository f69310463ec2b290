"""The file of a campaign: a SQLite database that records are only ever added to.

A record is written whole or not at all, also if the process is killed meanwhile, and once, also if several
processes run the same campaign. Instances and environments are stored once and referred to by their keys.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from cpmines.answer import Status
from cpmines.campaign.record import Category, Record, StopReason
from cpmines.campaign.task import Instance, Task, digest
from cpmines.errors import CpminesError, InputError, UsageError
from cpmines.outputs import make_room, require_regular, spare

__all__ = ["Store"]

APPLICATION = 0x63706D63
VERSION = 3
"""2 had no question: the runs of backends that answered different ones stood side by side."""
PATIENCE = 60.0
"""Seconds to wait for another process that writes."""

RECORD = tuple(field.name for field in fields(Record))
TASK = tuple(field.name for field in fields(Task))
NESTED = {"counters": dict, "value": dict, "faults": list}
"""Columns with JSON in them, and of what kind."""
ENUMERATED = {"category": Category, "reason": StopReason}

NUMBERS = {"size": "INTEGER", "seed": "INTEGER", "repeat": "INTEGER"} | {
    **dict.fromkeys(("memory_limit", "peak_memory"), "INTEGER"),
    **dict.fromkeys(
        ("time_limit", "wall_limit", "certificate_limit", "cpu_user", "cpu_system", "wall"), "REAL"
    ),
    **dict.fromkeys(("build", "solve", "check", "started"), "REAL"),
}

LARGEST = {"INTEGER": 2**63 - 1, "REAL": 1e11}
"""Of numbers that can be stored, or, of seconds, that make sense."""


def _columns(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}" {NUMBERS.get(name, "TEXT")} NOT NULL' for name in names)


SCHEMA = f"""
CREATE TABLE instances (key TEXT PRIMARY KEY, problem TEXT, name TEXT, family TEXT, size INTEGER,
    text TEXT NOT NULL, expected TEXT);
CREATE TABLE environments (key TEXT PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE runs (number INTEGER PRIMARY KEY, {_columns(RECORD)}, UNIQUE (key));
CREATE TABLE planned (campaign TEXT NOT NULL, key TEXT NOT NULL, {_columns(TASK)}, UNIQUE (campaign, key));
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL);
CREATE TRIGGER records_are_final BEFORE UPDATE ON runs
    BEGIN SELECT RAISE(ABORT, 'records are only added'); END;
CREATE TRIGGER records_are_kept BEFORE DELETE ON runs
    BEGIN SELECT RAISE(ABORT, 'records are only added'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


class Store:
    """The instances, plans, records and environments of one or more campaigns, in one file.

    A `Store` belongs to the thread that opened it; any number of processes may have the same file open.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection, self.path = connection, path

    @classmethod
    def open(cls, path: str | Path, *, create: bool = False) -> Store:
        """Open the file, or make it.

        Raises
        ------
        InputError
            It is missing (unless `create`), no store, or a store of another version.
        UsageError
            It can't be made.
        """
        path = Path(path)
        try:
            if not create and not path.is_file():
                found = "a folder" if path.is_dir() else "no such file"
                raise InputError(found, "the store of a campaign", str(path))
        except OSError as error:
            raise InputError(f"{error.strerror}", "the store of a campaign", str(path)) from None
        if create:
            make_room(path)
            require_regular(path, "a store")
        try:
            # SQLite takes some names, such as :memory:, for something else than a file.
            store = cls(sqlite3.connect(path.absolute(), timeout=PATIENCE, isolation_level=None), path)
        except sqlite3.DatabaseError as error:
            raise _explained(error, path) from None
        try:
            store._prepare(create)
            spare(path.stat())
        except BaseException as error:
            store.close()
            if isinstance(error, sqlite3.DatabaseError):
                raise _explained(error, path) from None
            raise
        return store

    def _prepare(self, create: bool) -> None:
        """Make the tables of an empty file; look at the version of another one."""
        if self._pragma("user_version") == 0 and not self._tables():
            if not create:
                raise InputError("an empty file", "the store of a campaign", str(self.path))
            with self.transaction():
                if not self._tables():
                    for statement in _statements(SCHEMA):
                        self.connection.execute(statement)
        if self._pragma("application_id") != APPLICATION:
            raise InputError("another database", "the store of a campaign", str(self.path))
        if (version := self._pragma("user_version")) != VERSION:
            found = f"a store of version {version}" + (", whose runs name no question" if version < 3 else "")
            what_to_do = "make the runs again, into a new store, or read it with the cpmines that wrote it"
            raise InputError(found, f"version {VERSION}: {what_to_do}", str(self.path))

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _tables(self) -> int:
        return int(self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written inside is written whole or not at all."""
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.commit()
        except BaseException as error:
            with suppress(sqlite3.DatabaseError):
                self.connection.rollback()
            if isinstance(error, sqlite3.DatabaseError):
                raise _explained(error, self.path) from None
            raise

    def _ask(self, query: str, *values: object) -> list[Any]:
        """The rows that a query finds. Raises `InputError` if the file is damaged."""
        try:
            return self.connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise _explained(error, self.path) from None
        except UnicodeDecodeError as error:
            raise self._damaged(str(error)) from None

    def _fields(self, names: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
        """The columns of a row by name. Raises `InputError` if they are of another kind."""
        found = dict(zip(names, row, strict=True))
        for name, value in found.items():
            kind = NUMBERS.get(name, "TEXT")
            numeric = isinstance(value, int) or (kind == "REAL" and isinstance(value, float))
            if not (numeric and 0 <= value <= LARGEST[kind] if kind in LARGEST else isinstance(value, str)):
                raise self._damaged(f"{value!r} as {name}")
        return found

    def _nested(self, text: str, kind: type | tuple[type, ...]) -> Any:
        """What JSON says, which has to be of the kind. Raises `InputError`."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            raise self._damaged("damaged JSON") from None
        if not isinstance(found, kind):
            raise self._damaged(f"a {type(found).__name__}")
        return found

    def _damaged(self, found: str) -> InputError:
        return InputError(found, "a whole store", str(self.path))

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    # Records

    def add(self, record: Record) -> bool:
        """Write a record, and release the claim on its key. False if there was one with this key already."""
        row = {name: getattr(record, name) for name in RECORD}
        row |= {name: json.dumps(_plain(row[name])) for name in NESTED}
        places = ", ".join("?" * len(RECORD))
        names = ", ".join(f'"{name}"' for name in RECORD)
        with self.transaction():
            done = self.connection.execute(
                f"INSERT OR IGNORE INTO runs ({names}) VALUES ({places})", [row[name] for name in RECORD]
            )
            self.connection.execute("DELETE FROM claims WHERE key = ?", (record.key,))
        return done.rowcount == 1

    def has(self, key: str) -> bool:
        """Is there a record with this key?"""
        return bool(self._ask("SELECT 1 FROM runs WHERE key = ?", key))

    def keys(self) -> set[str]:
        """The keys of all records."""
        return {key for (key,) in self._ask("SELECT key FROM runs")}

    def records(self) -> Iterator[Record]:
        """All records, in the order in which they were written."""
        names = ", ".join(f'"{name}"' for name in RECORD)
        for row in self._ask(f"SELECT {names} FROM runs ORDER BY number"):
            found = self._fields(RECORD, row)
            found |= {name: self._nested(found[name], kind) for name, kind in NESTED.items()}
            try:
                Status(found["status"])
                found |= {name: kind(found[name]) for name, kind in ENUMERATED.items()}
            except ValueError as error:
                raise self._damaged(str(error)) from None
            yield Record(**{**found, "faults": tuple(map(str, found["faults"]))})

    def __len__(self) -> int:
        return int(self._ask("SELECT count(*) FROM runs")[0][0])

    # Instances and environments

    def add_instances(self, instances: Iterable[Instance]) -> None:
        """Keep the text and the expected answer of instances."""
        with self.transaction():
            self.connection.executemany(
                "INSERT OR IGNORE INTO instances VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    (one.key, one.problem, one.name, one.family, one.size, one.text, json.dumps(one.expected))
                    for one in instances
                ),
            )

    def instance(self, key: str) -> Instance:
        """The instance with this key, or with the only one that begins so. Raises `UsageError`."""
        found = self._ask(
            "SELECT key, problem, name, family, size, text, expected FROM instances"
            " WHERE substr(key, 1, length(?)) = ? LIMIT 2",
            *(key, key),
        )
        if len(found) != 1:
            number = "several instances" if found else "no instance"
            raise UsageError(f"{self.path}: {number} with a key that begins with {key!r}")
        whole, problem, name, family, size, text, expected = found[0]
        made = Instance(problem, name, family, size, text, self._nested(expected, (dict, type(None))))
        if made.key != whole:
            raise self._damaged(f"another instance than that with the key {whole[:12]}")
        return made

    def instance_text(self, key: str) -> str:
        """The text of the instance with this key."""
        return self.instance(key).text

    def add_environment(self, content: Mapping[str, Any]) -> str:
        """Keep the description of a machine and what is installed there; its key."""
        key = digest(content)
        with self.transaction():
            self.connection.execute(
                "INSERT OR IGNORE INTO environments VALUES (?, ?)", (key, json.dumps(content))
            )
        return key

    def environments(self) -> dict[str, dict[str, Any]]:
        """Environments by key."""
        rows = self._ask("SELECT key, content FROM environments")
        return {key: self._nested(content, dict) for key, content in rows}

    # Plans and claims

    def plan(self, campaign: str, tasks: Iterable[Task]) -> None:
        """Note what the campaign is to consist of, in place of what was noted before."""
        marks = ", ".join("?" * (2 + len(TASK)))
        rows = ((campaign, task.key, *(getattr(task, name) for name in TASK)) for task in tasks)
        with self.transaction():
            self.connection.execute("DELETE FROM planned WHERE campaign = ?", (campaign,))
            self.connection.executemany(f"INSERT OR IGNORE INTO planned VALUES ({marks})", rows)

    def planned(self) -> list[Task]:
        """All planned runs, each once."""
        return self._tasks("SELECT {} FROM planned GROUP BY key ORDER BY min(rowid)")

    def missing(self) -> list[Task]:
        """The planned runs without a record."""
        return self._tasks(
            "SELECT {} FROM planned WHERE key NOT IN (SELECT key FROM runs) GROUP BY key ORDER BY min(rowid)"
        )

    def _tasks(self, query: str) -> list[Task]:
        names = ", ".join(f'"{name}"' for name in TASK)
        return [Task(**self._fields(TASK, row)) for row in self._ask(query.format(names))]

    def claim(self, key: str, owner: str) -> str:
        """Who makes the run with this key: `owner` from now on, unless another is noted. See `release`."""
        with self.transaction():
            self.connection.execute("INSERT OR IGNORE INTO claims VALUES (?, ?)", (key, owner))
            found = self.connection.execute("SELECT owner FROM claims WHERE key = ?", (key,)).fetchone()
        return str(found[0])

    def claims(self) -> dict[str, str]:
        """Owners of the runs that are being made, by key."""
        return dict(self._ask("SELECT key, owner FROM claims"))

    def release(self, owner: str) -> None:
        """Give up all claims of `owner`."""
        with self.transaction():
            self.connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))


def _explained(error: sqlite3.DatabaseError, path: Path) -> CpminesError:
    """What SQLite says, as bad input if the file is to blame, else as bad usage: it can't be written."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
        return InputError("another kind of file", "the store of a campaign", str(path))
    if isinstance(error, sqlite3.OperationalError):
        return UsageError(f"{path}: {error}")
    return InputError(str(error), "a whole store", str(path))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value if isinstance(value, list) else dict(value)


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; a trigger has one inside."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
