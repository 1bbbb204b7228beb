"""Reads the names, the length and the number of players from a ``start_game``, in the fields of many programs."""

from collections.abc import Iterator
from typing import Any, Final

from engine.model.seats import SEATS, Four, four
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.game_length import length_of_title
from protocol.logs.json_text import quoted, whole

TONPU_KYOKU_FIRST: Final = 4
"""``kyoku_first`` of an east-only game; it is 0 for a hanchan."""

_LENGTHS: Final = frozenset(
    ("gametype", "gamemode", "gamelength", "mode", "length", "rule", "disp", "roomtype", "title")
)
"""Fields whose text names the length of the game, without separators and in lower case."""
_PLAYERS: Final = frozenset(("numplayers", "nplayers", "playernum", "playercount", "players", "numberofplayers"))
_THREE: Final = frozenset(("is3p", "sanma", "issanma", "threeplayer", "threeplayers"))
_NESTED: Final = frozenset(("rule", "rules", "config", "settings", "gamerule", "gamerules"))
_LENGTH_FLAGS: Final = {"tonpu": False, "tonpuu": False, "tonpuusen": False, "eastonly": False, "hanchan": True}
"""Fields that are true for a hanchan (True) or an east-only game (False)."""
_MORE_LENGTHS: Final = {"half": True, "one kyoku": False, "single round": False}
"""Words of programs, besides those of titles, for a hanchan (True) and for a game that is not longer than a round."""
_THREE_WORDS: Final = ("3p", "3ma", "sanma", "サンマ", "3player", "threeplayer", "三", "3人")

Line = dict[str, Any]


def is_hanchan(start: Line) -> bool | None:
    """Whether the game has a south round; None if the line does not say it."""
    first = start.get("kyoku_first")
    if first is not None:
        return whole(first) != TONPU_KYOKU_FIRST
    for key, value in _fields(start):
        if value is True and key.removeprefix("is") in _LENGTH_FLAGS:
            return _LENGTH_FLAGS[key.removeprefix("is")]
    texts = [text.lower().replace("_", " ").replace("-", " ") for text in _texts(start)]
    more = (long for text in texts for word, long in _MORE_LENGTHS.items() if word in text)
    titled = length_of_title(texts)
    return next(more, None) if titled is None else titled


def player_names(start: Line) -> Four[str]:
    """The names by seat; empty where there is no text."""
    names = start.get("names")
    if not isinstance(names, list) or len(names) != len(SEATS):
        return ("", "", "", "")
    return four([name if isinstance(name, str) else "" for name in names])


def require_four_players(start: Line) -> None:
    """Refuse a game of another number of players.

    Raises:
        UnsupportedGameError: the line says that three play.
        LogError: it says that another number does.
    """
    names = start.get("names")
    if isinstance(names, list) and len(names) == 3:
        raise UnsupportedGameError
    for key, value in _fields(start):
        number = whole(len(value) if key == "players" and isinstance(value, list) else value)
        if isinstance(value, str) and len(value) == 1 and value.isdecimal():
            number = int(value)
        if (key in _THREE and value is True) or (key in _PLAYERS and number == 3):
            raise UnsupportedGameError
        if key in _PLAYERS and number is not None and number != len(SEATS):
            raise LogError(f'"start_game" says that {quoted(value)} play; a game has four players')
    if any(word in _plain(text) for text in _texts(start) for word in _THREE_WORDS):
        raise UnsupportedGameError


def _texts(start: Line) -> Iterator[str]:
    """The texts of the fields about the kind of game."""
    for key, value in _fields(start):
        if key in _LENGTHS:
            yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))


def _fields(start: Line) -> Iterator[tuple[str, Any]]:
    """The fields of the line and of the rules within it."""
    for key, value in start.items():
        plain = _plain(key)
        yield plain, value
        if plain in _NESTED and isinstance(value, dict):
            yield from ((_plain(inner), each) for inner, each in value.items())


def _plain(text: str) -> str:
    return text.lower().replace("_", "").replace("-", "").replace(" ", "")
