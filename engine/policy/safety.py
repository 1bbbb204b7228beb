"""Which tile deals in: genbutsu, suji, walls (no chance, one chance) and honours by count, as one number.

For each player who may be tenpai, every wait shape that could be won on a tile is weighed by the number of ways its
tiles can still be unseen. Genbutsu takes a tile out altogether and with it the two-sided waits that would be furiten
(suji); tiles seen four times take out the shapes that need them (no chance). What is left is scaled so that the kinds
sum to the number of tiles a riichi waits on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.model.tiles import DORA_AFTER, HONOURS, KINDS
from engine.opponents.facts import declared
from engine.opponents.genbutsu import genbutsu_masks
from engine.state import GameState

RYANMEN: Final = 1.0
"""Weights of one way to hold a wait shape, relative to a two-sided one: how often riichi hands wait so, divided by
how many ways there are. Rough figures after published wait statistics of riichi hands (62% two-sided, 12% closed,
6% edge, 12% pair, 6% single)."""
KANCHAN: Final = 0.2
PENCHAN: Final = 0.3
SHANPON: Final = 0.6
TANKI: Final = 0.15
TANKI_HONOUR: Final = 0.3

WAIT_KINDS: Final = 1.9
"""How many kinds a riichi waits on, on average."""

RIICHI_LOSS: Final = 5_500.0
"""Mean points of a ron by a riichi that is not the dealer's; a dealer's is half as much again."""
OPEN_LOSS: Final = 3_000.0
"""The same of an open hand without visible dora; each visible dora adds ``DORA_LOSS``."""
DORA_LOSS: Final = 1_800.0

OPEN_TENPAI: Final = (0.0, 0.05, 0.2, 0.5, 0.9)
"""Chance that a player is tenpai by the number of melds called, in the middle of a hand; scaled by the turn."""


@dataclass(frozen=True, slots=True)
class Threat:
    """A player who may win on our discard.

    Attributes:
        seat: absolute.
        riichi: has declared.
        tenpai: chance to be tenpai, 0-1.
        loss: mean points of a deal-in.
        safe: by ``tile34``, cannot be won on: its own discards, and what passed it since its riichi.
        deal_in: by ``tile34``, chance 0-1 that the tile is won on now.
    """

    seat: int
    riichi: bool
    tenpai: float
    loss: float
    safe: tuple[bool, ...]
    deal_in: tuple[float, ...]


def threats(state: GameState, unseen34: Sequence[int]) -> tuple[Threat, ...]:
    """Every opponent who may be tenpai, riichi first."""
    found = []
    for seat in range(4):
        if seat == state.seat:
            continue
        riichi = declared(state, seat)
        tenpai = 1.0 if riichi else _open_tenpai(state, seat)
        if tenpai == 0.0:
            continue
        safe = genbutsu(state, seat)
        shares = wait_shares(unseen34, safe)
        loss = RIICHI_LOSS if riichi else OPEN_LOSS + DORA_LOSS * _visible_dora(state, seat)
        if seat == state.dealer:
            loss *= 1.5
        deal_in = tuple(min(tenpai * share, 1.0) for share in shares)
        found.append(Threat(seat, riichi, tenpai, loss, safe, deal_in))
    return tuple(sorted(found, key=lambda threat: not threat.riichi))


def genbutsu(state: GameState, seat: int) -> tuple[bool, ...]:
    """By ``tile34``: the seat cannot win on it; see :func:`engine.opponents.genbutsu.genbutsu_masks`."""
    mask = genbutsu_masks(state)[seat]
    return tuple([mask >> kind & 1 == 1 for kind in range(KINDS)])


def wait_shares(unseen34: Sequence[int], safe: Sequence[bool]) -> list[float]:
    """By ``tile34``: chance that a tenpai player waits on it, given what is unseen and what it cannot wait on."""
    weights = [0.0] * KINDS
    for kind in range(KINDS):
        if not safe[kind]:
            weights[kind] = _pair_waits(unseen34, kind) + _run_waits(unseen34, safe, kind)
    total = sum(weights)
    scale = WAIT_KINDS / total if total else 0.0
    return [min(weight * scale, 1.0) for weight in weights]


def _pair_waits(unseen34: Sequence[int], kind: int) -> float:
    left = unseen34[kind]
    single = TANKI if kind < HONOURS else TANKI_HONOUR
    return SHANPON * (left * (left - 1) // 2) + single * left


def _run_waits(unseen34: Sequence[int], safe: Sequence[bool], kind: int) -> float:
    if kind >= HONOURS:
        return 0.0
    number = kind % 9
    weight = 0.0
    if number >= 2:  # holds the two below
        ways = unseen34[kind - 1] * unseen34[kind - 2]
        if number == 2:
            weight += PENCHAN * ways
        elif not safe[kind - 3]:
            weight += RYANMEN * ways
    if number <= 6:  # holds the two above
        ways = unseen34[kind + 1] * unseen34[kind + 2]
        if number == 6:
            weight += PENCHAN * ways
        elif not safe[kind + 3]:
            weight += RYANMEN * ways
    if 1 <= number <= 7:
        weight += KANCHAN * unseen34[kind - 1] * unseen34[kind + 1]
    return weight


def total_danger(found: Sequence[Threat], tile34: int) -> tuple[float, float]:
    """(chance that the tile deals in to anyone, mean points lost if it does) over all threats."""
    passes = 1.0
    expected = 0.0
    for threat in found:
        chance = threat.deal_in[tile34]
        passes *= 1.0 - chance
        expected += chance * threat.loss
    chance = 1.0 - passes
    return chance, expected / chance if chance else 0.0


def describe(threat: Threat, unseen34: Sequence[int], tile34: int) -> str:
    """Why a tile is as safe as it is, in the words of players: ``'genbutsu'``, ``'suji'``, ``'no chance'``."""
    if threat.safe[tile34]:
        return "genbutsu"
    if tile34 >= HONOURS:
        return f"honour, {unseen34[tile34]} unseen"
    number = tile34 % 9
    sides = []  # the two-sided waits that could take it: (furiten tile, the two tiles held)
    if number >= 3:
        sides.append((tile34 - 3, (tile34 - 1, tile34 - 2)))
    if number <= 5:
        sides.append((tile34 + 3, (tile34 + 1, tile34 + 2)))
    live = [held for partner, held in sides if not threat.safe[partner]]
    if not live:
        return "suji"
    fewest = max(min(unseen34[kind] for kind in held) for held in live)
    if fewest == 0:
        return "no chance"
    if fewest == 1:
        return "one chance"
    return "half suji" if len(live) < len(sides) else "no suji"


def _open_tenpai(state: GameState, seat: int) -> float:
    called = sum(meld.called is not None for meld in state.melds[seat])
    turn = min(len(state.rivers[seat]), 18)
    return min(OPEN_TENPAI[called] * turn / 9, 0.95)


def _visible_dora(state: GameState, seat: int) -> int:
    dora = [DORA_AFTER[indicator >> 2] for indicator in state.dora_indicators]
    return sum(dora.count(tile >> 2) for meld in state.melds[seat] for tile in meld.tiles)
