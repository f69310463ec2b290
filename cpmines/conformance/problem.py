"""Checks of a problem: that its text, values, judge and generators are what the rooms above rely on.

Each takes the name of the problem and the effort. Right answers come from the problem's own backends that are
exact, brute force first.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice
from typing import Any

import numpy as np

from cpmines import registry
from cpmines.answer import Status
from cpmines.compare import Claim, claim, claim_conflicts, find_faults
from cpmines.conformance.perturb import perturbed
from cpmines.conformance.references import believed, plain_questions, reference, tiny_instances
from cpmines.conformance.verdict import ENOUGH, CheckResult, Effort, Inspection, verdicts
from cpmines.fuzz.session import profiles
from cpmines.question import Asked
from cpmines.quoting import printable
from cpmines.run import Run, run

__all__ = ["CHECKS", "applicable", "problem_checks"]

ROOMS = (
    ("model", "MODELLING"),
    ("relations", "RELATIONS"),
    ("rules", "RULES"),
    ("clues", "CLUES"),
    ("table", "TABLE"),
)
MOST_ALIKE = 0.9
"""Part of the tiny instances that may have the same answer."""
MOST_STEPS = 10_000
FEW_MODELS = 25


def problem_checks(problem: str, effort: Effort = Effort()) -> Iterator[CheckResult]:  # noqa: B008
    """Everything that a problem has to offer, and what it says of its own answers."""
    registry.problem(problem)
    return verdicts(problem, {name: partial(CHECKS[name], problem) for name in applicable(problem)}, effort)


def applicable(problem: str) -> list[str]:
    """The names of the checks that have something to look at."""
    nothing = set() if registry.relations(problem) else {RELATIONS}
    if not any(others(problem, asked) for asked in plain_questions(problem)):
        nothing.add(AGREEMENT)
    return [name for name in CHECKS if name not in nothing]


def others(problem: str, asked: Asked) -> list[str]:
    """The exact backends, engines on the problem's Model among them, beside the one that is believed."""
    names = registry.default_backends(problem, asked.question)
    return [name for name in names if name != reference(problem, asked)]


@cache
def answers(problem: str, asked: Asked, count: int, seed: int) -> list[tuple[Any, Run[Any]]]:
    """Tiny instances, each with a trusted answer in full."""
    pairs = [(one, believed(problem, one, asked)) for one in tiny_instances(problem, count, seed)]
    return [(one, found) for one, found in pairs if found and found.decided and found.trusted]


def solved(problem: str, asked: Asked, effort: Effort) -> list[tuple[Any, Run[Any]]]:
    """Those of the answers that have a value and are no reason why there is none."""
    found = answers(problem, asked, effort.count, effort.seed)
    return [(one, right) for one, right in found if right.status is Status.SOLVED]


def states_itself(problem: str, effort: Effort) -> Inspection:
    """Names, one-line texts, the question for programs."""
    question = registry.problem(problem)
    names = [one.name for one in question.questions]
    texts = [question.summary, *(one.summary for one in question.questions)]
    if len(set(names)) < len(names):
        return Inspection(len(names), f"two questions have the same name: {', '.join(names)}")
    if any("\n" in text or not text for text in texts):
        return Inspection(len(names), "a summary is empty, or more than one line")
    if question.printed and question.printed not in names:
        return Inspection(len(names), f"programs are to answer {question.printed!r}, which is no question")
    if not registry.backend_names(problem):
        return Inspection(len(names), "no backend")
    answered = [(who, name) for who, named in _answering(problem) for name in named]
    if unknown := [f"{name} by {who}" for who, name in answered if name not in names]:
        return Inspection(len(names), f"no question of the problem, but answered: {', '.join(unknown)}")
    silent = [one.name for one in plain_questions(problem) if not reference(problem, one)]
    return Inspection(len(names), f"no exact backend answers {', '.join(silent)}" if silent else "")


def _answering(problem: str) -> Iterator[tuple[str, Iterable[str]]]:
    """Who answers which questions, by their names. Raises `UsageError` if a room of the folder is broken."""
    for file, attribute in ROOMS:
        registry.room(problem, file, attribute)
    if (statement := registry.modelling(problem)) is not None:
        yield "model.py", statement.readings
    for name in registry.backend_names(problem):
        yield name, registry.backend(problem, name).questions


def text_round_trip(problem: str, effort: Effort) -> Inspection:
    question = registry.problem(problem)
    instances = tiny_instances(problem, effort.count, effort.seed)
    for one in instances:
        text = question.render(one)
        again = question.parse(text)
        if again != [one] or question.render(again[0]) != text:
            return Inspection(len(instances), f"what is parsed from its text is another instance:\n{text}")
    return Inspection(len(instances))


