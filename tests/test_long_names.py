"""Names longer than a file's can be: bad input or bad usage as any other, whoever reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cpmines import analyse, files, solve
from cpmines.campaign.spec import find, load
from cpmines.campaign.store import Store
from cpmines.check import certificates, check
from cpmines.errors import InputError, UsageError
from cpmines.export.mapping import read_map

LONG = Path("a" * 300)
DEEP = Path("a/" * 3000)
READERS: dict[str, Callable[[Path], object]] = {
    "read": files.read,
    "instance_files": files.instance_files,
    "solve": lambda path: solve("consistency", path),
    "analyse": lambda path: analyse(path),
    "store": Store.open,
    "new store": lambda path: Store.open(path, create=True),
    "spec": load,
    "named spec": lambda path: find(str(path)),
    "certificates": certificates,
    "check": check,
    "map": read_map,
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("path", [LONG, DEEP, LONG / "b"], ids=["long", "deep", "long folder"])
def test_readers(name: str, path: Path) -> None:
    with pytest.raises((InputError, UsageError)) as caught:
        READERS[name](path)
    assert "Errno" not in str(caught.value)


def test_expected_answers(tmp_path: Path) -> None:
    (tmp_path / "expected.jsonl").write_text(json.dumps({"instance": "a" * 300, "status": "solved"}) + "\n")
    (tmp_path / "b.txt").write_text("1 1\n.\n")
    with pytest.raises(InputError, match=r"expected.jsonl:1: found an answer to a+, expected the name of a"):
        files.expected_answer(tmp_path / "b.txt")
    assert files.expected_answer(LONG) is None
    assert files.expected_answer(LONG / "b") is None
