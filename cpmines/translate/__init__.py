"""A Model in the forms that solvers take: clauses, rows, templates of them, the objective."""
