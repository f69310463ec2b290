"""What the check of a certificate says."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Rejected", "Verdict"]


class Rejected(Exception):  # noqa: N818
    """The certificate does not prove its claim; the message says why. Turned into a `Verdict`."""


@dataclass(frozen=True)
class Verdict:
    """Whether a certificate proves its claim.

    Attributes
    ----------
    folder
        Where it is.
    claim
        What it claims, a few words.
    steps
        What was verified, a sentence each, in order.
    unproved
        Parts of the answer that the certificate does not prove, with the reason.
    fault
        Why it is rejected; empty if it is not.
    stopped
        What ended the check before it was known whether it is, mostly a limit; empty if nothing did.
    """

    folder: str
    claim: str
    steps: tuple[str, ...]
    unproved: tuple[str, ...] = ()
    fault: str = ""
    stopped: str = ""

    @property
    def accepted(self) -> bool:
        return not self.fault and not self.stopped
