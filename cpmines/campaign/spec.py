"""What a campaign consists of, as a TOML file says it.

::

    repeats = 3                     # times that each run is made, default 1
    seeds = [0, 1]                  # of the backends, default [0]
    instrument = "runexec"          # BenchExec measures, where it is installed; default "own"

    [limits]                        # of each run
    cpu_time = 10                   # seconds, default 60
    wall_time = 20                  # seconds, default three times the CPU time and 5 s
    memory = 2048                   # MiB, default 4096
    certificate = 20                # seconds of CPU time to prove and check each answer, default 0: none

    [[group]]                       # all its instances with all its backends; any number of groups
    problem = "reconstruction"      # may be left out if the folders of the instances are named like it
    instances = ["tables", "reconstruction/origin"]
    ask = ["count", { question = "sample", sample = [1, 9] }]  # default: the first question of the problem
    backends = ["direct", { name = "sat", variants = [["cadical195"], ["binomial", "totalizer"]] }]
    optional = ["clingo"]           # more backends, left out where their packages are not installed

    [[group.generate]]              # more instances; any number of times in a group
    family = "random"               # default: the problem's first
    seeds = { from = 1, to = 5 }    # default [0]
    parameters = { "rows, cols" = [20, 40], density = 0.3 }

A list stands for each of its members, ``{ from, to, step }`` for the numbers from one to the other,
inclusive. Everything is combined with everything; parameters named together, with a comma, are equal.
Files and folders are looked for beside the spec, then among the shipped instances.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from cpmines import files
from cpmines.answer import MOST_SEED
from cpmines.campaign._table import MOST_VALUES, SpecTable, shown
from cpmines.campaign.record import Instrument
from cpmines.campaign.task import writable
from cpmines.errors import InputError, UsageError

__all__ = ["Generate", "Group", "RunLimits", "Spec", "find", "load", "parse", "shipped_specs"]

SHORTEST = 0.01


@dataclass(frozen=True)
class RunLimits:
    """Limits of each run: seconds of CPU time and wall time, bytes, seconds for its certificate."""

    cpu_time: float
    wall_time: float
    memory: int
    certificate: float


@dataclass(frozen=True)
class Generate:
    """Instances of a family: one for each parameter set and seed."""

    family: str | None
    seeds: tuple[int, ...]
    parameters: tuple[Mapping[str, Any], ...]
    place: str


@dataclass(frozen=True)
class AskedFor:
    """What is asked, by name, with options as they are given."""

    name: str
    options: Mapping[str, Any]
    place: str


@dataclass(frozen=True)
class Group:
    """Instances and the backends that all of them are given to; `optional` ones if they are installed.

    Without an `ask` it is the first question of the problem.
    """

    problem: str | None
    instances: tuple[str, ...]
    generate: tuple[Generate, ...]
    ask: tuple[AskedFor, ...]
    backends: tuple[str, ...]
    optional: tuple[str, ...]
    place: str


@dataclass(frozen=True)
class Spec:
    """A whole campaign. `folder` is where its files are looked for; `source` is its name in messages."""

    name: str
    source: str
    folder: Path
    limits: RunLimits
    instrument: str
    repeats: int
    seeds: tuple[int, ...]
    groups: tuple[Group, ...]


def shipped_specs() -> dict[str, Path]:
    """The specs that come with the package, by name."""
    return {path.stem: path for path in sorted((Path(__file__).parent / "specs").glob("*.toml"))}


def find(name: str) -> Path:
    """The file of that name, or the shipped spec. Raises `UsageError` if there is neither."""
    path = Path(name)
    if files.is_file(path):
        return path
    known = shipped_specs()
    if name not in known:
        raise UsageError(f"no spec {name}: neither a file nor one of the shipped ones ({', '.join(known)})")
    return known[name]


def load(path: Path) -> Spec:
    """Read a spec. Raises `InputError`, with the place in the file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = str(error.strerror if isinstance(error, OSError) else error)
        raise InputError(why, "a TOML file that can be read", str(path)) from None
    return parse(text, writable(path.stem), str(path), path.parent)


def parse(text: str, name: str, source: str = "-", folder: Path = Path()) -> Spec:
    """A spec from its text. Raises `InputError`."""
    try:
        table = SpecTable(tomllib.loads(text), source)
    except (ValueError, RecursionError) as error:  # also for numbers of more digits than Python reads
        raise InputError(f"no TOML ({error})", "a campaign's spec", source) from None
    repeats = table.whole("repeats", 1, 1)
    seeds = _seeds(table)
    limits = _limits(table.table("limits"))
    instrument = table.text("instrument") or Instrument.OWN
    if instrument not in tuple(Instrument):
        table.fail("instrument", shown(instrument), " or ".join(Instrument))
    if instrument != Instrument.OWN and limits.certificate:
        table.fail("instrument", f"{instrument} with a limit for certificates", Instrument.OWN)
    groups = tuple(_group(part) for part in table.tables("group"))
    table.end()
    if not groups:
        raise InputError("no group", "at least one [[group]] of instances and backends", source)
    return Spec(name, source, folder, limits, str(instrument), repeats, seeds, groups)


