"""What a hand is worth to each player when all hands are known, before a tile is drawn and for every tile."""
