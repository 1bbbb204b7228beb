"""The policy ``simple``: hand value, safety and calls by quick heuristics, in well under a millisecond."""
