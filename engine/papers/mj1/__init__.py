"""MJ1: what opponents would wait on if their hands were random."""
