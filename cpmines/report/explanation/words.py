"""Explanations in sentences. Rows and columns are named from 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from cpmines.clues import Clue
from cpmines.explain.argument import Argument, ByCases, ByChain, ByCounting, Link, Split
from cpmines.explain.results import Certain, Contradiction, Step
from cpmines.numerals import plural

__all__ = ["Words"]


class Words:
    """Says things about a board of `cols` columns.

    >>> Words(5).cells([0, 1, 2, 3, 6])
    'row 1, columns 1 to 4 and row 2, column 2'
    """

    def __init__(self, cols: int) -> None:
        self.cols = cols

    def place(self, cell: int) -> str:
        row, col = divmod(cell, self.cols)
        return f"row {row + 1}, column {col + 1}"

    def cells(self, cells: Sequence[int]) -> str:
        """Places, those of a row together."""
        parts = []
        for row, members in groupby(sorted(cells), lambda cell: cell // self.cols):
            columns = [cell % self.cols + 1 for cell in members]
            runs = list(runs_of(columns))
            parts.append(f"row {row + 1}, column{'s' * (len(columns) > 1)} {listed(runs)}")
        return listed(parts)

    def clue(self, clue: Clue) -> str:
        """The clue by its number and place."""
        if clue.is_total:
            return f"the total of {plural(clue.number, 'mine')}"
        return f"the {clue.number} at {self.place(clue.place)}"

    def clues(self, clues: Sequence[Clue]) -> str:
        """All by name, or how many they are."""
        if len(clues) > SHOWN:
            return f"{len(clues)} of the clues"
        return listed([self.clue(clue) for clue in clues])

    def conflict(self, found: Contradiction) -> str:
        """The argument of a conflict."""
        return self.argument(found.argument, {}, found.clues)

    def certain(self, found: Certain) -> str:
        return self.argument(found.argument, {found.cell: found.mine}, found.clues)

    def step(self, found: Step) -> str:
        targets = dict.fromkeys(found.mines, True) | dict.fromkeys(found.safe, False)
        return self.argument(found.argument, targets, found.clues)

    def argument(self, found: Argument, targets: Mapping[int, bool], clues: Sequence[Clue]) -> str:
        if isinstance(found, ByCounting):
            return self.counting(found, targets)
        if isinstance(found, ByCases):
            if targets:
                return f"All ways to meet {self.clues(clues)} agree: {self.result(targets)}."
            return f"No placement meets {self.clues(clues)} together: all ways end in a contradiction."
        if not targets:
            return self.refuted(found)
        cell, mine = next(iter(targets.items()))
        supposed = f"Suppose {self.place(cell)} were {'safe' if mine else 'a mine'}."
        rest = dict(list(targets.items())[1:])
        also = f" The same clues show that {self.result(rest)}." * bool(rest)
        return f"{supposed} {self.refuted(found)} So {self.result({cell: mine})}.{also}"

    def refuted(self, found: ByChain | Split) -> str:
        """What leads to the contradiction."""
        if isinstance(found, ByChain):
            links = [f"{sentence(self.link(link))}." for link in found.links]
            end = self.broken(found.end) if isinstance(found.end, Clue) else self.counting(found.end, {})
            return " ".join([*links, f"{'Then ' * bool(links)}{end}" if links else sentence(end)])
        place = self.place(found.cell)
        first, second = (self.refuted(part) for part in (found.if_mine, found.if_safe))
        return f"Either {place} is a mine: {lower(first)} Or it is safe: {lower(second)}"

    def link(self, link: Link) -> str:
        targets = dict.fromkeys(link.mines, True) | dict.fromkeys(link.safe, False)
        return self.single(link.clue, targets)

    def single(self, clue: Clue, targets: Mapping[int, bool]) -> str:
        """What one clue says by itself."""
        result = self.result(targets)
        if any(targets.values()):
            still = " still" * (clue.mines < clue.number)
            need = f"{self.clue(clue)}{still} {needs(clue)} {plural(clue.mines, 'mine')}"
            return f"{need} and has only {plural(len(clue.cells), 'unknown cell')}: {result}"
        if clue.number == 0:
            none = "leaves" if clue.is_total else "has"
            return f"{self.clue(clue)} {none} no mine: {result}"
        mines = "its mine" if clue.number == 1 else f"its {clue.number} mines"
        return f"{self.clue(clue)} has {mines} already: {result}"

    def broken(self, clue: Clue) -> str:
        """Why a clue can't be met."""
        if clue.mines < 0:
            return f"{self.clue(clue)} has {plural(clue.number - clue.mines, 'mine')}, too many."
        left = f"only {plural(len(clue.cells), 'unknown cell')}" if clue.cells else "no unknown cell"
        still = " still" * (clue.mines < clue.number)
        return f"{self.clue(clue)}{still} {needs(clue)} {plural(clue.mines, 'mine')} and has {left}."

    def counting(self, found: ByCounting, targets: Mapping[int, bool]) -> str:
        """The sum over two groups of clues in words."""
        everything = found.more + found.less
        if len(everything) == 1:
            (clue,) = everything
            return sentence(self.single(clue, targets) + "." if targets else self.broken(clue))
        more, less = self.clues(found.more), self.clues(found.less)
        still = "still " * any(clue.mines < clue.number for clue in found.more)
        need = f"{still}{needs(found.more[0])}" if len(found.more) == 1 else f"together {still}need"
        twice = ", each cell as often as it is counted" * overlapping(found)
        text = f"{sentence(more)} {need} {plural(found.needed, 'mine')}{twice}. "
        one = len(found.less) == 1
        if found.room:
            where = f", in {self.cells(found.beside)}" * (len(found.beside) <= SHOWN)
            text += (
                f"{sentence(less)} {'allows' if one else 'together allow'} {found.given} of them, and beside "
            )
            text += f"those there is room for {found.room}{where}"
        else:
            text += f"All are in cells that {less} count{'s' * one} too, "
            text += f"and {'it allows' if one else 'they together allow'} {'no more than ' * bool(targets)}"
            text += f"{'only ' * (not targets)}{found.given}"
        if targets:
            return f"{text}. So {self.result(targets)}."
        return f"{text}: {found.given + found.room} at most." if found.room else f"{text}."

    def result(self, targets: Mapping[int, bool]) -> str:
        """What the cells are."""
        parts = []
        for mine in (False, True):
            cells = [cell for cell, is_mine in targets.items() if is_mine == mine]
            if cells:
                one = len(cells) == 1
                what = ("is a mine" if one else "are mines") if mine else ("is safe" if one else "are safe")
                parts.append(f"{self.cells(cells)} {what}")
        return listed(parts)


SHOWN = 12
"""Cells and clues that are named one by one."""


def needs(clue: Clue) -> str:
    return "asks for" if clue.is_total else "needs"


def overlapping(found: ByCounting) -> bool:
    """Does a group count a cell more than once?"""
    return any(
        sum(len(clue.cells) for clue in group) > len({cell for clue in group for cell in clue.cells})
        for group in (found.more, found.less)
    )


def runs_of(numbers: Sequence[int]) -> Iterator[str]:
    """Ascending numbers; three and more in a row as first and last."""
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        if len(run) > 2:
            yield f"{run[0]} to {run[-1]}"
        else:
            yield from map(str, run)


def listed(parts: Sequence[str]) -> str:
    """Joined by commas and "and"; by semicolons if a part has a comma."""
    if len(parts) < 2:
        return "".join(parts)
    mark = "; " if len(parts) > 2 and any("," in part for part in parts) else ", "
    return f"{mark.join(parts[:-1])} and {parts[-1]}"


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def lower(text: str) -> str:
    return text[:1].lower() + text[1:]
