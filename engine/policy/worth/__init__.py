"""The economics of the policy ``value``: the worth of the ways a hand can end, of risks and of folding."""
