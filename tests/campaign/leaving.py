"""A module that ends the process that loads it."""

raise SystemExit(3)
