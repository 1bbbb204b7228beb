"""Evaluators that look at complete hands which the tiles may become: ``inversion``, ``che`` and ``che-calls``."""
