"""The laboratory: what trains networks, measures players and speed, plays matches and repeats the papers' experiments.

Nothing of the product imports it; the command line knows its commands by name alone.
"""
