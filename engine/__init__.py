"""The pure half of Oshihiki: rules, state, evaluation and decisions.

Nothing in this package opens a socket, logs, reads a clock or uses global randomness: the same inputs give the same
outputs. Its folders form floors, and a lower floor never imports a higher one::

    train > arena > policy > search | opponents > state > scoring > shanten > model
"""
