"""What boards demand of their cells, and what answers say of them, for proofs and those who check them.

A problem states both in the room ``rules.py`` of its folder, see `cpmines.demands.rules.Rules`:
`cpmines.certificate` makes evidence from it, `cpmines.check` checks that, and neither knows a problem.
Nothing here, and nothing in a ``rules.py``, imports a solver.
"""
