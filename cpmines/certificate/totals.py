"""A total that the clues do not allow, shown part by part.

The clues settle some cells; the others fall into components, each with a least and a most number of mines. If
the least numbers are more than the total together, or the most numbers fewer, one bound for each component
and their sum along a tree are a refutation whose size grows with the board only, not with its square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cpmines.answer import Limits
from cpmines.certificate.encode import Sums, clauses_of
from cpmines.certificate.proof import proof_of
from cpmines.certificate.refute import StatedRefutation, Uncertified
from cpmines.check.formula import Clause
from cpmines.check.recount import joined
from cpmines.demands.statement import Statement
from cpmines.oracle.session import SatSession

__all__ = ["refute_total"]

LARGEST = 500
"""Cells of a component: its sum has about as many clauses as the square of that."""

Part = tuple[str, int]
"""Name of a sum or cell, and the bound on its mines."""


def refute_total(statement: Statement, limits: Limits) -> StatedRefutation | None:
    """Refute the total by bounds of the components; None if they do not suffice, or if it needs no rule."""
    total = statement.total
    if total is None or not total.cells or total.least > total.cells or total.most < 0:
        return None
    proof = _TotalRefutation(statement, limits)
    if not proof.settle():
        return None
    components = proof.components()
    if (largest := max(map(len, components), default=0)) > LARGEST:
        raise Uncertified(f"{largest} cells that clues join, at most {LARGEST} are summed")
    bounds = [(cells, *proof.range_of(cells)) for cells in components]
    mines = [literal for literal in proof.known if literal > 0]
    if sum(least for _, least, _ in bounds) + len(mines) > total.most:
        parts = [(f"c{cell}", 1) for cell in sorted(mines)]
        parts += [(proof.tree(cells), proof.bounded(cells, least)) for cells, least, _ in bounds if least > 0]
        return proof.at_least(parts)
    if sum(most for _, _, most in bounds) + len(mines) < total.least:
        parts = [(f"c{-literal}", 0) for literal in sorted(proof.known, reverse=True) if literal < 0]
        parts += [
            (proof.tree(cells), proof.bounded(cells, most + 1) - 1)
            for cells, _, most in bounds
            if most < len(cells)
        ]
        return proof.at_most(parts)
    return None


class _TotalRefutation:
    """The formula and the proof while they grow."""

    def __init__(self, statement: Statement, limits: Limits) -> None:
        self.statement, self.limits = statement, limits
        self.rules = {centre: list(clauses_of(rule)) for centre, rule in statement.rules()}
        self.sums = Sums(statement.cells)
        self.trees: dict[int, str] = {}
        self.defined: dict[int, list[Clause]] = {}
        self.steps: list[Clause] = []
        self.known: set[int] = set()

    def settle(self) -> bool:
        """Derive what the rules settle: most by unit propagation, the rest from the rules near the cell.

        False if the rules have no placement.
        """
        clauses = [clause for group in self.rules.values() for clause in group]
        if () in clauses:
            return False
        guard = self.sums.top + 1
        # In front of unit clauses, as the solver does not list what follows from nothing. It only propagates:
        # what it learnt in a search would not follow step by step.
        guarded = ((*clause, -guard) if len(clause) == 1 else clause for clause in clauses)
        with SatSession.of(guarded, self.limits) as oracle, SatSession.of(clauses, self.limits) as search:
            if not search.satisfiable():
                return False
            self.known = oracle.implied(guard) - {guard}
            cells = {abs(literal) for clause in clauses for literal in clause}
            maybe = {literal for literal in search.model() if abs(literal) in cells} - self.known
            while maybe:
                literal = min(maybe, key=abs)
                search.prefer([-other for other in sorted(maybe, key=abs)])
                if search.satisfiable([-literal]):
                    maybe &= search.model()
                    continue
                self._derive(literal, self._near(literal))
                oracle.add((literal, -guard))
                self.known = oracle.implied(guard) - {guard}
                maybe -= self.known
        return True

    def _near(self, literal: int) -> Iterator[list[Clause]]:
        """The clauses of the rules around a cell, of more and more of them, in the end of all."""
        row, col = divmod(abs(literal) - 1, self.statement.cols)
        reach = 2
        while reach < max(self.statement.rows, self.statement.cols):
            rows, cols = range(row - reach, row + reach + 1), range(col - reach, col + reach + 1)
            yield self._of(
                near * self.statement.cols + other + 1 for near in rows for other in cols if other >= 0
            )
            reach *= 2
        yield self._of(self.rules)

    def _of(self, centres: Iterable[int]) -> list[Clause]:
        """The clauses of the rules around these cells, and what is known of the cells in them."""
        clauses = [clause for centre in centres for clause in self.rules.get(centre, ())]
        cells = {abs(literal) for clause in clauses for literal in clause}
        return clauses + [(literal,) for cell in cells for literal in (cell, -cell) if literal in self.known]

    def _derive(self, literal: int, choices: Iterable[list[Clause]]) -> None:
        """Add steps that derive a literal: a refutation of its opposite, with the literal in each clause."""
        for clauses in choices:
            steps = proof_of([*clauses, (-literal,)], self.limits)
            if steps is not None:
                self.steps += [(*(other for other in step if other != literal), literal) for step in steps]
                return
        raise AssertionError(f"the literal {literal} does not follow")

    def components(self) -> list[list[int]]:
        """Cells that are not known, joined by rules; those without a rule are left out."""
        known = {abs(literal) for literal in self.known}
        groups = [[cell for cell in rule.cells if cell not in known] for _, rule in self.statement.rules()]
        return joined(sorted({cell for group in groups for cell in group}), groups)

    def tree(self, cells: list[int]) -> str:
        """The sum of a component, with its definition."""
        if cells[0] not in self.trees:
            before = len(self.sums.clauses)
            self.trees[cells[0]] = self.sums.tree(cells)
            self.defined[cells[0]] = self.sums.clauses[before:]
        return self.trees[cells[0]]

    def _clauses(self, cells: list[int]) -> list[Clause]:
        centres = {centre for cell in cells for centre in self.statement.block(cell)}
        self.tree(cells)
        return self._of(sorted(centres)) + self.defined[cells[0]]

    def range_of(self, cells: list[int]) -> tuple[int, int]:
        """The fewest and the most mines of a component."""
        root = self.tree(cells)
        with SatSession.of(self._clauses(cells), self.limits) as oracle:
            oracle.satisfiable()
            least = most = len(oracle.model() & set(cells))
            while least > 0 and oracle.satisfiable([-self.sums.reaches(root, least)]):
                least = len(oracle.model() & set(cells))
            while most < len(cells) and oracle.satisfiable([self.sums.reaches(root, most + 1)]):
                most = len(oracle.model() & set(cells))
        return least, most

    def bounded(self, cells: list[int], number: int) -> int:
        """Derive whether a component has at least so many mines, whichever is true; returns `number`."""
        variable = self.sums.reaches(self.tree(cells), number)
        clauses = self._clauses(cells)
        with SatSession.of(clauses, self.limits) as oracle:
            literal = -variable if oracle.satisfiable([-variable]) else variable
        self._derive(literal, [clauses])
        return number

    def at_least(self, parts: list[Part]) -> StatedRefutation:
        """Add the parts' least numbers up."""
        root, number = self._joined(parts, self.sums.at_least)
        return self._finished((-self.sums.reaches(root, number),))

    def at_most(self, parts: list[Part]) -> StatedRefutation:
        """Add the parts' most numbers up."""
        root, number = self._joined(parts, self.sums.at_most)
        return self._finished((self.sums.reaches(root, number + 1),))

    def _joined(self, parts: list[Part], define: Callable[[str, int, int], None]) -> Part:
        while len(parts) > 1:
            joined = []
            for (left, first), (right, second) in zip(parts[::2], parts[1::2], strict=False):
                whole = self.sums.add(left, right)
                define(whole, first, second)
                joined.append((whole, first + second))
            parts = joined + parts[2 * len(joined) :]
        return parts[0]

    def _finished(self, contradicted: Clause) -> StatedRefutation:
        rules = [clause for group in self.rules.values() for clause in group]
        return StatedRefutation([*rules, *self.sums.clauses, contradicted], [*self.steps, ()], self.sums)
