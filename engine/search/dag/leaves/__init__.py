"""Phase three: the value of each win."""
