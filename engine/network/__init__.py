"""What the residual networks over the 34 kinds have in common: the passes in numpy, and the file of their weights."""
