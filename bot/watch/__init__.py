"""A page on this machine that shows tables live: what a seat sees, what it decides, and why."""
