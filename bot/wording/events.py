"""Events at the table in words: seats, wins, and one phrase for each event, its tiles marked."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, Final

from bot.machine.text import brief
from bot.wording.languages import Lang, number, table, tile_mark
from engine.model import events as ev
from engine.model.seats import kyoku_name, relative
from engine.model.tiles import DORA_AFTER, TILE34, TILE37, format_tile37
from engine.model.yaku import YAKU_NAMES, YakuName

LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
"""By :attr:`~engine.model.events.WinScore.limit`."""
SIDES: Final = ("self", "right", "across", "left")
"""By :func:`engine.model.seats.relative`."""
_SIDES: Final = {Lang.EN: SIDES, Lang.JA: ("自家", "下家", "対面", "上家")}
_NAMES: Final[dict[type, str]] = {
    ev.StartGame: "game",
    ev.RiichiDeclared: "riichi",
    ev.RiichiAccepted: "accepted",
    ev.EndGame: "end",
    ev.Disconnected: "lost",
    ev.Reconnected: "back",
}
"""Events whose words depend on nothing but the seat."""


class NoteKind(StrEnum):
    """What a note at the table is about."""

    CONNECTION_LOST = "connection_lost"
    LOST_TRACK = "lost_track"
    NOT_WAITED = "not_waited"
    SERVER = "server"
    CONTRADICTION = "contradiction"


def note_at_table(kind: NoteKind, detail: str = "") -> dict[str, str]:
    """A note by language; ``detail`` is shown as it is."""
    return {
        lang.value: str(table("bot.wording", "events", lang)["notes"][kind]).format(detail=brief(detail))
        for lang in Lang
    }


def yaku_name(number: int) -> YakuName:
    """The names of a yaku by Tenhou's id; ``'yaku 60'`` for an id that is not in use."""
    return YAKU_NAMES[number] if 0 <= number < len(YAKU_NAMES) else YakuName(f"yaku {number}", f"yaku {number}")


def limit_words(limit: int) -> str:
    """``'mangan'``; empty below the limits."""
    return LIMITS[limit] if 0 <= limit < len(LIMITS) else f"limit {limit}"


def naming(names: Sequence[str], viewer: int, limit: int, lang: Lang = Lang.EN) -> Callable[[int], str]:
    """A function that names absolute seats: by their players' names, and by their sides where these do not suffice.

    Args:
        names: names of the players by absolute seat; untrusted, cleaned here.
        viewer: absolute seat of the viewer.
        limit: maximum length of a name.
        lang: language of the sides.
    """

    def name(seat: int) -> str:
        called, side = brief(names[seat], limit), _SIDES[lang][relative(seat, viewer)]
        if not called:
            return side
        return called if seat == viewer or list(names).count(names[seat]) == 1 else f"{called} ({side})"

    return name


Who = Callable[[int], str]
"""The name of an absolute seat, already cleaned."""


def event_words(
    event: ev.Event, who: Who, lang: Lang = Lang.EN, *, red_fives: bool = True, own: int | None = None
) -> str:
    """An event as a phrase whose tiles are marked as in :mod:`bot.wording.languages`.

    Args:
        event: the event, as the viewer sees it.
        who: names the seats.
        lang: the language.
        red_fives: whether the rules have red fives.
        own: seat of the reader, who is spoken to; None: everybody is named.
    """
    catalogue = table("bot.wording", "events", lang)
    looks = TILE37 if red_fives else TILE34

    def tiles(found: Iterable[int]) -> str:
        return tile_mark("".join(format_tile37(looks[tile]) for tile in found))

    def say(key: str, **parts: str) -> str:
        spoken = catalogue["spoken"].get(key) if own is not None and getattr(event, "seat", None) == own else None
        return str(spoken or catalogue["events"][key]).format(**parts)

    def whose(seat: int) -> str:
        return str(catalogue["you"]) if seat == own else who(seat)

    match event:
        case ev.StartKyoku() | ev.Resume():
            key = "deal" if isinstance(event, ev.StartKyoku) else "resume"
            return say(key, hand=hand_words(kyoku_name(event.kyoku, event.honba), lang))
        case ev.Draw():
            if event.tile is None:
                return say("draw_hidden", who=whose(event.seat))
            return say("draw", who=whose(event.seat), tile=tiles((event.tile,)))
        case ev.Discard():
            return say("tsumogiri" if event.tsumogiri else "discard", who=whose(event.seat), tile=tiles((event.tile,)))
        case ev.Call():
            return say(event.meld.kind.name.lower(), who=whose(event.seat), tiles=tiles(event.meld.tiles))
        case ev.NewDora():
            return say("dora", tile=tile_mark(format_tile37(DORA_AFTER[event.indicator >> 2])))
        case ev.Win():
            key = "tsumo" if event.seat == event.from_seat else "ron"
            if own is not None and own == event.from_seat != event.seat:
                key = "ron_of_you"
            win = say(key, who=whose(event.seat), other=whose(event.from_seat), tile=tiles((event.tile,)))
            return win if event.score is None else say("worth", win=win, **_score(event.score, catalogue, lang))
        case ev.Ryuukyoku():
            return draw_words(event.kind, lang)
        case _:
            seat = getattr(event, "seat", None)
            return say(_NAMES[type(event)], who="" if seat is None else whose(seat))


def hand_words(name: str, lang: Lang) -> str:
    """The name of a hand (``'E1-2'``) in the language: ``'東1局2本場'``."""
    words = table("bot.wording", "events", lang)
    place, _, honba = name.partition("-")
    place = place.translate(str.maketrans(table("bot.wording", "events", Lang.EN)["rounds"], words["rounds"]))
    return str(words["hand_honba" if honba else "hand"]).format(place=place, honba=honba)


def draw_words(kind: ev.RyuukyokuKind, lang: Lang) -> str:
    """Why a hand ended without a win."""
    return str(table("bot.wording", "events", lang)["draws"][kind.name.lower()])


def worth_words(score: ev.WinScore, lang: Lang) -> str:
    """The limit of a win, or its han and fu below the limits."""
    limits = table("bot.wording", "events", lang)["limits"]
    limit = limits[score.limit] if 0 <= score.limit < len(limits) else f"limit {score.limit}"
    return str(limit).format(han=score.han, fu=score.fu)


def _score(score: ev.WinScore, catalogue: dict[str, Any], lang: Lang) -> dict[str, str]:
    """The yaku of a win and what it is worth."""
    column = catalogue["yaku"]
    yaku = [yaku_name(each)[column] for each in score.yakuman]
    yaku += [yaku_name(each)[column] + (f" {han}" if han > 1 else "") for each, han in score.yaku if han]
    return {"yaku": ", ".join(yaku), "value": worth_words(score, lang), "points": number(score.points)}
