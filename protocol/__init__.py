"""Conversion between text and values, sans-I/O: the Tenhou wire protocol and the log formats.

Depends only on :mod:`engine.model`.
"""
