"""``oshihiki bench forecasts``: what a policy states of the actions that were played, compared with what came."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from bot.lab.experiment import COUNT, Column, Rows, rows_of
from bot.lab.seats import Seat, SeatRows, outcome_of, sampled_decisions
from bot.replay.decisions import find, look_alike
from engine.policy.scene import Scene


class Forecast(NamedTuple):
    """A decision: what the policy states of the action that was played, and what came."""

    action: str  # kind of the action that was played
    turn: int  # the seat's turn in the hand
    shanten: int  # shanten before the decision
    against: int  # number of opponents in riichi
    own: str  # ``riichi``, ``open`` or ``closed``
    folds: bool  # whether the policy would fold here
    same: bool  # whether it would have played the same
    # p_win, p_tenpai, p_deal_in: what it states; None where it states nothing
    p_win: float | None
    p_tenpai: float | None
    p_deal_in: float | None
    result: float  # what it states of the result of the hand, in points, relative to an aborted hand
    # won, tenpai, dealt_in_now, dealt_in, came: what came; ``came`` is the result in the same unit
    won: bool
    tenpai: bool
    dealt_in_now: bool
    dealt_in: bool
    came: float


def _beside(name: str, head: str, stated: str, came: str, digits: int) -> Column:
    """Means of what was stated and of what came, and the standard error of their difference."""

    def figure(rows: Rows) -> dict[str, float | int | None]:
        known = rows[~np.isnan(rows[stated])]
        if not len(known):
            return {"n": 0, "stated": None, "came": None, "error": None}
        off = known[came].astype(np.float64) - known[stated]
        error = round(float(off.std(ddof=1) / len(off) ** 0.5), digits) if len(off) > 1 else None
        means = {"stated": float(known[stated].mean()), "came": float(known[came].mean())}
        return {"n": len(known), **{which: round(mean, digits) for which, mean in means.items()}, "error": error}

    def cells(found: dict[str, float | None]) -> Sequence[str]:
        form = ".1%" if digits > 1 else ".0f"
        return ["" if found[side] is None else f"{found[side]:{form}}" for side in ("stated", "came", "error")]

    before = f"{head}: " if digits > 1 else ""
    return Column(name, (f"{head}: stated", f"{before}came", f"{before}±"), figure, cells)


@dataclass(frozen=True, kw_only=True)
class Forecasts(SeatRows):
    """Compare what a policy states of the actions that were played in recorded games with how the hands ended.

    Of the policy's own games this shows whether its figures are right; of other players' games it also contains how
    differently they play on. Decisions of one hand depend on each other, so a small share gives better error estimates.

    Examples:
      oshihiki bench forecasts --json
      oshihiki arena value phoenix --tonpu --games 200 --logs own && oshihiki bench forecasts --logs own --every-game \
--name value
    """

    row: ClassVar = Forecast
    journal_of: ClassVar = "forecasts"
    groups: ClassVar = {
        "all": lambda _: "",
        "against": lambda one: "against a riichi" if one.against else "no riichi",
        "mode": lambda one: ("folds" if one.folds else "pushes") + (" against a riichi" if one.against else ""),
        "own": lambda one: one.own,
        "shanten": lambda one: f"{min(one.shanten, 4)}",
        "turn": lambda one: f"{(one.turn - 1) // 3 * 3 + 1:2}-{(one.turn - 1) // 3 * 3 + 3:2}",
        "chance": lambda one: "" if np.isnan(one.p_win) else f"{int(min(one.p_win, 0.999) * 10) * 10:2}%",
    }
    columns: ClassVar = (
        COUNT,
        _beside("win", "win", "p_win", "won", 4),
        _beside("tenpai", "tenpai", "p_tenpai", "tenpai", 4),
        _beside("deal_in", "deal-in", "p_deal_in", "dealt_in_now", 4),
        _beside("result", "result", "result", "came", 1),
    )

    def measure(self, work: Seat) -> Rows:
        """The forecasts of a seat's decisions; those whose hand has no end in the log are left out."""
        return rows_of(Forecast, self._forecasts(work))

    def _forecasts(self, seat: Seat) -> Iterator[Forecast]:
        decider = self.player.make(0)
        worth: Any = decider.standing(seat.log.start.rules, seat.number)
        for point, decision in sampled_decisions(seat, decider, self.nodes, self.share):
            if point.played is None or point.absent:
                continue
            stated = find(decision, point.played)
            outcome = outcome_of(seat.log, point.place.event, seat.number)
            if stated is None or outcome is None:
                continue
            scene = Scene(point.state, point.legal)
            position = scene.position
            yield Forecast(
                action=point.played.kind.name.lower(),
                turn=point.place.turn,
                shanten=scene.shanten,
                against=len(point.state.riichi_opponents),
                own="riichi" if position.riichi else "closed" if position.closed else "open",
                folds=decision.mode == "fold",
                same=look_alike(decision.action, point.played),
                p_win=stated.p_win,
                p_tenpai=stated.p_tenpai,
                p_deal_in=stated.p_deal_in,
                result=stated.value / decision.per_point,
                won=outcome.won,
                tenpai=outcome.tenpai,
                dealt_in_now=outcome.dealt_in_now,
                dealt_in=outcome.dealt_in,
                came=outcome.result(point, worth) / decision.per_point,
            )


bench_forecasts = Forecasts.command()
