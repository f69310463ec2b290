"""What must hold between the answers to two positions."""

from __future__ import annotations

from cpmines.positions.relations import Layout, position_relations
from cpmines.problems.deduction.problem import Deductions
from cpmines.relation import Fields, looked_up

__all__ = ["RELATIONS"]


def follow(fields: Fields, layout: Layout) -> Fields:
    """Unknown cells are as certain as before; what was added shows itself, and is open where unknown."""
    if "cells" not in fields:
        return {}
    own = Deductions(layout.second.cells).rows()
    found = looked_up(fields["cells"], layout.origin, own)
    kept = [
        "".join(certain if shown == "?" else shown for shown, certain in zip(*rows, strict=True))
        for rows in zip(own, found, strict=True)
    ]
    return {"cells": kept}


RELATIONS = position_relations(follow)
