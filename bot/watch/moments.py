"""The contents of the live page as plain values: moments of a game, decisions, questions to a person, and hints.

Seats are relative to the viewer and tiles are written as in :mod:`bot.page.table`. What is worded comes in every
language, so that the page can change its language without asking. All text from outside is cleaned.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.deciding.ask import Outcome, Question
from bot.machine.text import brief
from bot.page.table import (
    kinds_text,
    meld_fields,
    rounded,
    sorted_text,
    table_fields,
    tiles_text,
    written_action,
    written_candidate,
)
from bot.review.document import Truth
from bot.wording.events import draw_words, event_words, hand_words, naming, worth_words, yaku_name
from bot.wording.grounds import note_word, word
from bot.wording.languages import Lang, decimals_of, marked
from bot.wording.opponents import as_people
from engine.model.actions import DISCARDS
from engine.model.events import (
    Call,
    Discard,
    EndGame,
    Event,
    RiichiDeclared,
    Ryuukyoku,
    StartGame,
    StartKyoku,
    Win,
    WinScore,
)
from engine.model.seats import by_score, relative, seat_wind34, turn_order
from engine.model.tiles import KINDS, format_tile37
from engine.opponents.danger import Danger, DangerEstimator
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Note
from engine.scoring import WinContext, fu_parts
from engine.shanten import HandError, discard_ukeire
from engine.state import GameState
from protocol.tenhou.session import GUEST

Fields = dict[str, Any]
NAME_LENGTH: Final = 24
_UNNAMED: Final = frozenset(("", GUEST))
"""Names of a person who has given none."""


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
    return fields if win.score is None else fields | _worth(win.score) | {"fu_parts": _fu(win, win.score, state)}


def _fu(win: Win, score: WinScore, state: GameState) -> list[list[Any]]:
    """The parts of the fu: the name of each, its fu, and its kind; none where the tiles do not give what is stated."""
    context = WinContext(
        concealed=win.concealed,
        win_tile=win.tile,
        tsumo=win.seat == win.from_seat,
        seat_wind=seat_wind34(win.seat, state.dealer),
        round_wind=state.round_wind,
        melds=win.melds,
    )
    try:
        found = fu_parts(context, score)
    except HandError:  # a log may state tiles that are no hand
        return []
    return [[part.name, part.fu, None if part.tile34 is None else format_tile37(part.tile34)] for part in found]


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


def shown_names(names: Sequence[str], viewer: int) -> list[str]:
    """The names of the players in turn order from the viewer; empty where there is none."""
    return [brief(names[seat], NAME_LENGTH) for seat in turn_order(viewer)]


def moment_fields(
    state: GameState, event: Event, names: Sequence[str], *, person: bool = False, truth: Truth | None = None
) -> Fields:
    """The table after an event.

    Args:
        state: after the event.
        event: as the viewer sees it.
        names: the players by absolute seat; untrusted.
        person: whether a person plays here; built-in opponents then have the names of people, and somebody without a
            name is spoken to.
        truth: what the other players hold; None if that is not known.
    """
    own, strengths = person and names[state.seat] in _UNNAMED, [""] * len(names)
    if person:
        names, strengths = as_people(names)
    found: Fields = {
        "names": shown_names(names, state.seat),
        "strengths": [strengths[seat] for seat in turn_order(state.seat)],
        "text": {
            lang.value: event_words(
                event,
                naming(names, state.seat, NAME_LENGTH, lang),
                lang,
                red_fives=state.rules.red_fives,
                own=state.seat if own else None,
            )
            for lang in Lang
        },
    }
    if isinstance(event, StartGame):
        return found
    found |= {
        "hand": {
            "kyoku": state.kyoku,
            "honba": state.honba,
            "dealer": relative(state.dealer, state.seat),
            "name": {lang.value: hand_words(state.place(), lang) for lang in Lang},
        },
        "hanchan": state.rules.hanchan,
        "turn": len(state.rivers[state.seat]) + 1,
        "table": table_fields(state),
    }
    if truth is not None:
        found["truth"] = truth
    if (act := _act(event)) is not None:
        seat, kind = act
        found["act"] = {"seat": relative(seat, state.seat), "kind": kind}
    if isinstance(event, StartKyoku) and (dealt := event.hands[state.seat]) is not None:
        found["dealt"] = tiles_text(dealt, state.rules.red_fives)
    if isinstance(event, Win | Ryuukyoku):
        found["result"] = result_fields(event, state)
    if isinstance(event, EndGame):
        found["end"] = end_fields(event, state.seat)
    return found


def _act(event: Event) -> tuple[int, str] | None:
    """Who has just acted, and how: a discard, a riichi, the kind of a meld or of a win; None of any other event."""
    match event:
        case Discard(seat=seat):
            return seat, "discard"
        case RiichiDeclared(seat=seat):
            return seat, "riichi"
        case Call(seat=seat, meld=meld):
            return seat, meld.kind.name.lower()
        case Win(seat=seat, from_seat=from_seat):
            return seat, "tsumo" if seat == from_seat else "ron"
        case _:
            return None


def end_fields(event: EndGame, viewer: int) -> Fields:
    """The end of a game: points and places in turn order from the viewer."""
    places = {seat: place for place, seat in enumerate(by_score(event.scores), 1)}
    seats = turn_order(viewer)
    return {
        "scores": [event.scores[seat] for seat in seats],
        "places": [places[seat] for seat in seats],
        "results": None if event.results is None else [event.results[seat] for seat in seats],
    }


def decision_moment(decision: Decision, outcome: Outcome, *, red_fives: bool) -> Fields:
    """A decision: what was chosen, what else was considered, and why."""
    candidates = sorted(decision.candidates, key=lambda one: (one.action != decision.action, -one.score))
    return {
        "action": written_action(decision.action, red_fives),
        "mode": str(decision.mode),
        "outcome": str(outcome),
        "ms": round(1000 * decision.elapsed, 1),
        "nodes": decision.nodes,
        "unit": "points" if decision.points(0.0) is not None else decision.unit,
        "decimals": 0 if decision.points(0.0) is not None else decimals_of(decision.noise),
        "noise": _shared(decision, decision.noise),
        "candidates": [_candidate(one, decision, red_fives) for one in candidates],
        "grounds": {lang.value: [word(each, lang, marked) for each in decision.grounds] for lang in Lang},
    }


def danger_fields(danger: Danger, state: GameState) -> list[Fields]:
    """The danger of each kind in the hand against each opponent, right, across, left; the most dangerous first."""
    seats = turn_order(state.seat)[1:]
    rows = [
        {
            "tile": format_tile37(kind),
            "by": [rounded(float(danger.p_deal_in[seat, kind]), 4) for seat in seats],
            "any": rounded(danger.deal_in(kind), 4),
            "loss": rounded(danger.expected_loss(kind), 0),
        }
        for kind in range(34)
        if state.counts[kind]
    ]
    return sorted(rows, key=lambda row: -row["any"])


def tenpai_fields(danger: Danger, state: GameState) -> list[float | None]:
    """The chance of each opponent to be tenpai, right, across, left."""
    return [rounded(float(danger.p_tenpai[seat]), 3) for seat in turn_order(state.seat)[1:]]


def risks_of(estimator: Callable[[], DangerEstimator], state: GameState) -> Fields:
    """Everything that the page shows of the danger to a seat."""
    danger = estimator().estimate(state)
    return {"tenpai": tenpai_fields(danger, state), "danger": danger_fields(danger, state)}


def question_fields(question: Question, until: float) -> Fields:
    """A question to a person; ``until``: when it is answered without them, in seconds since the epoch.

    A discard of the tile just drawn is marked, because a copy from the hand looks the same.
    """
    state = question.state
    return {
        "number": question.number,
        "until": round(1000 * until),
        "after": after_discards(state) if state.turn == state.seat else {},
        "legal": [
            written_action(action, state.rules.red_fives)
            | ({"drawn": True} if action.kind in DISCARDS and action.tile == state.drawn else {})
            for action in question.legal
        ],
    }


def after_discards(state: GameState) -> dict[str, Fields]:
    """By each kind of the hand, what discarding it leaves: the shanten, and the kinds that lower it.

    At shanten 0 these are the waits.
    """
    found = discard_ukeire(state.counts, len(state.melds[state.seat]), [state.unseen(kind) for kind in range(KINDS)])
    return {
        format_tile37(kind): {
            "shanten": found.shanten[kind],
            "gains": kinds_text(each for each in range(KINDS) if found.kinds[kind] >> each & 1),
        }
        for kind in range(KINDS)
        if state.counts[kind]
    }


def _shared(decision: Decision, value: float) -> float:
    """A value in points if the rate is known, otherwise as it is."""
    points = decision.points(value)
    return value if points is None else round(points, 1)


def _candidate(one: Candidate, decision: Decision, red_fives: bool) -> Fields:
    fields: Fields = {**written_candidate(one, red_fives)}
    fields["value"] = _shared(decision, one.score)
    if one.parts is not None:
        fields["parts"] = {name: _shared(decision, value) for name, value in fields["parts"].items()}
    if one.note is not None:
        fields["note"] = {lang.value: note_word(Note(one.note), lang) for lang in Lang}
    return fields
