from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from cpmines import registry
from cpmines.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


Cpmines = Callable[..., Result]


def all_backends() -> str:
    """The end of what is said of a backend that no problem has."""
    names = {name for problem in registry.problem_names() for name in registry.backend_names(problem)}
    return f"there are: {', '.join(sorted(names))}\n"


@pytest.fixture
def cpmines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cpmines:
    """Run the command line in this process."""

    def call(*words: object, stdin: bytes | None = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["cpmines", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", None if stdin is None else io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        code = end.value.code
        assert isinstance(code, int)
        return Result(code, out, err)

    return call
