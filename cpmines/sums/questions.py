"""What can be asked of a table of sums."""

from __future__ import annotations

from dataclasses import replace

from cpmines.numerals import plural
from cpmines.question import Maximise, Minimise, Option, Question
from cpmines.sums.boards import Boards

__all__ = [
    "ALL",
    "BOARD",
    "COUNT",
    "FACTS",
    "FEWEST",
    "FORCED",
    "INDEX",
    "LIMIT",
    "MOST",
    "NEAREST",
    "SAMPLE",
    "UNIQUE",
]

LIMIT = 1000


def _breaks_off(value: Boards, limit: int) -> str:
    listed = len(value.boards or ())
    if value.solutions is not None or listed >= limit:
        return ""
    return f"a word that there is no more than {plural(listed, 'board')}"


BOARD = Question("board", "A board with these sums.", ("mines",))
UNIQUE = Question("unique", "Is there only one board? If not, two.", ("mines", "unique"), ("unique",))
COUNT = Question("count", "How many boards are there?", ("mines", "solutions"), ("solutions",))
FORCED = Question("forced", "Which cells are the same in all boards?", ("mines", "forced"), ("forced",))
FACTS = Question(
    "facts",
    "A board, how many there are, and which cells are the same in all.",
    ("mines", "solutions", "forced"),
    ("solutions", "forced"),
)
ALL = Question(
    "all",
    "All boards.",
    ("boards",),
    ("solutions",),
    options=(Option("limit", int, f"At most so many, by default {LIMIT}.", LIMIT, least=1),),
    short=_breaks_off,
)
SAMPLE = Question(
    "sample",
    "Boards at random, all with the same probability.",
    ("boards",),
    ("solutions", "forced"),
    options=(Option("sample", int, "How many.", required=True, least=1),),
)
INDEX = Question(
    "index",
    "The board with a number, in a fixed order.",
    ("boards",),
    ("solutions", "forced"),
    options=(Option("index", int, "The number, from 1.", required=True, least=1),),
)
FEWEST = Question(
    "fewest",
    "A board with the fewest mines.",
    ("mines", "mine_count"),
    ("mine_count",),
    Minimise("mine_count"),
)
MOST = replace(FEWEST, name="most", summary="A board with the most mines.", objective=Maximise("mine_count"))
NEAREST = Question(
    "nearest",
    "The board whose table is nearest, and the entries that are wrong then.",
    ("mines", "distance"),
    ("distance",),
    Minimise("distance"),
    relaxed=True,
)
