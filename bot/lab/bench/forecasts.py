"""``oshihiki bench forecasts``: what a policy states of the actions that were played, compared with what came."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np

from bot.commands.options import BackendName, Jobs, JsonFigures, figures_table, print_figures
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab import measuring
from bot.lab.judging import sampled_decisions
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from bot.machine.preparation import warm_up
from bot.replay.decisions import find, look_alike
from engine.model.events import Discard, Event
from engine.model.hands import hands_of
from engine.model.seats import four
from engine.model.standing import Standing
from engine.policy.scene import Scene
from engine.rules.recordings import Split
from protocol.logs.game_log import GameLog


@dataclass(frozen=True, slots=True)
class HandEnd:
    """How a hand went on after a decision, for one seat."""

    won: bool  # whether it won the hand
    dealt_in: bool  # whether it dealt in, with this discard or later
    dealt_in_now: bool  # whether it dealt in with this discard
    tenpai: bool  # whether the hand ended in an exhaustive draw and it was tenpai
    after: Standing  # the standing after the hand


@dataclass(frozen=True, slots=True)
class Forecast:
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


Key = Callable[[Forecast], str]

GROUPS: Final[dict[str, Key]] = {
    "all": lambda _: "",
    "against": lambda one: "against a riichi" if one.against else "no riichi",
    "mode": lambda one: ("folds" if one.folds else "pushes") + (" against a riichi" if one.against else ""),
    "own": lambda one: one.own,
    "shanten": lambda one: f"{min(one.shanten, 4)}",
    "turn": lambda one: f"{(one.turn - 1) // 3 * 3 + 1:2}-{(one.turn - 1) // 3 * 3 + 3:2}",
    "chance": lambda one: "" if one.p_win is None else f"{int(min(one.p_win, 0.999) * 10) * 10:2}%",
}
"""How decisions are grouped, and the name of a decision's group; an empty name of several leaves it out."""
PAIRS: Final = {"win": ("p_win", "won"), "tenpai": ("p_tenpai", "tenpai"), "deal_in": ("p_deal_in", "dealt_in_now")}
"""Names of what is stated and of what came."""


def forecasts(game: GameLog, seat: int, player: PlayerSpec, nodes: int, share: float) -> Iterator[Forecast]:
    """Yield the forecasts of a seat's decisions; those whose hand has no end in the log are left out.

    Args:
        game: the game.
        seat: the seat.
        player: the policy; its values must be worths of standings, as those of ``value`` are.
        nodes: bound of its searches.
        share: share of the decisions.
    """
    decider = player.make(0)
    worth = decider.standing(game.start.rules, seat)
    if worth is None:
        return
    for point, decision in sampled_decisions(game, seat, decider, nodes, share):
        if point.played is None or point.absent:
            continue
        played = point.played
        stated = find(decision, played)
        course = course_of(game.events, point.place.event, seat)
        if stated is None or course is None:
            continue
        state = point.state
        scene = Scene(state, point.legal)
        before = Standing(state.kyoku, state.honba, state.riichi_sticks, four(state.scores)).aborted
        yield Forecast(
            action=played.kind.name.lower(),
            turn=point.place.turn,
            shanten=scene.shanten,
            against=len(state.riichi_opponents),
            own=_own(scene),
            folds=decision.mode == "fold",
            same=look_alike(decision.action, point.played),
            p_win=stated.p_win,
            p_tenpai=stated.p_tenpai,
            p_deal_in=stated.p_deal_in,
            result=stated.value / decision.per_point,
            won=course.won,
            tenpai=course.tenpai,
            dealt_in_now=course.dealt_in_now,
            dealt_in=course.dealt_in,
            came=(worth(course.after) - worth(before)) / decision.per_point,
        )


def course_of(events: Sequence[Event], at: int, seat: int) -> HandEnd | None:
    """How the hand went on after ``events[at]``, which asks the question; None if the log ends before the hand does."""
    played = hands_of(enumerate(events))
    index = played.index_at(at)
    hand, after = played.hands[index], played.after(index)
    if after is None:
        return None
    discards = sum(isinstance(event, Discard) for event in hand.events[at - hand.start :])
    return HandEnd(
        won=seat in hand.winners,
        dealt_in=hand.dealt_in == seat,
        dealt_in_now=hand.dealt_in == seat and discards == 1,
        tenpai=seat in hand.tenpai,
        after=after,
    )