def has_its_fields(problem: str, effort: Effort) -> Inspection:
    """Fields that a question names are in the JSON of its answers, else nothing would be compared."""
    cases = 0
    for asked in plain_questions(problem):
        question, shown = asked.question, set[str]()
        for one, found in solved(problem, asked, effort):
            fields = registry.problem(problem).to_json(found.value)
            cases, shown = cases + 1, shown | set(fields)
            if missing := [name for name in question.fields if name not in fields]:
                return Inspection(
                    cases, f"{asked}: no {', '.join(missing)} in the JSON of\n{_text(problem, one)}"
                )
            different = [name for name in fields if getattr(found.value, name, None) is None]
            if different:
                return Inspection(
                    cases, f"{asked}: {', '.join(different)} of the JSON is no attribute of the value"
                )
        if not shown and asked == plain_questions(problem)[0]:
            return Inspection(cases, f"no tiny instance has an answer to {asked}")
        named = {*question.determined, *([question.objective.field] if question.objective else [])}
        if shown and (missing := sorted(named - shown)):
            return Inspection(cases, f"{asked}: {', '.join(missing)} is to be compared, and in no JSON")
        if question.objective and question.objective.field not in question.determined:
            return Inspection(
                cases, f"{asked}: the objective {question.objective.field} is not among what is compared"
            )
    return Inspection(cases)


def json_round_trip(problem: str, effort: Effort) -> Inspection:
    question, cases = registry.problem(problem), 0
    for asked in plain_questions(problem):
        for one, found in answers(problem, asked, effort.count, effort.seed):
            if found.value is None:
                continue
            cases += 1
            fields = json.loads(json.dumps(question.to_json(found.value)))
            again = question.from_json(fields)
            if question.to_json(again) != fields:
                return Inspection(
                    cases, f"{asked}: the JSON of what is read back differs for\n{_text(problem, one)}"
                )
            if faults := question.judge(one, asked, again):
                return Inspection(cases, f"{asked}: the judge rejects what is read back: {faults[0]}")
    return Inspection(cases)


def judge_rejects(problem: str, effort: Effort) -> Inspection:
    """Of each field that is shown beside what is compared, some change of each sort is rejected."""
    question, cases = registry.problem(problem), 0
    for asked in plain_questions(problem):
        rejected, tried = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for one, found in solved(problem, asked, effort):
            fields = json.loads(json.dumps(question.to_json(found.value)))
            for name, sort, other in perturbed(fields):
                cases, tried[name, sort] = cases + 1, tried[name, sort] + 1
                rejected[name, sort] += _rejects(problem, one, asked, other)
        if tried and not sum(rejected.values()):
            return Inspection(cases, f"{asked}: the judge accepts every change of an answer")
        determined = asked.question.determined
        for name, sort in tried:
            if name not in determined and not rejected[name, sort]:
                return Inspection(cases, f"{asked}: the judge accepts every answer with {name} {sort}")
    return Inspection(cases)


def _rejects(problem: str, instance: Any, asked: Asked, fields: dict[str, Any]) -> bool:
    question = registry.problem(problem)
    try:
        return bool(question.judge(instance, asked, question.from_json(fields)))
    except (TypeError, KeyError, ValueError, AttributeError, IndexError, OverflowError):
        return True


def balanced(problem: str, effort: Effort) -> Inspection:
    """A backend that always says the same must not pass."""
    asked = plain_questions(problem)[0]
    found = answers(problem, asked, effort.count, effort.seed)
    said = Counter(
        json.dumps([right.status, _determined(problem, right)], sort_keys=True) for _, right in found
    )
    most = max(said.values(), default=0)
    if found and most > MOST_ALIKE * len(found):
        return Inspection(
            len(found), f"{most} of {len(found)} tiny instances have the same answer to {asked}"
        )
    return Inspection(len(found))


def _determined(problem: str, found: Run[Any]) -> dict[str, Any]:
    if found.value is None or found.status is not Status.SOLVED:
        return {}
    fields = registry.problem(problem).to_json(found.value)
    return {name: fields[name] for name in found.asked.question.determined if name in fields}


