"""The players: each module is one policy."""
