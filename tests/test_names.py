"""A problem is a whole folder: no name of one stands outside `cpmines.problems`.

Docstrings are documentation, those of commands are their help; they may name problems in examples. They are
told apart by their place: a string that is a statement by itself. Other strings are what the code works with.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layers import PACKAGE, SOURCES, dotted, imported, place

PROBLEMS = {path.parent.name for path in PACKAGE.glob("problems/*/problem.py")}


def strings(tree: ast.AST) -> Iterator[str]:
    """All strings of the code but those that are statements."""
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.value


def names_one(text: str) -> bool:
    return text in PROBLEMS or any(
        f"problems.{name}" in text or f"problems/{name}" in text for name in PROBLEMS
    )


@pytest.mark.parametrize("path", [path for path in SOURCES if place(dotted(path)) != "problems"], ids=dotted)
def test_no_problem_is_named(path: Path) -> None:
    assert [module for module in imported(path) if module.startswith("cpmines.problems.")] == []
    assert [text for text in strings(ast.parse(path.read_text())) if names_one(text)] == []


def test_names_are_seen() -> None:
    tree = ast.parse('"""consistency"""\nname = "consistency"\nother = f"cpmines.problems.mosaic.{name}"\n')
    assert [text for text in strings(tree) if names_one(text)] == ["consistency", "cpmines.problems.mosaic."]


def test_a_class_name_stands_for_one_thing() -> None:
    nodes = (node for path in SOURCES for node in ast.walk(ast.parse(path.read_text())))
    names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    assert [name for name, number in names.items() if number > 1] == []
