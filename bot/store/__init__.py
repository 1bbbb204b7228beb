"""What is kept of a user beside the records of games: results, guests' games, choices, answers of practice, reviews."""
