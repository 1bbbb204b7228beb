"""The policy ``value``, with its reading of a table: the risks, folding, the tiles to come."""
