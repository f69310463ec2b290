"""Rules and clauses, against trying everything out."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits
from cpmines.board import MINE
from cpmines.certificate.encode import Sums, clauses_of
from cpmines.check.formula import Meanings, check_clauses, parse_formula
from cpmines.check.recount import recount
from cpmines.check.verdict import Rejected
from cpmines.demands.statement import Rule, Statement, Total
from cpmines.grid import box_sums
from cpmines.problems.maxmines.problem import Rectangle
from cpmines.problems.mosaic.problem import Puzzle
from cpmines.run import run
from tests.check.positions import random_position


def statement_of(problem: str, instance: Any) -> Statement:
    statement: Statement = registry.room(problem, "rules", "RULES").statement(instance)
    return statement


def holds(clause: tuple[int, ...], mines: dict[int, bool]) -> bool:
    return any(mines[abs(literal)] == (literal > 0) for literal in clause)


def placements(rule: Rule) -> list[dict[int, bool]]:
    """All that a rule allows, from its definition."""
    cells = [*rule.others, *([rule.middle] if rule.middle else [])]
    found = []
    for values in product((False, True), repeat=len(cells)):
        mines = dict(zip(cells, values, strict=True))
        centre = mines[rule.middle] if rule.middle else False
        if (centre, sum(mines[cell] for cell in rule.others)) in rule.allowed:
            found.append(mines)
    return found


RULES = [
    *(Rule.exactly(list(range(1, cells + 1)), number) for cells in range(5) for number in range(-1, 6)),
    *(next(rule for _, rule in statement_of("maxmines", Rectangle(2, 2, m)).rules()) for m in range(1, 5)),
]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_rule_implies_what_holds_in_all_its_placements(rule: Rule) -> None:
    allowed = placements(rule)
    variables = sorted({*rule.others, rule.middle} - {0})
    for signs in product((-1, 0, 1), repeat=len(variables)):
        clause = tuple(sign * variable for sign, variable in zip(signs, variables, strict=True) if sign)
        assert rule.implies(clause) == all(holds(clause, mines) for mines in allowed), clause
    assert not rule.implies((99,))


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_the_clauses_of_a_rule_are_the_rule(rule: Rule) -> None:
    clauses = list(clauses_of(rule))
    assert all(map(rule.implies, clauses))
    variables = sorted({*rule.others, rule.middle} - {0})
    worlds = [
        dict(zip(variables, values, strict=True)) for values in product((False, True), repeat=len(variables))
    ]
    satisfying = [mines for mines in worlds if all(holds(clause, mines) for clause in clauses)]
    allowed = placements(rule)
    assert len(satisfying) == len(allowed)
    assert all(mines in allowed for mines in satisfying)


def accepted(clause: tuple[int, ...], statement: Statement, meanings: Meanings) -> bool:
    try:
        check_clauses([clause], statement, meanings, ())
    except Rejected:
        return False
    return True


def test_clauses_about_sums_hold_for_all_placements_or_are_rejected() -> None:
    """Every clause of up to three literals over two sums of four cells and a total."""
    meanings = Meanings(4)
    meanings.add_sum("s1", "c1", "c2")
    meanings.add_sum("s2", "s1", "c3")
    for variable, (part, number) in enumerate([("s1", 1), ("s1", 2), ("s2", 1), ("s2", 2), ("s2", 3)], 5):
        meanings.add_count(variable, part, number)
    parts = {"s1": (1, 2), "s2": (1, 2, 3)}
    for total in (None, Total(4, 2, 2), Total(4, 1, 2), Total(4, 4, 4), Total(4, 0, 0)):
        statement = Statement(2, 2, lambda cell: True, lambda cell: None, total)
        worlds = []
        for values in product((False, True), repeat=4):
            mines = dict(zip(range(1, 5), values, strict=True))
            if total is None or total.least <= sum(values) <= total.most:
                for variable, (part, number) in meanings.counts.items():
                    mines[variable] = sum(mines[cell] for cell in parts[part]) >= number
                worlds.append(mines)
        useful = 0
        for size in (0, 1, 2, 3):
            for variables in combinations(range(1, 10), size):
                for signs in product((-1, 1), repeat=size):
                    clause = tuple(sign * variable for sign, variable in zip(signs, variables, strict=True))
                    if accepted(clause, statement, meanings):
                        assert all(holds(clause, mines) for mines in worlds), (total, clause)
                        useful += 1
        assert useful >= 20


@pytest.mark.parametrize("cells", range(1, 8))
def test_a_tree_has_the_models_of_its_sum(cells: int) -> None:
    from pysat.solvers import Solver

    for least in range(cells + 1):
        for most in range(least, cells + 1):
            sums = Sums(cells)
            root = sums.tree(list(range(1, cells + 1)), least, most)
            statement = Statement(1, cells, lambda cell: True, lambda cell: None, Total(cells, least, most))
            clauses = list(sums.clauses)
            clauses += [(sums.reaches(root, least),)] if least else []
            clauses += [(-sums.reaches(root, most + 1),)] if most < cells else []
            check_clauses(clauses, statement, Meanings.from_json(cells, sums.meanings.to_json()), ())
            with Solver("glucose4", bootstrap_with=clauses) as solver:
                for values in product((-1, 1), repeat=cells):
                    literals = [sign * cell for cell, sign in enumerate(values, 1)]
                    assert solver.solve(literals) == (least <= values.count(1) <= most)


@pytest.mark.parametrize(
    "text",
    ["", "p cnf 2\n", "p cnf 2 1\n1 2\n", "p cnf 2 1\n3 0\n", "p cnf 2 1\n1 -1 0\n", "p cnf 2 2\n1 0\n",
     "p cnf 2 1\n%\n1 0\n", "p cnf 2 1\n1 0 2 0\n", "p cnf 2 1\n1\n0\n", "1 0\n", "p cnf 2 1\n01 0\n"],
)  # fmt: skip
def test_text_that_is_no_formula_is_rejected(text: str) -> None:
    with pytest.raises(Rejected, match=r"formula\.cnf"):
        parse_formula(text)


def test_counting_again_agrees_with_trying_everything() -> None:
    random, empty = Random(5), 0
    for _ in range(150):
        position = random_position(random)
        value = run("counting", position, "brute", Limits()).value
        again = recount(statement_of("counting", position))
        assert not isinstance(again, str)
        if value is None:
            empty += 1
            assert again.count == 0
            continue
        known = int((position.cells == MINE).sum())
        assert {mines + known: count for mines, count in again.by_mines.items()} == value.by_mines
        for cell, ratio in again.mines_in.items():
            assert float(ratio) == pytest.approx(value.probability.flat[cell - 1], abs=1e-15)
    assert 10 < empty < 100


def test_counting_again_agrees_on_mosaics() -> None:
    random = Random(6)
    for _ in range(40):
        mines = np.array([[random.random() < 0.5 for _ in range(4)] for _ in range(3)])
        gaps = np.array([[random.random() < 0.4 for _ in range(4)] for _ in range(3)])
        puzzle = Puzzle(np.where(gaps, -1, box_sums(mines)))
        value = run("mosaic", puzzle, "brute", Limits()).value
        again = recount(statement_of("mosaic", puzzle))
        assert not isinstance(again, str)
        assert value is not None
        assert again.count == value.solutions


def test_too_many_states_or_cells_are_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    statement = statement_of("counting", registry.problem("counting").parse("3 3\n...\n.3.\n...\n")[0])
    monkeypatch.setattr("cpmines.check.recount.MOST_STATES", 3)
    assert recount(statement) == "more than 3 states"
    monkeypatch.setattr("cpmines.check.recount.MOST_CELLS", 3)
    assert recount(statement) == "8 cells, at most 3 are counted again"
