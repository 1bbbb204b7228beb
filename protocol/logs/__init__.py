"""Recorded games: what formats there are, where they are found, and from any one of them to any other."""
