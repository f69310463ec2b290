"""An instance as a file for another solver, with a map back to its cells; and the way back.

`statement` states the instance as a Model; a module of `cpmines.export.formats` writes it; `mapping` is what
stands beside the file; `solution` reads what a solver answers, and `importing` has it judged.
"""

from __future__ import annotations

from cpmines.export.importing import Imported, import_solution
from cpmines.export.mapping import Map, read_map
from cpmines.export.statement import StatedModel, state
from cpmines.export.writing import export, format_names

__all__ = ["Imported", "Map", "StatedModel", "export", "format_names", "import_solution", "read_map", "state"]
