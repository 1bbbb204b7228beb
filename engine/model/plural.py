"""Numbers with their nouns."""


def plural(number: int, noun: str, several: str = "") -> str:
    """``1 hand``, ``2 hands``; ``several`` is the plural of a noun that takes more than an s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"
