import pytest

from engine.arena import IllegalAnswerError, Referee, Shuffle
from engine.arena.walls import Wall, wall_from_order
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Draw,
    NewDora,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
)
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN
from engine.model.tiles import allocate136, parse_tiles37
from tests.samples import shuffle_of


def test_illegal_answers_are_refused_and_change_nothing():
    referee = Referee(HANCHAN, 1)
    step = referee.start()
    (seat,) = step.prompts
    held = {tile for event in step.events if isinstance(event, StartKyoku) for tile in event.hands[seat]}
    others = next(tile for tile in range(136) if tile not in held and tile != step.events[-1].tile)
    for wrong in (
        {},
        {seat: PASS},
        {seat: Action(ActionKind.DISCARD, others)},
        {seat: Action(ActionKind.DISCARD, 400)},
        {seat: Action(ActionKind.TSUMO, 0)},
        {seat: Action(ActionKind.CHI, 0, (4, 8))},
        {(seat + 1) % 4: PASS},
        {seat: step.prompts[seat][-1], (seat + 1) % 4: PASS},
    ):
        with pytest.raises(IllegalAnswerError):
            referee.answer(wrong)
    assert referee.step is step
    assert not referee.answer({seat: step.prompts[seat][-1]}).over


def test_the_error_says_what_is_legal():
    referee = Referee(HANCHAN, 1)
    (seat,) = referee.start().prompts
    with pytest.raises(IllegalAnswerError, match=rf"seat {seat}: .*TSUMO.* is not legal here; legal are: discard"):
        referee.answer({seat: Action(ActionKind.TSUMO, 0)})


# -- walls ---------------------------------------------------------------------------------------------------------


def test_shuffle_seed_survives_its_text():
    shuffle = Shuffle.from_seed(7)
    again = shuffle_of(shuffle.text)
    walls = [next(shuffle) for _ in range(3)]
    assert walls == [next(again) for _ in range(3)]
    for wall in walls:
        tiles = [*wall.live, *wall.rinshan, *wall.dora_indicators, *wall.ura_indicators, *sum(wall.hands, ())]
        assert sorted(tiles) == list(range(136))
        assert all(1 <= face <= 6 for face in wall.dice)


def test_a_wall_is_all_the_tiles():
    with pytest.raises(ValueError, match="136"):
        wall_from_order([0] * 136)


# -- hands laid out ------------------------------------------------------------------------------------------------


def laid_out(hands, draws, rinshan="", dora="1z"):
    """A wall with these hands by seat (dealer 0) and first draws; the rest is whatever is left."""
    used = []

    def take(text):
        tiles = allocate136(parse_tiles37(text), used)
        used.extend(tiles)
        return tiles

    dealt = tuple(take(hand) for hand in hands)
    first, kan, indicator = take(draws), take(rinshan) if rinshan else (), take(dora)
    rest = [tile for tile in range(136) if tile not in used]
    kan = (*kan, *(rest.pop() for _ in range(4 - len(kan))))
    indicators = (*indicator, *(rest.pop() for _ in range(5 - len(indicator))))
    ura = tuple(rest.pop() for _ in range(5))
    return Wall(dealt, (*first, *rest), kan, indicators, ura, (1, 1))


