"""Files and stores by others, on the command line: nothing that they hold or are called is run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import numpy as np
import pytest

from .conftest import Cpmines


class Harm:
    """Leaves a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.path),)


def test_an_array_with_a_pickle_is_refused_and_runs_nothing(cpmines: Cpmines, tmp_path: Path) -> None:
    file, harm = tmp_path / "table.npy", tmp_path / "harm"
    np.save(file, np.array([[Harm(harm)]], object), allow_pickle=True)
    for problem in ("reconstruction", "mosaic"):
        assert cpmines("solve", problem, file).code == 2
    assert not harm.exists()


def test_a_name_of_a_file_is_no_command(cpmines: Cpmines, tmp_path: Path) -> None:
    harm = tmp_path / "harm"
    for name in ("$(mkdir harm).txt", "`mkdir harm`.txt", "x;mkdir harm.txt", "|mkdir harm.txt"):
        file = tmp_path / name
        file.write_text("1 2\n.1\n")
        found = cpmines(
            "compare", file, "--problem", "consistency", "--backend", "direct", "--backend", "sat"
        )
        assert found.code == 0
    assert not harm.exists()
    assert not list(Path().glob("harm*"))


def test_a_report_runs_no_backend_that_a_store_names(cpmines: Cpmines, tmp_path: Path) -> None:
    """A store from a spec with a program, reported where the program would leave a trace."""
    trace, script, store = tmp_path / "trace", tmp_path / "script.sh", tmp_path / "store.db"
    script.write_text(f"echo >> {shlex.quote(str(trace))}\necho YES\n")
    (tmp_path / "validation").mkdir()
    (tmp_path / "validation" / "board.txt").write_text("1 2\n1*\n")
    spec = tmp_path / "spec.toml"
    spec.write_text(
        '[[group]]\nproblem = "validation"\nask = "valid"\ninstances = ["validation"]\n'
        f"backends = ['program:sh {script}']\n"
    )
    pytest.importorskip("pandas")
    assert not cpmines("campaign", "run", spec, "--store", store, "--dry-run").code
    assert not trace.exists()
    cpmines("campaign", "run", spec, "--store", store)
    assert trace.exists()
    trace.unlink()
    for words in (["status", store], ["report", store], ["export", store], ["diff", store, store]):
        cpmines("campaign", *words)
    assert not trace.exists()
