"""The checker of cutting planes: sound by brute force, and nothing else than its rules passes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.check.cutting import Constraint, check_cutting, contradictory, parse_constraint
from cpmines.check.verdict import Rejected

VARIABLES = 4
ASSIGNMENTS = list(itertools.product((False, True), repeat=VARIABLES))


def holds(constraint: Constraint, values: tuple[bool, ...]) -> bool:
    true = (w for x, w in constraint.terms.items() if values[abs(x) - 1] == (x > 0))
    return sum(true) >= constraint.degree


def drawn(rng: np.random.Generator) -> Constraint:
    terms = [
        (int(x), int(w))
        for x, w in zip(rng.integers(1, VARIABLES + 1, 4), rng.integers(-3, 4, 4), strict=True)
    ]
    signed = [(x if rng.random() < 0.5 else -x, w) for x, w in terms]
    return Constraint.of(signed, int(rng.integers(-3, 6)))


def test_no_rule_cuts_off_an_assignment() -> None:
    rng = np.random.default_rng(0)
    for _ in range(500):
        first, second = drawn(rng), drawn(rng)
        factor = int(rng.integers(1, 5))
        results = [first + second, first.times(factor), first.divided(factor), first.saturated()]
        for values in ASSIGNMENTS:
            assert holds(first, values) != holds(first.opposite(), values)
            if holds(first, values) and holds(second, values):
                assert all(holds(result, values) for result in results)


def test_propagation_finds_only_contradictions_and_some() -> None:
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(500):
        constraints = [drawn(rng) for _ in range(5)]
        if contradictory(constraints):
            found += 1
            assert not any(all(holds(each, values) for each in constraints) for values in ASSIGNMENTS)
    assert found > 50


def test_weights_of_both_signs_are_netted() -> None:
    assert parse_constraint("+2 x1 -3 ~x2 +1 x1 >= 1 ;", "here") == Constraint({1: 3, 2: 3}, 4)
    assert parse_constraint(">= 0 ;", "here") == Constraint({}, 0)


STUCK = "2 3\n.1.\n.2.\n"
FORMULA = "\n".join(
    [
        "+1 x1 +1 x3 +1 x4 +1 x6 >= 2 ;",
        "+1 ~x1 +1 ~x3 +1 ~x4 +1 ~x6 >= 3 ;",
        "",
    ]
)
PROOF = "pseudo-Boolean proof version 1.1\nl 1\nl 2\npol 1 2 +\nc 3\n"


def checked(formula: str, proof: str, text: str = STUCK, problem: str = "consistency") -> Any:
    (instance,) = registry.problem(problem).parse(text)
    return check_cutting(formula, proof, registry.room(problem, "rules", "RULES").statement(instance))


def test_a_proof_by_hand() -> None:
    assert checked(FORMULA, PROOF)[-1] == "the proof of 3 steps by cutting planes refutes the formula"
    assert checked(FORMULA, PROOF.replace("c 3", "rup +1 x1 +1 x3 >= 1 ;\nc 3"))
    assert checked(FORMULA, PROOF.replace("pol 1 2 +", "pol 1 2 + 3 * 2 d s"))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("l 1", "l 3", "constraint '3' of 2"),
        ("l 1", "a +1 x1 >= 1 ;", "the rule 'a' is none of l, rup, pol, c"),
        ("pol 1 2 +", "pol 1 1 +", "step 3 can be satisfied"),
        ("pol 1 2 +", "pol 1 9 +", "step '9' of 2"),
        ("pol 1 2 +", "pol 1 +", "is no reverse Polish sum"),
        ("pol 1 2 +", "pol 1 2", "is no reverse Polish sum"),
        ("pol 1 2 +", "pol 1 0 d", "is no reverse Polish sum|step '0' of 2"),
        ("l 2", "rup +1 x1 >= 1 ;", "propagation does not show the constraint"),
        ("l 2", "rup +1 x1 >= one ;", "is no constraint"),
        ("c 3\n", "", "has no contradiction"),
        ("c 3", "c 4", "step '4' of 3"),
        ("pseudo", "Pseudo", "does not begin with"),
    ],
)
def test_other_proofs_are_rejected(before: str, after: str, message: str) -> None:
    with pytest.raises(Rejected, match=message):
        checked(FORMULA, PROOF.replace(before, after, 1))


@pytest.mark.parametrize(
    "formula",
    [
        FORMULA.replace(">= 3", ">= 4"),
        FORMULA.replace("+1 ~x6", "+2 ~x6").replace(">= 3", ">= 4"),
        FORMULA.replace("x6", "x60"),
        FORMULA.replace(" ;", ""),
    ],
)
def test_formulas_that_say_more_than_the_board_are_rejected(formula: str) -> None:
    with pytest.raises(Rejected, match=r"formula\.opb"):
        checked(formula, PROOF)


def test_a_proof_for_another_board_is_rejected() -> None:
    with pytest.raises(Rejected, match="the board does not say"):
        checked(FORMULA, PROOF, "2 3\n.1.\n.1.\n")


@pytest.mark.parametrize(("text", "line", "accepted"), [
    ("1 3 2\n...\n", "+1 x1 +1 x2 +1 x3 >= 2 ;", True),
    ("1 3 2\n...\n", "+1 x1 +1 x2 +1 x3 >= 3 ;", False),
    ("1 3 2\n...\n", "+1 ~x1 +1 ~x2 +1 ~x3 >= 1 ;", True),
    ("1 3 2\n...\n", "+1 ~x1 +1 ~x2 +1 ~x3 >= 2 ;", False),
    ("1 3 2\n...\n", "+1 x1 +1 x2 >= 1 ;", True),
    ("1 3 2\n...\n", "+1 x1 +1 x2 >= 2 ;", False),
    ("1 3 2\n...\n", "+1 x1 +1 ~x2 >= 1 ;", False),
    ("1 3 2\n...\n", "+2 x1 +1 x2 +1 x3 >= 3 ;", False),
    ("1 3 2\n..*\n", "+1 x1 +1 x2 >= 1 ;", True),
    ("1 3 2\n..*\n", "+1 x1 +1 x2 +1 x3 >= 2 ;", False),
    ("1 3\n...\n", "+1 x1 +1 x2 +1 x3 >= 1 ;", False),
])  # fmt: skip
def test_what_the_total_says(text: str, line: str, accepted: bool) -> None:
    with pytest.raises(Rejected, match="has no contradiction" if accepted else "the board does not say"):
        checked(f"{line}\n", "pseudo-Boolean proof version 1.1\n", text)
