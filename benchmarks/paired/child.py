"""A process of a paired run: prepares and times works when it is told to, by lines of JSON.

It is a script that stands outside of what the environment has, since `benchmarks` is no part of that. The
first argument is the repository, the second the scale, the rest are folders of instances. Answers go to
standard output alone, whatever else is printed goes to standard error.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Reply = dict[str, Any]


class Bench:
    """Holds one work ready at a time.

    Attributes
    ----------
    works
        By label.
    """

    def __init__(self, scale: float, folders: list[Path]) -> None:
        from benchmarks.paired.works import all_works

        self.works = all_works(scale, folders)
        self.function: Callable[[], Any] = lambda: None

    def prepare(self, label: str) -> Reply:
        """Make the instance, do the work twice (the first time may compile), and tell the answer's digest."""
        from benchmarks.paired.digest import digest

        self.function = lambda: None
        gc.collect()
        self.function = self.works[label].prepare()
        found = digest(self.function())
        return {"digest": found, **self.measure(1)}

    def measure(self, loops: int) -> Reply:
        """Processor time of the work, done so many times in a row."""
        gc.collect()
        gc.disable()
        start = time.process_time()
        for _ in range(loops):
            self.function()
        spent = time.process_time() - start
        gc.enable()
        return {"seconds": spent / loops}

    def reply(self, request: Reply) -> Reply:
        try:
            return self.prepare(request["label"]) if "label" in request else self.measure(request["loops"])
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import cpmines  # before the repository, which has one too, can be imported from

    print(json.dumps({"cpmines": str(Path(cpmines.__file__).parent)}), file=answers, flush=True)
    repository, scale, *folders = sys.argv[1:]
    sys.path.insert(0, repository)
    bench = Bench(float(scale), [Path(folder) for folder in folders])
    for line in sys.stdin:
        print(json.dumps(bench.reply(json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
