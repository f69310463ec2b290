"""How a process ended, in words."""

from __future__ import annotations

import signal

__all__ = ["ending"]


def ending(code: int) -> str:
    """How a process ended, in words: by a signal if `code` is negative, as in `subprocess`.

    >>> ending(3), ending(-11)
    ('exit code 3', 'SIGSEGV')
    """
    try:
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
    except ValueError:  # most real-time signals have no name
        return f"signal {-code}"
