"""How many placements of mines does a partly revealed board have, and how likely is a mine in each cell?"""
