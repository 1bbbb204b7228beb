"""The worth of a hand to each player when all hands are known, before a draw and for every tile drawn."""
