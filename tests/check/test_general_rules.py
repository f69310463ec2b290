"""Rules that allow any numbers, with gaps or without: all small ones, and boards with cells around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from pathlib import Path
from random import Random

import pytest

from cpmines.answer import Limits
from cpmines.certificate.cutting import model_of
from cpmines.certificate.encode import clauses_of
from cpmines.certificate.refute import refute
from cpmines.certificate.totals import refute_total
from cpmines.check.cutting import Constraint, check_cutting
from cpmines.check.folder import Files, digest
from cpmines.check.recount import recount
from cpmines.check.refutation import check_refutation
from cpmines.check.verdict import Rejected
from cpmines.demands.statement import Rule, Statement, Total, block
from tests.check.test_rules import holds, placements
from tests.effort import some, spread


def small_rules() -> Iterator[Rule]:
    """Every rule about at most four cells, or at most three and one in the middle."""
    for cells in range(5):
        for allowed in subsets([(False, number) for number in range(cells + 1)]):
            yield Rule(0, tuple(range(1, cells + 1)), allowed)
    for cells in range(4):
        pairs = list(product((False, True), range(cells + 1)))
        for allowed in subsets(pairs):
            yield Rule(9, tuple(range(1, cells + 1)), allowed)


def subsets(pairs: list[tuple[bool, int]]) -> Iterator[frozenset[tuple[bool, int]]]:
    return map(frozenset, chain.from_iterable(combinations(pairs, size) for size in range(len(pairs) + 1)))


SMALL = list(small_rules())


def worlds(cells: tuple[int, ...]) -> list[dict[int, bool]]:
    return [dict(zip(cells, values, strict=True)) for values in product((False, True), repeat=len(cells))]


def alone(rule: Rule) -> Statement:
    """The rule around the cell in the middle of a board, with only its cells free."""
    return Statement(3, 3, lambda cell: cell in rule.cells, lambda cell: rule if cell == 5 else None)


def test_there_are_all() -> None:
    assert (
        len(SMALL) == len(set(SMALL)) == sum(2 ** (n + 1) for n in range(5)) + sum(4**n for n in (1, 2, 3, 4))
    )


def test_gaps_are_what_is_not_allowed() -> None:
    for rule in SMALL:
        for centre in rule.centres:
            excluded = [n for first, last in rule.gaps(centre) for n in range(first, last + 1)]
            assert excluded == [n for n in range(len(rule.others) + 1) if (centre, n) not in rule.allowed]


def test_a_rule_implies_what_holds_in_all_its_placements() -> None:
    for rule in SMALL:
        allowed = placements(rule)
        for signs in product((-1, 0, 1), repeat=len(rule.cells)):
            clause = tuple(sign * cell for sign, cell in zip(signs, rule.cells, strict=True) if sign)
            assert rule.implies(clause) == all(holds(clause, mines) for mines in allowed), (rule, clause)


def test_the_clauses_of_a_rule_are_the_rule() -> None:
    for rule in SMALL:
        clauses, allowed = list(clauses_of(rule)), placements(rule)
        assert all(map(rule.implies, clauses))
        for mines in worlds(rule.cells):
            assert all(holds(clause, mines) for clause in clauses) == (mines in allowed), (rule, mines)


def test_the_model_of_a_rule_is_the_rule() -> None:
    import numpy as np

    for rule in SMALL:
        model, allowed = model_of(alone(rule)), placements(rule)
        for mines in worlds(rule.cells):
            values = np.zeros(9, np.bool_)
            values[[cell - 1 for cell, mine in mines.items() if mine]] = True
            assert model.holds(values) == (mines in allowed), (rule, mines)


def test_constraints_follow_from_a_rule_or_do_not() -> None:
    """All with weights 1: the checker of cutting planes says it of the placements that a rule allows."""
    for rule in spread(SMALL[::7], 40):
        allowed = placements(rule)
        for signs in product((-1, 0, 1), repeat=len(rule.cells)):
            terms = [(sign * cell, 1) for sign, cell in zip(signs, rule.cells, strict=True) if sign]
            for degree in range(1, len(terms) + 2):
                constraint = Constraint.of(terms, degree)
                text = " ".join(f"+1 {'~' * (x < 0)}x{abs(x)}" for x in constraint.terms)
                follows = all(
                    sum(mines[abs(x)] == (x > 0) for x in constraint.terms) >= degree for mines in allowed
                )
                message = "no contradiction" if follows else "the board does not say"
                with pytest.raises(Rejected, match=message):
                    check_cutting(
                        f"{text} >= {degree} ;\n".lstrip(), "pseudo-Boolean proof version 1.1\n", alone(rule)
                    )


def test_counting_again_counts_the_placements_of_a_rule() -> None:
    for rule in SMALL:
        allowed = placements(rule)
        again = recount(alone(rule))
        assert not isinstance(again, str)
        assert again.by_mines == Counter(sum(mines.values()) for mines in allowed)
        for cell, ratio in again.mines_in.items():
            assert ratio == Fraction(sum(mines[cell] for mines in allowed), len(allowed))


def drawn(random: Random) -> Statement:
    """A board of at most 9 free cells in a frame of others; any rules about blocks, also on the frame."""
    rows, cols = random.choice([(3, 3), (3, 5), (4, 4), (4, 5), (5, 5)])
    inside = {row * cols + col + 1 for row in range(1, rows - 1) for col in range(1, cols - 1)}
    rules = {}
    for centre in range(1, rows * cols + 1):
        if random.random() < 0.5:
            around = [cell for cell in block(centre, rows, cols) if cell in inside and cell != centre]
            middle = centre if centre in inside and random.random() < 0.7 else 0
            pairs = product((False, True) if middle else (False,), range(len(around) + 1))
            rules[centre] = Rule(middle, tuple(around), frozenset(p for p in pairs if random.random() < 0.6))
    total = None
    if random.random() < 0.5:
        least = random.randint(0, len(inside))
        total = Total(len(inside), least, random.randint(least, len(inside)))
    return Statement(rows, cols, inside.__contains__, rules.get, total)


def everything(statement: Statement) -> list[dict[int, bool]]:
    """All placements, from the definition."""
    free, total = tuple(statement.free_cells()), statement.total
    rules = [(rule, placements(rule)) for _, rule in statement.rules()]
    return [
        mines
        for mines in worlds(free)
        if (total is None or total.least <= sum(mines.values()) <= total.most)
        and all({cell: mines[cell] for cell in rule.cells} in allowed for rule, allowed in rules)
    ]


def written(folder: Path, data: dict[str, bytes]) -> Files:
    for name, content in data.items():
        (folder / name).write_bytes(content)
    return Files(folder, {"sha256": {name: digest(content) for name, content in data.items()}})


def test_boards_are_counted_and_refuted_like_by_trying_everything(tmp_path: Path) -> None:
    random, refuted, by_parts = Random(7), 0, 0
    count = some(300, 100)
    for _ in range(count):
        statement = drawn(random)
        there = everything(statement)
        again = recount(statement)
        assert not isinstance(again, str)
        assert again.by_mines == Counter(sum(mines.values()) for mines in there)
        for cell, ratio in again.mines_in.items():
            assert ratio == Fraction(sum(mines[cell] for mines in there), len(there))
        for found in (refute(statement, Limits()), refute_total(statement, Limits())):
            assert found is None or not there
            if found is not None:
                check_refutation(written(tmp_path, found.files()), statement)
        assert (refute(statement, Limits()) is None) == bool(there)
        refuted += not there
        by_parts += found is not None
    assert count / 6 < refuted < count / 1.2
    assert by_parts > count / 60


def test_bounds_are_those_of_all_placements(tmp_path: Path) -> None:
    random, looked_at = Random(8), 0
    while looked_at < some(60, 25):
        statement = drawn(random)
        statement = Statement(statement.rows, statement.cols, statement.free, statement.rule)
        mines = [sum(each.values()) for each in everything(statement)]
        if not mines:
            continue
        looked_at += 1
        for bounded, there in (
            (statement.beyond(max(mines) - 1), True),
            (statement.beyond(max(mines)), False),
            (statement.beyond(min(mines) + 1, fewest=True), True),
            (statement.beyond(min(mines), fewest=True), False),
        ):
            found = refute(bounded, Limits())
            assert (found is None) == there
            if found is not None:
                check_refutation(written(tmp_path, found.files()), bounded)
    for fewest in (False, True):
        with_known = replace(statement, known=(1, 2)).beyond(5, fewest=fewest)
        assert with_known.total == statement.beyond(3, fewest=fewest).total
