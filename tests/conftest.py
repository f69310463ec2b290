from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.effort import set_effort
from tests.forks import Forks

REPOSITORY = Path(__file__).parent.parent
REAL = REPOSITORY.parent / "shared" / "real"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell sets this for what runs in the background; programs that tests interrupt would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


QUICK = {
    *("analysis", "check", "inference", "problems", "sums", "translate"),
    *(
        "test_board.py",
        "test_fields.py",
        "test_grid.py",
        "test_kernels.py",
        "test_layers.py",
        "test_model.py",
    ),
    *("test_names.py", "test_question.py", "test_shown.py", "test_text.py"),
}
"""The rooms of ``--quick``: what is computed, without programs and with few processes."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="all cases, and the tests marked slow as well")
    parser.addoption(
        "--quick", action="store_true", help="few cases, and only of what is computed: at each save"
    )


def pytest_configure(config: pytest.Config) -> None:
    set_effort(
        "slow" if config.getoption("--slow") else "quick" if config.getoption("--quick") else "default"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    outside = collection_path.parent == REPOSITORY / "tests" and collection_path.name not in QUICK
    return True if config.getoption("--quick") and outside else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    server = Forks()
    yield server
    server.end()
