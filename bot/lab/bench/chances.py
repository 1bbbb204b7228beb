"""``oshihiki bench chances``: whether the stated chances of a hand come true, by wait, distance and table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands.options import BackendName, Jobs, JsonFigures, figures_table, print_figures
from bot.deciding.ask import ask
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab import measuring
from bot.lab.bench.forecasts import course_of
from bot.lab.plots import draw_reliability, load_matplotlib
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from bot.machine.preparation import warm_up
from bot.replay.decisions import DecisionPoint, find
from bot.replay.steps import decision_points, telling_hands
from engine.model.actions import DISCARDS, ActionKind
from engine.model.budget import Budget
from engine.model.seats import SEATS, four
from engine.model.standing import Standing
from engine.model.tiles import HONOURS
from engine.policy.scene import Scene
from engine.rules.recordings import Split
from engine.train.scores import Bin, Scores, score
from protocol.logs.game_log import GameLog

FARTHEST: Final = 2
"""Hands farther from a win than this are not measured."""
TURNS: Final = range(3, 15)
"""Turns of the discards that are measured: before them little is known, after them little is left to come."""
DOTS: Final = 10
"""Groups of similar chances, of about equal size, for the calibration error and the picture."""
FEWEST: Final = 400
"""Hands in a group whose chances are expected to come true."""


@dataclass(frozen=True, slots=True)
class StatedHand:
    """A hand after its first discard at a distance from a win: what the policy states of it, and what came.

    Attributes:
        stance: ``riichi``, ``silent`` or ``open``.
        shanten: shanten after the discard.
        wait: shape of the wait of a tenpai hand; empty for others.
        tile: the kinds waited for: ``honour, 1 unseen``, ``terminal``, ``middle`` …; empty for others.
        suji: whether every kind waited for is screened by the own river; None unless all are number tiles.
        unseen: number of tiles that complete the hand, as the player sees them.
        turn: the seat's turn.
        against: number of opponents in riichi.
        melds: number of called melds.
        p_win, p_tenpai, p_deal_in, result: what is stated of the discard that was played; ``p_deal_in`` with this
            discard or later, None if that is not stated; ``result`` in points.
        won, tenpai, dealt_in, came: what came.
    """

    stance: str
    shanten: int
    wait: str
    tile: str
    suji: bool | None
    unseen: int
    turn: int
    against: int
    melds: int
    p_win: float
    p_tenpai: float
    p_deal_in: float | None
    result: float
    won: bool
    tenpai: bool
    dealt_in: bool
    came: float


def shape_of(kinds: Sequence[int], held: Sequence[int]) -> str:
    """Name of a wait for these kinds with these 13 tiles in hand, ``held`` by kind."""
    if len(kinds) == 1:
        kind = kinds[0]
        if kind >= HONOURS:
            return "single honour"
        return "single 3 to 7" if 2 <= kind % 9 <= 6 else "single 1 2 8 9"
    steps = {after - before for before, after in pairwise(kinds)}
    one_suit = kinds[-1] < HONOURS and kinds[0] // 9 == kinds[-1] // 9
    if one_suit and steps == {3}:
        return "two-sided" if len(kinds) == 2 else "three-sided"
    if len(kinds) == 2 and all(held[kind] >= 2 for kind in kinds):
        return "shanpon with an honour" if kinds[-1] >= HONOURS else "other shanpon"
    return "other"


def tile_of(kinds: Sequence[int], unseen: Sequence[int]) -> str:
    """What kind of tiles a wait is for: honours by copies unseen, terminals, middle tiles, or several of these."""
    names = set()
    for kind in kinds:
        if kind >= HONOURS:
            names.add(f"honour, {unseen[kind]} unseen")
        else:
            names.add("terminal" if kind % 9 in {0, 8} else "middle")
    return names.pop() if len(names) == 1 else "mixed"


def screened(kind: int, river: int) -> bool:
    """Whether the river (bits) makes a number tile suji: no two-sided wait for it is free of furiten."""
    below, above = kind % 9 >= 3, kind % 9 <= 5
    return (not below or bool(river >> kind - 3 & 1)) and (not above or bool(river >> kind + 3 & 1))


Key = Callable[[StatedHand], str]
_DISTANCE: Final = ("tenpai", "one away", "two away")


def _stance(one: StatedHand) -> str:
    return f"{one.stance}, {_DISTANCE[one.shanten]}"


GROUPS: Final[dict[str, Key]] = {
    "all": _stance,
    "wait": lambda one: f"{one.stance}: {one.wait}" if one.wait else "",
    "tile": lambda one: f"{one.stance}: {one.tile}" if one.tile else "",
    "suji": lambda one: "" if one.suji is None else f"{one.stance}: {'suji' if one.suji else 'no suji'}",
    "tiles left": lambda one: f"{one.stance}: {min(one.unseen, 9)}" if one.wait else "",
    "turn": lambda one: f"{_stance(one)}: {one.turn // 4 * 4:2}-{one.turn // 4 * 4 + 3:2}",
    "against": lambda one: f"{_stance(one)}: {'a riichi' if one.against else 'no riichi'}",
    "melds": lambda one: f"{_stance(one)}: {one.melds}" if one.melds else "",
    "chance": lambda one: f"{_stance(one)}: {int(min(one.p_win, 0.999) * 10) * 10:2}%",
}
"""How hands are grouped, and the name of a hand's group; an empty name leaves it out."""