class Script:
    """Answers in order where the answer is given; otherwise discards the drawn tile and passes."""

    def __init__(self, wanted):
        self.wanted = list(wanted)
        self.drawn = None

    def see(self, event):
        if isinstance(event, Draw):
            self.drawn = event.tile

    def choose(self, seat, actions):
        if self.wanted:
            who, kind, kind34 = self.wanted[0]
            for action in actions:
                if who == seat and action.kind is kind and (kind34 is None or action.tile // 4 == kind34):
                    self.wanted.pop(0)
                    return action
        if PASS in actions:
            return PASS
        return next((action for action in actions if action == Action(ActionKind.DISCARD, self.drawn)), actions[-1])


def first_hand(wall, wanted=()):
    """The steps of one hand, until it is won or drawn or the script is through."""
    script = Script(wanted)
    referee = Referee(HANCHAN, walls=[wall, *(next(Shuffle.from_seed(0)) for _ in range(1))])
    step = referee.start()
    while True:
        yield step
        for event in step.events:
            script.see(event)
        if any(isinstance(event, Win | Ryuukyoku) for event in step.events):
            assert not script.wanted
            return
        step = referee.answer({seat: script.choose(seat, actions) for seat, actions in step.prompts.items()})


def test_a_winning_tile_without_a_yaku_makes_furiten_until_the_next_discard():
    hands = ("19m19p19s1234567z", "123m456p46789s99p", "258m258p258s1357z", "147m147p147s2466z")
    steps = first_hand(laid_out(hands, "5s"))
    next(steps)
    discarded = next(steps)  # 5s from seat 0, which seat 1 waits for without a yaku
    assert [type(event) for event in discarded.events] == [Discard]
    assert discarded.furiten == ((False, True, False, False),)
    assert {action.kind for action in discarded.prompts[1]} == {ActionKind.CHI, ActionKind.PASS}
    drawn = next(steps)
    assert drawn.furiten == ((False, True, False, False),)
    own = next(steps)
    assert isinstance(own.events[0], Discard)
    assert own.events[0].seat == 1
    assert not own.furiten[0][1]


def test_a_kakan_is_reported_before_it_is_robbed():
    hands = ("19m19p19s1234567z", "147m559p147s2466z", "123m46p22456789s", "258m28p258s13577z")
    wall = laid_out(hands, "5p9m9m9s0p", dora="4z")
    script = [(1, ActionKind.PON, 13), (1, ActionKind.KAKAN, 13), (2, ActionKind.RON, 13)]
    steps = list(first_hand(wall, script))
    asked = steps[-2]
    assert asked.events[-1] == next(
        event for event in asked.events if isinstance(event, Call) and event.meld.kind is MeldKind.KAKAN
    )
    assert list(asked.prompts) == [2]
    win = next(event for event in steps[-1].events if isinstance(event, Win))
    assert (win.seat, win.from_seat, win.tile) == (2, 1, 52)
    assert (3, 1) in win.score.yaku
    assert len(win.dora_indicators) == 1


def test_a_kakan_that_nobody_robs_goes_on():
    hands = ("19m19p19s1234567z", "147m559p147s2466z", "123m46p22456789s", "258m28p258s13577z")
    wall = laid_out(hands, "5p9m9m9s0p", dora="4z")
    steps = first_hand(wall, [(1, ActionKind.PON, 13), (1, ActionKind.KAKAN, 13), (2, ActionKind.PASS, None)])
    for step in steps:
        if list(step.prompts) == [2] and any(action.kind is ActionKind.RON for action in step.prompts[2]):
            break
    kan = next(steps)
    assert [type(event) for event in kan.events] == [Draw]
    discard = next(steps)
    assert [type(event) for event in discard.events[:2]] == [NewDora, Discard]


def test_a_hand_that_waits_for_the_fourth_tile_of_its_pon_is_tenpai():
    hands = ("258m28p258s13577z", "123789m555p456s1z", "147m147p147s2466z", "369m369p369s2235z")
    script = [(1, ActionKind.PON, 13), (1, ActionKind.DISCARD, 27)]
    steps = list(first_hand(laid_out(hands, "0p", dora="4z"), script))
    end = next(event for event in steps[-1].events if isinstance(event, Ryuukyoku))
    assert end.kind is RyuukyokuKind.EXHAUSTIVE
    assert end.deltas == (-1000, 3000, -1000, -1000)
    after = next(event for event in steps[-1].events if isinstance(event, StartKyoku))
    assert after.scores == (24_000, 28_000, 24_000, 24_000)
    assert after.dealer == 1


def test_nine_terminals_show_the_hand():
    hands = ("19m19p19s1234567z", "147m559p147s2466z", "123m46p22456789s", "258m28p258s13577z")
    steps = list(first_hand(laid_out(hands, "5p", dora="4z"), [(0, ActionKind.NINE_TERMINALS, None)]))
    (end,) = (event for event in steps[-1].events if isinstance(event, Ryuukyoku))
    assert end.kind is RyuukyokuKind.NINE_TERMINALS
    assert [None if hand is None else len(hand) for hand in end.hands] == [14, None, None, None]
