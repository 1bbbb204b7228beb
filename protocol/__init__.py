"""Text to values and back, sans-I/O: the Tenhou wire protocol and the log formats.

Depends on :mod:`engine.model` alone.
"""
