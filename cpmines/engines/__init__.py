"""One file an exact solver: a Model in, assignments out."""
