"""Asking a policy, under a deadline in live play or without one; its answer is checked either way."""