def shrinking_ends(problem: str, effort: Effort) -> Inspection:
    question, shrink = registry.problem(problem), registry.generators(problem).shrink
    instances = tiny_instances(problem, min(effort.count, 20), effort.seed)
    smaller = 0
    for one in instances:
        for _ in range(MOST_STEPS):
            simpler = next(iter(shrink(one)), None)
            if simpler is None:
                break
            text = question.render(simpler)
            if text == question.render(one):
                return Inspection(len(instances), f"a step of shrink leaves it as it is:\n{text}")
            if question.size(simpler) > question.size(one):
                return Inspection(
                    len(instances), f"a step of shrink makes it larger:\n{question.render(one)}"
                )
            one, smaller = simpler, smaller + 1
        else:
            return Inspection(
                len(instances), f"no end of shrink after {MOST_STEPS} steps from\n{question.render(one)}"
            )
    return Inspection(len(instances), "" if smaller else "shrink makes nothing smaller")


def relations_hold(problem: str, effort: Effort) -> Inspection:
    question, asked, cases = registry.problem(problem), plain_questions(problem)[0], 0
    solver = reference(problem, asked)
    for name, relate in registry.relations(problem).items():
        for seed, one in enumerate(tiny_instances(problem, min(effort.count, 30), effort.seed)):
            related = relate(np.random.default_rng(seed), one)
            if related is None:
                continue
            runs = [run(problem, each, solver, ENOUGH, asked) for each in (related.first, related.second)]
            if not all(found.decided and found.trusted for found in runs):
                continue
            cases += 1
            first, second = (claim(question, found) for found in runs)
            status, fields = related.consequence(first.status, first.fields)
            follows = Claim(f"{first.author} ({name})", status, fields)
            if conflicts := claim_conflicts(question, asked, [follows, second]):
                return Inspection(cases, f"{name}: {printable(conflicts[0])}\n{_text(problem, one)}")
    return Inspection(cases)


def size_grows(problem: str, effort: Effort) -> Inspection:
    question = registry.problem(problem)
    means = []
    for name, draw in profiles(problem).items():
        sizes = [question.size(draw(np.random.default_rng(effort.seed + k))) for k in range(20)]
        if min(sizes) < 1:
            return Inspection(20, f"an instance of the profile {name} has the size {min(sizes)}")
        means.append(float(np.mean(sizes)))
    if means != sorted(means) or (len(means) > 1 and means[0] == means[-1]):
        said = ", ".join(f"{name} {mean:g}" for name, mean in zip(profiles(problem), means, strict=True))
        return Inspection(20 * len(means), f"the size does not grow with the profiles: {said}")
    return Inspection(20 * len(means))


def backends_agree(problem: str, effort: Effort) -> Inspection:
    """All exact backends, question by question; engines, which take milliseconds, on fewer instances."""
    question, cases = registry.problem(problem), 0
    for asked in plain_questions(problem):
        for name in others(problem, asked):
            few = FEW_MODELS if name in registry.engine_names() else effort.count
            for one, right in islice(answers(problem, asked, effort.count, effort.seed), few):
                cases += 1
                found = run(problem, one, name, ENOUGH, asked)
                if conflicts := find_faults(question, [right, found]):
                    return Inspection(cases, f"{asked}: {printable(conflicts[0])}\n{_text(problem, one)}")
    return Inspection(cases)


def speaks(problem: str, effort: Effort) -> Inspection:
    """Descriptions, headlines and pictures are made of every answer; programs' output is read back."""
    question, cases = registry.problem(problem), 0
    for asked in plain_questions(problem):
        for one, found in islice(answers(problem, asked, effort.count, effort.seed), 30):
            cases += 1
            question.describe(one)
            if found.value is not None:
                question.headline(found.value)
                question.draw(one, found.value)
            if asked.name == question.printed:
                text = question.verdict(one, found.answer)
                if question.read_verdict(one, text).status is not found.status:
                    return Inspection(cases, f"what is printed for the judge is not read back: {text!r}")
    return Inspection(cases)


def _text(problem: str, instance: Any) -> str:
    return registry.problem(problem).render(instance).rstrip()


RELATIONS, AGREEMENT = "keeps its relations", "has backends that agree"
"""Left out where there are none."""

CHECKS: dict[str, Callable[[str, Effort], Inspection]] = {
    "states its questions": states_itself,
    "reads back its text": text_round_trip,
    "shows the fields that it names": has_its_fields,
    "reads back its JSON": json_round_trip,
    "rejects what is wrong": judge_rejects,
    "draws instances of all kinds": balanced,
    "makes instances smaller": shrinking_ends,
    "measures their size": size_grows,
    RELATIONS: relations_hold,
    AGREEMENT: backends_agree,
    "speaks of every answer": speaks,
}
