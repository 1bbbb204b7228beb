"""The evaluator ``gametree``: a memoised tree of draws and discards."""
