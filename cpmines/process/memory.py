"""Was it memory that a process ended for? One answer for engines, programs and campaigns."""

from __future__ import annotations

import re

__all__ = ["memory_refused"]

WORDS = re.compile(
    r"bad_?alloc"  # C++: std::bad_alloc
    r"|Memory(Error|_?Exception)"  # Python; numpy's _ArrayMemoryError; .NET, MiniSat
    r"|out[ _-]?of[ _-]?(virtual[ _-])?memory"  # glibc, Java, Go, Rust, OCaml, CaDiCaL, the kernel
    r"|(virtual|heap) (memory )?exhausted|memory exhausted"  # GNU, Lisp, Haskell
    r"|(not enough|insufficient) memory"  # Lua, Java's start, SCIP
    r"|memory allocation (of \d+ bytes )?failed"  # Rust
    r"|(can ?not|can't|could ?n[o']t|could not|unable to|failed to) (re|m|c)?alloc(ate)?\b"  # ENOMEM and many
    r"|\b(re|m|c)?alloc(ation)? (failed|failure)"
    r"|failed to map segment",  # the dynamic linker
    re.IGNORECASE,
)
"""What solvers, runtimes and systems write when memory is refused."""

NEARLY = 0.9
"""Part of the memory limit from which on a death by a signal is taken for the lack of memory."""

HEARD = 2000
"""Characters at the end of what was said that are looked at: what a process dies of comes last."""


def memory_refused(said: str | bytes, *, code: int = 0, used: int = 0, limit: int = 0) -> bool:
    """Do the last words of a process, or how it ended near its limit, mean that memory was refused?

    Parameters
    ----------
    said
        What it wrote, or the name and message of an exception.
    code
        How it ended, as in `subprocess`: by a signal if it is negative.
    used, limit
        Bytes: the most that it had, and could have; 0 where that is not known.

    >>> memory_refused("terminate called after throwing an instance of 'std::bad_alloc'")
    True
    >>> memory_refused("Segmentation fault", code=-11), memory_refused("", code=-11, used=95, limit=100)
    (False, True)
    """
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return bool(WORDS.search(text[-HEARD:])) or (code < 0 and used > NEARLY * limit > 0)
