"""An audit written as its document: what ``--json`` prints, and all that the reports are made of.

The names are those of :mod:`bot.review.document`. Untrusted text is cleaned of anything that could control a terminal
or reorder text.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import blake2b
from pathlib import PurePath
from typing import Final

import numpy as np

from bot.deciding.fields import ground_fields
from bot.machine.origin import made_by
from bot.machine.text import brief
from bot.page.table import WrittenAction, figure, kinds_text, rounded, sorted_text, tiles_text, written_action
from bot.review import document
from bot.review.arguments import clauses_of
from bot.review.examine import Audit, Row
from bot.review.habits import Situation, choices, habits
from bot.review.measure import Scale, bounds, percentile, reference, shown_unit
from bot.review.recording import true_waits, wait_shape
from bot.review.verdicts import Category, Verdict, score, score_fields, standard_error
from bot.wording.events import yaku_name
from engine.model.actions import DISCARDS, ActionKind
from engine.model.events import EndGame, Win
from engine.model.hands import Hand
from engine.model.rules import Rules
from engine.model.seats import by_score, relative, turn_order
from engine.model.standing import Standing
from engine.policy.decision import Candidate
from engine.tables import WeightsError
from engine.worth.objective import make_objective
from engine.worth.placement import RANKS, features, placement_model

NAME_LENGTH: Final = 24
TURNING_POINTS: Final = 5
"""Number of the costliest decisions that are singled out."""


def audit_fields(audit: Audit, *, anonymous: bool = False) -> document.Review:
    """All fields of an audit. ``anonymous`` leaves out names, file and log id."""
    recording = audit.recording
    rules = recording.rules
    names = [recording.names[seat] for seat in turn_order(audit.seat)]
    policy = _policy(audit)
    scale = Scale.of(policy["noise"], policy["unit"])
    decisions: list[document.Decision] = [
        {**row.fields, "clauses": clauses_of(row.fields, scale)} for row in audit.rows
    ]
    whole = score(row.judgement for row in audit.rows)
    hands = range(len(audit.played.hands))
    by_hand = [score(row.judgement for row in _of_hand(at, audit)) for at in hands]
    return {
        "format": document.FORMAT,
        "version": document.VERSION,
        "made_by": {name: made_by()[name] for name in ("oshihiki", "engine")},
        "source": "" if anonymous else brief(PurePath(recording.name.replace("\\", "/")).name, 80),
        "log_id": "" if anonymous else brief(recording.info.log_id, 60),
        "date": "" if anonymous else played_on(recording.info.log_id, recording.name),
        "policy": policy,
        "seat": audit.seat,
        "names": ["", "", "", ""] if anonymous else [brief(name, NAME_LENGTH) for name in names],
        "rules": {
            "hanchan": rules.hanchan,
            "red_fives": rules.red_fives,
            "open_tanyao": rules.open_tanyao,
            "kiriage": rules.kiriage,
            "start_points": rules.start_points,
            "honba_points": rules.honba_points,
            "shown": "" if anonymous else brief(recording.info.rule_name, 40),
        },
        "game": fingerprint(audit),
        "complete": len(audit.played.ends) == len({hand.game for hand in audit.played.hands}) > 0,
        "notes": [brief(note, 300) for note in recording.notes],
        "faults": [{"place": fault.place, "message": brief(fault.message)} for fault in audit.faults],
        "ends": [_end(end, audit.seat) for end in audit.played.ends.values()],
        "score": score_fields(whole, standard_error(by_hand)),
        "reference": _reference(audit, whole.per_hundred),
        "categories": {
            each.value: one
            for each in Category
            if (one := _score_of(row for row in audit.rows if row.fields["category"] == each))
        },
        "situations": {
            each.value: one
            for each in Situation
            if (one := _score_of(row for row in audit.rows if row.fields["situation"] == each))
        },
        "habits": habits(decisions),
        "choices": choices(decisions),
        "hands": [_hand(at, audit, score_fields(by_hand[at])) for at in hands],
        "turning_points": [row.fields["number"] for row in _costliest(audit.rows)],
        "deal_ins": _deal_ins(audit),
        "decisions": decisions,
    }


def _of_hand(at: int, audit: Audit) -> list[Row]:
    """The decisions of a hand."""
    return [row for row in audit.rows if row.fields["hand"] == at]


def _score_of(rows: Iterable[Row]) -> document.Score | None:
    """The score of some decisions; None if none of them is judged."""
    found = score(row.judgement for row in rows)
    return score_fields(found) if found.judged else None


def _costliest(rows: Sequence[Row]) -> list[Row]:
    """The decisions that cost the most, worst first."""
    costly = sorted((row for row in rows if row.judgement.loss), key=lambda row: -(row.judgement.loss or 0.0))
    return costly[:TURNING_POINTS]


def _policy(audit: Audit) -> document.Judge:
    """The judge: its values are shown in ``unit``; ``worth`` says what 1,000 points were worth in its own unit."""
    rates = [row.decision.per_point for row in audit.rows if row.judgement.loss is not None and row.decision.per_point]
    values = next((row.decision.unit for row in audit.rows if row.decision.unit), "")
    unit, noise = shown_unit(values), _noise(audit)
    return {
        "name": audit.policy,
        "settings": dict(audit.settings),
        "nodes": audit.nodes,
        "unit": unit,
        "values": values,
        "noise": noise,
        "bounds": {grade.value: figure(bound) for grade, bound in bounds(unit, noise).items()},
        "worth": [figure(1_000 * rate) for rate in (min(rates), max(rates))] if rates else None,
    }


def played_on(log_id: str, name: str) -> str:
    """The day of a game, ``'2024-01-31'``, by its log id or the name of its file; "" if neither contains one."""
    found = _DAY.search(log_id) or _DAY.search(PurePath(name.replace("\\", "/")).name)
    try:
        return "" if found is None else date(*map(int, found.groups())).isoformat()
    except ValueError:  # no such day
        return ""


_DAY: Final = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})-?([01][0-9])-?([0-3][0-9])")


def _reference(audit: Audit, lost: float | None) -> dict[str, document.Room]:
    """By room, the figures of its players with this judge in games of this length, and the rank of what was lost.

    Empty if the judge is not the one that the reference was counted with.
    """
    known = reference()
    if not known.suits(audit.policy, audit.settings, audit.nodes):
        return {}
    return {
        room: {
            "games": one["games"],
            "mean": one["mean"],
            "sd": one["sd"],
            "percentile": None if lost is None else percentile(one["per_hundred"], lost),
            "categories": {name: each["per_hundred"] for name, each in one["categories"].items()},
        }
        for room, one in known.of_length(hanchan=audit.recording.rules.hanchan).items()
    }


def fingerprint(audit: Audit) -> str:
    """A value that identifies a seat of a game in whatever format; a folder may contain a game twice."""
    hands = [
        (hand.name, hand.scores, hand.deltas, [(win.seat, win.from_seat, win.tile >> 2) for win in hand.wins])
        for hand in audit.played.hands
    ]
    return blake2b(repr((audit.recording.names, audit.seat, hands)).encode(), digest_size=8).hexdigest()


def _noise(audit: Audit) -> float:
    """The median noise of all decisions, which shows how precise the values are."""
    found = sorted(row.judgement.noise for row in audit.rows if row.judgement.noise > 0.0)
    return figure(found[len(found) // 2]) if found else 0.0


def _end(end: EndGame, seat: int) -> document.End:
    """The end of a game: scores and results from the seat on, and its place."""
    order = by_score(end.scores)
    return {
        "scores": [end.scores[one] for one in turn_order(seat)],
        "results": None if end.results is None else [end.results[one] for one in turn_order(seat)],
        "placement": order.index(seat) + 1,
    }


# -- hands -------------------------------------------------------------------------------------------------------------


def _hand(at: int, audit: Audit, played: document.Score) -> document.Hand:
    """A hand by its index, and how well it was played: how it ended for the seat, and how the places stood."""
    hand, seat, rules = audit.played.hands[at], audit.seat, audit.recording.rules
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
        "outcome": _outcome(hand, seat),
        "riichi": seat in hand.riichi,
        "called": seat in hand.callers,
        "against_riichi": any(each != seat for each in hand.riichi),
        "last": hand.kyoku >= rules.last_kyoku,
        "wins": [_win(win, seat) for win in hand.wins],
        "draw": None if hand.draw is None else hand.draw.name.lower(),
        "score": played,
        "before": _placing(hand.standing, seat, rules),
        "after": _placing(audit.played.after(at), seat, rules),
        "first": next((row.fields["number"] for row in _of_hand(at, audit)), None),
    }


def _outcome(hand: Hand, seat: int) -> str:
    """How a hand ended for the seat: tsumo, ron, deal_in, paid (another's self-draw), bystander, draw, unfinished."""
    if any(win.seat == seat for win in hand.wins):
        return "tsumo" if any(win.seat == win.from_seat == seat for win in hand.wins) else "ron"
    if any(win.from_seat == seat for win in hand.wins):
        return "deal_in"
    if hand.wins:
        return "paid" if any(win.seat == win.from_seat for win in hand.wins) else "bystander"
    return "draw" if hand.ended else "unfinished"


def _win(win: Win, seat: int) -> document.Win:
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


def _placing(standing: Standing | None, seat: int, rules: Rules) -> document.Placing | None:
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


# -- deal-ins ----------------------------------------------------------------------------------------------------------


_RONNABLE: Final = frozenset(kind.name.lower() for kind in (*DISCARDS, ActionKind.KAKAN))
"""Actions whose tile another player may win on."""


def _deal_ins(audit: Audit) -> list[document.DealIn]:
    """Every deal-in of the seat, in order."""
    return [_deal_in(at, audit) for at, hand in enumerate(audit.played.hands) if hand.dealt_in == audit.seat]


def _deal_in(at: int, audit: Audit) -> document.DealIn:
    """The deal-in of a hand.

    ``decision``: number of the decision to discard the tile, None if it is not in the recording; ``paid``: points lost
    by it, honba included; ``rank``: of the tile by danger among the ``of`` that were evaluated, 1 the most dangerous;
    ``safest``: the least dangerous of them; ``winners``: one, or two at a double ron.
    """
    hand, seat, red = audit.played.hands[at], audit.seat, audit.recording.rules.red_fives
    tile = tiles_text((hand.wins[0].tile,), red)
    row = next((one for one in reversed(_of_hand(at, audit)) if _is_discard(one.fields["played"], tile)), None)
    dangers: list[Candidate] = []
    rank = mine = loss = None
    if row is not None:
        dangers = sorted(
            (one for one in row.decision.candidates if one.p_deal_in is not None), key=lambda one: -(one.p_deal_in or 0)
        )
        mine, loss = row.judgement.played, row.judgement.loss
        if mine is not None and mine.p_deal_in is not None:
            rank = 1 + sum((one.p_deal_in or 0.0) > mine.p_deal_in for one in dangers)
    safest = dangers[-1] if dangers else None
    return {
        "hand": at,
        "decision": None if row is None else row.fields["number"],
        "tile": tile,
        "paid": -sum(win.deltas[seat] for win in hand.wins),
        "p_deal_in": rounded(mine.p_deal_in if mine else None, 4),
        "expected_loss": rounded(mine.expected_loss if mine else None, 0),
        "rank": rank,
        "of": len(dangers),
        "safest": None
        if safest is None
        else {"action": written_action(safest.action, red), "p_deal_in": rounded(safest.p_deal_in, 4)},
        "worth": _worth(row, tile),
        "loss": None if loss is None else figure(loss),
        "winners": [_winner(win, hand, row, audit) for win in hand.wins],
    }


def _is_discard(action: WrittenAction | None, tile: str) -> bool:
    """Whether another player may win on a tile of that kind by this action."""
    kinds = [each.replace("0", "5") for each in (action.get("tile", "") if action else "", tile)]
    return action is not None and action["kind"] in _RONNABLE and kinds[0] == kinds[1]


def _worth(row: Row | None, tile: str) -> str:
    """Whether discarding the tile was right, as the policy sees it.

    ``worth``: it discards it too, or a tile of equal worth; ``not_worth``: it discards another tile, which is worth
    more; ``unclear``: there was no choice, or it does not say.
    """
    verdict = Verdict.UNKNOWN if row is None else row.judgement.verdict
    discards_it = row is not None and _is_discard(row.fields["chosen"], tile)
    if verdict in {Verdict.SAME, Verdict.EQUAL} or (verdict in {Verdict.DIFFERS, Verdict.HELD} and discards_it):
        return "worth"
    return "not_worth" if verdict in {Verdict.DIFFERS, Verdict.HELD} else "unclear"


def _winner(win: Win, hand: Hand, row: Row | None, audit: Audit) -> document.Winner:
    """A winner on the tile: the win, and the hand without that tile if the log shows it.

    ``waits``: what it really waited on, and ``shape`` the shape of that; ``threat``: ``riichi``, ``open`` or
    ``closed``, as everyone could see; ``safety``: what the tile is called against this player.
    """
    red = audit.recording.rules.red_fives
    held = [tile for tile in win.concealed if tile != win.tile]
    kinds = true_waits(held, len(win.melds)) if held else ()
    safety = None if row is None else row.safety.get(relative(win.seat, audit.seat))
    return {
        **_win(win, audit.seat),
        "hand": sorted_text(held, red) if held else None,
        "melds": [sorted_text(meld.tiles, red) for meld in win.melds],
        "waits": kinds_text(kinds),
        "shape": wait_shape(kinds, win.tile >> 2, held) if kinds else "",
        "threat": "riichi" if win.seat in hand.riichi else "open" if win.seat in hand.callers else "closed",
        "safety": None if safety is None else ground_fields(safety),
    }
