"""Answers of runs are proved after the run, within limits of their own, and what was measured stays."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest

from cpmines import registry
from cpmines.answer import LONGEST, Status
from cpmines.campaign.record import Category, StopReason
from cpmines.campaign.runner import end_servers
from cpmines.problems.reconstruction.generate import FAMILIES
from tests.campaign.test_limits import CPU, MEMORY, made

LIMIT = 1.0

pytestmark = pytest.mark.usefixtures("planted")


@pytest.mark.parametrize(
    ("backend", "certificate"),
    [
        ("good", "accepted"),
        (
            "unproved-digest",
            "rejected: instance.txt was changed after it was written: its SHA-256 is another",
        ),
        ("unproved-exit", "none: ended with exit code 7: it said nothing"),
        ("unproved-fail", "none: ZeroDivisionError: on purpose"),
        ("unproved-spin", "none: ended: CPU time"),
    ],
)
def test_the_run_is_right_whatever_its_proof(backend: str, certificate: str) -> None:
    found = made(backend, certificate_limit=LIMIT)
    assert found.certificate == certificate
    assert (found.status, found.category, found.reason) == (
        Status.SOLVED,
        Category.RIGHT,
        StopReason.FINISHED,
    )
    assert found.value == {"mines": 65}
    assert found.cpu_user + found.cpu_system < CPU / 2
    assert found.peak_memory < MEMORY


def test_an_answer_that_is_refuted_is_wrong() -> None:
    found = made("wrong", certificate_limit=LIMIT)
    assert found.category is Category.WRONG
    assert found.certificate.startswith("rejected: the answer is wrong: ")


def test_what_is_not_proved_is_named() -> None:
    table = FAMILIES["ambiguous"](np.random.default_rng(1), rows=17, cols=17)
    text = registry.problem("reconstruction").render(table).strip()
    found = made("direct", text, "reconstruction", memory_limit=1 << 31, certificate_limit=20.0)
    assert found.certificate == "in part: not the number of placements"


@pytest.mark.parametrize("backend", ["good", "rejected", "fail", "sleep"])
def test_nothing_is_proved_unasked(backend: str) -> None:
    asked = 0.0 if backend == "good" else LIMIT
    assert made(backend, wall_limit=1.0, certificate_limit=asked).certificate == ""


def test_a_limit_beyond_what_clocks_take() -> None:
    assert made("good", certificate_limit=LONGEST / 2).certificate == "accepted"


def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end_servers()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert made("good", certificate_limit=LIMIT).certificate == "accepted"
    (folder,) = tmp_path.iterdir()
    assert list(folder.iterdir()) == []
    end_servers()
    assert list(tmp_path.iterdir()) == []
