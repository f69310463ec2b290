"""What is written stays, once and whole."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from cpmines.campaign.record import Category, Record, StopReason
from cpmines.campaign.run import is_alive
from cpmines.campaign.store import Store
from cpmines.campaign.task import Instance, Task
from cpmines.errors import InputError, UsageError

INSTANCE = Instance("maxmines", "one", "origin", 4, "2 2 3\n", {"status": "solved", "value": {"mines": 3}})
TASK = Task(
    "maxmines",
    "one",
    INSTANCE.key,
    "origin",
    4,
    "most",
    "{}",
    "direct",
    "cpmines 1",
    0,
    0,
    1.0,
    2.0,
    1 << 30,
    0.0,
)


def record_of(task: Task, **changes: object) -> Record:
    measured = {
        "status": "solved",
        "category": Category.RIGHT,
        "reason": StopReason.FINISHED,
        "cpu_user": 0.25,
        "cpu_system": 0.5,
        "wall": 1.0,
        "build": 0.125,
        "solve": 0.5,
        "check": 0.25,
        "peak_memory": 3 << 20,
        "environment": "here",
        "started": 1.5,
        "counters": {"conflicts": 3.0},
        "value": {"mines": 3},
        "faults": ("a", "b"),
    }
    return Record(key=task.key, **{**asdict(task), **measured, **changes})  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "runs.db", create=True)


def test_records_come_back(store: Store) -> None:
    records = [record_of(TASK), record_of(replace(TASK, repeat=1), error="é\n", counters={})]
    assert all(store.add(record) for record in records)
    assert list(store.records()) == records
    with Store.open(store.path) as again:
        assert list(again.records()) == records
        assert again.has(TASK.key)
        assert not again.has("other")
        assert again.keys() == {record.key for record in records}
        assert len(again) == 2


def test_a_key_is_recorded_once(store: Store) -> None:
    assert store.add(record_of(TASK))
    assert not store.add(record_of(TASK, cpu_user=9.0))
    assert [record.cpu_user for record in store.records()] == [0.25]


@pytest.mark.parametrize("statement", ["UPDATE runs SET wall = 0", "DELETE FROM runs"])
def test_records_are_only_added(store: Store, statement: str) -> None:
    store.add(record_of(TASK))
    with pytest.raises(sqlite3.IntegrityError, match="only added"):
        store.connection.execute(statement)


def test_the_key_says_all_that_a_run_depends_on() -> None:
    others = {
        "problem": "mosaic",
        "instance_key": "x",
        "question": "count",
        "backend": "sat",
        "version": "cpmines 2",
        "seed": 1,
        "repeat": 1,
        "time_limit": 1.5,
        "wall_limit": 3.0,
        "memory_limit": 1,
        "certificate_limit": 3.0,
        "instrument": "runexec",
    }
    keys = {replace(TASK, **{name: value}).key for name, value in others.items()}  # type: ignore[arg-type]
    assert len(keys | {TASK.key}) == len(others) + 1
    assert replace(TASK, instance="renamed", family="moved", size=5, options='{"x": 1}').key == TASK.key


def test_instances_and_environments(store: Store) -> None:
    store.add_instances([INSTANCE, INSTANCE])
    assert store.instance_text(INSTANCE.key) == "2 2 3\n"
    assert store.instance(INSTANCE.key[:6]) == INSTANCE
    with pytest.raises(UsageError, match="no instance with a key that begins with 'zz'"):
        store.instance("zz")
    key = store.add_environment({"cpu": "x"})
    assert store.add_environment({"cpu": "x"}) == key
    assert store.environments() == {key: {"cpu": "x"}}


def test_what_is_missing(store: Store) -> None:
    tasks = [replace(TASK, repeat=number) for number in range(3)]
    store.plan("a", tasks)
    store.plan("b", tasks[:1])
    store.add(record_of(tasks[1]))
    assert store.planned() == tasks
    assert store.missing() == [tasks[0], tasks[2]]
    store.plan("a", tasks[1:2])
    assert store.missing() == tasks[:1]
    planned = store.connection.execute("SELECT campaign, key FROM planned ORDER BY campaign")
    assert planned.fetchall() == [("a", tasks[1].key), ("b", tasks[0].key)]


def test_claims(store: Store) -> None:
    assert store.claim("key", "one") == "one"
    with Store.open(store.path) as other:
        assert other.claim("key", "two") == "one"
        store.release("one")
        assert other.claim("key", "two") == "two"
        assert store.claims() == {"key": "two"}
    store.claim(TASK.key, "one")
    store.add(record_of(TASK))
    assert store.claims() == {"key": "two"}


def test_a_process_that_is_killed_while_it_writes(store: Store) -> None:
    """What it had not committed is not there; the rest is, and writing goes on."""
    store.add(record_of(TASK))
    program = (
        "import os, sys\n"
        "from cpmines.campaign.store import Store\n"
        "store = Store.open(sys.argv[1])\n"
        "store.connection.execute('BEGIN IMMEDIATE')\n"
        "store.connection.execute('INSERT INTO environments VALUES (1, 2)')\n"
        "os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(store.path)], check=False).returncode == -9
    assert store.environments() == {}
    assert store.add(record_of(replace(TASK, repeat=1)))
    assert len(store) == 2


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no such file"):
        Store.open(tmp_path / "none.db")
    (tmp_path / "text.db").write_text(
        "something else, long enough to be read as a header of a database " * 20
    )
    with pytest.raises(InputError, match="found another kind of file"):
        Store.open(tmp_path / "text.db")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(InputError, match="found another database"):
        Store.open(tmp_path / "other.db")
    with pytest.raises(UsageError, match="is no folder"):
        Store.open(tmp_path / "text.db" / "runs.db", create=True)
    (tmp_path / "empty.db").touch()
    with pytest.raises(InputError, match="found an empty file"):
        Store.open(tmp_path / "empty.db")
    Store.open(tmp_path / "later.db", create=True).connection.execute("PRAGMA user_version = 9")
    with pytest.raises(
        InputError, match="found a store of version 9, expected version 3: make the runs again"
    ):
        Store.open(tmp_path / "later.db")


@pytest.mark.parametrize("create", [False, True])
def test_a_store_from_before_there_were_questions_is_refused(store: Store, create: bool) -> None:
    """Its runs may have answered different questions, and nothing tells which."""
    store.add(record_of(TASK))
    store.connection.execute("PRAGMA user_version = 2")
    store.close()
    before = store.path.read_bytes()
    said = "found a store of version 2, whose runs name no question, expected version 3: make the runs again"
    with pytest.raises(InputError, match=said):
        Store.open(store.path, create=create)
    assert store.path.read_bytes() == before


def test_a_damaged_store(store: Store) -> None:
    for repeat in range(200):
        store.add(record_of(replace(TASK, repeat=repeat)))
    store.close()
    data = store.path.read_bytes()
    store.path.write_bytes(data[:20_000] + bytes(40_000) + data[60_000:])
    with pytest.raises(InputError, match="expected a whole store"), Store.open(store.path) as damaged:
        list(damaged.records())


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("runs", "reason", "binished"),
        ("runs", "status", "solvad"),
        ("runs", "counters", '{"conflicts" 3}'),
        ("runs", "value", "3"),
        ("runs", "wall", "long"),
        ("runs", "started", 1e200),
        ("runs", "error", b"\xe5\x00"),
        ("planned", "size", -3),
        ("instances", "text", "3 3 3\n"),
        ("instances", "expected", "{"),
        ("environments", "content", "{"),
    ],
)
def test_a_damaged_cell(store: Store, table: str, name: str, value: object) -> None:
    store.add_instances([INSTANCE])
    store.add_environment({"cpu": "x"})
    store.plan("a", [TASK])
    store.add(record_of(TASK))
    store.connection.execute("DROP TRIGGER records_are_final")
    store.connection.execute(f"UPDATE {table} SET {name} = ?", [value])
    with pytest.raises(InputError, match="expected a whole store"):
        [*store.records(), store.planned(), store.instance(INSTANCE.key), store.environments()]


def test_a_text_that_is_no_text(store: Store) -> None:
    store.add(record_of(TASK))
    store.connection.execute("DROP TRIGGER records_are_final")
    store.connection.execute("UPDATE runs SET error = CAST(x'e500' AS TEXT)")
    with pytest.raises((InputError, UsageError)):
        list(store.records())


def test_damage_that_is_met_in_writing(store: Store) -> None:
    for repeat in range(200):
        store.add(record_of(replace(TASK, repeat=repeat)))
    store.close()
    data = store.path.read_bytes()
    store.path.write_bytes(data[:4096] + bytes(len(data) - 4096))
    with pytest.raises(InputError, match="expected a whole store"), Store.open(store.path) as damaged:
        damaged.add(record_of(replace(TASK, repeat=200)))


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found a folder"):
        Store.open(tmp_path)


def test_an_owner_that_is_none() -> None:
    assert not is_alive("boot x start")


def test_a_store_that_can_not_be_written(store: Store) -> None:
    store.connection.execute("PRAGMA query_only = 1")
    with pytest.raises(UsageError, match="readonly"):
        store.add(record_of(TASK))
