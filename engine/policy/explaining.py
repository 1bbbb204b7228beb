"""Grounds that several policies share: the action, its prospects, the next best action, the safety of a tile.

What a tile is called (genbutsu, suji, no chance, …) follows from the table. The chances are those of the danger
estimator, or of the plain tables, by which the decision is made.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.model.actions import DISCARDS, PASS, Action, ActionKind
from engine.model.seats import others, relative
from engine.model.tiles import HONOURS, format_tile, format_tile37, format_tiles, format_tiles37
from engine.opponents.danger import Danger
from engine.opponents.facts import Opponent
from engine.policy.decision import Candidate
from engine.policy.grounds import Figure, Ground, GroundKind, ground
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene
from engine.rules.table_kernels import OPEN, RIICHI
from engine.search.evaluator import Worth
from engine.state import GameState

_DOES: Final = {kind: GroundKind(kind.name.lower()) for kind in ActionKind}
_WITHOUT_TILE: Final = frozenset((ActionKind.TSUMO, ActionKind.NINE_TERMINALS, ActionKind.PASS))


def does(state: GameState, action: Action, then34: int = -1) -> Ground:
    """The ground for an action; ``then34`` is the kind discarded after a call, -1 for none."""
    kind = _DOES[action.kind]
    if action.kind in _WITHOUT_TILE:
        return ground(kind)
    tile = format_tile(action.tile, state.rules.red_fives)
    if action.kind is ActionKind.CHI:
        call = ground(kind, tile=tile, own=format_tiles(action.own, state.rules.red_fives))
    else:
        call = ground(kind, tile=tile)
    if action.own and then34 >= 0:
        return ground(GroundKind.CALL_AND_DISCARD, call=call, tile=format_tile37(then34))
    return call


def amount(value: float, unit: str) -> Ground:
    """The ground for a value in a unit."""
    if unit == "points":
        return ground(GroundKind.POINTS, points=float(value))
    return ground(GroundKind.AMOUNT, amount=float(value), unit=unit)


def hand_after(scene: Scene, action: Action) -> tuple[Ground, ...]:
    """The shanten and ukeire, or the waits, after a discard or a pass; nothing for other actions."""
    if action.kind not in DISCARDS and action != PASS:
        return ()
    found = scene.improvements if action == PASS else scene.improvements_after(action.tile >> 2)
    return (distance(found.shanten, [kind for kind, _ in found.tiles], found.total),)


def distance(shanten: int, kinds: Sequence[int], left: int) -> Ground:
    """The ground for the distance of a hand from a win: its shanten and ukeire, or its waits.

    Args:
        shanten: shanten of the hand.
        kinds: the ``tile34`` that improve it.
        left: number of unseen copies of these kinds.
    """
    if shanten > 0:
        return ground(GroundKind.DISTANCE, shanten=shanten, ukeire=left)
    if not kinds:
        return ground(GroundKind.NO_WAITS)
    return ground(GroundKind.WAITS, waits=format_tiles37(kinds), left=left)


def wins(chance: float, points: float | None) -> Ground:
    """The ground for a chance to win, 0-1, with the mean points of a win if they are known."""
    if not points:
        return ground(GroundKind.WINS, chance=float(chance))
    return ground(GroundKind.WINS_OF, chance=float(chance), points=float(points))


def play(act: Ground, prospects: Sequence[Ground]) -> Ground:
    """The ground for an action together with its prospects."""
    return ground(GroundKind.PLAY, does=act, prospects=tuple(prospects)) if prospects else act


def riichi_or_silent(kind: ActionKind, mine: Ground, other: Ground, gap: Ground) -> Ground:
    """The ground that compares riichi with silent tenpai.

    Args:
        kind: RIICHI if that is chosen, otherwise DISCARD.
        mine: chance to win and mean points of the chosen way.
        other: the same for the other way.
        gap: by how much the chosen way is better.
    """
    if kind is ActionKind.RIICHI:
        return ground(GroundKind.RIICHI_BETTER, riichi=mine, silent=other, gap=gap)
    return ground(GroundKind.SILENT_BETTER, riichi=other, silent=mine, gap=gap)


def pushes(riichi: int, shanten: int) -> Ground:
    """The ground that, by the push/fold table, the hand pushes against ``riichi`` opponents."""
    return ground(GroundKind.PUSHES_AGAINST, riichi=riichi, shanten=shanten)


def folds(riichi: int, shanten: int, before: Mode, threats: int = 0) -> Ground:
    """The ground that the hand folds by the push/fold table, or has folded before; ``threats`` include the riichi."""
    if before is Mode.FOLD:
        return ground(GroundKind.FOLDED_BEFORE)
    if threats > riichi:
        return ground(GroundKind.FOLDS_AGAINST_THREATS, threats=threats, shanten=shanten)
    return ground(GroundKind.FOLDS_AGAINST, riichi=riichi, shanten=shanten)


def searched(scene: Scene, ranked: Sequence[tuple[Candidate, Worth]], unit: str) -> tuple[Ground, ...]:
    """The grounds for the first of these candidates, by the worths that an evaluator found; best first."""
    best, worth = ranked[0]
    prospects = [ground(GroundKind.WORTH, value=amount(best.value, unit)), *hand_after(scene, best.action)]
    if worth.p_win is not None:
        prospects.append(wins(worth.p_win, worth.win_points))
    found = [play(does(scene.state, best.action, worth.then34), prospects)]
    if len(ranked) > 1:
        rival, its_worth = ranked[1]
        gap = amount(best.value - rival.value, unit)
        found.append(ground(GroundKind.NEXT_BEST, does=does(scene.state, rival.action, its_worth.then34), gap=gap))
    return tuple(found)


LIKELY_TENPAI: Final = 0.25
"""Chance to be tenpai from which an opponent not in riichi is named among those that a tile may deal in to. A guess; it
changes no decision."""


class Risk(NamedTuple):
    """The risk of a tile against one opponent."""

    seat: int  # absolute seat of the opponent
    tenpai: float  # chance that the opponent is tenpai, 0-1
    chance: float  # chance that the tile deals in to this opponent, 0-1


def safety(scene: Scene, tile34: int) -> dict[int, Ground]:
    """By absolute seat of the opponents, what players call the safety of the kind against them."""
    return {seat: _safety(scene.genbutsu[seat], scene.unseen, tile34) for seat in others(scene.state.seat)}


def risks_of(danger: Danger, viewer: int, tile34: int) -> list[Risk]:
    """The risk of a kind against each opponent, from a danger estimate."""
    return [Risk(seat, float(danger.p_tenpai[seat]), float(danger.p_deal_in[seat, tile34])) for seat in others(viewer)]


def deal_in(scene: Scene, tile34: int, tile: str, chance: float, points: float, risks: Iterable[Risk]) -> Ground | None:
    """The danger of a tile, with the share of each opponent in riichi or likely to be tenpai; None if there is none.

    Args:
        scene: scene of the decision.
        tile34: the kind.
        tile: the tile as text; a red five is ``'0m'``.
        chance: chance that it deals in to anyone, 0-1.
        points: mean points lost if it does.
        risks: risk against each opponent.
    """
    viewer = scene.state.seat
    stances = {each.seat: each for each in scene.opponents}
    names = safety(scene, tile34)
    named = [one for one in risks if stances[one.seat].stance == RIICHI or one.tenpai >= LIKELY_TENPAI]
    named.sort(key=lambda one: (-one.chance, stances[one.seat].stance, relative(one.seat, viewer)))
    against = tuple(_against(one, stances[one.seat], relative(one.seat, viewer), names[one.seat]) for one in named)
    if not against:
        return None
    if chance <= 0.0:
        return ground(GroundKind.SAFE, tile=tile, against=against)
    return ground(GroundKind.DEAL_IN, tile=tile, chance=float(chance), points=float(points), against=against)


def _against(risk: Risk, opponent: Opponent, seat: int, called: Ground) -> Ground:
    if opponent.stance == RIICHI:
        return ground(GroundKind.AGAINST_RIICHI, seat=seat, chance=risk.chance, safety=called)
    figures: dict[str, Figure] = {"seat": seat, "chance": risk.chance, "tenpai": risk.tenpai, "safety": called}
    if opponent.stance == OPEN:
        return Ground(GroundKind.AGAINST_OPEN, {**figures, "melds": opponent.called})
    return Ground(GroundKind.AGAINST_CLOSED, figures)


def _safety(safe: int, unseen: Sequence[int], tile34: int) -> Ground:
    """The safety of a kind against an opponent; ``safe`` is the bit set of the opponent's genbutsu."""
    if safe >> tile34 & 1:
        return ground(GroundKind.GENBUTSU)
    if tile34 >= HONOURS:
        return ground(GroundKind.HONOUR, unseen=unseen[tile34])
    number = tile34 % 9
    sides = []  # the two-sided waits that could win on it: (furiten tile, the two tiles held)
    if number >= 3:
        sides.append((tile34 - 3, (tile34 - 1, tile34 - 2)))
    if number <= 5:
        sides.append((tile34 + 3, (tile34 + 1, tile34 + 2)))
    live = [held for partner, held in sides if not safe >> partner & 1]
    if not live:
        return ground(GroundKind.SUJI)
    fewest = max(min(unseen[kind] for kind in held) for held in live)
    if fewest == 0:
        return ground(GroundKind.NO_CHANCE)
    if fewest == 1:
        return ground(GroundKind.ONE_CHANCE)
    return ground(GroundKind.HALF_SUJI if len(live) < len(sides) else GroundKind.NO_SUJI)
