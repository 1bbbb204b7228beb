"""Decisions: which legal action to choose, and why."""
