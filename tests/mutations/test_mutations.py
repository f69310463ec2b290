"""Planted bugs are found."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import cpmines
from cpmines import files
from tests.mutations.catalogue import CATALOGUE, Mutation
from tests.mutations.score import try_out

PACKAGE = Path(cpmines.__file__).parent
QUICK = (
    "CP-SAT: bounds not shifted for negative literals",
    "objective: the sign of a netted term is lost",
    "templates: clauses hold without their condition",
    "model of positions: known mines are not taken off the total",
    "validation: the row below is not looked at in the first row",
    "objective: every weight is one too high",
)


def chosen(quick: bool) -> list[Mutation]:
    return [mutation for mutation in CATALOGUE if (mutation.name in QUICK) == quick]


@pytest.mark.parametrize("mutation", CATALOGUE, ids=lambda mutation: mutation.name)
def test_the_place_is_there_once(mutation: Mutation) -> None:
    changed = mutation.apply((PACKAGE / mutation.file).read_text(encoding="utf-8"))
    ast.parse(changed)


def test_the_catalogue_is_large_and_covers_every_room() -> None:
    assert len({mutation.name for mutation in CATALOGUE}) == len(CATALOGUE) >= 25
    rooms = {"/".join(mutation.file.split("/")[:2]) for mutation in CATALOGUE}
    own = {f"engines/{name}.py" for name in ("cpsat", "maxsat")} | {"remote.py"}
    assert own | {f"translate/{name}.py" for name in ("objective", "templates", "clauses")} <= rooms
    problems = {mutation.fuzz.split()[0] for mutation in CATALOGUE if not mutation.test}
    assert problems == {path.name for path in files.shipped().iterdir() if path.is_dir()}


@pytest.mark.parametrize("mutation", chosen(quick=True), ids=lambda mutation: mutation.name)
def test_it_is_found(mutation: Mutation) -> None:
    result = try_out(mutation)
    assert result.found, result


@pytest.mark.slow
@pytest.mark.parametrize("mutation", chosen(quick=False), ids=lambda mutation: mutation.name)
def test_it_is_found_too(mutation: Mutation) -> None:
    result = try_out(mutation)
    assert result.found, result


def test_a_mutation_that_changes_nothing_is_not_found() -> None:
    harmless = Mutation("nothing", "model.py", "import annotations\n", "import annotations\n", "")
    source = (PACKAGE / harmless.file).read_text(encoding="utf-8")
    assert harmless.apply(source) == source
    with pytest.raises(ValueError, match="0 places"):
        harmless.apply("")
