"""Specs: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from cpmines import registry
from cpmines.campaign import plan as planning
from cpmines.campaign.plan import plan
from cpmines.campaign.record import Category
from cpmines.campaign.runner import perform
from cpmines.campaign.spec import RunLimits, find, load, parse, shipped_specs
from cpmines.campaign.store import Store
from cpmines.campaign.task import asked_of
from cpmines.errors import CpminesError, InputError, UsageError
from tests.campaign.conftest import forget_plugins

GROUP = '[[group]]\nproblem = "maxmines"\ninstances = ["maxmines/origin"]\nbackends = ["direct"]\n'
GENERATE = '[[group]]\nproblem = "maxmines"\nbackends = "direct"\n[[group.generate]]\n'


def test_what_a_spec_means(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = parse(
        "repeats = 2\nseeds = [3, 4]\n[limits]\ncpu_time = 1.5\nmemory = 100\ncertificate = 7\n"
        '[[group]]\nproblem = "consistency"\n'
        'backends = ["direct", { name = "sat", variants = [["glucose4", "minisat22"], ["totalizer"]] }]\n'
        'optional = "clingo"\n'
        '[[group.generate]]\nfamily = "revealed"\nseeds = { from = 1, to = 5, step = 2 }\n'
        'parameters = { "rows, cols" = [4, 5], share = 0.5 }\n',
        "name",
    )
    assert spec.limits == RunLimits(1.5, 9.5, 100 << 20, 7.0)
    (group,) = spec.groups
    assert group.backends == ("direct", "sat:glucose4/totalizer", "sat:minisat22/totalizer")
    assert group.optional == ("clingo",)
    (generate,) = group.generate
    assert generate.seeds == (1, 3, 5)
    assert generate.parameters == (
        {"rows": 4, "cols": 4, "share": 0.5},
        {"rows": 5, "cols": 5, "share": 0.5},
    )
    monkeypatch.setattr(planning, "_lacking", lambda name: "the extra asp" * (name == "clingo"))
    planned = plan(spec)
    assert planned.left_out == ("clingo, which needs the extra asp",)
    assert {(task.question, task.options) for task in planned.tasks} == {("placement", "{}")}
    assert len(planned.instances) == 6
    assert len(planned.tasks) == 6 * 3 * 2 * 2
    first = planned.tasks[0]
    assert (first.instance, first.family, first.size) == (
        "revealed rows=4 cols=4 share=0.5 seed=1",
        "revealed",
        16,
    )
    assert {task.repeat for task in planned.tasks[:36]} == {0}
    assert plan(spec) == planned


def test_instances_of_files(tmp_path: Path) -> None:
    folder = tmp_path / "maxmines"
    folder.mkdir()
    (folder / "two.txt").write_text("2\n2 2 1\n2 2 3\n")
    (folder / "same.txt").write_text("1\n2 2 3\n")
    (folder / "expected.jsonl").write_text(
        '{"instance": "two.txt#2", "status": "solved", "value": {"mines": 3}}\n'
    )
    text = '[[group]]\ninstances = ["maxmines"]\nbackends = ["direct"]\n'
    planned = plan(parse(text, "name", folder=tmp_path))
    found = {instance.name: instance for instance in planned.instances.values()}
    assert set(found) == {f"{folder}/same.txt", f"{folder}/two.txt#1"}, "an instance under two names is one"
    shipped = plan(parse(GROUP, "name"))
    assert all(name.startswith("maxmines/origin/") for name in (task.instance for task in shipped.tasks))
    assert all(one.expected is not None for one in shipped.instances.values())


def test_several_questions_of_the_same_instances() -> None:
    """With their options; a backend is not put to what it does not answer."""
    text = (
        '[[group]]\nproblem = "maxmines"\nask = ["most", "count"]\nbackends = ["direct", "sat"]\n'
        '[[group.generate]]\nfamily = "square"\nparameters = { side = [3, 4], bound = 4 }\n'
    )
    planned = plan(parse(text, "name"))
    assert len(planned.instances) == 2
    made = Counter((task.question, task.backend) for task in planned.tasks)
    assert made == {("most", "direct"): 2, ("most", "sat"): 2, ("count", "direct"): 2}
    assert planned.left_out == ("sat on maxmines, which does not answer the question count",)
    assert [str(asked_of(task)) for task in planned.tasks[:2]] == ["most", "most"]
    assert {task.size for task in planned.tasks} == {9, 16}
    assert len({task.key for task in planned.tasks}) == 6


def test_questions_with_options_come_back() -> None:
    text = (
        '[[group]]\nproblem = "counting"\nbackends = "direct"\n'
        'ask = ["count", { question = "sample", sample = [2, 3], density = 0.25 }]\n'
        '[[group.generate]]\nparameters = { "rows, cols" = 3 }\n'
    )
    planned = plan(parse(text, "name"))
    (instance,) = planned.instances.values()
    problem = registry.problem("counting")
    wanted = [problem.ask("count"), *(problem.ask("sample", sample=k, density=0.25) for k in (2, 3))]
    assert [asked_of(task) for task in planned.tasks] == wanted
    assert [task.question for task in planned.tasks] == list(map(str, wanted))
    assert perform(planned.tasks[1], instance).record.category is Category.RIGHT


def test_a_new_version_of_a_plug_in_is_another_run(planted: Path) -> None:
    spec = parse(GROUP.replace("direct", "good"), "name")
    about = planted / "planted-1.0.dist-info" / "METADATA"
    before = plan(spec).tasks
    assert ", planted 1.0" in before[0].version
    try:
        about.write_text(about.read_text().replace("Version: 1.0", "Version: 1.1"))
        forget_plugins()
        after = plan(spec).tasks
    finally:
        about.write_text(about.read_text().replace("Version: 1.1", "Version: 1.0"))
        forget_plugins()
    assert {task.key for task in before}.isdisjoint(task.key for task in after)


def test_a_size_beyond_what_a_store_holds(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(f"{10**18} {10**18} 3\n")
    planned = plan(parse(GROUP.replace("maxmines/origin", "one.txt"), "name", folder=tmp_path))
    with Store.open(tmp_path / "runs.db", create=True) as store:
        store.plan("name", planned.tasks)
        assert store.missing() == list(planned.tasks)


@pytest.mark.parametrize("name", shipped_specs())
def test_shipped_specs(name: str) -> None:
    planned = plan(load(find(name)))
    assert 300 < len(planned.tasks) < 1500
    assert {task.time_limit for task in planned.tasks} <= {5.0, 10.0}


def test_every_encoding_is_compared() -> None:
    from cpmines.translate import encoding_names

    backends = {task.backend for task in plan(load(find("encodings"))).tasks}
    assert len(backends) == 4 * len(encoding_names())
    assert {backend.partition("/")[2] for backend in backends} == set(encoding_names())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "spec.toml: found no group, expected at least one"),
        ("repeats = [", "spec.toml: found no TOML ("),
        (
            f"repeat = 3\n{GROUP}",
            "found the key 'repeat', expected one of repeats, seeds, limits, instrument, group",
        ),
        (f"repeats = 0\n{GROUP}", "spec.toml: repeats: found 0, expected a whole number of at least 1"),
        (f"repeats = 1.5\n{GROUP}", "repeats: found 1.5, expected a whole number"),
        (f"repeats = true\n{GROUP}", "repeats: found True, expected a whole number"),
        (f"seeds = [-1]\n{GROUP}", "seeds: found -1, expected whole numbers from 0"),
        (f"[limits]\ncpu = 3\n{GROUP}", "limits: found the key 'cpu', expected one of cpu_time, wall_time"),
        (f"[limits]\ncpu_time = nan\n{GROUP}", "limits, cpu_time: found nan, expected a number"),
        (f"limits = 3\n{GROUP}", "limits: found 3, expected a table"),
        ("group = 3", "group: found 3, expected a list of tables"),
        ('[[group]]\nbackends = ["direct"]', "group 1: found no instances"),
        ('[[group]]\ninstances = ["x"]', "group 1, backends: found none"),
        (
            '[[group]]\ninstances = 3\nbackends = ["x"]',
            "group 1, instances: found 3, expected a list of texts",
        ),
        ('[[group]]\ninstances = ["x"]\nbackends = [3]', "group 1, backends: found 3"),
        (
            '[[group]]\ninstances = ["x"]\nbackends = [{ name = "sat", variants = ["a"] }]',
            "group 1, backends 1, variants: found 'a', expected lists of options",
        ),
        (
            '[[group]]\ninstances = ["x"]\nbackends = [{ nam = "sat" }]',
            "group 1, backends 1, name: found nothing",
        ),
        (f"{GROUP}ask = 3", "group 1, ask: found 3, expected questions, or { question ="),
        (f"{GROUP}ask = [{{ sample = 3 }}]", "group 1, ask 1, question: found nothing, expected a question"),
        (
            f'{GROUP}ask = {{ question = "sample", sample = [] }}',
            "group 1, ask 1, sample: found none, expected at least one value",
        ),
        (GENERATE.replace('problem = "maxmines"\n', ""), "group 1, problem: found nothing"),
        (f"{GENERATE}famly = 3", "group 1, generate 1: found the key 'famly'"),
        (
            f"{GENERATE}seeds = {{ from = 3, to = 1 }}",
            "seeds, to: found 1, expected a whole number of at least 3",
        ),
        (
            f"{GENERATE}seeds = {{ from = 1, too = 2 }}",
            "seeds: found the key 'too', expected one of from, to",
        ),
        (f"{GENERATE}seeds = {{ to = 9999999 }}", "seeds: found 10000000 numbers, expected at most"),
        (f"seeds = []\n{GROUP}", "seeds: found none, expected at least one"),
        (f"{GENERATE}parameters = {{ least = [] }}", "parameters, least: found none, expected at least one"),
        (
            f"{GENERATE}seeds = {{ to = 999 }}\nparameters = {{ least = {{ to = 999 }} }}",
            "generate 1, parameters: found 1000000 combinations, expected at most 100000",
        ),
        (
            f'[[group]]\ninstances = ["x"]\nbackends = [{{ name = "sat", variants = {[["a"] * 9] * 9} }}]',
            "backends 1, variants: found 387420489 combinations, expected at most 100000",
        ),
        (f"[limits]\nwall_time = 1_050_000_000\n{GROUP}", "of at least 0.01, below 1000000000"),
        (f"[limits]\ncpu_time = 1e300\n{GROUP}", "of at least 0.01, below 1000000000"),
    ],
)
def test_wrong_specs(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text, "name", "spec.toml")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            GROUP.replace("direct", "dirct"),
            "spec.toml: group 1, backends: no backend of maxmines named 'dirct'",
        ),
        (GROUP.replace("direct", "sat:nope"), "group 1, backends: sat has no option 'nope'"),
        (
            GROUP.replace('"maxmines"', '"maxmine"'),
            f"group 1, problem: no 'maxmine', there are: {', '.join(registry.problem_names())}",
        ),
        (GROUP.replace("maxmines/origin", "nowhere"), "group 1, instances: nowhere: found no such file"),
        (f'{GENERATE}family = "x"', "group 1, generate 1, family: no 'x' of maxmines, there are: rectangle"),
        (
            f"{GENERATE}parameters = {{ x = 1 }}",
            "generate 1, parameters: no 'x', there are: least, most, bound",
        ),
        (f'{GENERATE}parameters = {{ least = "x" }}', "generate 1, parameters: no such instance: "),
        (f"{GENERATE}parameters = {{ least = 9 }}", "generate 1, parameters: no such instance: "),
        (
            f"{GENERATE}parameters = {{ share = nan }}".replace("maxmines", "mosaic"),
            "generate 1, parameters: share='nan', expected a number such as 0.2 or 1/5",
        ),
        (f"repeats = 1000000000\n{GROUP}", "0 runs, expected 1 to 1000000"),
        (
            f'{GROUP}ask = "nope"',
            "spec.toml: group 1, ask: no question 'nope'; there are: most, count, every",
        ),
        (
            f'{GROUP}ask = {{ question = "count", limit = 3 }}',
            "spec.toml: group 1, ask 1: no option limit of the question count",
        ),
        (
            GROUP.replace("direct", "sat") + 'ask = "count"',
            "spec.toml: 0 runs, expected 1 to 1000000; left out: sat on maxmines, which does not answer the "
            "question count",
        ),
        (GROUP.replace("maxmines/origin", "a" * 5000), "group 1, instances: File name too long"),
        (
            GROUP.replace('"direct"', '"tests.campaign.leaving:X"'),
            "group 1, backends: tests.campaign.leaving:X can't be loaded",
        ),
    ],
)
def test_plans_that_can_not_be_made(text: str, message: str) -> None:
    with pytest.raises(CpminesError) as error:
        plan(parse(text, "name", "spec.toml"))
    assert message in str(error.value)


def test_a_problem_that_nothing_names(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("2 2 3\n")
    text = GROUP.replace('problem = "maxmines"\n', "").replace("maxmines/origin", "one.txt")
    with pytest.raises(UsageError, match=r"spec.toml: group 1, problem: none is given, and no folder above"):
        plan(parse(text, "name", "spec.toml", tmp_path))


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.txt")).write_text("2 2 3\n")
    planned = plan(parse(GROUP.replace("maxmines/origin", "."), "name", "spec.toml", tmp_path))
    assert planned.tasks[0].instance.endswith("\\udcff.txt")
    with Store.open(tmp_path / "runs.db", create=True) as store:
        store.plan("name", planned.tasks)
        assert store.missing() == list(planned.tasks)


def test_finding_a_spec(tmp_path: Path) -> None:
    assert find("engines").name == "engines.toml"
    (tmp_path / "mine.toml").write_text(GROUP)
    assert load(find(str(tmp_path / "mine.toml"))).name == "mine"
    with pytest.raises(UsageError, match=r"one of the shipped ones \(direct-vs-exact, encodings, engines\)"):
        find("nothing")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError):
        load(tmp_path / "bad.toml")
