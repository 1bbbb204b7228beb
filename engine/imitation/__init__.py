"""A network that imitates strong players: its inputs, its outputs and its weights."""