def _own(scene: Scene) -> str:
    if scene.position.riichi:
        return "riichi"
    return "closed" if scene.position.closed else "open"


def bench_forecasts(
    logs: measuring.CorpusLogs = None,
    policy: measuring.WorthPolicy = "value",
    games: measuring.Games = 100,
    share: measuring.Share = 0.2,
    nodes: measuring.SearchNodes = 15_000,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    name: measuring.PlayerName = "",
    every_game: measuring.EveryGame = False,
    rows: measuring.RowsFile = None,
    json: JsonFigures = False,
) -> None:
    """Compare what a policy states of the actions that were played in recorded games with how the hands ended.

    Of the policy's own games this shows whether its figures are right; of other players' games it also contains how
    differently they play on. Decisions of one hand depend on each other, so a small share gives better error estimates.

    Examples:
      oshihiki bench forecasts --json
      oshihiki arena value phoenix --tonpu --games 200 --logs own && oshihiki bench forecasts --logs own --every-game \
--name value
    """
    screen = error_screen()
    paths = measuring.recording_paths(logs)
    outputs = Outputs("--rows", paths, rows)
    player = PlayerSpec.parse(policy)
    measuring.refuse_other_units(player)
    warm_up(screen, needs_of([player]))
    seats = islice(measuring.open_seats(paths, Split.TEST, screen, every_game=every_game, name=name), games)
    of_seat = partial(_of_seat, player=player, nodes=nodes, share=share)
    found = each(of_seat, seats, jobs, backend, in_order=True)
    every: list[Forecast] = []
    with measuring.written_at_the_end(every, rows, outputs):
        for some in counted(screen, "seats", found, games):
            every += some
    if not every:
        raise InputError("no decision to measure: no such game that shows all hands was found")
    figures: dict[str, Any] = {"policy": player.text, "nodes": nodes, "decisions": len(every), "groups": _groups(every)}
    print_figures(figures, _show, json=json)


def _of_seat(seat: tuple[GameLog, int], player: PlayerSpec, nodes: int, share: float) -> list[Forecast]:
    return list(forecasts(*seat, player, nodes, share))


def _groups(every: Sequence[Forecast]) -> list[dict[str, Any]]:
    rows = []
    for by, key in GROUPS.items():
        named: dict[str, list[Forecast]] = {}
        for one in every:
            named.setdefault(key(one), []).append(one)
        rows += [
            {"by": by, "group": group, "n": len(some), **_means(some)}
            for group, some in sorted(named.items())
            if group or by == "all"
        ]
    return rows


def _means(some: Sequence[Forecast]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for what, (stated, came) in PAIRS.items():
        known = [(getattr(one, stated), float(getattr(one, came))) for one in some if getattr(one, stated) is not None]
        figures[what] = _pair(known, 4)
    figures["result"] = _pair([(one.result, one.came) for one in some], 1)
    return figures


def _pair(pairs: Sequence[tuple[float, float]], digits: int) -> dict[str, float | int | None]:
    """Means of what was stated and of what came, and the standard error of their difference."""
    if not pairs:
        return {"n": 0, "stated": None, "came": None, "error": None}
    stated, came = np.array(pairs).T
    off = came - stated
    error = round(float(off.std(ddof=1) / len(off) ** 0.5), digits) if len(off) > 1 else None
    mean = partial(round, ndigits=digits)
    return {"n": len(pairs), "stated": mean(float(stated.mean())), "came": mean(float(came.mean())), "error": error}


def _show(figures: dict[str, Any]) -> None:
    heads = [f"{what}: {side}" for what in ("win", "tenpai", "deal-in") for side in ("stated", "came", "±")]
    table = figures_table("by", "group", "n", *heads, "result: stated", "came", "±", words=2)
    for row in figures["groups"]:
        cells = [_percent(row[what][side]) for what in PAIRS for side in ("stated", "came", "error")]
        table.add_row(row["by"], row["group"], str(row["n"]), *cells, *_points(row["result"]))
    output_screen().print(table)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _points(pair: dict[str, float | None]) -> list[str]:
    return ["" if pair[side] is None else f"{pair[side]:.0f}" for side in ("stated", "came", "error")]
