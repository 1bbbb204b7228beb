"""The vocabulary: tiles, seats, rules, melds, events and actions. It imports nothing else of the project."""
