"""Phase one: the completing exchanges, and every hand on the way to one of them."""
