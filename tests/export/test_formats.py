"""Every format, read by a program that did not write it: verdict and optimum are those of brute force."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import Limits, Status
from cpmines.errors import UsageError
from cpmines.export import StatedModel, export, import_solution, state
from cpmines.export.formats._lines import lines_of
from cpmines.export.mapping import map_path
from cpmines.export.writing import export_file, format_names
from cpmines.question import Maximise
from cpmines.run import run
from tests.effort import some

LIMITS = Limits(seconds=60)
COUNT = some(12, 5)


class Stated(NamedTuple):
    problem: str
    question: str
    formulation: str


def statements() -> list[Stated]:
    """Every formulation of every question that a Model states otherwise than the one before."""
    found = []
    for problem in registry.problem_names():
        if (modelling := registry.modelling(problem)) is None:
            continue
        seen: list[object] = []
        for question in registry.problem(problem).questions:
            reading = modelling.readings.get(question.name)
            if reading is None or (stating := (reading.demand, reading.formulations)) in seen:
                continue
            seen.append(stating)
            there = modelling.formulations_of(question.name)
            found += [Stated(problem, question.name, formulation) for formulation in there]
    return found


@pytest.fixture(params=statements(), ids="-".join)
def stated(request: pytest.FixtureRequest) -> Stated:
    found: Stated = request.param
    return found


def tiny(stated: Stated, seed: int = 0) -> Iterator[StatedModel]:
    rng, asked = np.random.default_rng(seed), registry.problem(stated.problem).ask(stated.question)
    for _ in range(COUNT):
        instance = registry.generators(stated.problem).tiny(rng)
        yield state(stated.problem, instance, stated.formulation, asked=asked)


def truth(statement: StatedModel) -> int | None:
    """The optimum of the Model by brute force, 0 without an objective; None if there is no answer."""
    found = run(statement.problem, statement.instance, "brute", LIMITS, statement.asked)
    assert found.decided
    return None if found.status is Status.INFEASIBLE else optimum(statement, found.value)


def optimum(statement: StatedModel, value: Any) -> int:
    """What the objective is worth for this answer; to minimise is to maximise the negations."""
    objective = statement.asked.question.objective
    if objective is None or statement.model.objective is None:
        return 0
    best = int(getattr(value, objective.field))
    return best if isinstance(objective, Maximise) else int(statement.model.objective[1].sum()) - best


def text(statement: StatedModel, kind: str, encoding: str = "binomial") -> str:
    out = io.BytesIO()
    export(statement, kind, out, encoding=encoding)
    return out.getvalue().decode()


def values(statement: StatedModel, literals: list[int]) -> Any:
    assignment = np.zeros(statement.model.variable_count, np.bool_)
    assignment[[v - 1 for v in literals if 0 < v <= len(assignment)]] = True
    assert statement.model.holds(assignment)
    return statement.model.value(assignment)


@pytest.mark.parametrize("encoding", ["binomial", "totalizer", "seqcounter"])
def test_cnf_by_a_sat_solver(stated: Stated, encoding: str) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    for statement in tiny(stated):
        formula = CNF(from_string=text(statement, "cnf", encoding))
        with Solver("minisat22", bootstrap_with=formula) as solver:
            satisfiable = solver.solve()
            assert satisfiable == (truth(statement) is not None)
            if satisfiable:
                values(statement, solver.get_model())


def test_wcnf_by_rc2(stated: Stated) -> None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    for statement in tiny(stated):
        formula = WCNF(from_string=text(statement, "wcnf"))
        with RC2(formula) as solver:
            model = solver.compute()
        assert (None if model is None else values(statement, model)) == truth(statement)


def test_opb_in_cp_sat(stated: Stated) -> None:
    """Read by the few lines below, solved by CP-SAT."""
    from ortools.sat.python import cp_model

    for statement in tiny(stated):
        native = cp_model.CpModel()
        x = [native.new_bool_var("") for _ in range(statement.model.variable_count)]
        for line in text(statement, "opb").splitlines():
            terms = re.findall(r"([-+]\d+) x(\d+)", line)
            total = sum(int(weight) * x[int(variable) - 1] for weight, variable in terms)
            if line.startswith("min:"):
                native.minimize(total)
            elif relation := re.search(r"(>=|=) (-?\d+) ;", line):
                bound = int(relation[2])
                native.add(total >= bound if relation[1] == ">=" else total == bound)
        assert by_cp_sat(native, statement) == truth(statement)


def by_cp_sat(native: Any, statement: StatedModel) -> Any:
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    if solver.status_name(solver.solve(native)) == "INFEASIBLE":
        return None
    solution = solver.response_proto.solution
    return values(statement, [k for k, value in enumerate(solution, 1) if value])


def test_the_text_of_cp_sat_is_read_by_cp_sat(stated: Stated) -> None:
    from ortools.sat.python import cp_model

    for statement in tiny(stated):
        native = cp_model.CpModel()
        assert native.proto.parse_text_format(text(statement, "cpsat"))
        assert by_cp_sat(native, statement) == truth(statement)


@pytest.mark.parametrize("kind", ["lp", "mps"])
def test_programs_by_highs(stated: Stated, kind: str, tmp_path: Path) -> None:
    highspy = pytest.importorskip("highspy", reason="HiGHS is not installed (extra mip)")
    for number, statement in enumerate(tiny(stated)):
        path = tmp_path / f"{number}.{kind}"
        path.write_text(text(statement, kind))
        solver = highspy.Highs()
        solver.silent()
        assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
        solver.run()
        if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            assert truth(statement) is None
            continue
        chosen = dict(zip(solver.getLp().col_names_, solver.getSolution().col_value, strict=True))
        true = [k for k, name in enumerate(statement.names(), 1) if chosen.get(name, 0) > 0.5]
        best = values(statement, true)
        assert best == truth(statement)
        if statement.model.objective is not None:
            assert -round(solver.getInfo().objective_function_value) == best


PROGRAMS = {
    "cadical": ("cnf", "cadical -q {file} > {answer}"),
    "minisat": ("cnf", "minisat -verb=0 {file} {answer} > /dev/null"),
    "clasp": ("opb", "clasp --opt-mode=opt -n 0 {file} > {answer}"),
    "cbc": ("mps", "cbc {file} solve solution {answer} > /dev/null"),
    "glpsol": ("lp", "glpsol --lp {file} -o {answer} > /dev/null"),
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_programs_solve_it_and_the_answer_comes_back(program: str, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    kind, command = PROGRAMS[program]
    for number, stated in enumerate(statements()):
        for statement in list(tiny(stated))[:3]:
            file, answer = tmp_path / f"{number}.{kind}", tmp_path / f"{number}.out"
            found = export_file(statement, kind, file)
            subprocess.run(command.format(file=file, answer=answer), shell=True, check=False)
            back = import_solution(found, answer)
            assert not back.faults
            if truth(statement) is None:
                assert back.value is None
            elif stated.problem not in ("deduction", "counting"):
                assert back.value is not None
                if kind != "cnf" and statement.model.objective is not None:
                    assert optimum(statement, back.value) == truth(statement)


def test_at_least_asks_whether_so_many_can_be_reached() -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    (instance,) = registry.problem("maxmines").parse("3 3 4")
    for number in range(10):
        statement = state("maxmines", instance, at_least=number)
        with Solver("minisat22", bootstrap_with=CNF(from_string=text(statement, "cnf"))) as solver:
            assert solver.solve() == (number <= 6)


def test_each_question_is_stated_by_itself() -> None:
    (instance,) = registry.problem("maxmines").parse("2 2 3")
    most = state("maxmines", instance)
    assert (most.asked.name, most.model.objective is None) == ("most", False)
    (table,) = registry.problem("reconstruction").parse("2 2\n1 1\n1 1\n")
    question = registry.problem("reconstruction")
    stated = [
        state("reconstruction", table, asked=question.ask(name)) for name in ("count", "fewest", "most")
    ]
    assert [one.model.objective is None for one in stated] == [True, False, False]
    assert next(iter(stated[1].comments())) == "cpmines: reconstruction, question fewest, formulation plain"
    assert text(stated[1], "wcnf") != text(stated[2], "wcnf")
    with pytest.raises(UsageError, match="index is no question for a Model of reconstruction; these are: "):
        state("reconstruction", table, asked=question.ask("index", index=1))


def test_lines_are_those_of_print() -> None:
    rng = np.random.default_rng(0)
    for highest in (1, 9, 10, 12345, 2**31 - 1):
        matrix = rng.integers(1, highest, (50, 3), endpoint=True).astype(np.int32)
        matrix *= rng.choice(np.array([-1, 1], np.int32), matrix.shape)
        plain = "".join("h " + " ".join(map(str, row)) + " 0\n" for row in matrix.tolist())
        assert b"".join(lines_of(matrix, b"h ")).decode() == plain
    assert b"".join(lines_of(np.empty((0, 3), np.int32))) == b""


def test_a_compressed_file_and_its_map_appear_together(tmp_path: Path) -> None:
    import gzip

    (instance,) = registry.problem("consistency").parse("1 3\n.1.\n")
    path = tmp_path / "new" / "a.cnf.gz"
    export_file(state("consistency", instance), "cnf", path)
    assert gzip.decompress(path.read_bytes()).endswith(b"-1 -2 0\n1 2 0\n")
    assert sorted(file.name for file in path.parent.iterdir()) == ["a.cnf.gz", map_path(path).name]


def test_what_can_not_be_exported_is_said() -> None:
    (instance,) = registry.problem("consistency").parse("1 3\n.1.\n")
    with pytest.raises(UsageError, match="no formulation 'tight' of consistency; there are: plain"):
        state("consistency", instance, "tight")
    with pytest.raises(UsageError, match="only where something is maximised"):
        state("consistency", instance, at_least=3)
    with pytest.raises(UsageError, match="no format 'xml'; there are: cnf, cpsat, lp, mps, opb, wcnf"):
        export(state("consistency", instance), "xml", io.BytesIO())
    assert len(format_names()) == 6
