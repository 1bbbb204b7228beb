"""Quick heuristics: hand value, safety and calls in well under a millisecond, for the policy ``simple``."""
