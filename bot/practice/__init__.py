"""Practice: positions of one's own costly decisions come back as questions, and what was missed comes again."""
