"""Which problems, backends and engines there are. The file name is the registration.

- A folder of `cpmines.problems` is a problem; its ``problem.py`` offers ``PROBLEM``. What else it has is
  found room by room when it is needed: ``model.py``, ``generate.py``, ``relations.py``, ``rules.py``,
  ``clues.py``, ``table.py``.
- A module of the folder's package ``backends`` is a backend and offers ``BACKEND``.
- A module of `cpmines.engines` offers ``ENGINE`` and is a backend of every problem that has a ``model.py``.
  One that only counts answers those questions whose `Reading` has ``tallied``. A backend of the same name in
  the problem's folder comes first.
- Backends and engines whose packages are not installed are left out.
- Other distributions add to each by entry points: group ``cpmines.problems`` (name of the problem -> package
  laid out like a problem's folder), ``cpmines.backends`` (``problem.backend`` -> object), ``cpmines.engines``
  (name -> object), ``cpmines.formulations`` (``problem.formulation`` -> function from an instance to a
  Model). What has a name that is taken is refused with a warning, and so is what can't be loaded: it breaks
  nothing else.
- Anywhere else, ``package.module:OBJECT`` names an engine or a backend.

Nothing here imports a solver: modules of backends import theirs when they run. Entry points are read where
names are listed, or where one is not ours; a name of ours is known without them.
"""

from cpmines.registry.backends import (
    answered,
    backend,
    backend_names,
    by_place,
    common_question,
    default_backend,
    default_backends,
    foreign_backends,
    serves,
    versions,
)
from cpmines.registry.engines import engine, engine_names, missing_packages
from cpmines.registry.problems import (
    folder,
    generators,
    has_problem,
    modelling,
    problem,
    problem_names,
    relations,
    room,
    sound_modelling,
    sound_problems,
)

__all__ = [
    "answered",
    "backend",
    "backend_names",
    "by_place",
    "common_question",
    "default_backend",
    "default_backends",
    "engine",
    "engine_names",
    "folder",
    "foreign_backends",
    "generators",
    "has_problem",
    "missing_packages",
    "modelling",
    "problem",
    "problem_names",
    "relations",
    "room",
    "serves",
    "sound_modelling",
    "sound_problems",
    "versions",
]
