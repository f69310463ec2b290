"""``python -m benchmarks.limits.child``: does works, one after the other, and says how long each took.

Lines of JSON on standard input: a work, with limits; and, once it was answered that all is ready, an empty
line, from which on the clock runs. Where memory is counted is told by `memory.py`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO, Any

Request = dict[str, Any]
Do = Callable[[], str]

SMALL = "2 3 1\n.1.\n.1.\n"


def run_of(request: Request) -> Do:
    """A run of a backend; the instance is read and the backend is warm before the clock runs."""
    from cpmines import registry
    from cpmines.answer import Limits
    from cpmines.run import run, warm_up

    problem, backend = request["problem"], request["backend"]
    asked = registry.problem(problem).ask(request["question"], **request["options"])
    warm_up(problem, backend, asked)
    (instance,) = registry.problem(problem).parse(request["text"])
    more = {} if request["memory"] is None else {"memory": request["memory"]}
    limits = Limits(request["seconds"], **more)

    def do() -> str:
        found = run(problem, instance, backend, limits, asked)
        if found.error:
            return f"error: {found.error}"
        return f"{found.status}, {found.answer.stop}"

    return do


def command_of(request: Request) -> Do:
    """A command, after one of its kind on a small board, with which all is loaded."""
    from cpmines.cli import cli
    from cpmines.errors import CpminesError

    folder = Path(tempfile.mkdtemp(dir=request["folder"]))
    words = [word.replace("{board}", str(folder / "board.txt")) for word in request["words"]]

    def do() -> str:
        try:
            return f"exit code {cli.main(words, standalone_mode=False)}"
        except CpminesError as error:
            return f"exit code {error.exit_code}: {error}"

    (folder / "board.txt").write_text(SMALL if "mosaic" not in words else "1 1\n1\n")
    plain, words = words, [*words, *(["5"] if words[-1] == "--seconds" else [])]
    if words[0] != "fuzz":
        do()
    (folder / "board.txt").write_text(request["text"])
    words = [*plain, *request["more"]]
    return do


def main(given: IO[str], told: IO[str]) -> None:
    for line in given:
        request = json.loads(line)
        do = command_of(request) if request["words"] else run_of(request)
        told.write("ready\n")
        told.flush()
        given.readline()
        start = time.perf_counter()
        try:
            answer = do()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        seconds = time.perf_counter() - start
        told.write(json.dumps({"seconds": seconds, "answer": answer}) + "\n")
        told.flush()


if __name__ == "__main__":
    with open(os.devnull, "w") as nothing, os.fdopen(os.dup(1), "w") as told:
        with redirect_stdout(nothing), redirect_stderr(nothing):
            main(sys.stdin, told)
