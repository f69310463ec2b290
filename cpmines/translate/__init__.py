"""A Model in the forms that solvers take: what engines, exports and explanations translate with.

`encode`
    The constraints as clauses, a `Cnf`, in one of the `encoding_names`: for SAT solvers and counters.
`linear_rows`
    The constraints as linear inequalities over 0/1 variables, each a `Row`: for solvers of integer programs
    and of pseudo-Boolean constraints.
`net_terms`
    The objective with every variable at most once, as `Terms`: over literals with positive weights, or by
    `Terms.over_variables` over 0/1 variables with coefficients and a constant; `require_small` declines
    weights that floating-point numbers can't be trusted with.
`Encoding`
    How one row becomes clauses: what a distribution of its own adds by an entry point.

The Model's variables keep their numbers in all of them.

>>> from cpmines.answer import Limits
>>> from cpmines.model import Model
>>> model = Model()
>>> a, b, c = model.variables(3)
>>> model.between([a, b, -c], 0, 1)
>>> model.maximise([a, a, -c], [1, 2, 4])
>>> list(encode(model, "binomial", Limits()))
[[-1, -2], [-1, 3], [-2, 3]]
>>> list(linear_rows(model, Limits()))
[Row(variables=[1, 2, 3], coefficients=[1, 1, -1], lo=None, hi=0)]
>>> net_terms(model).over_variables()
([1, 3], [3, -4], 4)
"""

from cpmines.translate.clauses import Cnf, encode
from cpmines.translate.encodings import DEFAULT_ENCODING, Encoding, encoding_names
from cpmines.translate.objective import Terms, net_terms, require_small
from cpmines.translate.rows import Row, linear_rows

__all__ = [
    "DEFAULT_ENCODING",
    "Cnf",
    "Encoding",
    "Row",
    "Terms",
    "encode",
    "encoding_names",
    "linear_rows",
    "net_terms",
    "require_small",
]
