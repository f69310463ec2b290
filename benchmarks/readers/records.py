"""Readers of what cpmines has written before: expected answers, maps, tables of records, specs, stores."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from pathlib import Path

from benchmarks.readers.trial import Reader, Sample
from cpmines import files, registry
from cpmines.answer import Limits, Status
from cpmines.campaign.frame import frame
from cpmines.campaign.gates import check
from cpmines.campaign.record import Category, Record, StopReason
from cpmines.campaign.spec import load, shipped_specs
from cpmines.campaign.store import Store
from cpmines.campaign.task import Instance, Task
from cpmines.cli._inputs import Source
from cpmines.compare import compare
from cpmines.errors import InputError
from cpmines.export.importing import import_solution
from cpmines.export.mapping import map_path, read_map
from cpmines.export.statement import state
from cpmines.export.writing import export_file
from cpmines.problems.maxmines import records
from cpmines.problems.mosaic.generate import read_board
from cpmines.run import run

__all__ = ["record_readers"]

SPEC = b"""
repeats = 3
seeds = [0, 1]
[limits]
cpu_time = 10
memory = 2048
[[group]]
problem = "reconstruction"
ask = ["count", { question = "all", all = [1, 9] }]
backends = ["direct", { name = "sat", variants = [["cadical195"], ["binomial", "totalizer"]] }]
optional = ["clingo"]
[[group.generate]]
family = "random"
seeds = { from = 1, to = 5 }
parameters = { "rows, cols" = [20, 40], density = 0.3 }
"""
BOARD = "2 3\n.1.\n.1.\n"


def record_readers(folder: Path) -> list[Reader]:
    return [
        expected(folder),
        exported(folder),
        table(folder),
        picture(folder),
        specs(folder),
        *stores(folder),
    ]


def expected(folder: Path) -> Reader:
    """Lines beside an instance, and what a comparison makes of them."""
    inside = folder / "expected"
    inside.mkdir(exist_ok=True)
    path, lines = inside / "a.txt", inside / files.EXPECTED
    path.write_text(BOARD)
    problem = registry.problem("deduction")
    (instance,) = problem.parse(BOARD)
    source, limits = Source("deduction", path), Limits(5.0)

    def read(data: bytes) -> object:
        lines.write_bytes(data)
        files.expected_answers.cache_clear()
        found = source.expected(None)
        return found and compare("deduction", instance, ["direct"], limits, problem.ask(), expected=found)

    value = problem.to_json(run("deduction", instance, "direct", limits).value)
    line = {"instance": "a.txt", "status": "solved", "value": value, "source": "own", "licence": "MIT"}
    other = {
        "instance": "a.txt#2",
        "question": "certain",
        "options": {},
        "status": "infeasible",
        "known": "by hand",
    }
    text = "".join(json.dumps(each) + "\n" for each in (line, other)).encode()
    return Reader(files.EXPECTED, ("files", "compare"), (Sample(text, read),))


def exported(folder: Path) -> Reader:
    """The map of an exported file, and a solver's output that is decoded by it."""
    problem = registry.problem("consistency")
    (instance,) = problem.parse(BOARD)
    samples = []
    for kind in ("cnf", "lp"):
        path = folder / f"exported.{kind}"
        found = export_file(state("consistency", instance), kind, path)
        output = folder / f"{kind}.out"
        names = state("consistency", instance).names()
        output.write_text("s SATISFIABLE\nv 1 -2 0\n" if kind == "cnf" else f"Optimal\n{names[0]} 1\n")
        sheet = map_path(path)

        def read(data: bytes, sheet: Path = sheet, output: Path = output) -> object:
            sheet.write_bytes(data)
            return import_solution(read_map(sheet), output)

        samples.append(Sample(found.text().encode(), read))
    return Reader("export map", ("export.mapping", "export.importing"), tuple(samples))


