"""The words of the program: one catalogue for each language, and how numbers and tiles are written in them."""
