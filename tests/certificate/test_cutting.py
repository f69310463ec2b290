"""What Exact logs is accepted, for every problem; what is changed in it proves nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.certificate import write
from cpmines.check import check
from cpmines.check.folder import digest
from cpmines.run import run

pytest.importorskip("exact", reason="Exact is not installed (extra pb)")

LIMITS = Limits(seconds=120)


def certified(problem: str, instance: Any, folder: Path) -> Any:
    found = run(problem, instance, "exact", LIMITS)
    assert write(problem, instance, found, folder, LIMITS).folder == folder
    return found


@pytest.mark.parametrize("problem", ["consistency", "deduction", "counting", "mosaic", "reconstruction"])
def test_boards_without_a_placement(problem: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    made = 0
    while made < 10:
        instance = registry.generators(problem).tiny(rng)
        if run(problem, instance, "direct", LIMITS).status is Status.INFEASIBLE:
            certified(problem, instance, tmp_path / str(made))
            verdict = check(tmp_path / str(made))
            assert verdict.accepted, verdict.fault
            assert "cutting planes" in verdict.steps[-1]
            made += 1


@pytest.mark.parametrize("size", ["1 1 1", "2 2 3", "3 3 4", "4 5 2", "5 5 4", "1 7 8"])
def test_the_most_mines(size: str, tmp_path: Path) -> None:
    (instance,) = registry.problem("maxmines").parse(size)
    certified("maxmines", instance, tmp_path / "most")
    verdict = check(tmp_path / "most")
    assert verdict.accepted, verdict.fault
    assert "cutting planes" in verdict.steps[-1]


def test_changes_are_rejected(tmp_path: Path) -> None:
    """Also with the digests put right: each bound of the formula, the end of the proof, the claim."""
    (instance,) = registry.problem("maxmines").parse("3 3 4")
    folder = tmp_path / "most"
    certified("maxmines", instance, folder)
    texts = {name: (folder / name).read_text() for name in ("formula.opb", "proof.pbp", "answer.json")}

    def rejected(name: str, text: str) -> bool:
        for file, content in {**texts, name: text}.items():
            (folder / file).write_text(content)
        answer = json.loads((folder / "answer.json").read_text())
        for file in ("formula.opb", "proof.pbp"):
            answer["sha256"][file] = digest((folder / file).read_bytes())
        (folder / "answer.json").write_text(json.dumps(answer))
        return not check(folder).accepted

    assert not rejected("proof.pbp", texts["proof.pbp"])
    formula = texts["formula.opb"].splitlines()
    bounds = [number for number, line in enumerate(formula) if ">=" in line]
    for number in bounds:
        head, _, degree = formula[number].rpartition(">= ")
        worse = f"{head}>= {int(degree.split()[0]) + 1} ;"
        assert rejected("formula.opb", "\n".join([*formula[:number], worse, *formula[number + 1 :], ""]))
    proof = texts["proof.pbp"].splitlines()
    for end in range(1, len(proof)):
        assert rejected("proof.pbp", "\n".join([*proof[:end], ""]))
    answer = json.loads(texts["answer.json"])
    answer["value"] |= {"mines": 5, "bound": 5, "board": ["***", "*.*", "..."]}
    assert rejected("answer.json", json.dumps(answer))
