"""What is run under limits: backends and their questions, and commands, on instances that are too much."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

import numpy as np

from benchmarks.certified import claiming
from cpmines import registry
from cpmines.problem import Trust
from cpmines.question import Question

__all__ = ["MEMORY", "SECONDS", "TIME", "Work", "works"]

Text = Callable[[], str]
TIME, MEMORY, SECONDS = "--time-limit", "--memory-limit", "--seconds"


@dataclass(frozen=True)
class Work:
    """One thing to do.

    Attributes
    ----------
    text
        The instance; of a check, the files of the certificate as JSON.
    problem, backend, question, options
        Of a run; without a backend `words` are the words of a command.
    words
        ``{board}`` stands for the file of the instance, ``{folder}`` for that of the certificate.
    limits
        The options of limits that the command has.
    """

    name: str
    text: Text
    problem: str = ""
    backend: str = ""
    question: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    limits: tuple[str, ...] = (TIME, MEMORY)

    @property
    def place(self) -> str:
        """Works of a place are done in the same process, which has made itself ready for them."""
        return self.words[0] if self.words else f"{self.problem} {self.backend}"

    def request(self) -> dict[str, Any]:
        """For the process that does it."""
        return {**asdict(self), "text": self.text()}


def drawn(problem: str, family: str, **parameters: Any) -> Text:
    """A random instance of a family: made when it is needed, and kept."""

    @cache
    def text() -> str:
        families = registry.generators(problem).FAMILIES
        return registry.problem(problem).render(families[family](np.random.default_rng(7), **parameters))

    return text


def blank(rows: int, cols: int, total: str = "") -> Text:
    """A board of which nothing is known."""
    return cache(lambda: f"{rows} {cols} {total}\n" + ("." * cols + "\n") * rows)


def revealed(rows: int, cols: int, share: float, density: float = 0.206, total: bool = False) -> Text:
    return drawn("consistency", "revealed", rows=rows, cols=cols, share=share, density=density, total=total)


def only(text: str) -> Text:
    return lambda: text


POSITIONS = {
    "large": revealed(400, 400, 0.5),
    "large, total": revealed(200, 200, 0.5, total=True),
    "hard": revealed(60, 60, 0.3, 0.4),
    "hard, total": revealed(60, 60, 0.3, 0.4, total=True),
    "wide": revealed(3, 30_000, 0.4),
    "blank, total": blank(300, 300, "20000"),
}
KINDS: Mapping[str, Mapping[str, Text]] = {
    "consistency": POSITIONS,
    "deduction": POSITIONS,
    "counting": POSITIONS,
    "validation": {
        "large": drawn("validation", "finished", rows=2000, cols=2000, wrong=1000),
        "wide": drawn("validation", "finished", rows=2, cols=1_000_000),
    },
    "maxmines": {
        "square": only("1\n14 14 4\n"),
        "large": only("1\n300 300 5\n"),
        "wide": only("1\n7 1000000000000 3\n"),
        "theorem": only("1\n1 1000000000000000000 8\n"),
    },
    "mosaic": {
        "large": drawn("mosaic", "random", rows=200, cols=200),
        "hard": drawn("mosaic", "random", rows=60, cols=60, share=0.2),
        "wide": drawn("mosaic", "random", rows=3, cols=10_000),
    },
    "reconstruction": {
        "large": drawn("reconstruction", "random", rows=302, cols=302),
        "changed": drawn("reconstruction", "changed", rows=101, cols=101, entries=50),
        "noise": drawn("reconstruction", "noise", rows=302, cols=302),
        "wide": drawn("reconstruction", "random", rows=2, cols=50_000),
    },
}
"""By problem, and by kind."""


def certificate(problem: str, evidence: str, text: str, files: Mapping[str, str], value: Any = None) -> Text:
    """The files of a certificate by their names, as JSON."""

    def written() -> str:
        made = claiming(problem, evidence, text, files, value)
        return json.dumps({name: part.decode() for name, part in made.items()})

    return cache(written)


def long_count(digits: int) -> Text:
    value = {"count": "7" * digits, "by_mines": {"1": "7" * digits}, "probability": [[0.5, None, 0.5]]}
    return certificate("counting", "recount", "1 3\n.1.\n", {}, value)


def refutation(cols: int) -> Text:
    """Of a board of one row, by an empty clause, which no rule implies: all are tried."""
    said = f"variables 1 to {cols} are the cells in reading order, c1 first; true is a mine"
    files = {
        "formula.cnf": "p cnf 1 1\n0\n",
        "map.json": json.dumps({"cells": said, "sums": {}, "counts": {}}),
        "proof.drat": "0\n",
    }
    return certificate("maxmines", "refutation", f"1\n1 {cols} 8\n", files)


CERTIFICATES = {
    "a long count": long_count(3_000_000),
    "a huge board": refutation(10**18),
    "a large board": refutation(10**7),
}

PROGRAMS = (
    "program:sleep 1000",
    "program:sh -c '(setsid sleep 1000 &) ; sleep 1000'",
    "program:python3 -c 'print(len(bytes(1 << 40)))'",
    "program:yes",
)
"""That do not end, in time or in memory; the last writes without end."""

FILLED = {"layouts": 10, "sample": 10, "index": 1, "limit": 1000}
"""What is given to options that a question needs."""
FURTHER: Mapping[str, tuple[dict[str, Any], ...]] = {
    "chances": ({"fractions": True}, {"density": "0.2"}),
    "all": ({"limit": 1_000_000},),
    "sample": ({"sample": 100_000},),
}
"""By question: options with which it is asked once more."""


def works() -> Iterator[Work]:
    """All that there are, those of a place one after the other."""
    for problem in KINDS:
        for backend in registry.backend_names(problem):
            if registry.backend(problem, backend).trust is Trust.UNRELIABLE:
                continue
            for question in registry.answered(problem, backend):
                yield from runs(problem, backend, question)
    yield from commands()


def runs(problem: str, backend: str, question: Question) -> Iterator[Work]:
    needed = {option.name: FILLED[option.name] for option in question.options if option.required}
    for options in (needed, *FURTHER.get(question.name, ())):
        for kind, text in KINDS[problem].items():
            given = "".join(f" {name}={value}" for name, value in options.items() if options is not needed)
            name = f"{problem} {backend} {question.name}{given}: {kind}"
            yield Work(name, text, problem, backend, question.name, options)


def commands() -> Iterator[Work]:
    """Commands other than `solve`, which runs backends; and that one, too."""
    for words in (("solve", "consistency"), ("compare", "--problem", "consistency")):
        yield from boards(*words, "{board}", "--backend", "sat")
    for program in PROGRAMS:
        yield Work(
            f"solve {program}",
            only("1\n2 2 3\n"),
            words=("solve", "maxmines", "{board}", "--backend", program),
        )
    yield from boards("solve", "deduction", "{board}", "--certificate", "{folder}", limits=(MEMORY,))
    table = ("table", "maxmines", "--max-side", "11", "--bound", "4")
    yield Work("table maxmines", only(""), words=table, limits=(MEMORY,))
    yield from boards("analyse", "{board}")
    for more in ((), ("--smallest",), ("--all",)):
        yield from boards("explain", "{board}", *more)
        yield from boards("explain", "{board}", "--problem", "mosaic", *more, texts=KINDS["mosaic"])
    for style in ("cnf", "opb", "lp", "mps", "cpsat"):
        yield from boards("export", "consistency", "{board}", "--format", style, limits=(MEMORY,))
    for problem in KINDS:
        yield Work(f"fuzz {problem}", only(""), words=("fuzz", problem), limits=(SECONDS,))
    for name, certificate in CERTIFICATES.items():
        yield Work(f"check: {name}", certificate, words=("check", "{folder}"))


def boards(
    *words: str, texts: Mapping[str, Text] = POSITIONS, limits: tuple[str, ...] = (TIME, MEMORY)
) -> Iterator[Work]:
    """A command on each of several boards."""
    for kind, text in texts.items():
        name = " ".join(word for word in words if word != "{board}")
        yield Work(f"{name}: {kind}", text, words=words, limits=limits)
