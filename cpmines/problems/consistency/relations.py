"""What must hold between the answers to two positions."""

from __future__ import annotations

from cpmines.positions.relations import Layout, position_relations
from cpmines.relation import Fields

__all__ = ["RELATIONS"]


def follow(fields: Fields, layout: Layout) -> Fields:
    """A placement is no more than a witness."""
    return {}


RELATIONS = position_relations(follow)
