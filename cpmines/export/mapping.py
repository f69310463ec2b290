"""What stands beside an exported file: which instance it states, and what its variables mean."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cpmines import files, registry
from cpmines.errors import InputError
from cpmines.export.statement import StatedModel
from cpmines.question import Asked

__all__ = ["Map", "map_of", "map_path", "read_map"]

SCHEMA = 2
"""1 named no question."""
SUFFIX = ".map.json"


@dataclass(frozen=True)
class Map:
    """The way from the variables of a file back to the instance.

    Attributes
    ----------
    instance
        Text in the problem's format.
    question, options
        What is asked of it.
    variables
        Number of the Model's variables; they are the first of the file's `file_variables`.
    cells
        ``[row, column, variable]`` for every cell that has one; all from 1.
    """

    problem: str
    instance: str
    formulation: str
    format: str
    encoding: str
    question: str
    options: Mapping[str, Any]
    variables: int
    file_variables: int
    cells: tuple[tuple[int, int, int], ...]

    def text(self) -> str:
        """A JSON object that `read_map` reads back."""
        return json.dumps({"schema": SCHEMA, **asdict(self)}) + "\n"

    def asked(self) -> Asked:
        """What is asked of the instance."""
        return registry.problem(self.problem).ask(self.question, **self.options)

    def parsed(self) -> Any:
        """The instance."""
        (instance,) = registry.problem(self.problem).read(self.instance, "map", self.asked())
        return instance


def map_of(statement: StatedModel, kind: str, encoding: str, file_variables: int) -> Map:
    """The map of a statement that was written as `kind`."""
    return Map(
        statement.problem,
        registry.problem(statement.problem).render(statement.instance),
        statement.formulation,
        kind,
        encoding,
        statement.asked.name,
        statement.asked.to_json().get("options", {}),
        statement.model.variable_count,
        file_variables,
        tuple(statement.cell_variables()),
    )


def map_path(exported: Path) -> Path:
    """Where the map of an exported file stands."""
    return exported.with_name(exported.name + SUFFIX)


def read_map(path: Path) -> Map:
    """Read a map, or the map that stands beside an exported file.

    Raises
    ------
    InputError
        There is none, or it is damaged.
    """
    beside = map_path(path)
    source = beside if not path.name.endswith(SUFFIX) and files.is_file(beside) else path
    expected = f"the map of an exported file, NAME{SUFFIX}"
    try:
        record = json.loads(files.read(source))
        schema = record.pop("schema")
        if schema == 1:
            raise InputError("a map of schema 1, which names no question", "one of today", str(source))
        if schema != SCHEMA:
            raise ValueError
        found = Map(**{**record, "cells": tuple(map(tuple, record["cells"]))})
        _check(found)
        registry.problem(found.problem)
        found.parsed()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError("another file", expected, str(source)) from None
    return found


def _check(found: Map) -> None:
    """Raises `TypeError` or `ValueError` for fields that no export writes."""
    for name in ("problem", "instance", "formulation", "format", "encoding", "question"):
        if not isinstance(getattr(found, name), str):
            raise TypeError(name)
    if not type(found.variables) is type(found.file_variables) is int:
        raise TypeError("variables")
    if not 0 <= found.variables <= found.file_variables:
        raise ValueError("variables")
