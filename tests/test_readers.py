"""Every reader takes or refuses whatever it is given, in bounded time and memory; every one is tried."""

from __future__ import annotations

import ast
import gzip
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import cpmines
from benchmarks.readers.listed import readers
from benchmarks.readers.trial import Reader, Sample, Tried, attempt, try_reader
from cpmines import files, registry
from cpmines.errors import InputError, UsageError
from cpmines.text import Document
from tests.effort import some

PACKAGE = Path(cpmines.__file__).parent
INPUTS = some(10_000, 30)

CALLS = {
    *("json.loads", "json.load", "pickle.loads", "pickle.load", "tomllib.loads", "tomllib.load", "np.load"),
    *("np.loadtxt", "np.fromfile", "np.genfromtxt", "ast.literal_eval", "sqlite3.connect", "gzip.GzipFile"),
    *("zipfile.ZipFile", "npy.read_magic", "files.read", "Document", "read_bytes", "read_text"),
}
"""What reads, or begins to."""

OWN = {
    "campaign.environment": "files of the system",
    "campaign.run": "files of the system",
    "campaign.runexec": "what its own process has written into a folder of its own",
    "conformance.problem": "what it has written itself",
    "engines.exact": "the log of its own process",
    "process.command": "files of the system",
    "process.keeper": "files of the system",
    "process.solver": "what its own process says",
    "process.tree": "files of the system",
    "process.worker": "what the process that started it says",
    "report.campaign.page": "files of the package",
    "report.drawing.page": "files of the package",
    "report.explanation.html": "files of the package",
    "report.analysis.html": "files of the package",
    "campaign.plan": "instances, as `instance:` readers do",
    "cli._inputs": "instances, as `instance:` readers do",
}
"""Modules that read what nobody else writes, or by readers that are listed, and what that is."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reader]:
    pytest.importorskip("pandas")
    return {reader.name: reader for reader in readers(tmp_path_factory.mktemp("readers"))}


NAMES = [
    *(f"{kind}: {name}" for name in registry.problem_names() for kind in ("instance", "value", "question")),
    *(f"program output: {name}" for name in registry.problem_names() if registry.problem(name).printed),
    *(".npy: mosaic", ".npy: reconstruction", "gzip", "solver output", "density", "backend name", "analyse"),
    *(
        "expected.jsonl",
        "export map",
        "table checkpoint",
        "mosaic picture",
        "campaign spec",
        "store",
        "store: rows",
    ),
    *(
        "certificate: answer.json",
        "certificate: instance.txt",
        "certificate: map.json",
        "certificate: formula.cnf",
    ),
    *("certificate: proof.drat", "certificate: placements.txt", "certificate: bounds.npz"),
    *("certificate: formula.opb", "certificate: proof.pbp"),
]


def test_the_list_is_the_one_that_is_tried(found: dict[str, Reader]) -> None:
    assert sorted(found) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_inputs_are_taken_or_refused(found: dict[str, Reader], name: str) -> None:
    tried = try_reader(found[name], INPUTS)
    assert tried.inputs == INPUTS
    assert not tried.faults, [(fault.what, fault.data[:200], len(fault.data)) for fault in tried.faults[:3]]
    assert tried.refused


def calls(path: Path) -> set[str]:
    """The calls in a module that read, as they are written there, or by the last part of their name."""
    nodes = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    written = {ast.unparse(node) for node in nodes}
    return {name for name in written if name in CALLS or name.rpartition(".")[2] in CALLS}


def test_every_module_that_reads_is_tried(found: dict[str, Reader]) -> None:
    tried = {module for reader in found.values() for module in reader.modules}
    known = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py")}
    names = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): PACKAGE / path for path in known}
    assert tried <= set(names)
    reading = {name for name, path in names.items() if "kernels" not in name and calls(path)}
    assert reading - tried - set(OWN) == set()
    assert set(OWN) <= reading, "what reads no more needs no reason"


def test_a_fault_is_found() -> None:
    def read(data: bytes) -> object:
        return [data[0], bytes(64 << 20)] and 1 // len(data)

    tried = Tried("broken")
    attempt(Reader("broken", (), ()), Sample(b"", read), b"", tried)
    assert [fault.what for fault in tried.faults] == ["IndexError: index out of range"]


ARRAY = b"\x93NUMPY\x01\x00"


def npy(header: str, body: bytes = bytes(24)) -> bytes:
    text = header.encode()
    return ARRAY + len(text).to_bytes(2, "little") + text + body


def shaped(shape: str, descr: str = "'|i1'", fortran: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n"


DAMAGED = {
    "larger than memory": npy(shaped("(1000000000000, 1000000)")),
    "larger than numbers": npy(shaped("(100000000000000000000000, 4)")),
    "of many digits": npy(shaped(f"({'9' * 4200}, 8)")),
    "with a truth for a length": npy(shaped("(True, 8)")),
    "negative": npy(shaped("(-3, -8)")),
    "empty": npy(shaped("(0, 8)"), b""),
    "a cut header": npy("{'descr'"),
    "a header of brackets": npy("(" * 9000),
    "a large header": npy(shaped("(3, 8)") + " " * 60_000),
    "no header": ARRAY,
    "cut off": npy(shaped("(3, 8)"), bytes(23)),
    "two in one": npy(shaped("(3, 8)"), bytes(48)),
    "objects": npy(shaped("(3, 1)", "'|O'")),
    "floats": npy(shaped("(3, 1)", "'<f8'")),
    "no type": npy(shaped("(3, 8)", "'<i3'")),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_arrays(name: str) -> None:
    for problem in ("reconstruction", "mosaic"):
        with pytest.raises(InputError, match=r"^bad.npy:1: found (a damaged numpy|an) array"):
            registry.problem(problem).parse(DAMAGED[name], "bad.npy")


def test_whole_arrays_of_all_versions_and_orders() -> None:
    parse = registry.problem("reconstruction").parse
    rows = npy(shaped("(2, 3)"), bytes([1, 1, 0, 1, 1, 0]))
    columns = npy(shaped("(2, 3)", fortran="True"), bytes([1, 1, 1, 1, 0, 0]))
    (expected,) = parse("2 3\n110\n110\n")
    for version in (1, 2, 3):
        size = 2 if version == 1 else 4
        for data in (rows, columns):
            header = data[10 : 10 + int.from_bytes(data[8:10], "little")]
            again = (
                ARRAY[:6] + bytes([version, 0]) + len(header).to_bytes(size, "little") + header + data[-6:]
            )
            assert parse(again) == [expected]


def zeros(size: int) -> bytes:
    """A gzip file of so many zeros, made without them."""
    packing, part = zlib.compressobj(9, zlib.DEFLATED, 31), bytes(1 << 20)
    return b"".join(packing.compress(part) for _ in range(size >> 20)) + packing.flush()


def test_a_small_file_that_expands_to_gigabytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST", 1 << 24)
    path = tmp_path / "a.txt.gz"
    path.write_bytes(zeros(1 << 26))
    tried = Tried("gzip")
    attempt(Reader("gzip", (), ()), Sample(b"", lambda _: files.read(path)), b"", tried)
    assert (tried.refused, tried.memory < 1 << 26) == (1, True)


def test_memory_is_taken_as_it_comes(tmp_path: Path) -> None:
    """Where there are less than the two gigabytes that a file may have, small ones are read all the same."""
    plain, packed = tmp_path / "a.txt", tmp_path / "a.txt.gz"
    plain.write_text("1 1\n.\n")
    packed.write_bytes(gzip.compress(b"1 1\n.\n"))
    code = (
        "import resource, sys; from pathlib import Path; from cpmines import files;"
        "resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30));"
        "print([files.read(Path(name)) for name in sys.argv[1:]])"
    )
    done = subprocess.run([sys.executable, "-c", code, plain, packed], capture_output=True, text=True)
    assert done.stdout == "[b'1 1\\n.\\n', b'1 1\\n.\\n']\n", done.stderr


def refused(read: Callable[[], object]) -> str:
    with pytest.raises((InputError, UsageError)) as caught:
        read()
    return str(caught.value)


def test_smallest_inputs_that_were_at_fault(tmp_path: Path) -> None:
    from cpmines.analysis.analyser import as_position
    from cpmines.campaign.spec import parse
    from cpmines.export.solution import read_solution
    from cpmines.program import Program

    assert "byte 0xed" in refused(lambda: as_position("1 3\n\ud800\n"))
    assert "found '3\\x1c4'" in refused(lambda: registry.problem("maxmines").read_verdict(None, "3\x1c4"))
    assert "found '٣'" in refused(lambda: registry.problem("maxmines").read_verdict(None, "٣"))
    assert "no TOML" in refused(lambda: parse("repeats = " + "9" * 5000, "a"))
    assert "no TOML" in refused(lambda: parse("a = " + "[" * 100_000, "a"))
    assert "more than 100 numbers" in refused(lambda: Document(b"1 " * 10**6).header("sizes", 2))
    assert "neither a claim" in refused(lambda: read_solution("status:" + " " * 10**6 + "1", 3, 4, ()))
    assert "characters" in refused(lambda: Program.named(registry.problem("maxmines"), "a " * 10**6))
    lines = tmp_path / files.EXPECTED
    for number, name in enumerate(('"' + "a" * 300 + '"', "1", "null", "[]", '"\\u0000"', '"\\ud800"')):
        lines.write_text(f'{{"instance": {name}, "status": "solved"}}\n')
        assert ":1: found an" in refused(lambda number=number: files.expected_answers(lines, number))


def test_numbers_of_mines_are_of_any_board() -> None:
    with pytest.raises(ValueError, match="at most 40 digits"):
        registry.problem("counting").from_json({"count": "1", "by_mines": {"9" * 5000: "1"}})


def test_places_behind_many_lines() -> None:
    document = Document(b"# one\n\n  \n#\n2 3\n\n \n  x\n")
    assert document.header("sizes", 2) == [2, 3]
    assert refused(document.end) == "-:8:3: found 'x', expected the end of the input"
    assert refused(lambda: Document(b"#").header("sizes", 2)).startswith("-:2: found the end")
    assert Document(b"\n" * 10**6 + b"1 1\n").header("sizes", 2) == [1, 1]
