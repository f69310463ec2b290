"""False claims with evidence made by hand, all digests right: what looks like a proof and is none."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.certified import claiming
from cpmines.answer import Limits
from cpmines.board import Position
from cpmines.certificate import write
from cpmines.certificate.tables import bounds_file
from cpmines.check import Verdict, check
from cpmines.demands.tables import layers_of
from cpmines.errors import InputError
from cpmines.problems.maxmines.placing import Placing
from cpmines.run import run

HEADER = "pseudo-Boolean proof version 1.1"


def claimed(folder: Path, *claim: Any, **asked: Any) -> Verdict:
    """What the check says of what `forge` writes."""
    forge(folder, *claim, **asked)
    return check(folder)


def forge(
    folder: Path,
    problem: str,
    evidence: str,
    text: str,
    files: dict[str, Any],
    value: Any = None,
    **asked: Any,
) -> None:
    """Write a certificate with these files; without a value it claims that none is there."""
    folder.mkdir()
    for name, part in claiming(problem, evidence, text, files, value, **asked).items():
        (folder / name).write_bytes(part)


def refuted(folder: Path, text: str, cells: int, clauses: list[str], proof: str, **meanings: Any) -> Verdict:
    header = f"variables 1 to {cells} are the cells in reading order, c1 first; true is a mine"
    files = {
        "formula.cnf": "\n".join([f"p cnf 99 {len(clauses)}", *clauses, ""]),
        "map.json": json.dumps({"cells": header, "sums": {}, "counts": {}, **meanings}),
        "proof.drat": proof,
    }
    return claimed(folder, "consistency", "refutation", text, files)


@pytest.mark.parametrize("deleted", ["-3 -1", "-1 -3"])
def test_a_literal_does_not_outlive_the_clause_that_implied_it(deleted: str, tmp_path: Path) -> None:
    """Of the clauses 3 and -3 -1 the second is deleted, so that nothing is left to contradict the step 1."""
    verdict = refuted(tmp_path / "a", "1 4\n.1.1\n", 4, ["3 0", "-3 -1 0"], f"d {deleted} 0\n1 0\n0\n")
    assert "does not refute the formula (step 1)" in verdict.fault


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ("0 1 0", "is no step"),
        ("+0", "is no step"),
        ("x", "is no step"),
        ("1", "is no step"),
        ("c \x0b0", "is no step"),
        ("999999999 0", "proof.drat"),
        ("4 0", "never derives"),
    ],
)
def test_steps_are_lines_of_literals(step: str, fault: str, tmp_path: Path) -> None:
    assert fault in refuted(tmp_path / "a", "1 3\n.1.\n", 3, ["1 3 0"], f"{step}\n").fault


def test_sums_without_end_are_not_written_out(tmp_path: Path) -> None:
    """Each sum has the two before it as its parts: the last has more cells than could be listed."""
    sums = {"s1": ["c1", "c3"], "s2": ["s1", "c1"]}
    sums |= {f"s{k}": [f"s{k - 1}", f"s{k - 2}"] for k in range(3, 90)}
    verdict = refuted(tmp_path / "a", "1 3 1\n.1.\n", 3, ["-4 0"], "0\n", sums=sums, counts={"4": ["s89", 1]})
    assert "does not say the clause" in verdict.fault


@pytest.mark.parametrize("weight", [1 << 61, 1 << 62, 10**25])
def test_weights_do_not_overflow(weight: int, tmp_path: Path) -> None:
    opposite = "".join(f"+{weight} ~x{cell} " for cell in (2, 3, 4))
    files = {
        "formula.opb": f"+1 x2 +1 x3 +1 x4 >= 3 ;\n{opposite}>= {weight} ;\n",
        "proof.pbp": f"{HEADER}\nl 1\nl 2\npol 1 {weight} * 2 +\nc 3\n",
    }
    verdict = claimed(tmp_path / "a", "consistency", "cutting", "2 2\n3.\n..\n", files)
    assert "the board does not say" in verdict.fault


def test_a_bound_and_a_gain_do_not_overflow(tmp_path: Path) -> None:
    """Where the cell placed last is a mine, the bound is so large that one more mine makes it negative."""
    frontier = Placing.of(4, 5, 4)
    layers = list(layers_of(frontier))
    tables = [np.ones(len(states), np.uint64) for states in layers]
    for table, states in zip(tables, layers, strict=True):
        newest = states & np.uint64(15)
        table[(newest == 1) | (newest == 2)] = (1 << 63) - 1
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **{f"before_{k}": t for k, t in enumerate(tables)})
    value = {"mines": 0, "board": ["....."] * 4}
    verdict = claimed(tmp_path / "a", "maxmines", "tables", "4 5 4\n", {"bounds.npz": file.getvalue()}, value)
    assert "a bound of 9223372036854775806 mines" in verdict.fault
    assert bounds_file(frontier, Limits())[1] > 0


@pytest.mark.parametrize("kind", ["npy", "object", "structured", "text"])
def test_tables_of_another_kind(kind: str, tmp_path: Path) -> None:
    file = io.BytesIO()
    if kind == "npy":
        np.save(file, np.zeros(3, np.uint8))
    elif kind == "object":
        np.savez(file, before_0=np.array([{}], object))
    elif kind == "structured":
        np.savez(file, before_0=np.zeros(1, [("a", np.uint8)]))
    else:
        file.write(b"cells")
    value = {"mines": 0, "board": ["....."] * 5}
    verdict = claimed(tmp_path / "a", "maxmines", "tables", "5 5 4\n", {"bounds.npz": file.getvalue()}, value)
    assert verdict.fault.startswith("bounds.npz")


def test_probabilities_without_numbers_by_mines_are_not_proved_by_placements(tmp_path: Path) -> None:
    boards = "*..\n...\n\n.*.\n...\n\n..*\n...\n\n...\n*..\n\n...\n..*\n"
    value = {"count": "5", "probability": [[0.9, 0.9, 0.9], [0.9, None, 0.05]]}
    files = {"placements.txt": boards}
    verdict = claimed(tmp_path / "a", "counting", "placements", "2 3\n...\n.1.\n", files, value)
    assert verdict.unproved == ("the number of placements", "the probabilities between 0 and 1")


def test_false_numbers_by_mines_are_not_proved_by_placements(tmp_path: Path) -> None:
    """Two cells, one mine in each of two placements; by the numbers claimed they have 0 and 2."""
    value = {"count": "2", "by_mines": {"0": "1", "2": "1"}, "probability": [[0.5, None, 0.5]]}
    files = {"placements.txt": "*..\n\n..*\n"}
    verdict = claimed(tmp_path / "a", "counting", "placements", "1 3\n.1.\n", files, value)
    assert verdict.accepted
    assert "the numbers of placements by mines" in verdict.unproved


@pytest.mark.parametrize("wrong", [-1.0, False, "-1", [[-1]], None, 10**4000])
@pytest.mark.parametrize("name", ["sum", "least", "most"])
def test_a_reason_has_whole_numbers(name: str, wrong: Any, tmp_path: Path) -> None:
    reason = {"entries": [[0, 0, 1], [0, 1, -1]], "sum": -1, "least": 0, "most": 0}
    for number, (fields, accepted) in enumerate([(reason, True), ({**reason, name: wrong}, False)]):
        text, folder = "1 2\n12\n", tmp_path / str(number)
        claimed(folder, "reconstruction", "judge", text, {}, {"reason": fields})
        answer = json.loads((folder / "answer.json").read_text()) | {"status": "infeasible"}
        (folder / "answer.json").write_text(json.dumps(answer))
        assert check(folder).accepted is accepted


def test_lines_that_stand_there_too_often(tmp_path: Path) -> None:
    repeat = {"lines": "rows", "start": 0, "stop": 100, "times": 10**4299}
    value = {"mines": 0, "board": ["."] * 100, "repeat": repeat}
    verdict = claimed(tmp_path / "a", "maxmines", "theorem", "100 1 8\n", {}, value)
    assert "can't be read" in verdict.fault


def stars() -> str:
    """Four cells around each of three, neighbours with one in common; far away others, with eight mines.

    With mines in the three cells eight fewer are needed here, and nearly all placements are like that.
    """
    middles = [(2, 2), (6, 6), (10, 10)]
    diagonal = [(down, right) for down in (-1, 1) for right in (-1, 1)]
    rows = [["*"] * 13 + ["."] * 24 for _ in range(13)]
    clues = [(row + down, col + right) for row, col in middles for down, right in diagonal]
    for row, col in middles:
        for down, right in ((0, 0), *diagonal):
            rows[row + 2 * down][col + 2 * right] = "."
    for row, col in clues:
        rows[row][col] = "?"
    for row, col in clues:
        block = [rows[near][other] for near in range(row - 1, row + 2) for other in range(col - 1, col + 2)]
        rows[row][col] = str(1 + block.count("*"))
    mines = sum(line.count("*") for line in rows) + len(middles) + 8
    return "\n".join([f"13 37 {mines}", *map("".join, rows), ""])


def test_what_is_nearly_certain_is_not_certain(tmp_path: Path) -> None:
    position = Position.parse(stars())
    found = run("counting", position, "direct", Limits())
    certificate = write("counting", position, found, tmp_path / "a")
    assert certificate.folder is not None
    assert check(certificate.folder).accepted
    answer = json.loads((certificate.folder / "answer.json").read_text())
    assert 1 - 5e-13 < answer["value"]["probability"][2][2] < 1
    answer["value"]["probability"][2][2] = 1.0
    (certificate.folder / "answer.json").write_text(json.dumps(answer))
    assert "row 3, column 3: counted again" in check(certificate.folder).fault


@pytest.mark.parametrize("factor", [1 - 1e-9, 1 + 1e-9, 2.0])
def test_a_small_probability_is_not_another_small_one(factor: float, tmp_path: Path) -> None:
    position = Position.parse(stars())
    certificate = write("counting", position, run("counting", position, "direct", Limits()), tmp_path / "a")
    assert certificate.folder is not None
    answer = json.loads((certificate.folder / "answer.json").read_text())
    row = answer["value"]["probability"][0]
    assert 0 < row[0] < 5e-13
    row[0] *= factor
    (certificate.folder / "answer.json").write_text(json.dumps(answer))
    assert "row 1, column 1: counted again" in check(certificate.folder).fault


def test_numbers_are_not_truth_values(tmp_path: Path) -> None:
    value = {"count": "1", "by_mines": {"1": "1"}, "probability": [[None, True]]}
    verdict = claimed(tmp_path / "a", "counting", "recount", "1 2\n1.\n", {}, value)
    assert "the probability True" in verdict.fault


def test_a_name_that_is_there_twice(tmp_path: Path) -> None:
    assert claimed(tmp_path / "a", "consistency", "judge", "1 2\n1.\n", {}, {"mines": [".*"]}).accepted
    answer = tmp_path / "a" / "answer.json"
    answer.write_text(answer.read_text().replace('"status"', '"status": "infeasible", "status"'))
    with pytest.raises(InputError, match="a name is there twice"):
        check(tmp_path / "a")


def test_files_that_have_no_end(tmp_path: Path) -> None:
    claimed(tmp_path / "a", "consistency", "judge", "1 2\n1.\n", {}, {"mines": [".*"]})
    for name, error in (("instance.txt", None), ("answer.json", InputError)):
        (tmp_path / "a" / name).unlink()
        os.mkfifo(tmp_path / "a" / name)
        if error is None:
            assert "no regular file" in check(tmp_path / "a").fault
        else:
            with pytest.raises(error, match="no regular file"):
                check(tmp_path / "a")
