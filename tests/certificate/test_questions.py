"""Certificates of every question: what they show, what has none; the question belongs to the claim."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cpmines import registry
from cpmines.answer import Answer, Limits, Stop
from cpmines.certificate import refusal, write
from cpmines.check import Verdict, check
from cpmines.errors import InputError
from cpmines.problems.consistency.problem import Placement
from cpmines.run import Run, run

TEXTS = {
    "consistency": ["2 3\n.1.\n.1.\n", "2 3\n.1.\n.2.\n", "1 4 2\n.1*.\n"],
    "deduction": ["2 3\n.1.\n.1.\n", "1 4\n*1..\n"],
    "counting": ["2 4\n.1..\n.1..\n", "1 4 2\n*1..\n", "2 2\n4.\n..\n"],
    "validation": ["1 2\n1*\n", "1 3\n1*2\n"],
    "maxmines": ["3 3 8\n", "3 4 2\n", "4 5 3\n", "7 3 4\n"],
    "mosaic": ["2 2\n44\n44\n", "2 2\n1.\n..\n", "2 2\n43\n44\n", "3 3\n1..\n.4.\n..2\n"],
    "reconstruction": ["2 2\n11\n11\n", "3 3\n121\n121\n121\n", "2 2\n11\n12\n", "2 2\n44\n44\n"],
}  # fmt: skip
CERTIFIED = [
    (problem, question.name)
    for problem in TEXTS
    for question in registry.problem(problem).questions
    if not refusal(problem, question.name)
]


def answered(problem: str, question: str, text: str, backend: str = "direct", **options: Any) -> Run[Any]:
    asked = registry.problem(problem).ask(question, **options)
    return run(problem, registry.problem(problem).read(text, "-", asked)[0], backend, Limits(), asked)


def certified(folder: Path, problem: str, question: str, text: str, *more: str, **options: Any) -> Verdict:
    found = answered(problem, question, text, *more, **options)
    written = write(problem, registry.problem(problem).parse(text)[0], found, folder)
    assert written.folder is not None, (text, written.note)
    verdict = check(written.folder)
    assert verdict.accepted, (text, verdict.fault)
    assert verdict.claim.startswith(f"{problem} {found.asked}, ")
    return verdict


@pytest.mark.parametrize(("problem", "question"), CERTIFIED)
def test_every_question_that_has_certificates(problem: str, question: str, tmp_path: Path) -> None:
    for number, text in enumerate(TEXTS[problem]):
        for backend in ("direct", "brute"):
            if question in {each.name for each in registry.answered(problem, backend)}:
                folder = tmp_path / f"{backend}-{number}"
                if answered(problem, question, text, backend).answer.stop is Stop.DECLINED:
                    continue
                assert not certified(folder, problem, question, text, backend).unproved
                said = json.loads((folder / "answer.json").read_text())
                assert (said["format"], said["question"]) == ("cpmines certificate 2", question)


def test_the_questions_that_have_certificates() -> None:
    assert {name: [q for problem, q in CERTIFIED if problem == name] for name in TEXTS} == {
        "consistency": ["placement", "exists"],
        "deduction": ["certain"],
        "counting": ["chances", "count"],
        "validation": ["wrong", "valid"],
        "maxmines": ["most"],
        "mosaic": ["unique", "board", "count", "forced", "facts"],
        "reconstruction": ["facts", "board", "unique", "count", "forced"],
    }


def test_of_each_other_question_a_line_says_why() -> None:
    for problem in TEXTS:
        for question in registry.problem(problem).questions:
            why = refusal(problem, question.name)
            if (problem, question.name) not in CERTIFIED:
                assert f"no certificates for {problem} {question.name}: " in why
                assert "there are none for the question" not in why


def test_a_problem_without_rules_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = answered("consistency", "placement", TEXTS["consistency"][0])
    instance = registry.problem("consistency").parse(TEXTS["consistency"][0])[0]
    written = write("consistency", instance, found, tmp_path / "proof")
    assert written.folder is not None
    monkeypatch.setattr(registry, "room", lambda *_: None)
    assert "no certificates for consistency, whose folder has no rules.py" in refusal(
        "consistency", "placement"
    )
    assert "rules.py" in write("consistency", instance, found, tmp_path / "other").note
    assert "no rules to check it by" in check(written.folder, None).fault


def test_that_there_is_a_placement_is_shown_by_one(tmp_path: Path) -> None:
    found = answered("consistency", "exists", "1 4 2\n.1*.\n")
    bare = replace(found, answer=Answer.solved(Placement()))
    written = write(
        "consistency", registry.problem("consistency").parse("1 4 2\n.1*.\n")[0], bare, tmp_path / "a"
    )
    assert written.folder is not None
    assert (written.folder / "placements.txt").read_text() == "..**\n"
    assert check(written.folder).accepted


def test_fractions_are_proved(tmp_path: Path) -> None:
    text = "2 4\n.1..\n.1..\n"
    verdict = certified(tmp_path / "a", "counting", "chances", text, fractions=True)
    assert not verdict.unproved
    rewritten(tmp_path / "a", lambda said: said["value"]["fractions"][0].__setitem__(0, "1/3"))
    assert not check(tmp_path / "a").accepted


def rewritten(folder: Path, change: Any) -> None:
    said = json.loads((folder / "answer.json").read_text())
    change(said)
    (folder / "answer.json").write_text(json.dumps(said))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"question": "exist"}, "the question 'exist'"),
        ({"question": None}, "the question 'None'"),
        ({"question": "unique", "options": []}, "options '[]'"),
        ({"options": {"density": "1/5"}}, "no option density"),
        ({"question": "all", "options": {"limit": 3}}, "not proved"),
        ({"question": "all", "options": {"limit": {}}}, "limit"),
        ({"question": "count"}, "'solved' without solutions"),
        ({"question": "forced"}, "'solved' without forced"),
        ({"problem": "chess"}, "no problem named 'chess'"),
        ({"problem": "../chess"}, "no problem named"),
        ({"status": "infeasible"}, "'infeasible' with a value"),
        ({"evidence": "theorem"}, "several placements"),
        ({"evidence": "tables"}, "no evidence"),
        ({"evidence": "judge"}, ""),
    ],
)
def test_the_question_belongs_to_the_claim(change: dict[str, Any], fault: str, tmp_path: Path) -> None:
    certified(tmp_path / "a", "mosaic", "unique", "2 2\n44\n44\n")
    rewritten(tmp_path / "a", lambda said: said.update(change))
    verdict = check(tmp_path / "a")
    if fault:
        assert fault in verdict.fault
    else:
        assert "which cells are the same in all" in verdict.unproved


def test_one_board_is_not_proved_by_another_board_that_exists(tmp_path: Path) -> None:
    """A board of several that is claimed to be the only one, with all digests right."""
    certified(tmp_path / "a", "mosaic", "board", "2 2\n1.\n..\n")

    def only(said: Any) -> None:
        said.update(question="unique")
        said["value"]["unique"] = True

    rewritten(tmp_path / "a", only)
    assert check(tmp_path / "a").unproved
    rewritten(tmp_path / "a", lambda said: said.update(evidence="recount"))
    assert "counted again" in check(tmp_path / "a").fault
    rewritten(tmp_path / "a", lambda said: said.update(evidence="placements"))
    assert "placements.txt" in check(tmp_path / "a").fault


def test_an_older_certificate_is_refused_with_a_word(tmp_path: Path) -> None:
    certified(tmp_path / "a", "consistency", "placement", TEXTS["consistency"][0])
    rewritten(tmp_path / "a", lambda said: said.update(format="cpmines certificate 1"))
    with pytest.raises(InputError, match=r"'cpmines certificate 1'.*write it anew"):
        check(tmp_path / "a")


def test_a_wrong_number_by_mines_of_one_placement_is_found(tmp_path: Path) -> None:
    """Shown by placements, where no count is made: the numbers are those of the placement."""
    text = "1 3\n*1.\n"
    certified(tmp_path / "a", "counting", "chances", text)
    certified(tmp_path / "b", "deduction", "certain", text)
    for name in ("placements.txt", "formula.cnf", "map.json", "proof.drat"):
        (tmp_path / "a" / name).write_bytes((tmp_path / "b" / name).read_bytes())
    digests = json.loads((tmp_path / "b" / "answer.json").read_text())["sha256"]

    def by_placements(said: Any) -> None:
        said["evidence"] = "placements"
        said["sha256"] |= {name: digest for name, digest in digests.items() if name != "instance.txt"}

    rewritten(tmp_path / "a", by_placements)
    verdict = check(tmp_path / "a")
    assert (verdict.fault, verdict.unproved) == ("", ())
    rewritten(tmp_path / "a", lambda said: said["value"].update(by_mines={"2": "1"}))
    assert "the claim is another" in check(tmp_path / "a").fault or "judge" in check(tmp_path / "a").fault
