"""Analysis of positions in play: clues one at a time, certain cells, probabilities, counts; and a player."""
