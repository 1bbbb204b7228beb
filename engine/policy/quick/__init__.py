"""Quick heuristics for the policy ``simple``: hand value, safety and calls in well under a millisecond."""
