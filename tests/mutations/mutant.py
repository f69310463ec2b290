"""Run the command line with one mutation: ``python -m tests.mutations.mutant NUMBER WORD...``.

The source is changed while it is imported, and a kernel compiled alone; nothing of it is kept.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

from tests.conftest import REPOSITORY
from tests.mutations.catalogue import CATALOGUE, Mutation

PACKAGE = REPOSITORY / "cpmines"


class Loader(SourceFileLoader):
    """Compiles the changed source of one module."""

    mutation: Mutation

    def get_code(self, fullname: str) -> CodeType:
        source = self.mutation.apply(Path(self.path).read_text(encoding="utf-8"))
        code: CodeType = compile(source, self.path, "exec")
        return code


def compiled(mutation: Mutation, folder: Path) -> Path:
    """The extension module of a changed kernel."""
    from hatch_build import compile_modules

    source = folder / "changed.py"
    source.write_text(mutation.apply((PACKAGE / mutation.file).read_text(encoding="utf-8")), encoding="utf-8")
    compile_modules({mutation.module: source}, folder / "work", folder / "lib")
    (module,) = (folder / "lib").rglob("*.*")
    return module


class Finder(MetaPathFinder):
    """Has one module loaded with its mutation."""

    def __init__(self, mutation: Mutation, folder: Path) -> None:
        self.mutation = mutation
        self.extension = compiled(mutation, folder) if mutation.compiled else None

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.mutation.module:
            return None
        if self.extension is not None:
            return spec_from_file_location(name, self.extension)
        spec = PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.origin is not None
        loader = Loader(name, spec.origin)
        loader.mutation = self.mutation
        spec.loader = loader
        return spec


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.meta_path.insert(0, Finder(CATALOGUE[int(sys.argv[1])], Path(folder)))
        sys.argv = ["cpmines", *sys.argv[2:]]
        from cpmines.__main__ import main

        main()
