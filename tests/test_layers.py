"""Imports run only downwards, and nothing heavy is imported before it is needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cpmines

PACKAGE = Path(cpmines.__file__).parent
LAYERS = [
    {"__main__"},
    {"cli"},
    {"report"},
    {"campaign", "conformance"},
    {"fuzz"},
    {"compare", "certificate", "explain", "export"},
    {"run", "check"},
    {"registry"},
    {"problems"},
    {"modelled", "program"},
    {"served"},
    {"tightening", "confined"},
    {"engines", "analysis"},
    {"positions", "sums"},
    {"inference", "translate", "oracle"},
    {"remote"},
    {"clues", "demands"},
    {"problem", "relation", "table"},
    {"question"},
    {"engine", "fields"},
    {"files", "model", "board"},
    {"process"},
    {"answer"},
    {"outputs", "text", "grid", "kernels", "npy", "packages", "printed"},
    {"numerals"},
    {"errors", "interrupts"},
    {"quoting"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def place(module: str) -> str:
    """The top-level room of ``cpmines.room.more``."""
    return module.split(".")[1] if "." in module else ""


def imported(path: Path) -> Iterator[str]:
    """The modules of the package that one imports; a kernel does it in C, too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("cpmines"))
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").removeprefix("cython.cimports.")
            if module == "cpmines":
                yield from (f"{module}.{alias.name}" for alias in node.names)
            elif module.startswith("cpmines."):
                yield module


def dotted(path: Path) -> str:
    return ".".join(("cpmines", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.parametrize("path", SOURCES, ids=dotted)
def test_imports_run_downwards(path: Path) -> None:
    here = dotted(path)
    for module in imported(path):
        if module == "cpmines.__version__":
            continue
        if place(module) == place(here):
            if place(here) == "problems":
                assert module.split(".")[2] == here.split(".")[2], f"{here} imports another problem: {module}"
        else:
            assert LEVEL[place(here)] < LEVEL[place(module)], f"{here} imports upwards: {module}"


def room(module: str) -> str:
    """Its top-level room; a problem's folder is a room of its own."""
    return ".".join(module.split(".")[: 3 if place(module) == "problems" else 2])


def named(path: Path) -> Iterator[str]:
    """What a module of the package imports from it, with the names, as ``cpmines.room.name``."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if place(alias.name) in LEVEL)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "cpmines":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def private(name: str) -> bool:
    return any(part.startswith("_") and not part.startswith("__") for part in name.split("."))


@pytest.mark.parametrize("path", SOURCES, ids=dotted)
def test_nothing_private_is_imported_from_another_room(path: Path) -> None:
    here = dotted(path)
    assert [name for name in named(path) if private(name) and room(name) != room(here)] == []


def test_every_room_has_a_layer() -> None:
    assert {place(dotted(path)) for path in SOURCES} <= set(LEVEL)


def succeeds(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_analysis_is_imported_when_it_is_used() -> None:
    program = (
        "import sys, cpmines\n"
        "assert 'cpmines.analysis' not in sys.modules\n"
        "from cpmines import Analyser, Analysis, analyse\n"
        "assert cpmines.analyse is analyse\n"
        "assert 'cpmines.kernels' not in sys.modules\n"
    )
    succeeds(program)


@pytest.mark.parametrize(
    "words", [["--help"], ["list"], ["solve", "--help"], ["generate", "consistency", "--list"]]
)
def test_light_commands_import_nothing_heavy(words: list[str]) -> None:
    program = (
        f"import sys; sys.argv = ['cpmines', *{words!r}]\n"
        "from cpmines.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'ortools', 'pysat', 'scipy', 'pandas'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    succeeds(program)
