"""Phase four: backward induction over the turns."""
