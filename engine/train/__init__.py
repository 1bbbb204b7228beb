"""Fitting on recordings: reads events, writes tables. Nothing here is needed to play."""
