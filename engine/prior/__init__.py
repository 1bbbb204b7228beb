"""What strong players do: a network that imitates them. Its inputs, its answer, and its weights."""
