"""Certificates that were changed are rejected: 80 damaged, and 160 forged with right digests."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from benchmarks.certified import CERTIFIED
from cpmines import registry
from cpmines.certificate import write
from cpmines.check import check
from cpmines.run import solve
from tests.certificate.tamper import FORGERIES, damage


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("certificates")
    for name, (problem, text) in CERTIFIED.items():
        instance = registry.problem(problem).parse(text)[0]
        written = write(problem, instance, solve(problem, instance), folder / name)
        assert written.folder is not None, (name, written.note)
        verdict = check(written.folder)
        assert verdict.accepted, (name, verdict.fault)
    return [folder / name for name in CERTIFIED]


def test_damaged_certificates_are_rejected(certificates: list[Path], tmp_path: Path) -> None:
    random, done = Random(1), 0
    while done < 80:
        base = random.choice(certificates)
        copy = shutil.copytree(base, tmp_path / f"{base.name}-{done}")
        what = damage(copy, random)
        verdict = check(copy)
        assert not verdict.accepted, (base.name, what)
        assert verdict.fault
        done += 1


def test_forged_certificates_are_rejected(certificates: list[Path], tmp_path: Path) -> None:
    random, done, kinds = Random(2), 0, Counter[str]()
    accepted = []
    while done < 160:
        base, forge = random.choice(certificates), random.choice(FORGERIES)
        copy = shutil.copytree(base, tmp_path / str(done) / base.name)
        what = forge(copy, random, certificates)
        if what is None:
            shutil.rmtree(copy)
            continue
        verdict = check(copy)
        if verdict.accepted:
            accepted.append((base.name, forge.__name__, what))
        done += 1
        kinds[forge.__name__] += 1
    assert not accepted
    assert len(kinds) == len(FORGERIES), kinds
