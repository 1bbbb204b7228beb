"""Phase one: the winning exchanges, and every hand on the way to one of them."""
