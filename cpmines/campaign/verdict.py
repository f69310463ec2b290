"""What claims are worth: each by itself when it is recorded, those of an instance together later."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cpmines import registry
from cpmines.answer import Status
from cpmines.campaign.record import Category
from cpmines.campaign.task import asked_of
from cpmines.compare import Claim, Conflict, claim, claim_conflicts
from cpmines.problem import Problem
from cpmines.run import Run

if TYPE_CHECKING:
    import pandas

__all__ = ["categories", "category_of", "claims_of", "comparable", "disputes"]


def category_of(question: Problem[Any, Any], found: Run[Any], expected: Mapping[str, Any] | None) -> Category:
    """The verdict on one run, by the judge and the `expected` answer (a line of ``expected.jsonl``)."""
    if found.error:
        return Category.ERROR
    if found.faults:
        return Category.WRONG
    if found.status is Status.UNKNOWN:
        return Category.UNKNOWN
    disagrees = claim_conflicts(question, found.asked, [claim(question, found)], expected)
    return Category.WRONG if disagrees else Category.RIGHT


def comparable(
    question: Problem[Any, Any], found: Run[Any], expected: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The fields of a run's value that can be compared with other runs and with the `expected` answer."""
    if found.value is None:
        return {}
    asked = found.asked.question
    names = {*asked.determined, *(expected or {}).get("value", {})}
    names |= {asked.objective.field} if asked.objective is not None else set()
    return {name: field for name, field in question.to_json(found.value).items() if name in names}


def claims_of(rows: Iterable[Any]) -> list[Claim]:
    """The different claims of records or rows of a frame, of one question to one instance.

    Those that are rejected are not among them.
    """
    claims: dict[tuple[str, ...], Claim] = {}
    for row in rows:
        if row.status != Status.UNKNOWN and not row.faults and not row.error:
            key = (row.backend, row.status, json.dumps(row.value, sort_keys=True))
            claims.setdefault(key, Claim(row.backend, Status(row.status), row.value))
    return list(claims.values())


def disputes(frame: pandas.DataFrame) -> Iterator[tuple[pandas.DataFrame, list[Conflict]]]:
    """The rows of each question to an instance on which claims do not agree, and how."""
    for (problem, *_), rows in frame.groupby(["problem", "question", "instance_key"], sort=False):
        claims = claims_of(rows.itertuples())
        if len({(said.status, json.dumps(said.fields, sort_keys=True)) for said in claims}) > 1:
            conflicts = claim_conflicts(registry.problem(problem), asked_of(rows.iloc[0]), claims)
            if conflicts:
                yield rows, conflicts


def categories(frame: pandas.DataFrame) -> pandas.Series[str]:
    """The verdict on every row: as recorded, but `unknown` where right ones conflict with each other.

    Who is right then is for a person to find out; `cpmines.campaign.gates` names the conflict.
    """
    found = frame["category"].copy()
    for rows, conflicts in disputes(frame[frame["category"] == Category.RIGHT]):
        disputed = {said.author for conflict in conflicts for said in conflict.claims}
        found.loc[rows.index[rows["backend"].isin(disputed)]] = str(Category.UNKNOWN)
    return found
