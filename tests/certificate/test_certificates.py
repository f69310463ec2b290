"""Every answer that can be certified gets a certificate that the check accepts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cpmines import files, registry
from cpmines.answer import Answer, Limits
from cpmines.board import Position
from cpmines.certificate import write
from cpmines.certificate.proof import proof_of
from cpmines.check import Verdict, certificates, check
from cpmines.conformance.models import pigeons
from cpmines.errors import InputError, LimitError, UsageError, WrongAnswerError
from cpmines.files import shipped
from cpmines.problems.consistency.problem import Placement
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.run import run, solve
from cpmines.translate import encode
from tests.check.positions import random_position
from tests.conftest import REAL


def infeasible(problem: str) -> list[Path]:
    """The shipped instances of a problem that have no answer."""
    found = []
    for expected in sorted((shipped() / problem).rglob("expected.jsonl")):
        for line in expected.read_text().splitlines():
            record = json.loads(line)
            if record["status"] == "infeasible":
                found.append(expected.parent / record["instance"])
    return found


INFEASIBLE = [
    (problem, path)
    for problem in ("consistency", "counting", "deduction", "mosaic", "reconstruction")
    for path in infeasible(problem)
]


def certified(problem: str, instance: Any, folder: Path, **asked: Any) -> Verdict:
    written = write(problem, instance, solve(problem, instance, **asked), folder)
    assert written.folder == folder, written.note
    verdict = check(folder)
    assert verdict.accepted, verdict.fault
    return verdict


@pytest.mark.parametrize(("problem", "path"), INFEASIBLE, ids=lambda part: getattr(part, "stem", part))
def test_shipped_instances_without_an_answer(problem: str, path: Path, tmp_path: Path) -> None:
    instance = registry.problem(problem).parse(files.read(path), str(path))[0]
    assert "infeasible" in certified(problem, instance, tmp_path / "proof").claim


@pytest.mark.skipif(not REAL.is_dir(), reason="the collection of real boards is not here")
@pytest.mark.parametrize("path", sorted(REAL.glob("consistency/unsat*")), ids=lambda path: path.stem)
def test_real_boards_without_an_answer(path: Path, tmp_path: Path) -> None:
    instance = registry.problem("consistency").parse(files.read(path), str(path))[0]
    assert "infeasible" in certified("consistency", instance, tmp_path / "proof").claim


@pytest.mark.parametrize(
    "folder", ["consistency/tiny", "counting/game", "deduction/game", "mosaic/tiny", "validation/tiny"]
)
def test_shipped_instances_with_an_answer(folder: str, tmp_path: Path) -> None:
    problem = folder.partition("/")[0]
    for path in files.instance_files(shipped() / folder):
        for number, instance in enumerate(registry.problem(problem).parse(files.read(path), str(path))):
            certified(problem, instance, tmp_path / f"{path.stem}-{number}")


@pytest.mark.parametrize("around", range(1, 9))
@pytest.mark.parametrize("side", [4, 6, pytest.param(8, marks=pytest.mark.slow)])
def test_squares(side: int, around: int, tmp_path: Path) -> None:
    verdict = certified("maxmines", Rectangle(side, side, around), tmp_path / "proof")
    assert not verdict.unproved


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 9), (9, 1), (2, 2), (3, 7), (7, 3), (20, 2)], ids=str)
def test_rectangles(shape: tuple[int, int], tmp_path: Path) -> None:
    for around in range(1, 9):
        assert not certified("maxmines", Rectangle(*shape, around), tmp_path / f"M{around}").unproved


def test_random_positions_with_totals(tmp_path: Path) -> None:
    """Possible or not, with a total and without."""
    random = Random(4)
    claims = set()
    for number in range(60):
        position = random_position(random)
        for problem in ("consistency", "deduction", "counting"):
            verdict = certified(problem, position, tmp_path / f"{problem}-{number}")
            assert not verdict.unproved
            claims.add((problem, "infeasible" in verdict.claim, position.mines is None))
    assert len(claims) == 12


def test_what_is_too_large_to_count_again_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cpmines.check.facts", "cpmines.certificate.evidence"):
        monkeypatch.setattr(f"{module}.recount", lambda statement: "too many states")
    instance = registry.problem("counting").parse("3 4\n.1..\n..1.\n....\n")[0]
    verdict = certified("counting", instance, tmp_path / "counting")
    assert verdict.unproved == (
        "the number of placements",
        "the numbers of placements by mines",
        "the probabilities between 0 and 1",
    )
    puzzle = registry.problem("mosaic").parse("3 3\n1..\n.4.\n..2\n")[0]
    verdict = certified("mosaic", puzzle, tmp_path / "mosaic", ask="facts")
    assert verdict.unproved == ("the number of placements",)


def test_options_and_answers_that_are_none_are_declined(tmp_path: Path) -> None:
    position = Position.parse("1 3\n.1.\n")
    declined = write("counting", position, solve("counting", position, density="1/5"), tmp_path / "a")
    assert declined.folder is None
    assert "with a density" in declined.note
    wide = Rectangle(40, 17, 4)
    claim = run("maxmines", Rectangle(1, 1, 1), "direct", Limits())
    declined = write("maxmines", wide, claim, tmp_path / "a")
    assert "at most 15" in declined.note
    unknown = replace(claim, answer=Answer.declined("too large"))
    assert "unknown" in write("maxmines", wide, unknown, tmp_path / "a").note
    yes = replace(run("consistency", position, "direct", Limits()), answer=Answer.solved(Placement()))
    assert "no mines" in write("consistency", position, yes, tmp_path / "a").note
    assert not list(tmp_path.iterdir())


def test_a_wrong_answer_is_found(tmp_path: Path) -> None:
    position = Position.parse("1 2\n1.\n")
    no = replace(run("consistency", position, "direct", Limits()), answer=Answer.infeasible())
    with pytest.raises(WrongAnswerError, match="a placement satisfies what is claimed to be impossible"):
        write("consistency", position, no, tmp_path / "a")
    for rectangle in (Rectangle(4, 4, 3), Rectangle(5, 5, 3)):
        found = solve("maxmines", rectangle)
        assert found.value is not None
        fewer = replace(
            found, answer=Answer.solved(replace(found.value, mines=found.value.mines - 1, bound=None))
        )
        with pytest.raises(WrongAnswerError, match=r"to be the most|a placement satisfies what"):
            write("maxmines", rectangle, fewer, tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_limits(tmp_path: Path) -> None:
    found = solve("maxmines", Rectangle(7, 7, 4))
    slow = write("maxmines", Rectangle(7, 7, 4), found, tmp_path / "a", Limits(seconds=0.001))
    small = write("maxmines", Rectangle(7, 7, 4), found, tmp_path / "a", Limits(memory=1000))
    assert "time limit" in slow.note
    assert "the limit is 0 MiB" in small.note
    assert not list(tmp_path.iterdir())


def test_folders_are_replaced_only_if_they_are_certificates(tmp_path: Path) -> None:
    position = Position.parse("2 3\n.1.\n.2.\n")
    found = solve("consistency", position)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("dear")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "answer.json").write_text("{}")
    for name in ("mine", "file", "file/inside", "theirs", "n" * 300):
        with pytest.raises(UsageError, match=name):
            write("consistency", position, found, tmp_path / name)
    assert write("consistency", position, found, tmp_path / "a" / "b").folder
    again = write("consistency", position, found, tmp_path / "a" / "b")
    assert again.folder is not None
    assert check(again.folder).accepted
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["b"]
    (again.folder / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="no certificate"):
        write("consistency", position, found, again.folder)


def test_a_certificate_stays_if_its_successor_cannot_be_moved_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position.parse("2 3\n.1.\n.2.\n")
    found = solve("consistency", position)
    target = tmp_path / "b"
    write("consistency", position, found, target)
    rename = Path.rename

    def broken(path: Path, to: Path) -> Path:
        if to == target and not path.name.endswith("-before"):
            raise KeyboardInterrupt
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", broken)
    with pytest.raises(KeyboardInterrupt):
        write("consistency", position, found, target)
    assert check(target).accepted
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_what_is_no_certificate(tmp_path: Path) -> None:
    for text in (None, b"", b"{", b"[]", b'{"format": 1}', b"\xff" * 5):
        if text is not None:
            (tmp_path / "answer.json").write_bytes(text)
        with pytest.raises(InputError, match="certificate"):
            check(tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        certificates(tmp_path / "none")


def test_a_proof_is_none_if_there_is_a_model() -> None:
    assert proof_of([(1, 2)], Limits()) is None
    assert proof_of([(1,), (-1,)], Limits()) == [()]
    assert proof_of([(1, 2), ()], Limits()) == [()]


def test_the_search_for_a_proof_has_limits() -> None:
    clauses = [tuple(clause) for clause in encode(pigeons(12), "binomial", Limits())]
    with pytest.raises(LimitError, match="time limit"):
        proof_of(clauses, Limits(0.5).begin())
    with pytest.raises(LimitError, match="memory limit"):
        proof_of(clauses, Limits(memory=30 << 20))


@pytest.mark.parametrize(("said", "accepted"), [("s VERIFIED", True), ("s NOT VERIFIED", False), ("", False)])
def test_drat_trim_is_used_for_large_proofs(
    said: str, accepted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "drat-trim"
    clause = 'grep -qx \'0\' "$2" && ! grep -q comment "$1" "$2"'
    program.write_text(f'#!/bin/sh\ntest -f "$1" && {clause} && printf "c\\n{said}\\n"\n')
    program.chmod(0o755)
    position = Position.parse("2 3\n.1.\n.2.\n")
    write("consistency", position, solve("consistency", position), tmp_path / "proof")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr("cpmines.check.refutation.LARGE_PROOF", 1)
    verdict = check(tmp_path / "proof", None)
    assert verdict.accepted == accepted
    assert ("(drat-trim)" in verdict.steps[-1]) if accepted else "says drat-trim" in verdict.fault