def table(folder: Path) -> Reader:
    path = folder / "records.jsonl"

    def read(data: bytes) -> object:
        path.write_bytes(data)
        return records.read(path)

    lines = (files.shipped() / "maxmines" / "records.jsonl").read_bytes().splitlines(keepends=True)
    samples = (b"".join(lines[:3]), b"".join(lines[40:42]))
    return Reader(
        "table checkpoint", ("problems.maxmines.records",), tuple(Sample(data, read) for data in samples)
    )


def picture(folder: Path) -> Reader:
    path = folder / "picture.txt"

    def read(data: bytes) -> object:
        path.write_bytes(data)
        return read_board(path)

    return Reader("mosaic picture", ("problems.mosaic.generate",), (Sample(b"*..\n.**\n...\n", read),))


def specs(folder: Path) -> Reader:
    path = folder / "spec.toml"

    def read(data: bytes) -> object:
        path.write_bytes(data)
        return load(path)

    texts = [path.read_bytes() for path in shipped_specs().values()]
    texts.append(SPEC)
    return Reader(
        "campaign spec", ("campaign.spec", "campaign._table"), tuple(Sample(text, read) for text in texts)
    )


TABLES = ("instances", "environments", "runs", "planned", "claims")


def stores(folder: Path) -> list[Reader]:
    """The file of a campaign, damaged as bytes and as the rows that are in it."""
    path = folder / "store.db"

    def read(data: bytes) -> object:
        path.write_bytes(data)
        return report(path)

    def read_rows(data: bytes) -> object:
        fill(path, data)
        return report(path)

    modules = ("campaign.store", "campaign.task", "campaign.frame", "campaign.gates", "campaign.verdict")
    data, rows = whole_store(path)
    return [
        Reader("store", modules, (Sample(data, read),)),
        Reader("store: rows", modules, (Sample(rows, read_rows),)),
    ]


def whole_store(path: Path) -> tuple[bytes, bytes]:
    """A store of a few runs: its file, and its rows as JSON."""
    found = Instance("consistency", "a.txt", "own", 6, BOARD, {"status": "solved"})
    with Store.open(path, create=True) as store:
        store.add_instances([found])
        here = store.add_environment({"cpu": "a", "packages": {}})
        tasks = [task_of(found, backend, repeat) for backend in ("direct", "sat") for repeat in (0, 1, 2)]
        store.plan("sample", tasks)
        store.claim(tasks[-1].key, "host-1-1")
        for task in tasks[:-1]:
            store.add(record_of(task, here))
    connection = sqlite3.connect(path)
    rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
    connection.close()
    data = path.read_bytes()
    path.unlink()
    return data, json.dumps(rows).encode()


def task_of(found: Instance, backend: str, repeat: int) -> Task:
    asked = ("placement", "{}", backend, "cpmines 0", 0, repeat, 10.0, 20.0, 1 << 30, 0.0)
    return Task(found.problem, found.name, found.key, found.family, found.size, *asked)


def record_of(task: Task, environment: str) -> Record:
    spent = {"cpu_user": 0.1, "cpu_system": 0.0, "wall": 0.1, "build": 0.05, "solve": 0.05, "check": 0.0}
    ended = {"status": str(Status.SOLVED), "category": Category.RIGHT, "reason": StopReason.FINISHED}
    return Record(
        key=task.key,
        **asdict(task),
        **spent,
        **ended,
        peak_memory=1 << 20,
        environment=environment,
        started=0.0,
    )


def fill(path: Path, data: bytes) -> None:
    """A new store with these rows. Raises `InputError` for rows that no store can hold."""
    path.unlink(missing_ok=True)
    Store.open(path, create=True).close()
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        for name, rows in json.loads(data).items():
            for row in rows:
                connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
    except (sqlite3.Error, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise InputError("rows of another kind", "those of a store", str(path)) from None
    finally:
        connection.close()


def report(path: Path) -> object:
    """All that ``campaign status`` and ``export`` read."""
    with Store.open(path) as store:
        made = frame(store)
        return check(made, store), store.environments(), store.claims(), store.instance(""), store.missing()
