"""Run the command line with one mutation: ``python -m tests.mutations.mutant NUMBER WORD...``.

The source is changed while it is imported, and nothing of it is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from tests.mutations.catalogue import CATALOGUE, Mutation


class Loader(SourceFileLoader):
    """Compiles the changed source of one module."""

    mutation: Mutation

    def get_code(self, fullname: str) -> CodeType:
        source = self.mutation.apply(Path(self.path).read_text(encoding="utf-8"))
        code: CodeType = compile(source, self.path, "exec")
        return code


class Finder(MetaPathFinder):
    """Has one module loaded with its mutation."""

    def __init__(self, mutation: Mutation) -> None:
        self.mutation = mutation

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.mutation.module:
            return None
        spec = PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.origin is not None
        loader = Loader(name, spec.origin)
        loader.mutation = self.mutation
        spec.loader = loader
        return spec


if __name__ == "__main__":
    sys.meta_path.insert(0, Finder(CATALOGUE[int(sys.argv[1])]))
    sys.argv = ["cpmines", *sys.argv[2:]]
    from cpmines.cli import main

    main()
