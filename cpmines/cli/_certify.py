"""Certificates of the answers of one command, each in a folder of its own."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from cpmines.answer import Limits
from cpmines.cli._inputs import Named, patience
from cpmines.cli._say import say
from cpmines.errors import WrongAnswerError
from cpmines.question import Asked
from cpmines.run import Run

__all__ = ["Certifier"]


class Certifier:
    """Writes certificates into folders inside `folder`, named like the files of the instances.

    Attributes
    ----------
    refused
        Why there are none for the question that is asked, whatever the answer is; said once, at the start.
    """

    def __init__(self, folder: Path, limits: Limits, problem: str, asked: Asked) -> None:
        from cpmines.certificate import refusal

        self.folder, self.limits = folder, limits
        self.names = Counter[str]()
        self.refused = refusal(problem, asked.name)
        if self.refused:
            say(f"cpmines: {self.refused}", err=True)

    def name_of(self, label: str) -> str:
        """A name for an instance's folder, none twice."""
        whole, _, number = label.rpartition("#") if re.search(r"#\d+$", label) else (label, "", "")
        stem = "input" if whole == "-" else re.sub(r"(\.txt|\.npy)?(\.gz)?$", "", Path(whole).name)
        stem = stem if stem.strip(".") else "input"  # "." and ".." are other folders
        name = f"{stem}-{number}" if number else stem
        self.names[name] += 1
        return name if self.names[name] == 1 else self.name_of(f"{name}+{self.names[name]}")

    def write(self, named: Named, found: Run[Any]) -> tuple[Path | None, bool]:
        """The certificate's folder, if one was written, and whether the answer was found to be wrong."""
        from cpmines.certificate import write

        if self.refused:
            return None, False
        target = self.folder / self.name_of(named.label)
        try:
            with patience(f"looking for a proof for {named.label}"):
                certificate = write(found.problem, named.instance, found, target, self.limits)
        except WrongAnswerError as error:
            say(f"cpmines: {named.label}: the answer is wrong: {error}", err=True)
            return None, True
        if certificate.folder is None:
            say(f"cpmines: {named.label}: no certificate: {certificate.note}", err=True)
        return certificate.folder, False
