"""Certificates: an answer in a folder, with what proves it to somebody who trusts neither solver nor author.

A certificate is a folder with ``answer.json`` (problem, question, claim, kind of evidence, SHA-256 of the
other files), ``instance.txt`` (the board), and the files of the evidence; `cpmines.check` verifies it. What
an answer claims, the problem says in its ``rules.py``, see `cpmines.demands`. The kinds of evidence are

- ``judge``: the value itself, for a witness, a validation, a reason of a reconstruction;
- ``refutation``: a formula that the board implies (``formula.cnf``, ``map.json``), and a DRAT proof that it
  has no model (``proof.drat``);
- ``cutting``: the same by cutting planes (``formula.opb``, ``proof.pbp``), of answers of Exact;
- ``placements``: some that show both values of each open cell, and a refutation of "a settled cell is
  otherwise";
- ``recount``: nothing more, the check counts again;
- ``theorem``: nothing more, the bound has a proof of a few lines for boards of every size;
- ``tables``: of bounds on the mines of a rest of the board (``bounds.npz``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.certificate.evidence import Evidence, evidence_for
from cpmines.certificate.refute import Uncertified
from cpmines.check.folder import ANSWER, FORMAT, INSTANCE, Files, digest
from cpmines.demands.rules import Rules
from cpmines.errors import InputError, LimitError, UsageError
from cpmines.outputs import write_folder
from cpmines.program import names_program
from cpmines.run import Run

__all__ = ["Certificate", "refusal", "write"]


@dataclass(frozen=True)
class Certificate:
    """Where a certificate is, or why there is none.

    Attributes
    ----------
    folder
        None if none was written.
    note
        The reason, with numbers; empty if one was written.
    """

    folder: Path | None
    note: str = ""


def write(
    problem: str, instance: Any, found: Run[Any], folder: Path, limits: Limits | None = None
) -> Certificate:
    """Write what proves an answer into `folder`, which is replaced if it is a certificate.

    It is written as a whole or not at all. The limits hold for finding the proof; they begin now.

    Raises
    ------
    UsageError
        The folder can't be written, or is something else than a certificate.
    WrongAnswerError
        The answer is wrong, as the search for a proof shows.
    """
    try:
        if folder.exists() and not _replaceable(folder):
            raise UsageError(f"{folder} is there and no certificate: it is not replaced")
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    try:
        evidence = evidence_for(_rules(problem, found), instance, found, (limits or Limits()).begin())
    except Uncertified as reason:
        return Certificate(None, str(reason))
    except LimitError as limit:
        return Certificate(None, f"no proof was found: {limit}")
    except MemoryError:
        return Certificate(None, "no proof was found: the machine has no more memory")
    text = registry.problem(problem).render(instance)
    write_folder(folder, _files(problem, text, found, evidence))
    return Certificate(folder)


def refusal(problem: str, question: str) -> str:
    """Why answers to a question have no certificates, whatever they are; empty if they have."""
    rules: Rules[Any] | None = registry.room(problem, "rules", "RULES")
    if rules is None:
        return f"there are no certificates for {problem}, whose folder has no rules.py"
    why = rules.refusal(question)
    return f"there are no certificates for {problem} {question}: {why}" if why else ""


def _rules(problem: str, found: Run[Any]) -> Rules[Any]:
    """What the problem offers. Raises `Uncertified` for what is no answer, or to no question for that."""
    if why := refusal(problem, found.asked.name):
        raise Uncertified(why)
    if names_program(found.backend):
        raise Uncertified("a program prints less than a certificate holds")
    if not found.decided or not found.trusted:
        raise Uncertified(f"the answer is {found.status}" if found.trusted else "the answer can't be trusted")
    if found.status is Status.SOLVED and (lacking := found.asked.question.lacking(found.value)):
        raise Uncertified(f"the answer has no {' and no '.join(lacking)}")
    rules: Rules[Any] = registry.room(problem, "rules", "RULES")
    return rules


def _files(problem: str, text: str, found: Run[Any], evidence: Evidence) -> Mapping[str, bytes]:
    files = {INSTANCE: text.encode(), **evidence.files}
    answer: dict[str, Any] = {"format": FORMAT, "problem": problem, **found.asked.to_json()}
    answer["status"] = str(found.status)
    if found.value is not None:
        answer["value"] = registry.problem(problem).to_json(found.value)
    answer |= {"evidence": evidence.kind, "backend": found.backend, "versions": found.versions()}
    answer["sha256"] = {name: digest(data) for name, data in files.items()}
    return {**files, ANSWER: (json.dumps(answer, indent=1) + "\n").encode()}


def _replaceable(folder: Path) -> bool:
    """Is it an empty folder, or a certificate with no other files in it?"""
    if not folder.is_dir():
        return False
    names = {path.name for path in folder.iterdir()}
    if ANSWER not in names:
        return not names
    try:
        written = Files.open(folder).answer.get("sha256")
    except InputError:
        return False
    return isinstance(written, dict) and names <= {ANSWER, *written}
