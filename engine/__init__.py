"""The pure half of Oshihiki: rules, state, evaluation and decisions.

Nothing below this package opens a socket, logs, reads a clock or draws global randomness: the same
inputs give the same outputs. Floors, lower never imports higher::

    arena > policy > state > scoring > shanten > model
"""
