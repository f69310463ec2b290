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
    board = folder / "board.txt"
    places = {"{board}": str(board), "{folder}": str(folder)}
    words = [places.get(word, word) for word in request["words"]]

    def do(*limits: str) -> str:
        try:
            return f"exit code {cli.main([*words, *limits], standalone_mode=False)}"
        except CpminesError as error:
            return f"exit code {error.exit_code}: {error}"

    if words[0] == "check":
        for name, text in json.loads(request["text"]).items():
            (folder / name).write_text(text)
        do("--time-limit", "0.01")
    elif words[0] == "fuzz":
        do("--rounds", "20")
    else:
        board.write_text("1 1\n1\n" if "mosaic" in words else "2 3 1\n.1.\n.1.\n")
        do()
        board.write_text(request["text"])
    return lambda: do(*request["more"])


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
    with (
        open(os.devnull, "w") as nothing,
        os.fdopen(os.dup(1), "w") as told,
        redirect_stdout(nothing),
        redirect_stderr(nothing),
    ):
        main(sys.stdin, told)
