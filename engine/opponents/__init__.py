"""Models of the opponents: the chance that a tile deals in, and what it would cost."""
