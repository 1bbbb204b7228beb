"""``oshihiki bench chances``: whether the stated chances of a hand come true, by wait, distance and table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.lab.experiment import COUNT, Column, Key, Rows, rows_of
from bot.lab.plots import PlotFile, draw_reliability, load_matplotlib
from bot.lab.seats import Games, Seat, SeatRows, Share, outcome_of
from bot.replay.decisions import DecisionPoint, find
from engine.model.actions import DISCARDS, ActionKind
from engine.model.tiles import HONOURS
from engine.policy.scene import Scene
from engine.train.scores import Bin, Scores, score

FARTHEST: Final = 2
"""Hands farther from a win than this are not measured."""
TURNS: Final = range(3, 15)
"""Turns of the discards that are measured: before them little is known, after them little is left to come."""
DOTS: Final = 10
"""Groups of similar chances, of about equal size, for the calibration error and the picture."""
FEWEST: Final = 400
"""Hands in a group whose chances are expected to come true."""


class StatedHand(NamedTuple):
    """A hand after its first discard at a distance from a win: what the policy states of it, and what came."""

    stance: str  # ``riichi``, ``silent`` or ``open``
    shanten: int  # shanten after the discard
    wait: str  # shape of the wait of a tenpai hand; empty for others
    tile: str  # the kinds waited for: ``honour, 1 unseen``, ``terminal``, ``middle`` …; empty for others
    # ``suji`` if every kind waited for is screened by the own river, or ``no suji``; empty unless all are number tiles
    suji: str
    unseen: int  # number of tiles that complete the hand, as the player sees them
    turn: int  # the seat's turn
    against: int  # number of opponents in riichi
    melds: int  # number of called melds
    # what is stated of the discard that was played
    p_win: float
    p_tenpai: float
    p_deal_in: float | None  # with this discard or later; None if that is not stated
    result: float  # in points
    # what came
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


_DISTANCE: Final = ("tenpai", "one away", "two away")


def _stance(one: Any) -> str:
    return f"{one.stance}, {_DISTANCE[one.shanten]}"


def _of_wait(fact: Callable[[Any], object]) -> Key:
    """Groups of tenpai hands by stance and a fact; an empty fact leaves a hand out."""
    return lambda one: f"{one.stance}: {fact(one)}" if one.wait and fact(one) != "" else ""


# -- columns -----------------------------------------------------------------------------------------------------------


def _beside(stated: NDArray[np.float64], came: NDArray[np.float64], half: float, digits: int) -> dict[str, float]:
    means = {"stated": float(stated.mean()), "came": float(came.mean()), "half_width": half}
    return {name: round(mean, digits) for name, mean in means.items()}


def _stated(name: str, stated: str, came: str, digits: int = 4) -> Column:
    """What was stated and what came, with the half-width of the 95% interval of their difference."""

    def figure(rows: Rows) -> dict[str, float] | None:
        known = rows[~np.isnan(rows[stated])]
        if not len(known):
            return None
        told, true = known[stated], known[came].astype(np.float64)
        return _beside(told, true, 1.96 * float((true - told).std() / len(told) ** 0.5), digits)

    def cells(found: dict[str, float]) -> Sequence[str]:
        if digits > 1:
            return f"{found['stated']:.1%}", f"{found['came']:.1%}"
        return f"{found['stated']:.0f}", f"{found['came']:.0f}", f"{found['half_width']:.0f}"

    heads = (f"{name.replace('_', '-')}: stated", "came", *(("±",) if digits == 1 else ()))
    return Column(name, heads, figure, cells)


def _half_width(rows: Rows) -> float:
    mean = rows.won.mean()
    return 1.96 * float(np.sqrt(max(mean * (1 - mean), 1e-9) / len(rows)))


def _log_loss(stated: NDArray[np.float64], won: NDArray[np.bool_]) -> float:
    kept = np.clip(stated, 1e-4, 1 - 1e-4)
    return round(float(-np.where(won, np.log(kept), np.log(1 - kept)).mean()), 4)


def _scores(rows: Rows) -> Scores:
    return score(rows.p_win, rows.won, DOTS)


def _comes_true(rows: Rows) -> bool:
    """Whether what came lies within two percentage points of what was stated, or within its own error."""
    return abs(float(rows.won.mean()) - float(rows.p_win.mean())) <= max(0.02, _half_width(rows))


COLUMNS: Final = (
    COUNT,
    Column(
        "win",
        ("win: stated", "came", "±"),
        lambda rows: _beside(rows.p_win, rows.won, _half_width(rows), 4),
        lambda found: [f"{each:.1%}" for each in found.values()],
    ),
    Column("log_loss", ("log loss",), lambda rows: _log_loss(rows.p_win, rows.won), lambda loss: (f"{loss:.3f}",)),
    Column(
        "log_loss_of_mean",
        ("of the mean",),
        lambda rows: _log_loss(np.full(len(rows), rows.won.mean()), rows.won),
        lambda loss: (f"{loss:.3f}",),
    ),
    Column(
        "calibration_error",
        ("off by",),
        lambda rows: round(_scores(rows).calibration_error, 4),
        lambda error: (f"{error:.1%}",),
    ),
    _stated("tenpai", "p_tenpai", "tenpai"),
    _stated("deal_in", "p_deal_in", "dealt_in"),
    _stated("result", "result", "came", 1),
    Column("comes_true", ("",), _comes_true, lambda true: ("" if true else "off",)),
)


@dataclass(frozen=True, kw_only=True)
class StatedChances(SeatRows):
    """Compare the stated chances to win, to deal in and to be tenpai at the end with what came, by wait and table.

    Measured are hands of all seats of recorded games after their first discard at a distance from a win: tenpai in
    riichi, silent or open, one away, two away; of those that are not tenpai, the share that is asked for. A group comes
    true if what came lies within two percentage points of what was stated, or within its own error.

    Examples:
      oshihiki bench chances --games 50
      oshihiki bench chances --json --journal hands.journal --plot chances.svg
      oshihiki bench chances --policy value:learned=0 --validation --share 0
    """

    row: ClassVar = StatedHand
    journal_of: ClassVar = "chances"
    counted: ClassVar = "hands"
    nothing: ClassVar = "no hand to measure: no such game that shows all hands was found"
    all_seats: ClassVar = True
    groups: ClassVar = {
        "all": _stance,
        "wait": _of_wait(lambda one: one.wait),
        "tile": _of_wait(lambda one: one.tile),
        "suji": _of_wait(lambda one: one.suji),
        "tiles left": _of_wait(lambda one: min(one.unseen, 9)),
        "turn": lambda one: f"{_stance(one)}: {one.turn // 4 * 4:2}-{one.turn // 4 * 4 + 3:2}",
        "against": lambda one: f"{_stance(one)}: {'a riichi' if one.against else 'no riichi'}",
        "melds": lambda one: f"{_stance(one)}: {one.melds}" if one.melds else "",
        "chance": lambda one: f"{_stance(one)}: {int(min(one.p_win, 0.999) * 10) * 10:2}%",
    }
    columns: ClassVar = COLUMNS

    games: Games = 200
    share: Share = 0.3
    plot: PlotFile = None

    def figures(self) -> dict[str, Any]:
        """The figures of each group; also draws the plot."""
        output = self.prepare(self.plot)
        if self.plot is not None:
            load_matplotlib()
        every = self.every_row(self.most)
        if self.plot is not None:
            output.write(self.plot, draw_reliability(panels_of(every)))
        return self.grouped(every)

    def show(self, figures: dict[str, Any]) -> None:
        """Print the groups; only of many hands it is said that a group does not come true."""
        rows = [row | {"comes_true": row["comes_true"] or row["n"] < FEWEST} for row in figures["groups"]]
        super().show({"groups": rows})

    def measure(self, work: Seat) -> Rows:
        """The measured hands of a seat."""
        return rows_of(StatedHand, self._hands(work))

    def _hands(self, seat: Seat) -> Iterator[StatedHand]:
        decider = self.player.make(0)
        worth: Any = decider.standing(seat.log.start.rules, seat.number)
        seen: set[tuple[int, str, int]] = set()
        facts: dict[str, Any] = {}

        def wanted(point: DecisionPoint) -> bool:
            nonlocal facts
            facts = _facts_of(point, seen, self.share) or {}
            return bool(facts)

        for point, decision in seat.decisions(decider, self.nodes, wanted):
            outcome = outcome_of(seat.log, point.place.event, seat.number)
            stated = None if point.played is None else find(decision, point.played)
            if outcome is None or stated is None or stated.p_win is None or not decision.per_point:
                continue
            yield StatedHand(
                **facts,
                p_win=stated.p_win,
                p_tenpai=stated.p_tenpai or 0.0,
                p_deal_in=None if stated.p_later is None else (stated.p_deal_in or 0.0) + stated.p_later,
                result=stated.value / decision.per_point,
                won=outcome.won,
                tenpai=outcome.tenpai,
                dealt_in=outcome.dealt_in,
                came=outcome.result(point, worth) / decision.per_point,
            )


def _facts_of(point: DecisionPoint, seen: set[tuple[int, str, int]], share: float) -> dict[str, Any] | None:
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
    facts: dict[str, Any] = {"wait": "", "tile": "", "suji": "", "unseen": 0}
    if shanten == 0:
        after = scene.improvements_after(played.tile >> 2)
        held = list(state.counts)
        held[played.tile >> 2] -= 1
        kinds = [kind for kind, _ in after.tiles]
        river = scene.position.river_mask | 1 << (played.tile >> 2)
        facts["wait"] = shape_of(kinds, held)
        facts["tile"] = tile_of(kinds, scene.unseen)
        if all(kind < HONOURS for kind in kinds):
            facts["suji"] = "suji" if all(screened(kind, river) for kind in kinds) else "no suji"
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


def panels_of(every: Rows) -> dict[str, dict[str, Sequence[Bin]]]:
    """The stated chances to win beside how often hands were won: a panel for each distance, a line for each stance."""
    panels: dict[str, dict[str, Sequence[Bin]]] = {}
    for shanten, distance in enumerate(_DISTANCE):
        for stance in ("riichi", "silent", "open"):
            some = every[(every.shanten == shanten) & (every.stance == stance)]
            if len(some):
                panels.setdefault(distance, {})[stance] = _scores(some).bins
    return panels


bench_chances = StatedChances.command()
