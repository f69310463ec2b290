"""What every backend and every engine has to do, as checks that can be run on anybody's.

`cpmines.conformance.backend` checks a backend of a problem, `cpmines.conformance.engine` an engine or a
counter by itself, with a check of each `cpmines.engine.Ability` that it declares, and
`cpmines.conformance.problem` a problem. ``cpmines backends test`` and ``cpmines problems test`` run them, and
so do the tests of this project.
"""

from cpmines.conformance.backend import Subject, backend_checks
from cpmines.conformance.capability import Capability, capabilities, problems_of
from cpmines.conformance.engine import engine_checks
from cpmines.conformance.problem import problem_checks
from cpmines.conformance.verdict import CheckResult, Effort

__all__ = [
    "Capability",
    "CheckResult",
    "Effort",
    "Subject",
    "backend_checks",
    "capabilities",
    "engine_checks",
    "problem_checks",
    "problems_of",
]
