"""Checking certificates, with code that shares nothing with solvers, engines and their models.

A certificate is a folder in which `cpmines.certificate` wrote an answer and what proves it. The check knows
the board's text, the judge of the problem, what is in this package, and a checker of DRAT proofs.
"""

from __future__ import annotations

from pathlib import Path

from cpmines.check.claims import check_claim, read_claim
from cpmines.check.folder import Files, certificates
from cpmines.check.verdict import Rejected, Verdict

__all__ = ["Verdict", "certificates", "check"]


def check(folder: Path | str) -> Verdict:
    """Check one certificate.

    Raises
    ------
    InputError
        The folder is no certificate.
    """
    files = Files.open(Path(folder))
    claim = None
    try:
        claim = read_claim(files)
        check_claim(claim, files)
    except (Rejected, MemoryError) as fault:
        said = "unreadable" if claim is None else str(claim)
        return Verdict(
            str(folder),
            said,
            tuple(claim.steps) if claim else (),
            fault=str(fault) or "it needs more memory than there is",
        )
    return Verdict(str(folder), str(claim), tuple(claim.steps), tuple(claim.unproved))
