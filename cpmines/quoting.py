"""Text by others on a terminal: names of files, notes of backends, what programs said."""

from __future__ import annotations

__all__ = ["printable", "printable_lines"]


def printable(text: object) -> str:
    r"""One line of text in which everything that is not printable is written as in JSON.

    So are line ends, escape sequences and marks of direction: a name can't imitate an answer. What is
    printable stays as it is, and so does what was written like this before.

    >>> print(printable("a name\nsolved \x1b[32m\u202e"))
    a name\nsolved \u001b[32m\u202e
    """
    said = str(text)
    if said.isprintable():
        return said
    import json

    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in said)


def printable_lines(text: str) -> str:
    """The same for several lines, of which the ends stay."""
    return "\n".join(map(printable, text.split("\n")))
