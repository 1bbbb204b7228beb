"""Phase three: what each win is worth."""
