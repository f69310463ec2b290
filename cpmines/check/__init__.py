"""Checking certificates, with code that shares nothing with solvers, engines and their models.

A certificate is a folder in which `cpmines.certificate` wrote an answer and what proves it. The check knows
the board's text, the judge of the problem, what is in this package, and a checker of DRAT proofs. It is made
in a process of its own: a certificate may be somebody else's, and demand what it likes.
"""

from __future__ import annotations

from pathlib import Path

from cpmines.answer import Limits
from cpmines.check.apart import decide_apart
from cpmines.check.deciding import decide
from cpmines.check.folder import certificates
from cpmines.check.verdict import Verdict

__all__ = ["Verdict", "certificates", "check"]

UNTIMED = Limits()


def check(folder: Path | str, limits: Limits | None = UNTIMED) -> Verdict:
    """Check one certificate.

    Parameters
    ----------
    limits
        Of time and memory; by default of memory alone. With None it is checked in this process, without any.

    Raises
    ------
    InputError
        The folder is no certificate.
    """
    return decide(Path(folder), UNTIMED) if limits is None else decide_apart(Path(folder), limits)
