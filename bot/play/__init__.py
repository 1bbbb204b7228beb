"""Games played for accounts, one after another, and what is kept of them."""
