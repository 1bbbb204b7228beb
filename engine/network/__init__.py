"""Residual networks over the 34 kinds: their passes in numpy, and the file of their weights."""
