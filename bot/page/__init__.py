"""What pages are made of: templates, tiles, and the table as one seat sees it."""
