"""Certificates that were changed are rejected: 80 damaged, and 160 forged with right digests."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from cpmines import registry
from cpmines.certificate import write
from cpmines.check import check
from cpmines.run import solve
from tests.certificate.tamper import FORGERIES, damage

BASES = {
    "larger-ring": ("consistency", "4 5\n2.4.2\n.***.\n3***3\n.3.3.\n"),
    "ring": ("consistency", "3 4\n.3.2\n2**.\n.3.2\n"),
    "total": ("consistency", "1 11 3\n.1..1..1..1\n"),
    "witness": ("consistency", "2 3\n.1.\n.1.\n"),
    "settled": ("deduction", "2 5\n.....\n.121.\n"),
    "open": ("deduction", "3 5\n.1...\n.2.2.\n..1..\n"),
    "total-settles": ("deduction", "1 5 1\n.1...\n"),
    "counted": ("counting", "3 4 3\n.1..\n..1.\n....\n"),
    "small": ("maxmines", "4 4 3\n"),
    "tables": ("maxmines", "5 5 4\n"),
    "theorem": ("maxmines", "6 6 8\n"),
    "mosaic": ("mosaic", "3 3\n1..\n.4.\n..2\n"),
    "reason": ("reconstruction", "2 2\n11\n12\n"),
    "board": ("reconstruction", "3 3\n121\n121\n121\n"),
    "wrong-clue": ("validation", "2 3\n1*1\n12.\n"),
}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("certificates")
    for name, (problem, text) in BASES.items():
        instance = registry.problem(problem).parse(text)[0]
        written = write(problem, instance, solve(problem, instance), folder / name)
        assert written.folder is not None, (name, written.note)
        verdict = check(written.folder)
        assert verdict.accepted, (name, verdict.fault)
    return [folder / name for name in BASES]


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
