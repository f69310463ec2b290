"""Limits and interrupts inside long kernels."""

import cython

__all__ = ["Pulse"]

STEPS = cython.declare(cython.longlong, 4096)
"""Steps between two looks: some microseconds each, so a look comes many times in 0.1 s."""


class Pulse:
    """What a kernel that may run for more than 50 ms is given: it calls ``beat(pulse)`` at each of its steps.

    Parameters
    ----------
    check
        Called without arguments every few thousand steps, with the interpreter lock: what it raises ends the
        kernel. Signals are handled then, too. Usually ``limits.check``.
    """

    def __init__(self, check: object) -> None:
        self.check = check
        self.left = STEPS

    def ask(self) -> cython.int:
        self.left = STEPS
        with cython.gil:
            self.check()
        return 0
