"""What must hold between the answers to two tables."""

from cpmines.problems.reconstruction.problem import Table
from cpmines.relation import Relation
from cpmines.sums.relations import sums_relations

__all__ = ["RELATIONS"]

RELATIONS: dict[str, Relation[Table]] = sums_relations()
