"""Kernels explain themselves: what a reader can't see in the code stands beside it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layers import PACKAGE, SOURCES, dotted

SHORT = 20
"""Lines of a kernel that needs no more than a name or a sentence."""
TOLD = 3
"""Lines of a docstring that says more than what a kernel does."""


def kernels(path: Path) -> Iterator[ast.FunctionDef]:
    """The compiled functions of a module, and all functions of a module of kernels."""
    everything = "kernels" in path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            compiled = any("kernel" in ast.unparse(one) for one in node.decorator_list)
            if compiled or everything:
                yield node


def comment_lines(source: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0] for token in tokens if token.type == tokenize.COMMENT}


def explained(kernel: ast.FunctionDef, comments: set[int]) -> bool:
    """Has it a docstring, and a reason: in a comment, or in the docstring itself?"""
    told = ast.get_docstring(kernel)
    if told is None:
        return False
    inside = comments & set(range(kernel.lineno, (kernel.end_lineno or 0) + 1))
    return bool(inside) or len(told.splitlines()) >= TOLD


MODULES = [path for path in SOURCES if any(True for _ in kernels(path))]


def test_there_are_kernels() -> None:
    assert len(MODULES) >= 25


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_long_kernels_explain_themselves(path: Path) -> None:
    comments = comment_lines(path.read_text(encoding="utf-8"))
    long = [kernel for kernel in kernels(path) if (kernel.end_lineno or 0) - kernel.lineno + 1 > SHORT]
    assert [kernel.name for kernel in long if not explained(kernel, comments)] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f():\n    pass\n", False),
        ('def f():\n    """What it does."""\n', False),
        ('def f():\n    """What it does."""\n    pass  # why\n', True),
        ('def f():\n    """What it does.\n\n    And why.\n    """\n', True),
        ("def f():\n    pass  # why\n", False),
    ],
)
def test_what_counts_as_an_explanation(source: str, expected: bool) -> None:
    kernel = ast.parse(source).body[0]
    assert isinstance(kernel, ast.FunctionDef)
    assert explained(kernel, comment_lines(source)) == expected
