"""The end of a hand as plain values: who won with what, its yaku and worth, or why it was drawn, and who paid."""

from __future__ import annotations

from typing import Any

from bot.page.table import meld_fields, sorted_text, tiles_text
from bot.wording.events import draw_words, worth_words, yaku_name
from bot.wording.languages import Lang
from engine.model.events import Ryuukyoku, Win, WinScore
from engine.model.seats import relative, turn_order
from engine.state import GameState

Fields = dict[str, Any]


def result_fields(event: Win | Ryuukyoku, state: GameState) -> Fields:
    """How a hand ended; seats and points in turn order from the viewer. ``state``: after the event."""
    seats = turn_order(state.seat)
    before = event.scores_before or tuple(
        score - change for score, change in zip(state.scores, event.deltas, strict=True)
    )
    shared: Fields = {
        "before": [before[seat] for seat in seats],
        "deltas": [event.deltas[seat] for seat in seats],
        "honba": event.honba,
        "sticks": event.riichi_sticks,
    }
    return shared | (_win(event, state) if isinstance(event, Win) else _draw(event, state))


def _win(win: Win, state: GameState) -> Fields:
    red = state.rules.red_fives
    fields: Fields = {
        "kind": "win",
        "seat": relative(win.seat, state.seat),
        "from": relative(win.from_seat, state.seat),
        "tile": tiles_text((win.tile,), red),
        "hand": sorted_text((tile for tile in win.concealed if tile != win.tile), red),
        "melds": [meld_fields(meld, win.seat, red) for meld in win.melds],
        "dora": tiles_text(win.dora_indicators or state.dora_indicators, red),
        "ura": tiles_text(win.ura_indicators, red),
        "pao": None if win.pao_seat is None else relative(win.pao_seat, state.seat),
    }
    return fields if win.score is None else fields | _worth(win.score)


def _worth(score: WinScore) -> Fields:
    """The yaku, each with its names and han (0 for a yakuman), and the value."""
    yaku = [(number, 0) for number in score.yakuman] + [(number, han) for number, han in score.yaku if han]
    return {
        "yaku": [[{"en": yaku_name(each).english, "ja": yaku_name(each).tenhou}, han] for each, han in yaku],
        "han": score.han,
        "fu": score.fu,
        "limit": score.limit,
        "points": score.points,
        "value": {lang.value: worth_words(score, lang) for lang in Lang},
    }


def _draw(draw: Ryuukyoku, state: GameState) -> Fields:
    red = state.rules.red_fives
    shown = [draw.hands[seat] for seat in turn_order(state.seat)]
    return {
        "kind": "draw",
        "why": {lang.value: draw_words(draw.kind, lang) for lang in Lang},
        "hands": [None if held is None else sorted_text(held, red) for held in shown],
    }
