"""Readers of certificates: each file that a check reads, damaged, with the digest that it then has."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np

from benchmarks.certified import CERTIFIED
from benchmarks.readers.trial import Read, Reader, Sample
from cpmines import registry
from cpmines.certificate import write
from cpmines.check import check
from cpmines.check.cutting import check_log
from cpmines.check.folder import ANSWER, digest
from cpmines.check.tables import BOUNDS
from cpmines.check.verdict import Rejected
from cpmines.errors import InputError, UsageError
from cpmines.run import solve

__all__ = ["certificate_readers"]

MODULES = {
    ANSWER: ("check.folder", "check.claims"),
    "map.json": ("check.formula", "check.refutation"),
    "formula.cnf": ("check.formula",),
    "proof.drat": ("check.refutation",),
    "placements.txt": ("check.placements",),
    BOUNDS: ("check.tables",),
    "instance.txt": ("check.claims",),
}


def certificate_readers(folder: Path) -> list[Reader]:
    samples: dict[str, list[Sample]] = {}
    for name, (problem, text) in CERTIFIED.items():
        instance = registry.problem(problem).parse(text)[0]
        written = write(problem, instance, solve(problem, instance), folder / f"certificate-{name}")
        assert written.folder is not None, written.note
        for file in sorted(written.folder.iterdir()):
            samples.setdefault(file.name, []).append(Sample(file.read_bytes(), reader_of(file)))
    samples[BOUNDS] += [Sample(repacked(each.data), each.read) for each in samples[BOUNDS]]
    found = [
        Reader(f"certificate: {name}", MODULES[name], tuple(these), (InputError, UsageError, Rejected))
        for name, these in samples.items()
    ]
    return [*found, *cutting_planes()]


def reader_of(file: Path) -> Read:
    """The check of a certificate in which one file is another, with its digest."""
    whole = file.read_bytes()

    def read(data: bytes) -> object:
        file.write_bytes(data)
        answer = file.with_name(ANSWER)
        before = answer.read_bytes()
        try:
            if file != answer:
                said = json.loads(before)
                said["sha256"][file.name] = digest(data)
                answer.write_text(json.dumps(said))
            verdict = check(file.parent)
        finally:
            answer.write_bytes(before)
            file.write_bytes(whole)
        if not verdict.accepted:
            raise Rejected(verdict.fault)
        return verdict

    return read


def repacked(data: bytes) -> bytes:
    """An archive of tables without compression, where a damage meets what is in it."""
    file = io.BytesIO()
    with np.load(io.BytesIO(data)) as tables, zipfile.ZipFile(file, "w") as out:
        for name in tables.files:
            one = io.BytesIO()
            np.save(one, tables[name])
            out.writestr(f"{name}.npy", one.getvalue())
    return file.getvalue()


FORMULA = "* #variable= 2 #constraint= 3\n+1 x1 +1 x2 >= 1 ;\n+1 ~x1 >= 1 ;\n+1 ~x2 >= 1 ;\n"
LOG = """pseudo-Boolean proof version 1.1
l 1
l 2
l 3
pol 1 2 + 3 +
rup +1 x1 >= 1 ;
pol 4 s 2 * 2 d
c 4
"""


def cutting_planes() -> list[Reader]:
    """Formula and log of cutting planes; certificates have them where Exact is installed."""
    formulas = Sample(FORMULA.encode(), lambda data: check_log(_ascii(data), LOG))
    logs = Sample(LOG.encode(), lambda data: check_log(FORMULA, _ascii(data)))
    refusals = (InputError, UsageError, Rejected)
    return [
        Reader("certificate: formula.opb", ("check.cutting",), (formulas,), refusals),
        Reader("certificate: proof.pbp", ("check.cutting",), (logs,), refusals),
    ]


def _ascii(data: bytes) -> str:
    """As `cpmines.check.folder.Files.text`."""
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise Rejected("no ASCII text") from None
