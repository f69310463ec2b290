"""Every engine that is installed, and every ability that it declares."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint

import pytest

from cpmines import registry
from cpmines.answer import Limits
from cpmines.conformance import Effort, capabilities, engine_checks
from cpmines.conformance.abilities import refutes
from cpmines.engine import Ability, CuttingPlanes, Engine, abilities_of, extra_of
from cpmines.engines import cpsat, sat
from cpmines.engines.exact import Exact
from cpmines.errors import UsageError
from cpmines.model import Model
from cpmines.registry import backends, engines
from tests.conformance.conftest import core_engines
from tests.conftest import REPOSITORY
from tests.effort import some


@pytest.mark.parametrize("name", registry.engine_names())
def test_engines_keep_their_promises(name: str) -> None:
    effort = Effort(some(150, 24) if name in core_engines() else some(40, 9))
    faults = [verdict for verdict in engine_checks(registry.engine(name), effort) if not verdict.passed]
    assert not faults


def test_all_extras_are_installed_here() -> None:
    """Else the tests of this project would leave engines out without a word."""
    assert registry.engine_names() == registry.engine_names(missing=True)


@pytest.mark.parametrize("name", registry.engine_names(missing=True))
def test_extras_install_what_their_engines_need(name: str) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    engine = registry.engine(name, missing=True)
    declared = list(project["dependencies"])
    if extra := extra_of(engine):
        declared += project["optional-dependencies"][extra]
    names = {line.partition(">")[0] for line in declared}
    assert set(engine.packages) <= names


def test_abilities_are_those_of_the_variant() -> None:
    assert Ability.PROOF in abilities_of(sat.ENGINE)
    assert Ability.PROOF not in abilities_of(sat.ENGINE.configure(["minisat22"]))
    assert Ability.CORE not in abilities_of(sat.ENGINE.configure(["kissat404"]))
    assert Ability.DETERMINISTIC in abilities_of(cpsat.ENGINE)
    assert Ability.DETERMINISTIC not in abilities_of(cpsat.ENGINE.configure(["workers=2"]))
    assert abilities_of(object()) == frozenset()


def test_counters_serve_what_counts_answer() -> None:
    by_name = {found.name: found for found in capabilities()}
    stated = [name for name in registry.problem_names() if registry.modelling(name)]
    counted = [
        name for name in stated if any(one.tallied for one in registry.modelling(name).readings.values())
    ]
    for name, found in by_name.items():
        if name in registry.engine_names():
            only_counts = not isinstance(registry.engine(name), Engine)
            assert found.problems == tuple(counted if only_counts else stated), name
    assert not isinstance(registry.engine("tididi"), Engine)
    assert {"counting", "deduction", "mosaic", "reconstruction"} <= set(counted)
    assert not {"consistency", "maxmines", "validation"} & set(counted)


@pytest.mark.parametrize("encoding", ["totalizer", "cardnetwrk"])
def test_refutations_with_further_variables_are_accepted(encoding: str) -> None:
    assert refutes(sat.ENGINE.configure([encoding]), Effort(some(60, 30))).passed


def test_a_cutting_planes_proof_without_its_end_is_not_accepted() -> None:
    @dataclass(frozen=True)
    class CutShort(Exact):
        def refute(self, model: Model, limits: Limits) -> CuttingPlanes | None:
            found = super().refute(model, limits)
            return found and replace(found, proof=found.proof.rpartition("c ")[0])

    assert "proof.pbp has no contradiction" in refutes(CutShort(), Effort(some(60, 30))).fault


def forget() -> None:
    """What the registry remembers of engines and of the backends that they make."""
    for remembered in (engines._sound, engines._load, backends._backend_names):
        remembered.cache_clear()


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """An engine on a package that is not installed, in the tree or of another distribution."""

    def put(*, foreign: bool, extra: str) -> None:
        class Absent:
            summary, packages = "none", ("no-such-package",)

            def configure(self, options: Sequence[str]) -> Absent:
                return self

        Absent.extra = extra  # type: ignore[attr-defined]
        monkeypatch.setattr(sys.modules[__name__], "ABSENT", Absent(), raising=False)
        if foreign:
            point = EntryPoint("absent", f"{__name__}:ABSENT", "cpmines.engines")
            monkeypatch.setattr(engines, "_added", lambda: {"absent": point})
        else:
            here = engines.modules
            monkeypatch.setattr(engines, "modules", lambda name: [*here(name), "absent"])
            found = type(sys)("cpmines.engines.absent")
            found.ENGINE = Absent()  # type: ignore[attr-defined]
            monkeypatch.setitem(sys.modules, "cpmines.engines.absent", found)
        forget()

    yield put
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("", "engine absent needs no-such-package: pip install no-such-package"),
        ("some", "engine absent needs the extra some: pip install 'cpmines[some]'"),
    ],
)
def test_an_engine_without_its_package_is_not_installed(
    without: Callable[..., None], foreign: bool, extra: str, message: str
) -> None:
    without(foreign=foreign, extra=extra)
    assert "absent" in registry.engine_names(missing=True)
    assert "absent" not in registry.engine_names()
    assert "absent" not in registry.backend_names("consistency")
    assert "absent" not in registry.default_backends("consistency")
    with pytest.raises(UsageError, match=re.escape(message)):
        registry.backend("consistency", "absent")
