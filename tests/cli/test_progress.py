"""The bar on a terminal."""

from __future__ import annotations

import io
import sys
import time

import pytest

from cpmines.answer import Limits
from cpmines.cli import _progress
from cpmines.cli._progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Not a fixture: pytest puts its own standard error in place between that and the test."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_the_bar_of_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr(_progress, "QUIET", 0.0)
    with progress_bar(Limits(), "a board") as limits:
        limits.check(0.25)
        end = time.monotonic() + 30
        while "25%" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        limits.check(0.5)
    assert "a board" in terminal.getvalue()
    assert "25%" in terminal.getvalue()
    assert "50%" in terminal.getvalue()


def test_what_is_done_at_once_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr(_progress, "QUIET", 30.0)
    with progress_bar(Limits(), "a board") as limits:
        limits.check(0.5)
    assert terminal.getvalue() == ""


def test_elsewhere_limits_stay_as_they_are() -> None:
    limits = Limits(3.0)
    with progress_bar(limits, "a board") as watched:
        assert watched is limits
