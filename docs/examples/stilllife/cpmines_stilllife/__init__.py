"""Maximum density still life (CSPLib prob032): the most live cells of a board that Life leaves as it is."""
