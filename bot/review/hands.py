"""The hands of a review: how each ended for the seat, how well it was played, and how the places stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bot.page.table import figure, tiles_text
from bot.review import document
from bot.review.verdicts import score, score_fields
from bot.wording.events import yaku_name
from engine.model.events import Win
from engine.model.hands import Hand
from engine.model.rules import Rules
from engine.model.seats import by_score, relative, turn_order
from engine.model.standing import Standing
from engine.tables import WeightsError
from engine.worth.objective import make_objective
from engine.worth.placement import RANKS, features, placement_model

if TYPE_CHECKING:
    from bot.review.examine import Audit


def hand_fields(at: int, audit: Audit) -> document.Hand:
    """A hand by its index; ``first`` is the number of its first decision."""
    hand, seat, rules = audit.played.hands[at], audit.seat, audit.recording.rules
    inside = [row for row in audit.rows if row.hand == at]
    return {
        "name": hand.name,
        "game": hand.game,
        "kyoku": hand.kyoku,
        "honba": hand.honba,
        "sticks": hand.riichi_sticks,
        "dealer": relative(hand.dealer, seat),
        "scores": [hand.scores[each] for each in turn_order(seat)],
        "deltas": [hand.deltas[each] for each in turn_order(seat)] if hand.ended else None,
        "ended": hand.ended,
        "resumed": hand.resumed,
        "outcome": outcome(hand, seat),
        "riichi": seat in hand.riichi,
        "called": seat in hand.callers,
        "against_riichi": any(each != seat for each in hand.riichi),
        "last": hand.kyoku >= rules.last_kyoku,
        "wins": [win_fields(win, seat) for win in hand.wins],
        "draw": None if hand.draw is None else hand.draw.name.lower(),
        "score": score_fields(score(row.judgement for row in inside)),
        "before": placing(hand.standing, seat, rules),
        "after": placing(audit.played.after(at), seat, rules),
        "first": inside[0].number if inside else None,
    }


def outcome(hand: Hand, seat: int) -> str:
    """How a hand ended for the seat: tsumo, ron, deal_in, paid (another's self-draw), bystander, draw, unfinished."""
    if any(win.seat == seat for win in hand.wins):
        return "tsumo" if any(win.seat == win.from_seat == seat for win in hand.wins) else "ron"
    if any(win.from_seat == seat for win in hand.wins):
        return "deal_in"
    if hand.wins:
        return "paid" if any(win.seat == win.from_seat for win in hand.wins) else "bystander"
    return "draw" if hand.ended else "unfinished"


def win_fields(win: Win, seat: int) -> document.Win:
    """A win of anybody; without its value if the log does not state one."""
    fields: document.Win = {
        "seat": relative(win.seat, seat),
        "from": relative(win.from_seat, seat),
        "tile": tiles_text((win.tile,)),
    }
    if win.score is not None:
        yaku = [(number, han) for number, han in win.score.yaku if han]
        yaku += [(number, 13) for number in win.score.yakuman]
        fields["points"], fields["han"], fields["fu"] = win.score.points, win.score.han, win.score.fu
        fields["limit"] = win.score.limit
        fields["yaku"] = [list[str | int]((*yaku_name(number), han)) for number, han in yaku]
    return fields


def placing(standing: Standing | None, seat: int, rules: Rules) -> document.Placing | None:
    """The chances of a seat's final places at a standing, and the result expected in thousands, uma and oka included.

    None without a standing, or if the weights are missing.

    The chances come from the network that the policies use (:mod:`engine.worth.placement`), and are certain when
    the game is over.
    """
    if standing is None:
        return None
    if standing.over:
        place = by_score(standing.scores).index(seat)
        chances = tuple(float(place == each) for each in range(RANKS))
    else:
        scores, kyoku, honba, sticks, viewer, last = (
            np.array([each], np.int64)
            for each in (standing.scores, standing.kyoku, standing.honba, standing.sticks, seat, rules.last_kyoku)
        )
        try:
            found = placement_model().ranks(features(scores, kyoku, honba, sticks, viewer, last))
        except WeightsError:
            return None
        chances = tuple(found[0].astype(float).tolist())
    objective = make_objective("placement", rules)
    worth = sum(chance * each for chance, each in zip(chances, objective.by_rank, strict=True))
    result = figure(worth + objective.per_point * standing.scores[seat])
    return {"places": [round(each, 4) for each in chances], "result": result}
