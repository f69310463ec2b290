"""Backends on packages of other projects; each is there if the package of its name is installed."""
