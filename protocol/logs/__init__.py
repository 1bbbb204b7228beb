"""Recorded games: the log formats, finding logs in files and archives, and conversion between formats."""
