"""The policy ``value``, and its economics: the worth of the ways a hand can end, of risks and of folding."""
