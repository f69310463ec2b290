"""Compiled parts of the analysis: clues one at a time, components, frontier tables, totals."""
