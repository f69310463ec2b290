"""Ways to change a certificate so that it no longer proves what it claims.

`damage` changes a file and leaves its digest; `FORGERIES` change the contents and put the digests right, as
somebody would who wants to be believed. Each forgery says what it did, or None where it has nothing to
change.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from cpmines.check.folder import ANSWER, INSTANCE, digest

__all__ = ["FORGERIES", "damage"]

Forgery = Callable[[Path, Random, list[Path]], str | None]


def damage(folder: Path, random: Random) -> str:
    """Change a byte of a file, cut it off, or take it away."""
    file = random.choice(sorted(path for path in folder.iterdir() if path.name != ANSWER))
    data = bytearray(file.read_bytes())
    kind = random.choice(["changed", "cut off", "taken away", "emptied"])
    if kind == "taken away":
        file.unlink()
    elif kind == "cut off":
        file.write_bytes(data[: random.randrange(len(data))])
    elif kind == "emptied":
        file.write_bytes(b"")
    else:
        data[random.randrange(len(data))] ^= 1 << random.randrange(7)
        file.write_bytes(data)
    return f"{file.name} {kind}"


def rewrite(folder: Path, name: str, data: bytes) -> None:
    """Write a file with its digest."""
    (folder / name).write_bytes(data)
    answer = json.loads((folder / ANSWER).read_text())
    answer["sha256"][name] = digest(data)
    (folder / ANSWER).write_text(json.dumps(answer))


def lines(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text().splitlines() if (folder / name).exists() else []


def answered(folder: Path, **changed: Any) -> str:
    answer = {**json.loads((folder / ANSWER).read_text()), **changed}
    (folder / ANSWER).write_text(
        json.dumps({key: entry for key, entry in answer.items() if entry is not None})
    )
    return f"answer with {', '.join(changed)}"


def no_proof(folder: Path, random: Random, others: list[Path]) -> str | None:
    """The steps of a proof that does more than propagate, all but the last left out, or all."""
    if len(lines(folder, "proof.drat")) < 3:
        return None
    rewrite(folder, "proof.drat", random.choice([b"", b"0\n"]))
    return "no steps"


def other_proof(folder: Path, random: Random, others: list[Path]) -> str | None:
    """The formula and the proof of another board."""
    found = [path for path in others if (path / "proof.drat").exists() and path.name != folder.name]
    if not (folder / "proof.drat").exists() or not found:
        return None
    other = random.choice(sorted(found))
    for name in ("formula.cnf", "map.json", "proof.drat"):
        rewrite(folder, name, (other / name).read_bytes())
    return f"the proof of {other.name}"


def one_more_clause(folder: Path, random: Random, others: list[Path]) -> str | None:
    """The empty clause, or one that says two opposite cells."""
    text = lines(folder, "formula.cnf")
    if not text or json.loads((folder / ANSWER).read_text())["problem"] == "maxmines":
        return None
    _, _, variables, count = text[0].split()
    literal = random.randint(1, int(variables))
    added = random.choice([["0"], [f"{literal} 0", f"-{literal} 0"]])
    text = [f"p cnf {variables} {int(count) + len(added)}", *text[1:], *added]
    rewrite(folder, "formula.cnf", "\n".join([*text, ""]).encode())
    return f"clauses added: {added}"


def other_clause(folder: Path, random: Random, change: Callable[[list[str], int], None]) -> str | None:
    """A clause of at least two literals with one of them changed."""
    text = lines(folder, "formula.cnf")
    where = [k for k, line in enumerate(text) if k and len(line.split()) > 2]
    if not where:
        return None
    k = random.choice(where)
    words = text[k].split()
    change(words, random.randrange(len(words) - 1))
    text[k] = " ".join(words)
    rewrite(folder, "formula.cnf", "\n".join([*text, ""]).encode())
    return f"clause {k} is now {text[k]}"


def shorter_clause(folder: Path, random: Random, others: list[Path]) -> str | None:
    """A clause with one literal less: without a total, those of the boards here are as short as can be."""
    if '"s1"' in "".join(lines(folder, "map.json")):
        return None
    return other_clause(folder, random, lambda words, place: words.__delitem__(place))


def flipped_literal(folder: Path, random: Random, others: list[Path]) -> str | None:
    """A literal of a clause turned round."""
    return other_clause(
        folder, random, lambda words, place: words.__setitem__(place, str(-int(words[place])))
    )


def other_meaning(folder: Path, random: Random, others: list[Path]) -> str | None:
    """A variable that counts one more or less, or nothing, or two sums with their parts exchanged."""
    fields = json.loads((folder / "map.json").read_text()) if (folder / "map.json").exists() else {}
    if len(fields.get("sums", ())) < 3:
        return None
    variable = random.choice(sorted(fields["counts"]))
    kind = random.choice(["more", "gone", "parts"])
    if kind == "more":
        fields["counts"][variable][1] += 50
    elif kind == "gone":
        del fields["counts"][variable]
    else:
        names = sorted(fields["sums"], key=lambda name: int(name[1:]))
        fields["sums"][names[0]] = ["c1", "c1"]
    rewrite(folder, "map.json", json.dumps(fields).encode())
    return f"map.json: {kind}"


def other_claim(folder: Path, random: Random, others: list[Path]) -> str | None:
    """The opposite claim, or one without its evidence."""
    answer = json.loads((folder / ANSWER).read_text())
    if answer["status"] == "infeasible":
        return answered(folder, status="solved")
    changes = [{"status": "infeasible", "value": None, "evidence": "refutation"}, {"evidence": "trust"}]
    return answered(folder, **random.choice(changes))


def other_value(folder: Path, random: Random, others: list[Path]) -> str | None:
    """A value with something changed that the evidence is about."""
    answer = json.loads((folder / ANSWER).read_text())
    value, problem = answer.get("value"), answer["problem"]
    if value is None:
        return None
    if problem == "deduction":
        rows = value["cells"]
        row = random.choice([k for k, line in enumerate(rows) if set(line) & set("sm?")])
        col = random.choice([k for k, code in enumerate(rows[row]) if code in "sm?"])
        code = random.choice([code for code in "sm?" if code != rows[row][col]])
        rows[row] = rows[row][:col] + code + rows[row][col + 1 :]
    elif problem == "counting":
        value["count"] = str(int(value["count"]) + random.choice([-1, 1, 7]))
    elif problem == "maxmines":
        value["mines"] += random.choice([-1, 1])
    elif problem == "validation":
        value["valid"] = not value["valid"]
    elif "reason" in value:
        value["reason"]["entries"][0][2] += 1
    else:
        row = random.randrange(len(value["mines"]))
        line = value["mines"][row]
        value["mines"][row] = ("." if line[0] == "*" else "*") + line[1:]
    return answered(folder, value=value)


def other_size(folder: Path, random: Random, others: list[Path]) -> str | None:
    """The instance of another certificate of the problem, or no instance."""
    answer = json.loads((folder / ANSWER).read_text())
    same = [
        path
        for path in others
        if json.loads((path / ANSWER).read_text())["problem"] == answer["problem"]
        and path.name != folder.name
    ]
    texts = [(path / INSTANCE).read_bytes() for path in same] + [b"", b"0 0\n", b"2 2\n"]
    rewrite(folder, INSTANCE, random.choice(texts))
    return "another instance"


def lower_bound(folder: Path, random: Random, others: list[Path]) -> str | None:
    """One bound of a table is lowered by one."""
    if not (folder / "bounds.npz").exists():
        return None
    tables = dict(np.load(folder / "bounds.npz"))
    name = random.choice([name for name in sorted(tables) if name != "before_0"])
    index = random.choice(np.flatnonzero(tables[name]).tolist())
    tables[name][index] -= 1
    file = io.BytesIO()
    np.savez_compressed(file, **tables)
    rewrite(folder, "bounds.npz", file.getvalue())
    return f"{name}[{index}] lowered"


def fewer_mines(folder: Path, random: Random, others: list[Path]) -> str | None:
    """A board with one mine less than the most, and its number."""
    answer = json.loads((folder / ANSWER).read_text())
    if answer["problem"] != "maxmines":
        return None
    value = answer["value"]
    row = random.choice([k for k, line in enumerate(value["board"]) if "*" in line])
    value["board"][row] = value["board"][row].replace("*", ".", 1)
    value["mines"] -= 1
    if "bound" in value:
        value["bound"] -= 1
    return answered(folder, value=value)


def one_placement(folder: Path, random: Random, others: list[Path]) -> str | None:
    """Of several placements only one, which can't show two values of a cell."""
    boards = "\n".join(lines(folder, "placements.txt")).split("\n\n")
    if len(boards) < 2:
        return None
    rewrite(folder, "placements.txt", (random.choice(boards).strip() + "\n").encode())
    return "one placement"


def wrong_placement(folder: Path, random: Random, others: list[Path]) -> str | None:
    """A placement with one cell turned round; every cell is a clue, beside one, or in a total."""
    text = list("\n".join([*lines(folder, "placements.txt"), ""]))
    cells = [k for k, character in enumerate(text) if character in "*."]
    if not cells:
        return None
    k = random.choice(cells)
    text[k] = "*" if text[k] == "." else "."
    rewrite(folder, "placements.txt", "".join(text).encode())
    return f"character {k} of the placements"


FORGERIES: list[Forgery] = [
    no_proof,
    other_proof,
    one_more_clause,
    shorter_clause,
    flipped_literal,
    other_meaning,
    other_claim,
    other_value,
    other_size,
    lower_bound,
    fewer_mines,
    one_placement,
    wrong_placement,
]
