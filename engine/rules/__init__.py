"""A table with all four hands as one record of plain numbers, and Tenhou's rules as kernels on it."""