def stated_hands(game: GameLog, player: PlayerSpec, nodes: int, share: float) -> list[StatedHand]:
    """The measured hands of all seats of a game; ``share``: of those that are not tenpai."""
    found: list[StatedHand] = []
    for seat in SEATS:
        decider = player.make(0)
        worth = decider.standing(game.start.rules, seat)
        if worth is None:
            continue
        seen: set[tuple[int, str, int]] = set()
        for point in decision_points(game, seat, [], telling_hands(decider)):
            hand = _hand_of(point, seen, share)
            if hand is None:
                continue
            course = course_of(game.events, point.place.event, seat)
            decision = ask(decider, point.state, point.legal, Budget(nodes)).decision
            stated = None if point.played is None else find(decision, point.played)
            if course is None or stated is None or stated.p_win is None or not decision.per_point:
                continue
            state = point.state
            before = Standing(state.kyoku, state.honba, state.riichi_sticks, four(state.scores)).aborted
            found.append(
                StatedHand(
                    **hand,
                    p_win=stated.p_win,
                    p_tenpai=stated.p_tenpai or 0.0,
                    p_deal_in=None if stated.p_later is None else (stated.p_deal_in or 0.0) + stated.p_later,
                    result=stated.value / decision.per_point,
                    won=course.won,
                    tenpai=course.tenpai,
                    dealt_in=course.dealt_in,
                    came=(worth(course.after) - worth(before)) / decision.per_point,
                )
            )
    return found


def _hand_of(point: DecisionPoint, seen: set[tuple[int, str, int]], share: float) -> dict[str, Any] | None:
    """The facts of a hand after the discard that was played, the first of its kind in this hand; None for others."""
    played, state = point.played, point.state
    if played is None or point.absent or played.kind not in DISCARDS or state.riichi[state.seat]:
        return None
    if point.place.turn not in TURNS:
        return None
    scene = Scene(state, point.legal)
    shanten = scene.discards.shanten[played.tile >> 2]
    if shanten > FARTHEST:
        return None
    called = sum(meld.called is not None for meld in state.melds[state.seat])
    stance = "riichi" if played.kind is ActionKind.RIICHI else "open" if called else "silent"
    key = (point.place.hand, stance, shanten)
    if key in seen:
        return None
    seen.add(key)
    if shanten and share < 1.0 and (point.place.event * 2654435761) % 2**32 >= share * 2**32:
        return None
    facts: dict[str, Any] = {"wait": "", "tile": "", "suji": None, "unseen": 0}
    if shanten == 0:
        after = scene.improvements_after(played.tile >> 2)
        held = list(state.counts)
        held[played.tile >> 2] -= 1
        kinds = [kind for kind, _ in after.tiles]
        river = scene.position.river_mask | 1 << (played.tile >> 2)
        facts["wait"] = shape_of(kinds, held)
        facts["tile"] = tile_of(kinds, scene.unseen)
        if all(kind < HONOURS for kind in kinds):
            facts["suji"] = all(screened(kind, river) for kind in kinds)
        facts["unseen"] = after.total
        if any(river >> kind & 1 for kind in kinds):
            facts["wait"] = "furiten"
    return facts | {
        "stance": stance,
        "shanten": shanten,
        "turn": point.place.turn,
        "against": len(state.riichi_opponents),
        "melds": called,
    }


def bench_chances(
    logs: measuring.CorpusLogs = None,
    policy: measuring.WorthPolicy = "value",
    games: measuring.Games = 200,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the hands that are not tenpai which are measured.")
    ] = 0.3,
    nodes: measuring.SearchNodes = 15_000,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    every_game: measuring.EveryGame = False,
    validation: measuring.Validation = False,
    rows: measuring.RowsFile = None,
    plot: measuring.PlotFile = None,
    json: JsonFigures = False,
) -> None:
    """Compare the stated chances to win, to deal in and to be tenpai at the end with what came, by wait and table.

    Measured are hands of all seats of recorded games after their first discard at a distance from a win: tenpai in
    riichi, silent or open, one away, two away. A group comes true if what came lies within two percentage points of
    what was stated, or within its own error.

    Examples:
      oshihiki bench chances --games 50
      oshihiki bench chances --json --rows hands.jsonl --plot chances.svg
      oshihiki bench chances --policy value:learned=0 --validation --share 0
    """
    screen = error_screen()
    paths = measuring.recording_paths(logs)
    outputs, pictures = Outputs("--rows", paths, rows), Outputs("--plot", paths, plot)
    if plot is not None:
        load_matplotlib()
    player = PlayerSpec.parse(policy)
    measuring.refuse_other_units(player)
    warm_up(screen, needs_of([player]))
    open_games = islice(
        (
            log
            for log, part in measuring.games_to_judge_by(paths, screen, every_game=every_game)
            if part is (Split.VALIDATION if validation else Split.TEST) and measuring.is_open(log)
        ),
        games,
    )
    of_game = partial(stated_hands, player=player, nodes=nodes, share=share)
    every: list[StatedHand] = []
    with measuring.written_at_the_end(every, rows, outputs):
        for some in counted(screen, "games", each(of_game, open_games, jobs, backend, in_order=True), games):
            every += some
    if not every:
        raise InputError("no hand to measure: no such game that shows all hands was found")
    figures = {"policy": player.text, "nodes": nodes, "hands": len(every), "groups": groups_of(every)}
    if plot is not None:
        pictures.write(plot, draw_reliability(panels_of(every)))
    print_figures(figures, _show, json=json)


