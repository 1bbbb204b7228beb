"""What a hand is worth: evaluators behind one protocol, and the position they are asked about."""
