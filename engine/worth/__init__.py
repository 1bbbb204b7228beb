"""The worth of a hand's end to a player: the objective, the chance of each final rank, the worth of every ending."""
