"""Phase two: the draws, discards, calls and kans that lead from hand to hand."""
