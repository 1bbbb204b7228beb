"""``oshihiki bench``: one module for each command."""
