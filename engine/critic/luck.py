"""The luck of the draw and of ura indicators, so that it can be taken out of the results.

AIVAT (Burch, Schmid, Moravčík, Bowling 2018). A critic that knows all hands says what every tile would be worth before
it is drawn. The value after the draw less its mean over all tiles that could have come has mean zero, whoever plays and
however wrong the critic is. So does the value of a deal less the mean over other deals. The sum of these is a hand's
luck; results without it have the same mean, and the better the critic the narrower an interval.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.critic.network import Critic, inputs_of, shipped_critic
from engine.critic.outcomes import GAINS, WORTHS, as_dealt, between_gains, worth_tables
from engine.critic.worths import hands_to_come, standings_of
from engine.model.events import Draw, Event, NewDora, StartKyoku, Win, WinScore
from engine.model.rules import Rules
from engine.model.tiles import DORA_AFTER, TILES, counts34
from engine.model.yaku import URA_DORA
from engine.rules.code_kernels import DRAW, FIRST_AT, SEAT_AT
from engine.rules.moments import ROOM, moments, new_moments, next_kinds
from engine.rules.recordings import KyokuColumn, Recordings, open_game
from engine.scoring.wins import base_and_limit, total_points

OTHERS: Final = 64
"""Other indicators with which those that were turned are compared."""
_DORA: Final = np.array(DORA_AFTER)


def ura_of(events: Iterable[Event]) -> Iterator[tuple[int, Win, NDArray[np.int64]]]:
    """Yield each win on which ura counted: the number of its hand, the win, and its points.

    The first of the points are those that it was worth, :data:`OTHERS` more those that it would have been worth with
    other indicators, drawn from the tiles that nobody had seen. Limits of a yakuman and wins of unknown value are left
    out.
    """
    hand = -1
    seen: set[int] = set()
    dealer = 0
    for event in events:
        if isinstance(event, StartKyoku):
            hand, dealer = hand + 1, event.dealer
            seen = {event.dora_indicator, *(tile for tiles in event.hands for tile in tiles or ())}
        elif isinstance(event, Draw) and event.tile is not None:
            seen.add(event.tile)
        elif isinstance(event, NewDora):
            seen.add(event.indicator)
        elif (
            isinstance(event, Win)
            and event.ura_indicators
            and event.score is not None
            and any(yaku == URA_DORA for yaku, _ in event.score.yaku)
        ):
            yield hand, event, _points(event, event.score, event.seat == dealer, sorted(set(range(TILES)) - seen))


def _points(win: Win, score: WinScore, dealer: bool, unseen: Sequence[int]) -> NDArray[np.int64]:
    held = np.array(counts34([*win.concealed, *(tile for meld in win.melds for tile in meld.tiles)]))
    turned = np.array(win.ura_indicators)
    seed = blake2b(bytes([*win.concealed, win.tile, *turned.tolist()]), digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(seed, "little"))
    others = random.permuted(np.broadcast_to(unseen, (OTHERS, len(unseen))), axis=1)[:, : len(turned)]
    han = held[_DORA[np.concatenate([turned[None], others]) >> 2]].sum(axis=1)
    before = score.han - int(han[0])
    worth = [
        total_points(base_and_limit(before + ura, score.fu)[0], dealer, win.seat == win.from_seat)
        for ura in range(int(han.max()) + 1)
    ]
    points: NDArray[np.int64] = np.array(worth)[han]
    return points


Floats = NDArray[np.float64]

DEALS: Final = 16
"""Other deals with which each deal is compared. They are luck too, a sixteenth of that of the deal: a compromise."""
_DEALT: Final = 13


def luck_of(events: Iterable[Event], critic: Critic | None = None) -> Floats:
    """(hands, 4, WORTHS): the luck of each seat in each hand of a game, in points and in final places.

    Args:
        events: of the game, all hands open.
        critic: None for the one that is shipped.

    Raises:
        HiddenTileError: a hand or a drawn tile is hidden.
        UnusableGameError: a hand cannot have been played.
        WeightsError: the critic's weights cannot be used.
    """
    events = tuple(events)
    game, rules = open_game(events)
    hands = hands_to_come(game.kyoku)
    worths = worth_tables(hands, as_dealt(hands), rules.return_points)
    luck = luck_of_hands(game, np.arange(len(game.kyoku)), critic or shipped_critic(), rules)
    for hand, win, points in ura_of(events):
        gains = (points + rules.honba_points * win.honba).astype(np.float32)
        brought = between_gains(gains) @ worths.wins[hand, win.seat, win.from_seat].reshape(len(GAINS), -1)
        luck[hand] += (brought[0] - brought[1:].mean(axis=0)).reshape(4, WORTHS)
    return luck


def luck_of_hands(
    recordings: Recordings, hands: NDArray[np.int64], critic: Critic, rules: Rules | None = None, since: int = 0
) -> Floats:
    """(hands, 4, WORTHS): the luck of each seat in recorded hands, rows of ``recordings.kyoku``.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        critic: says what tiles would be worth.
        rules: of the tables; None: those of all recordings that are kept.
        since: number of the event of each hand from which its draws count, for hands that were played on from there;
            0: all of them, and the deal.
    """
    rules = rules or Rules()
    room = new_moments(ROOM, rules)
    place = np.empty(len(recordings.kyoku), np.int64)
    place[hands] = np.arange(len(hands))
    dealt = hands_to_come(recordings.kyoku[hands])
    luck = np.zeros((len(hands), 4, WORTHS))
    if not len(hands):
        return luck
    for drawn in moments(recordings, hands, before=(DRAW,), room=room):
        drawn = drawn[drawn["number"] >= since]  # noqa: PLW2901 - the moments before are another's luck
        row = place[drawn["row"]]
        now, which = standings_of(drawn, place)
        values = critic.values(inputs_of(drawn), which, worth_tables(dealt, now, rules.return_points))
        np.add.at(luck, row, values.after[np.arange(len(drawn)), next_kinds(drawn)] - values.before)
        first = drawn["number"] == 0
        luck[row[first]] += values.before[first]
    if since:
        return luck
    other = other_deals(recordings, hands)
    worths = worth_tables(dealt, as_dealt(dealt), rules.return_points)
    for first_draws in moments(other, np.arange(len(other.kyoku)), before=(DRAW,), room=room):
        row = first_draws["row"] // DEALS
        np.subtract.at(luck, row, critic.values(inputs_of(first_draws), row, worths).before / DEALS)
    return luck


def other_deals(game: Recordings, hands: NDArray[np.int64]) -> Recordings:
    """The hands with other tiles, :data:`DEALS` for each in turn, up to the first draw.

    The tiles follow from those that were dealt, so that the same game has the same luck whenever it is counted.
    """
    kyoku = np.repeat(game.kyoku[hands], DEALS, axis=0)
    kyoku[:, KyokuColumn.FIRST_EVENT] = np.arange(len(kyoku))
    kyoku[:, KyokuColumn.EVENTS] = 1
    tiles = np.concatenate([_shuffled(game.hands[hand]) for hand in hands.tolist()])
    kyoku[:, KyokuColumn.INDICATOR] = tiles[:, 4 * _DEALT]
    draws = DRAW | kyoku[:, KyokuColumn.DEALER].astype(np.int64) << SEAT_AT
    draws |= tiles[:, 4 * _DEALT + 1].astype(np.int64) << FIRST_AT
    dealt = tiles[:, : 4 * _DEALT].reshape(-1, 4, _DEALT)
    return replace(game, kyoku=kyoku, hands=np.ascontiguousarray(dealt), events=draws.astype(np.uint32))


def _shuffled(dealt: NDArray[np.uint8]) -> NDArray[np.uint8]:
    seed = int.from_bytes(blake2b(dealt.tobytes(), digest_size=8).digest(), "little")
    random = np.random.default_rng(seed)
    return random.permuted(np.broadcast_to(np.arange(TILES, dtype=np.uint8), (DEALS, TILES)), axis=1)
