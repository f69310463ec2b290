"""Variants of the engines."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cpmines.engine import Engine
from cpmines.engines import cpsat, sat
from cpmines.errors import UsageError
from cpmines.translate import encoding_names


@pytest.mark.parametrize("options", [["glucose4", "totalizer", "rc2"], ["rc2", "totalizer", "glucose4"]])
def test_options_come_in_any_order(options: list[str]) -> None:
    assert sat.ENGINE.configure(options) == sat.Sat("glucose4", "totalizer", "rc2")


def test_aliases_are_understood() -> None:
    assert sat.ENGINE.configure(["g4"]) == sat.ENGINE.configure(["glucose4"])


def test_no_options_are_the_defaults() -> None:
    assert sat.ENGINE.configure([]) == sat.ENGINE
    assert cpsat.ENGINE.configure([]) == cpsat.CpSat(workers=1)


def test_workers() -> None:
    assert cpsat.ENGINE.configure(["workers=3"]) == cpsat.CpSat(workers=3)


@pytest.mark.parametrize(
    ("engine", "options", "named"),
    [
        (sat.ENGINE, ["nonsense"], ["'nonsense'", "cadical195", "totalizer", "tighten"]),
        (sat.ENGINE, ["maplesat"], ["maplesat is not usable", "cadical195"]),
        (sat.ENGINE, ["minisatgh"], ["minisatgh is not usable", "minisat22"]),
        (sat.ENGINE, ["cadical195", "glucose4"], ["one solver", "cadical195 and glucose4"]),
        (sat.ENGINE, ["totalizer", "binomial"], ["one encoding", "totalizer and binomial"]),
        (sat.ENGINE, ["native"], ["'native'", "totalizer"]),
        (sat.ENGINE, ["rc2", "kissat404"], ["rc2 can't use kissat404", "glucose4"]),
        (sat.ENGINE, ["workers=2"], ["'workers=2'", "cadical195"]),
        (cpsat.ENGINE, ["cadical195"], ["'cadical195'", "workers=N"]),
        (cpsat.ENGINE, ["workers=0"], ["'workers=0'", "workers=N"]),
        (cpsat.ENGINE, ["workers="], ["workers=N"]),
        (cpsat.ENGINE, ["workers=-1"], ["workers=N"]),
    ],
)
def test_what_does_not_exist_is_said(engine: Engine, options: list[str], named: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        engine.configure(options)
    for words in named:
        assert words in str(error.value)


def test_every_listed_name_is_an_option() -> None:
    for name in sat.solver_names():
        assert sat.ENGINE.configure([name]).solver == name
    for name in encoding_names():
        assert sat.ENGINE.configure([name]).encoding == name


def test_nothing_heavy_is_imported() -> None:
    heavy = "{'ortools', 'pysat', 'pandas'}"
    code = f"import sys; from cpmines.engines import cpsat, sat; print({heavy} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
