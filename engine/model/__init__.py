"""The vocabulary: tiles, seats, rules, melds, events, actions. Imports nothing of the rest."""
