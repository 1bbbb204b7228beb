"""Scene of a decision: a state, its legal actions and their names in a search, and facts, each computed once."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Final

from engine.model.actions import DISCARDS, Action, ActionKind
from engine.model.tiles import CHUN, HAKU, KINDS, RED_FIVES
from engine.opponents.facts import Masks4, Opponent, genbutsu_masks, opponents
from engine.search.evaluator import Choice, discarding
from engine.search.position import Position
from engine.shanten import Discards, Ukeire, discard_ukeire, shanten, ukeire
from engine.state import GameState

_kind: Final = attrgetter("kind")


class Scene:
    """One question to one seat. Facts are computed on first use; the state must not change meanwhile.

    Attributes:
        state: the seat's view.
        legal: the actions to choose from.
        kinds: their kinds.
        asked_to_call: whether the seat is asked about another player's tile, and may pass.
    """

    def __init__(self, state: GameState, legal: Sequence[Action]) -> None:
        self.state = state
        self.legal = legal
        self.kinds: frozenset[ActionKind] = frozenset(map(_kind, legal))
        self.asked_to_call = ActionKind.PASS in self.kinds
        self._after: dict[int, Ukeire] = {}

    @cached_property
    def position(self) -> Position:
        """The position as an evaluator takes it.

        Raises:
            PositionError: the state is not a position that can be evaluated.
        """
        return Position.from_state(self.state)

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """By ``tile34``, number of copies not seen anywhere."""
        return tuple([4 - seen for seen in self.state.visible])

    @cached_property
    def yakuhai(self) -> list[int]:
        """By ``tile34``, han of a triplet: 0, 1 or 2 (double wind)."""
        found = [0] * KINDS
        for kind in (*range(HAKU, CHUN + 1), self.state.seat_wind, self.state.round_wind):
            found[kind] += 1
        return found

    @cached_property
    def melds(self) -> int:
        """Number of the seat's own melds."""
        return len(self.state.melds[self.state.seat])

    @cached_property
    def shanten(self) -> int:
        """Shanten of all the tiles in hand; -1 if they are complete."""
        return shanten(self.state.counts, self.melds)

    @cached_property
    def discards(self) -> Discards:
        """The hand after each discard; for a hand with a tile to discard."""
        return discard_ukeire(self.state.counts, self.melds, self.unseen)

    @cached_property
    def improvements(self) -> Ukeire:
        """The tiles that improve the hand as it is; for a hand without a tile to discard."""
        return ukeire(self.state.counts, self.melds, self.unseen)

    def improvements_after(self, tile34: int) -> Ukeire:
        """The tiles that improve the hand after this kind, of which it holds one, is discarded."""
        if tile34 not in self._after:
            after, unseen = self.discards, self.unseen
            tiles = tuple([(kind, unseen[kind]) for kind in range(KINDS) if after.kinds[tile34] >> kind & 1])
            self._after[tile34] = Ukeire(after.shanten[tile34], tiles, after.ukeire[tile34])
        return self._after[tile34]

    @cached_property
    def opponents(self) -> tuple[Opponent, ...]:
        """The public facts of the three opponents."""
        return opponents(self.state)

    @cached_property
    def genbutsu(self) -> Masks4:
        """By seat, the bit set of the ``tile34`` on which it cannot win."""
        return genbutsu_masks(self.state)


def choice_of(action: Action) -> Choice:
    """The name of an action in the search."""
    if action.kind is ActionKind.CHI:
        return Choice(action.kind, action.tile >> 2, tuple(sorted(tile >> 2 for tile in action.own)))
    if action.tile < 0:
        return Choice(action.kind)
    return Choice(action.kind, action.tile >> 2)


def by_choice(legal: Iterable[Action], drawn: int | None) -> dict[Choice, Action]:
    """The legal actions by their names in the search.

    Of actions with the same kinds of tiles it takes the one that discards the plain five, of two plain copies the drawn
    one, and the call with the red five.
    """
    keyed = []
    for at, action in enumerate(legal):
        tile = action.tile
        if action.kind in DISCARDS:
            choice = discarding(action.kind, tile >> 2)
            keyed.append((tile in RED_FIVES, int(tile != drawn), tile, at, choice, action))
        else:
            keyed.append((False, -len(_REDS.intersection(action.own)), tile, at, choice_of(action), action))
    chosen: dict[Choice, Action] = {}
    for *_, choice, action in sorted(keyed):
        chosen.setdefault(choice, action)
    return chosen


_REDS: Final = frozenset(RED_FIVES)
