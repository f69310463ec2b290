"""Bugs to be planted, one at a time. Each is lines of the present source and what takes their place.

The lines are in the file exactly once, which a test looks after, so that the catalogue stays true.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CATALOGUE", "Mutation"]


@dataclass(frozen=True)
class Mutation:
    """One planted bug.

    Attributes
    ----------
    name
        What the bug is, in a few words.
    file
        Below the package's folder.
    before, after
        Text of the file, there once, and what replaces it.
    fuzz
        The problem and the options with which ``cpmines fuzz`` must find it.
    test
        Instead, the words with which ``cpmines backends test`` must.
    """

    name: str
    file: str
    before: str
    after: str
    fuzz: str = ""
    test: str = ""

    @property
    def module(self) -> str:
        return "cpmines." + self.file.removesuffix(".py").replace("/", ".")

    @property
    def compiled(self) -> bool:
        """Is the bug in a kernel?"""
        return "kernels" in self.module.split(".")

    def apply(self, source: str) -> str:
        """The source with the bug. Raises `ValueError` if the place is not found exactly once."""
        if source.count(self.before) != 1:
            raise ValueError(f"{self.name}: {source.count(self.before)} places in {self.file}, expected 1")
        return source.replace(self.before, self.after)


ENGINES = (
    Mutation(
        "CP-SAT: at least two becomes at least one",
        "engines/cpsat.py",
        "    elif lo <= 1 and hi == length:",
        "    elif lo <= 2 and hi == length:",
        "consistency --backend cpsat --backend brute",
    ),
    Mutation(
        "CP-SAT: bounds not shifted for negative literals",
        "engines/cpsat.py",
        "linear.domain.extend((lo - shift, hi - shift))",
        "linear.domain.extend((lo, hi))",
        "maxmines --backend cpsat --backend brute",
    ),
    Mutation(
        "CP-SAT: a linear row holds without its condition",
        "engines/cpsat.py",
        "            constraint.enforcement_literal.append(enforcing)",
        "            pass",
        "maxmines --backend cpsat:plain --backend brute",
    ),
    Mutation(
        "CP-SAT: exactly one becomes at most one",
        "engines/cpsat.py",
        '"exactly_one" if lo == 1 else "at_most_one"',
        '"at_most_one"',
        "consistency --backend cpsat --backend brute",
    ),
    Mutation(
        "CP-SAT: an impossible row is left out",
        "engines/cpsat.py",
        "rows = -only_if[:, None] if enforced else literals[:, :0]",
        "return",
        "consistency --backend cpsat --backend brute",
    ),
    Mutation(
        "CP-SAT: a negative literal of the objective counts like a positive one",
        "engines/cpsat.py",
        "objective.coeffs.extend(-coefficient for coefficient in coefficients)",
        "objective.coeffs.extend(-abs(coefficient) for coefficient in coefficients)",
        "maxmines --backend cpsat",
    ),
    Mutation(
        "CP-SAT: the cover ends one assignment early",
        "engines/cpsat.py",
        "assignments=tuple(found))\n            return outcome",
        "assignments=tuple(found[:1]))\n            return outcome",
        "deduction --backend cpsat --backend brute",
    ),
    Mutation(
        "objective: opposite literals are added, not netted",
        "translate/objective.py",
        "np.where(literals > 0, weights, -weights)",
        "weights",
        "maxmines --backend cpsat",
    ),
    Mutation(
        "objective: the sign of a netted term is lost",
        "translate/objective.py",
        "(np.sign(net[used]) * (used + 1)).astype(np.int32)",
        "(used + 1).astype(np.int32)",
        "maxmines --backend sat",
    ),
    Mutation(
        "encodings: subsets forbidden by binomial are one too large",
        "translate/encodings.py",
        "for subset in combinations(literals, bound + 1)]",
        "for subset in combinations(literals, bound + 2)]",
        "consistency --backend sat --backend brute",
    ),
    Mutation(
        "encodings: an encoding of PySAT gets a bound one too high",
        "translate/encodings.py",
        "CardEnc.atmost(list(literals), bound, top_id=top",
        "CardEnc.atmost(list(literals), bound + 1, top_id=top",
        "mosaic --backend sat:glucose4/totalizer --backend brute",
    ),
    Mutation(
        "templates: the lower bound shares the upper bound's auxiliaries",
        "translate/templates.py",
        "more, top = at_most(range(-1, -length - 1, -1), length - lo, top, encoding, limits)",
        "more, top = at_most(range(-1, -length - 1, -1), length - lo, last, encoding, limits)",
        "mosaic --backend sat:glucose4/seqcounter --backend brute",
    ),
    Mutation(
        "templates: clauses hold without their condition",
        "translate/templates.py",
        "else [-guard, *clause] for clause in clauses]",
        "else clause for clause in clauses]",
        "maxmines --backend sat:plain --backend brute",
    ),
    Mutation(
        "templates: the empty clause is left out",
        "translate/templates.py",
        "clauses = [[top], [-top]]",
        "clauses = [[top]]",
        "consistency --backend sat --backend brute",
    ),
    Mutation(
        "formula: groups of rows share their auxiliaries",
        "translate/clauses.py",
        "        top += form.auxiliary * len(rows)\n",
        "",
        "mosaic --backend sat:glucose4/totalizer --backend brute",
    ),
    Mutation(
        "formula: signs of the template are lost",
        "translate/clauses.py",
        "clauses = table[:, np.abs(block) - 1] * np.sign(block)",
        "clauses = table[:, np.abs(block) - 1]",
        "validation --backend sat --backend brute",
    ),
    Mutation(
        "engines in a process: the first solution counts as the optimum",
        "remote.py",
        "        assignments = assignments[-1:]",
        "        assignments = assignments[:1]",
        "maxmines --backend sat --backend brute",
    ),
    Mutation(
        "engines in a process: enumeration is always called complete",
        "remote.py",
        'complete = bool(transcript.done["complete"])',
        "complete = True",
        "mosaic --backend sat --backend brute",
    ),
    Mutation(
        "MaxSAT: any solution is called optimal",
        "engines/maxsat.py",
        "return self.sat.prepare(model, limits)",
        'return Sat(self.solver, self.encoding, "enumerate").prepare(model, limits)',
        "maxmines --backend maxsat --backend brute",
    ),
    Mutation(
        "modelled: one assignment is decoded for all",
        "modelled.py",
        "decode(instance, outcome.assignments, outcome.complete, **asked.values())",
        "decode(instance, outcome.assignments[:1], outcome.complete, **asked.values())",
        "counting --backend sat --backend brute",
    ),
)

PROMISES = (
    Mutation(
        "objective: weights of negative literals are doubled",
        "translate/objective.py",
        "np.where(literals > 0, weights, -weights)",
        "np.where(literals > 0, weights, -2 * weights)",
        test="sat --problem maxmines",
    ),
    Mutation(
        "objective: every weight is one too high",
        "translate/objective.py",
        "    literals, weights = model.objective\n",
        "    literals, weights = model.objective[0], model.objective[1] + 1\n",
        test="sat --problem maxmines",
    ),
    Mutation(
        "remote: a bound that no value allows, where the search was cut off",
        "remote.py",
        "return Outcome(status, transcript.stop, assignments, False, bound,",
        "return Outcome(status, transcript.stop, assignments, False, -962,",
        test="sat --problem maxmines",
    ),
    Mutation(
        "served: an engine without a promise of optima is given objectives",
        "served.py",
        "if model.objective is None or Ability.OPTIMISE in abilities_of(engine):",
        "if True:",
        test="tests.conformance.planted:UNPROMISING --problem maxmines",
    ),
    Mutation(
        "served: an engine without a promise of limits runs where it can't be ended",
        "served.py",
        "if Ability.INTERRUPT in abilities_of(solver):",
        "if True:",
        test="tests.conformance.planted:UNPROMISING --problem maxmines",
    ),
    Mutation(
        "CP-SAT: Ctrl-C ends the search and is forgotten",
        "process/aside.py",
        "        helper.end()\n        raise\n",
        "        helper.end()\n",
        test="cpsat --problem maxmines",
    ),
    Mutation(
        "templates: upper bounds of rows of eight are one too high",
        "translate/templates.py",
        "at_most(range(1, length + 1), hi, top,",
        "at_most(range(1, length + 1), hi + (length == 8), top,",
        test="sat --problem maxmines",
    ),
)

MODELS = (
    Mutation(
        "model of positions: known mines are not taken off the total",
        "positions/statement.py",
        "left = position.mines - int(known.sum())",
        "left = position.mines",
        "consistency --backend cpsat --backend brute",
    ),
    Mutation(
        "model of positions: wrong clues without unknown neighbours are left out",
        "positions/statement.py",
        "(cells >= 0) & ((open_cells > 0) | (need != 0))",
        "(cells >= 0) & (open_cells > 0)",
        "deduction --backend sat --backend brute",
    ),
    Mutation(
        "model of counting: probabilities of the first placement",
        "problems/counting/model.py",
        "found = [placement(position, assignment) for assignment in assignments]",
        "found = [placement(position, assignment) for assignment in assignments[1:]]",
        "counting --backend cpsat --backend brute",
    ),
    Mutation(
        "model of deduction: open cells are called safe",
        "problems/deduction/model.py",
        "np.where(some & ~every, -1, every)",
        "every",
        "deduction --backend cpsat --backend brute",
    ),
    Mutation(
        "model of validation: too low allows right",
        "problems/validation/model.py",
        "model.between_rows(neighbours, shown + 1, 8, only_if=too_low)",
        "model.between_rows(neighbours, shown, 8, only_if=too_low)",
        "validation --backend cpsat --backend brute",
    ),
    Mutation(
        "model of maxmines, plain: one neighbour too many is allowed",
        "problems/maxmines/model.py",
        "crowded = np.flatnonzero((beside >= 0).sum(axis=1) > instance.around)",
        "crowded = np.flatnonzero((beside >= 0).sum(axis=1) > instance.around + 1)",
        "maxmines --backend cpsat:plain --backend brute",
    ),
    Mutation(
        "model of maxmines, blocks: windows hold one mine too few",
        "problems/maxmines/model.py",
        "left : left + width].ravel(), 0, most)",
        "left : left + width].ravel(), 0, most - 1)",
        "maxmines --backend sat:blocks --backend brute",
    ),
    Mutation(
        "model of maxmines, tight: the bound of the board is one too low",
        "problems/maxmines/model.py",
        "model.between(cells(instance).ravel(), 0, upper_bound(instance))",
        "model.between(cells(instance).ravel(), 0, upper_bound(instance) - 1)",
        "maxmines --backend cpsat:tight --backend brute",
    ),
    Mutation(
        "model of maxmines, symmetric: one half has strictly more",
        "problems/maxmines/model.py",
        "len(fewer), len(more) + len(fewer))",
        "len(fewer) + 1, len(more) + len(fewer))",
        "maxmines --backend cpsat --backend brute",
    ),
    Mutation(
        "model of tables of sums: entries are upper bounds",
        "sums/model.py",
        "model.between_rows(blocks, sums, sums)",
        "model.between_rows(blocks, 0, sums)",
        "mosaic --backend cpsat --backend brute",
    ),
    Mutation(
        "model of the nearest table: too few mines cost nothing",
        "sums/model.py",
        "model.maximise(-np.concatenate([over.ravel(), under.ravel()]))",
        "model.maximise(-over.ravel())",
        "reconstruction --backend sat --backend brute --ask nearest",
    ),
)

DIRECT = (
    Mutation(
        "propagation: a clue that needs too much is no conflict",
        "inference/kernels/board.py",
        "if left < 0 or left > around:",
        "if left < 0:",
        "consistency --backend propagation --backend brute",
    ),
    Mutation(
        "propagation: too many known mines reach the total",
        "inference/propagation.py",
        "        if left < 0:\n",
        "        if left < -1:\n",
        "consistency --backend direct --backend brute",
    ),
    Mutation(
        "propagation: cells away from clues get one mine too few",
        "inference/propagation.py",
        "mines.flat[np.flatnonzero(free)[:lacking]] = True",
        "mines.flat[np.flatnonzero(free)[: max(0, lacking - 1)]] = True",
        "consistency --backend direct --backend brute",
    ),
    Mutation(
        "counting: ways to choose cells of a class are lost",
        "inference/circuit.py",
        "PASCAL[self.reduced.sizes[self.owners], self.leaf_values], 0)",
        "1, 0)",
        "counting --backend direct --backend brute",
    ),
    Mutation(
        "counting: mines found by the reduction are forgotten",
        "inference/compiled.py",
        "return self.known.mines + self.reduced.decided",
        "return self.known.mines",
        "counting --backend direct --backend brute",
    ),
    Mutation(
        "counting: binomials are one step late",
        "inference/polynomial.py",
        "value = value * (n - k) // (k + 1)",
        "value = value * (n - k) // (k + 2)",
        "counting --backend direct --backend brute",
    ),
    Mutation(
        "deduction: a variable that may be full is called open",
        "inference/exact.py",
        "lacking = circuit.leaf_values < self.reduced.sizes[circuit.owners]",
        "lacking = circuit.leaf_values <= self.reduced.sizes[circuit.owners]",
        "deduction --backend direct --backend brute",
    ),
    Mutation(
        "deduction: cells away from clues are open whatever the total",
        "inference/exact.py",
        "return OPEN if safe and mine else int(mine)",
        "return OPEN",
        "deduction --backend direct --backend brute",
    ),
    Mutation(
        "reduction: a term as large as what is needed is out",
        "inference/kernels/reduce.py",
        "if size > need or size > total - need:",
        "if size >= need or size > total - need:",
        "mosaic --backend direct --backend brute",
    ),
    Mutation(
        "reduction: opposite terms are not taken off the sum",
        "inference/kernels/reduce.py",
        "        reducer.need[s] -= min(magnitude(before), size)\n",
        "",
        "mosaic --backend direct --backend brute",
    ),
    Mutation(
        "elimination: pairs of rows beyond the first of a group are lost",
        "inference/kernels/tables.py",
        "for j in range(b.starts.at[y], b.starts.at[y + 1]):",
        "for j in range(b.starts.at[y], b.starts.at[y] + 1):",
        "mosaic --backend direct --backend brute --ask facts --size small --rounds 60",
    ),
    Mutation(
        "mosaic: a sum does not look to its upper left",
        "inference/kernels/network.py",
        "if inside[place] != 0:",
        "if inside[place] != 0 and i != 0:",
        "mosaic --backend direct --backend brute",
    ),
    Mutation(
        "mosaic: boards are counted one too many",
        "problems/mosaic/backends/direct.py",
        "Boards(first_placement(found), found.count, found.state)",
        "Boards(first_placement(found), found.count + (found.count > 1), found.state)",
        "mosaic --backend direct --backend brute --ask facts",
    ),
    Mutation(
        "mosaic: the board that is known is looked for again",
        "inference/search.py",
        "literals = 2 * np.arange(count, dtype=np.int32) + 1 - values",
        "literals = 2 * np.arange(count, dtype=np.int32) + values",
        "mosaic --backend direct --backend brute",
    ),
    Mutation(
        "validation: the row below is not looked at in the first row",
        "problems/validation/kernels/wrong.py",
        "other: int8 = below != row",
        "other: int8 = below != row and row > 0",
        "validation --backend direct --backend brute",
    ),
    Mutation(
        "maxmines: a mine without an empty neighbour passes",
        "problems/maxmines/kernels/frontier.py",
        "        elif cell == NEEDS and left[k] == 0:\n            return DEAD\n",
        "",
        "maxmines --backend direct --backend brute",
    ),
    Mutation(
        "maxmines: an empty cell takes one mine less",
        "problems/maxmines/kernels/frontier.py",
        "    if mines > most:\n",
        "    if mines >= most:\n",
        "maxmines --backend direct --backend brute",
    ),
    Mutation(
        "maxmines: the closed form for M = 1 serves single rows",
        "problems/maxmines/theorems.py",
        "    if instance.around == 1 and min(rows, cols) >= 2:\n        return kings(rows, cols)",
        "    if instance.around == 1:\n        return kings(rows, cols)",
        "maxmines --backend direct --backend brute",
    ),
    Mutation(
        "reconstruction: running sums take the wrong difference",
        "problems/reconstruction/kernels/axis.py",
        "cells[k, col] = cells[k - 3, col] + sums[k - 1, col] - sums[k - 2, col]",
        "cells[k, col] = cells[k - 3, col] + sums[k - 2, col] - sums[k - 1, col]",
        "reconstruction --backend direct --backend brute",
    ),
    Mutation(
        "reconstruction: lines that can be shifted are not free",
        "problems/reconstruction/decide.py",
        "return Choice((~stays).view(np.int8), stays & moves)",
        "return Choice((~stays).view(np.int8), stays & ~moves)",
        "reconstruction --backend direct --backend brute",
    ),
    Mutation(
        "reconstruction: sets equal to a level count once",
        "problems/reconstruction/core.py",
        "count += sum((1 << choices) - 2 for",
        "count += sum((1 << choices) - 1 for",
        "reconstruction --backend direct --backend brute",
    ),
    Mutation(
        "reconstruction: the core's cells are all called forced",
        "problems/reconstruction/members.py",
        "if self.core is not None and self.core.count > 1:",
        "if self.core is not None and self.core.count > 2:",
        "reconstruction --backend direct --backend brute",
    ),
)

CATALOGUE = (*ENGINES, *PROMISES, *MODELS, *DIRECT)
