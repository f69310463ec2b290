"""``cpmines check``: verify certificates."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cpmines.answer import Limits
from cpmines.cli._inputs import exit_code, limit_options, report_error, style_option
from cpmines.cli._say import document, say
from cpmines.errors import InputError

if TYPE_CHECKING:
    from cpmines.check import Verdict

__all__ = ["command"]

SECONDS = 600.0
"""Time limit of a check: certificates may be somebody else's, and demand what they like."""


def show(verdict: Verdict, style: str) -> None:
    if style == "json":
        document(json.dumps({"schema": 1, **asdict(verdict), "accepted": verdict.accepted}))
        return
    say(f"{verdict.folder}: {verdict.claim}")
    for step in verdict.steps:
        say(f"  {step}")
    for part in verdict.unproved:
        say(f"  not proved by this certificate: {part}")
    if verdict.fault:
        say(f"  REJECTED: {verdict.fault}")
    else:
        say(f"  no verdict: {verdict.stopped}" if verdict.stopped else "  accepted")


@click.command(name="check")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...", type=click.Path(path_type=Path))
@limit_options(SECONDS, seed=False)
@style_option("text", "json", help="For people, or one JSON object a line for programs.")
def command(folders: tuple[Path, ...], time_limit: float, memory_limit: int, style: str) -> int:
    """Verify the certificates in FOLDERs, which `cpmines solve --certificate` wrote.

    Nothing of the solvers takes part: only the board, the judge of the problem, a short checker of what the
    certificate holds, and a checker of DRAT proofs (drat-trim for those above 1 MiB, if it is on the PATH). A
    folder of certificates stands for all of them, each within the limits. The exit code is 0 if all are
    accepted, 1 if one is rejected, 2 if a folder is no certificate, 3 if a limit was reached before it was
    known.

    \b
    Example:
      printf '2 3\\n.1.\\n.2.\\n' | cpmines solve consistency --certificate proofs
      cpmines check proofs
    """
    from cpmines.check import certificates, check

    limits = Limits(time_limit, memory_limit << 20)
    rejected = bad_input = stopped = False
    for folder in folders:
        try:
            for certificate in certificates(folder):
                verdict = check(certificate, limits)
                show(verdict, style)
                rejected |= bool(verdict.fault)
                stopped |= bool(verdict.stopped)
        except InputError as error:
            report_error(error)
            bad_input = True
    return exit_code(conflict=rejected, bad_input=bad_input, unanswered=stopped)
