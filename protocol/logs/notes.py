"""Notes on a log for people: what was read otherwise than it is written, each kind once."""

from collections import Counter


class Notes:
    """Counts of what was read otherwise than a log is written, with the first place of each."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._places: dict[str, str] = {}

    def add(self, text: str, place: str) -> None:
        """Count one more of a kind.

        Args:
            text: what was read and how, without a place; equal texts are one kind.
            place: where, such as ``'E3-1, event 41'``.
        """
        self._counts[text] += 1
        self._places.setdefault(text, place)

    @property
    def total(self) -> int:
        """Number of all that was counted."""
        return self._counts.total()

    def texts(self) -> tuple[str, ...]:
        """One text for each kind: ``'… (E3-1, event 41, and 2 more)'``."""
        return tuple(
            f"{text} ({self._places[text]}{f', and {count - 1} more' if count > 1 else ''})"
            for text, count in self._counts.items()
        )
