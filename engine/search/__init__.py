"""The value of a hand: evaluators behind one protocol, and the positions they evaluate."""