def _limits(table: SpecTable) -> RunLimits:
    cpu = table.number("cpu_time", 60.0, SHORTEST)
    wall = table.number("wall_time", 3 * cpu + 5, SHORTEST)
    memory = table.whole("memory", 4096, 1) << 20
    certificate = table.number("certificate", 0.0, 0.0)
    table.end()
    return RunLimits(cpu, wall, memory, certificate)


def _seeds(table: SpecTable) -> tuple[int, ...]:
    seeds = table.values("seeds", [0])
    if not seeds:
        table.fail("seeds", "none", "at least one")
    for seed in seeds:
        if type(seed) is not int or not 0 <= seed <= MOST_SEED:
            table.fail("seeds", shown(seed), f"whole numbers from 0 to {MOST_SEED}")
    return tuple(dict.fromkeys(seeds))


def _group(table: SpecTable) -> Group:
    problem = table.text("problem")
    instances = table.texts("instances")
    ask = _ask(table)
    backends, optional = _backends(table, "backends"), _backends(table, "optional")
    generate = tuple(_generate(part) for part in table.tables("generate"))
    table.end()
    if not instances and not generate:
        table.fail("", "no instances", '"instances" or [[group.generate]]')
    if not backends:
        table.fail("backends", "none", "at least one backend")
    if generate and problem is None:
        table.fail("problem", "nothing", "the problem whose instances are generated")
    return Group(problem, tuple(instances), generate, ask, backends, optional, table.place)


def _ask(table: SpecTable) -> tuple[AskedFor, ...]:
    found = []
    for number, entry in enumerate(table.entries("ask"), 1):
        if isinstance(entry, dict):
            found += _with_options(SpecTable(entry, table.source, table.inner(f"ask {number}")))
        elif isinstance(entry, str):
            found.append(AskedFor(entry, {}, table.inner("ask")))
        else:
            table.fail("ask", shown(entry), 'questions, or { question = "sample", sample = 3 }')
    return tuple(found)


def _with_options(table: SpecTable) -> list[AskedFor]:
    """A question with each combination of its options."""
    name = table.text("question")
    if name is None:
        table.fail("question", "nothing", "a question")
    sets = _combined(table, [option for option in table.names() if option != "question"], 1)
    return [AskedFor(str(name), options, table.place) for options in sets]


def _backends(table: SpecTable, key: str) -> tuple[str, ...]:
    names: list[str] = []
    for number, entry in enumerate(table.values(key, []), 1):
        if isinstance(entry, str):
            names.append(entry)
        elif isinstance(entry, dict):
            names += _variants(SpecTable(entry, table.source, table.inner(f"{key} {number}")))
        else:
            table.fail(key, shown(entry), 'names, or { name = "sat", variants = [[...], ...] }')
    return tuple(dict.fromkeys(names))


def _variants(table: SpecTable) -> list[str]:
    """The names of a backend with each combination of its options."""
    name = table.text("name")
    if name is None:
        table.fail("name", "nothing", "a backend")
    columns = table.values("variants", [])
    for column in columns:
        if not isinstance(column, list) or not column or not all(isinstance(x, str) for x in column):
            table.fail("variants", shown(column), "lists of options, to take one of each")
    table.end()
    _few(table, "variants", prod(map(len, columns)))
    return [f"{name}:{'/'.join(options)}" if options else str(name) for options in product(*columns)]


def _generate(table: SpecTable) -> Generate:
    family = table.text("family")
    seeds = _seeds(table)
    parameters = table.table("parameters")
    sets = _combined(parameters, parameters.names(), len(seeds))
    table.end()
    return Generate(family, seeds, tuple(sets), table.place)


def _combined(table: SpecTable, keys: Sequence[str], times: int) -> list[dict[str, Any]]:
    """Each combination of values, each to be met so many times; names in one key, with a comma, are equal."""
    sets: list[dict[str, Any]] = [{}]
    for names in keys:
        values = table.values(names, [])
        if not values:
            table.fail(names, "none", "at least one value")
        _few(table, "", len(sets) * len(values) * times)
        together = [name.strip() for name in names.split(",")]
        sets = [found | dict.fromkeys(together, value) for found in sets for value in values]
    return sets


def _few(table: SpecTable, name: str, number: int) -> None:
    """Refuse more combinations than anybody means."""
    if number > MOST_VALUES:
        table.fail(name, f"{number} combinations", f"at most {MOST_VALUES}")
