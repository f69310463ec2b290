"""The verdict on one certificate, in this process."""

from __future__ import annotations

from pathlib import Path

from cpmines.answer import Limits, Stop
from cpmines.check.claims import CertifiedClaim, check_claim, read_claim
from cpmines.check.folder import Files
from cpmines.check.verdict import Rejected, Verdict
from cpmines.errors import LimitError

__all__ = ["decide", "unfinished"]


def decide(folder: Path, limits: Limits) -> Verdict:
    """Check a certificate; memory and time of steps that take no look at the limits are not limited.

    Raises
    ------
    InputError
        The folder is no certificate.
    """
    files = Files.open(folder)
    claim: CertifiedClaim | None = None
    fault = stopped = ""
    try:
        claim = read_claim(files, limits)
        check_claim(claim, files)
    except Rejected as rejected:
        fault = str(rejected)
    except LimitError as limit:
        stopped = str(limit)
    except MemoryError:
        stopped = str(LimitError(Stop.MEMORY_LIMIT))
    said = str(claim) if claim else unread(stopped)
    steps, unproved = (tuple(claim.steps), tuple(claim.unproved)) if claim else ((), ())
    return Verdict(str(folder), said, steps, () if fault or stopped else unproved, fault, stopped)


def unread(stopped: str) -> str:
    """What stands for a claim that could not be read."""
    return "not read to the end" if stopped else "unreadable"


def unfinished(folder: Path, why: str) -> Verdict:
    """The verdict on a certificate whose check was ended from outside."""
    return Verdict(str(folder), unread(why), (), stopped=why)
