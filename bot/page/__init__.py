"""Parts of all pages: templates, tiles, and the table as one seat sees it."""
