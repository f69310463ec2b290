"""What fuzzing found, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cpmines import registry
from cpmines.fuzz.checks import Metamorphic, Restating
from cpmines.fuzz.finds import Find
from cpmines.fuzz.session import AnswerCount, Session
from cpmines.numerals import plural
from cpmines.quoting import printable
from cpmines.report.text import asked_text, seconds_text
from cpmines.run import SCHEMA

__all__ = ["find_json", "find_text", "summary_json", "summary_text"]


def find_text(find: Find, saved: str, command: str) -> str:
    """The minimal instance with both claims, who is wrong, and how to see it again."""
    question = registry.problem(find.check.problem)
    size = question.describe(find.given), question.describe(find.instance)
    steps = plural(find.steps, "step")
    state = "minimal" if find.minimal else "not yet minimal"
    asked = asked_text(find.check.problem, find.check.asked)
    lines = [
        f"FOUND in round {find.round}: {asked}{find.conflict.reason}",
        *(f"    {said}" for said in find.conflict.claims),
        f"  {size[0]} -> {size[1]}, {state} after {steps} in {seconds_text(find.seconds)}",
        *(f"    {line}" for line in find.text.splitlines()),
        *related_lines(find),
        *(f"  {verdict}" for verdict in find.verdicts),
        f"  saved as {saved}; again by:",
        f"    {command}",
    ]
    return "\n".join(map(printable, lines))


def related_lines(find: Find) -> list[str]:
    """The related instance, and what the claims on the two of them are."""
    check = find.check
    if not isinstance(check, Metamorphic) or not find.related:
        return []
    return [
        f"  to ({check.relation}), which is made of it:",
        *(f"    {line}" for line in find.related.splitlines()),
        "  the other claim is what follows for that from the answer to the first",
    ]


def find_json(find: Find, saved: str, command: str) -> dict[str, Any]:
    """The line of JSON output."""
    check = find.check
    tried: dict[str, Any] = {"backends": list(check.backends)}
    if isinstance(check, Metamorphic):
        tried |= {"relation": check.relation, "relation_seed": check.seed, "related": find.related}
    if isinstance(check, Restating):
        tried |= {"relation": "restated", "relation_seed": check.seed}
    claims = [
        {"author": said.author, "status": str(said.status), "value": dict(said.fields)}
        for said in find.conflict.claims
    ]
    record: dict[str, Any] = {"schema": SCHEMA, "problem": check.problem, **check.asked.to_json()}
    record |= {"round": find.round, **tried}
    record |= {"conflict": find.conflict.reason, "claims": claims, "verdicts": list(find.verdicts)}
    record |= {"text": find.text, "minimal": find.minimal, "steps": find.steps}
    record |= {"seconds": round(find.seconds, 6), "file": saved, "command": command}
    return record


def tally_text(name: str, tally: AnswerCount) -> str:
    first = f" (first: {tally.limit})" if tally.limit else ""
    parts = {"solved": tally.solved, "infeasible": tally.infeasible, f"without an answer{first}": tally.other}
    told = [f"{count} {what}" for what, count in parts.items() if count]
    if tally.declined:
        told.append(
            f"{tally.declined} declined ({tally.note})" if tally.note else f"{tally.declined} declined"
        )
    return printable(f"  {name}: {', '.join(told) or 'nothing'}")


def summary_text(session: Session, seconds: float) -> str:
    """How many rounds, how the backends answered, how much was found."""
    rounds, found = session.rounds, len(session.found)
    again = f", {session.again} of them met again" if session.again == 1 else ""
    if session.again > 1:
        again = f", met again {session.again} times"
    asked = session.plan.asked
    lines = [f"{plural(rounds, 'round')} in {seconds_text(seconds)}; answers to {asked}:"]
    lines += [tally_text(name, tally) for name, tally in session.tallies.items()]
    answering = sum(tally.solved + tally.infeasible > 0 for tally in session.tallies.values())
    nothing = "nothing found" if answering > 1 else "nothing found, and fewer than two backends answered"
    lines.append(f"{plural(found, 'find')}{again}" if found else nothing)
    return "\n".join(lines)


def summary_json(session: Session, seconds: float) -> dict[str, Any]:
    """The last line of JSON output."""
    plan = session.plan
    answers: Mapping[str, Mapping[str, Any]] = {
        name: {key: value for key, value in vars(tally).items() if key != "note" and value != ""}
        for name, tally in session.tallies.items()
    }
    finds: Sequence[str] = list(session.found)
    record: dict[str, Any] = {"schema": SCHEMA, "problem": plan.problem, **plan.asked.to_json()}
    record |= {
        "size": plan.size,
        "seed": plan.seed,
        "start": plan.start,
        "rounds": session.rounds,
        "seconds": round(seconds, 6),
    }
    return record | {"answers": answers, "pairs": session.pairs, "finds": finds, "again": session.again}
