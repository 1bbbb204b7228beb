"""Fitting on recordings. Reads events, writes tables; nothing here is needed to play."""
