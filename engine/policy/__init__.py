"""Decisions: what to do with the legal actions, and why."""
