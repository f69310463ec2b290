"""What every problem has to offer."""

from __future__ import annotations

import pytest

from cpmines import registry
from cpmines.conformance import Effort
from cpmines.conformance.problem import AGREEMENT, CHECKS, RELATIONS, applicable
from cpmines.errors import InputError
from tests.effort import some

JUNK = [
    b"",
    b"\n",
    b"# nothing\n",
    b"x\n",
    b"1 1\r\n.\r\n",
    b"\xef\xbb\xbf1 1\n0\n",
    b"-1 -1\n",
    b"0 0\n",
    b"1\t1\n0\n",
    b"99999999999999999999999 2 3\n",
    b"1000000000000 1000000000000\n1\n",
    b"1000000000000000000\n",
    b"\x1f\x8b\x08\x00junk",
    b"\x00\xff\xfe\x00",
    b"1 1 1 1 1 1\n",
]


@pytest.mark.parametrize("check", CHECKS)
def test_problems_offer_what_others_rely_on(problem: str, check: str) -> None:
    if check not in applicable(problem):
        pytest.skip("it has nothing to look at")
    costly = check in (RELATIONS, AGREEMENT)
    seen = CHECKS[check](problem, Effort(some(40, 8 if costly else 20)))
    assert seen.passed, seen.fault


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_an_input_error_with_a_place(problem: str, junk: bytes) -> None:
    with pytest.raises(InputError, match=r"^file:\d+(:\d+)?: found .*, expected ") as error:
        registry.problem(problem).parse(junk, "file")
    assert "\n" not in str(error.value)
