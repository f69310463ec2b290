from __future__ import annotations

import signal
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
REAL = REPOSITORY.parent / "shared" / "real"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell sets this for what runs in the background; programs that tests interrupt would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))