def groups_of(every: Sequence[StatedHand]) -> list[dict[str, Any]]:
    """The figures of every group of hands."""
    found = []
    for by, key in GROUPS.items():
        named: dict[str, list[StatedHand]] = {}
        for one in every:
            named.setdefault(key(one), []).append(one)
        found += [{"by": by, "group": name, **_figures(some)} for name, some in sorted(named.items()) if name]
    return found


def panels_of(every: Sequence[StatedHand]) -> dict[str, dict[str, Sequence[Bin]]]:
    """The stated chances to win beside how often hands were won: a panel for each distance, a line for each stance."""
    panels: dict[str, dict[str, Sequence[Bin]]] = {}
    for shanten, distance in enumerate(_DISTANCE):
        for stance in ("riichi", "silent", "open"):
            some = [one for one in every if (one.shanten, one.stance) == (shanten, stance)]
            if some:
                panels.setdefault(distance, {})[stance] = _scores(some).bins
    return panels


def _scores(some: Sequence[StatedHand]) -> Scores:
    return score(np.array([one.p_win for one in some]), np.array([one.won for one in some]), DOTS)


def _figures(some: Sequence[StatedHand]) -> dict[str, Any]:
    """What was stated and came in a group, log losses beside those of the mean alone, and whether it came true."""
    stated, won = np.array([(one.p_win, one.won) for one in some]).T
    mean, half = float(won.mean()), 1.96 * float(np.sqrt(max(won.mean() * (1 - won.mean()), 1e-9) / len(won)))
    off = mean - float(stated.mean())
    figures: dict[str, Any] = {
        "n": len(some),
        "win": {"stated": round(float(stated.mean()), 4), "came": round(mean, 4), "half_width": round(half, 4)},
        "log_loss": round(_log_loss(stated, won), 4),
        "log_loss_of_mean": round(_log_loss(np.full(len(won), mean), won), 4),
        "calibration_error": round(_scores(some).calibration_error, 4),
        "comes_true": abs(off) <= max(0.02, half),
    }
    for name, pairs in (
        ("tenpai", [(one.p_tenpai, float(one.tenpai)) for one in some]),
        ("deal_in", [(one.p_deal_in, float(one.dealt_in)) for one in some if one.p_deal_in is not None]),
        ("result", [(one.result, one.came) for one in some]),
    ):
        if not pairs:
            continue
        told, came = np.array(pairs).T
        error = 1.96 * float((came - told).std() / len(told) ** 0.5)
        digits = 1 if name == "result" else 4
        figures[name] = {
            "stated": round(float(told.mean()), digits),
            "came": round(float(came.mean()), digits),
            "half_width": round(error, digits),
        }
    return figures


def _log_loss(stated: Any, came: Any) -> float:
    kept = np.clip(stated, 1e-4, 1 - 1e-4)
    return float(-(came * np.log(kept) + (1 - came) * np.log(1 - kept)).mean())


def _show(figures: dict[str, Any]) -> None:
    heads = [
        "n",
        "win: stated",
        "came",
        "±",
        "log loss",
        "of the mean",
        "off by",
        "tenpai: stated",
        "came",
        "deal-in: stated",
        "came",
        "result: stated",
    ]
    table = figures_table("by", "group", *heads, "came", "±", "", words=2)
    for row in figures["groups"]:
        win, tenpai, result = row["win"], row["tenpai"], row["result"]
        deal_in = [f"{row['deal_in'][which]:.1%}" if "deal_in" in row else "" for which in ("stated", "came")]
        missed = row["n"] >= FEWEST and not row["comes_true"]
        table.add_row(
            row["by"], row["group"], str(row["n"]), f"{win['stated']:.1%}", f"{win['came']:.1%}",
            f"{win['half_width']:.1%}", f"{row['log_loss']:.3f}", f"{row['log_loss_of_mean']:.3f}",
            f"{row['calibration_error']:.1%}", f"{tenpai['stated']:.1%}", f"{tenpai['came']:.1%}", *deal_in,
            f"{result['stated']:.0f}", f"{result['came']:.0f}", f"{result['half_width']:.0f}", "off" if missed else "",
        )  # fmt: skip
    output_screen().print(table)
