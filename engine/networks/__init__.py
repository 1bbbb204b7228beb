"""Residual networks over the 34 kinds: what all of them share, and the one that imitates strong players."""
