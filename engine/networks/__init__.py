"""Residual networks over the 34 kinds: what they share, that which imitates strong play, that of the tiles to come."""
