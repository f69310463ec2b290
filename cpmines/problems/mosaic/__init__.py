"""Table of 3x3 sums with gaps: which boards have it? (Mosaic, Fill-a-Pix)

As a shown sum counts its own cell too, a puzzle is a network of 0/1 cells and sums of up to nine of them.
`direct` takes it apart with `cpmines.inference`, as the clues of a position are.
"""
