"""Whether the sentences about an answer are true of the position in which it was given.

Every claim is derived again: what the others cannot win on from the events of the log, waits by trying every tile,
figures from the candidates. Nothing that makes facts or sentences is used, but for the distance of a hand from tenpai.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

from bot.review.wording import Wording
from bot.wording.languages import percent, plain
from engine.model import events as ev
from engine.shanten import shanten
from tests.oracles.naive_shanten import is_complete

CALLS = ("chi", "pon", "daiminkan")
KANS = ("daiminkan", "ankan", "kakan")
DISCARDS = ("discard", "riichi")
SILENT = (
    "points_of", "part_", "parts_gain", "for_rest", "who_", "suit_", "distance_", "place_", "list_and", "unit_", "act_",
    "did_", "would_", "answer_",
)  # fmt: skip
"""Beginnings of the keys of words that claim nothing by themselves."""


class Listening(Wording):
    """Notes each sentence that is made, and what stands in its places."""

    def __call__(self, key, **parts):
        self.__dict__.setdefault("said", []).append((key, parts))
        return super().__call__(key, **parts)


class Position:
    """What a seat sees before a decision, told from the events of the log."""

    def __init__(self, events, point):
        state = point.state
        self.seat, self.legal, self.rules = state.seat, point.legal, state.rules
        self.hand = list(state.hand)
        self.melds = state.melds
        self.rivers = [[] for _ in range(4)]
        self.safe = [set() for _ in range(4)]  # by seat, kinds on which it cannot win
        self.riichi, self.indicators = [], []
        for at, event in events:
            if at > point.place.event:
                break
            self._hear(event)
        self.dealer = state.dealer
        self.kyoku = state.kyoku
        self.sticks = state.riichi_sticks
        self.scores = [state.scores[(self.seat + each) % 4] for each in range(4)]
        self.round_wind, self.seat_wind = 27 + self.kyoku // 4, 27 + (self.seat - self.dealer) % 4
        seen = [tile for river in self.rivers for tile in river] + self.hand + self.indicators
        called = [meld.called for melds in self.melds for meld in melds if meld.called is not None]
        seen += [tile for melds in self.melds for meld in melds for tile in meld.tiles]
        self.unseen = [4] * 34
        for tile in seen:
            self.unseen[tile >> 2] -= 1
        for tile in called:  # it lies in a river too
            self.unseen[tile >> 2] += 1

    def _hear(self, event):
        match event:
            case ev.StartKyoku():
                self.rivers, self.safe = [[] for _ in range(4)], [set() for _ in range(4)]
                self.riichi, self.indicators = [], [event.dora_indicator]
            case ev.NewDora():
                self.indicators.append(event.indicator)
            case ev.RiichiDeclared():
                self.riichi.append(event.seat)
            case ev.Discard():
                self.rivers[event.seat].append(event.tile)
                self.safe[event.seat].add(event.tile >> 2)
                for seat in self.riichi:
                    self.safe[seat].add(event.tile >> 2)
            case ev.Call(meld=meld) if meld.added is not None:
                for seat in self.riichi:
                    self.safe[seat].add(meld.added >> 2)

    def counts(self, without=()):
        found = [0] * 34
        for tile in self.hand:
            found[tile >> 2] += 1
        for kind in without:
            found[kind] -= 1
        return found

    @property
    def sets(self):
        return len(self.melds[self.seat])

    def dora(self, name):
        """Number of dora that a tile is."""
        kinds = [after(indicator >> 2) for indicator in self.indicators]
        return kinds.count(kind_of(name)) + (self.rules.red_fives and name[0] == "0")

    def safety(self, seat, kind):
        """What players call the tile against a seat."""
        if kind in self.safe[seat]:
            return "genbutsu"
        if kind >= 27:
            return "honour"
        first = kind - kind % 9
        ways = {}  # what a two-sided wait on it lies beside, and the tiles that it needs
        for way in (-1, 1):
            if 0 <= kind % 9 + 3 * way < 9:
                ways[kind + 3 * way] = [kind + way, kind + 2 * way]
        open_ways = [needs for other, needs in ways.items() if other not in self.safe[seat]]
        assert all(first <= each < first + 9 for needs in open_ways for each in needs)
        if not open_ways:
            return "suji"
        left = max(min(self.unseen[each] for each in needs) for needs in open_ways)
        if left <= 1:
            return ("no_chance", "one_chance")[left]
        return "half_suji" if len(open_ways) < len(ways) else "no_suji"


def after(kind):
    """The dora that an indicator makes."""
    first, size = (kind - kind % 9, 9) if kind < 27 else (27, 4) if kind < 31 else (31, 3)
    return first + (kind - first + 1) % size


def kind_of(name):
    return "mpsz".index(name[1]) * 9 + (4 if name[0] == "0" else int(name[0]) - 1)


def names(text):
    return [text[at : at + 2] for at in range(0, len(text), 2)]


@lru_cache(1 << 16)
def waits_of(counts, melds):
    return {
        kind
        for kind in range(34)
        if counts[kind] < 4 and is_complete(tuple(c + (k == kind) for k, c in enumerate(counts)), melds)
    }


@lru_cache(1 << 16)
def distance(counts, melds):
    return shanten(list(counts), melds)


class Answer:
    """An answer in a position: the hand after it."""

    def __init__(self, position, candidate):
        self.position, self.figures = position, candidate
        self.action = candidate["action"]
        self.kind, self.tile = self.action["kind"], self.action.get("tile", "")
        self.own = names(self.action.get("own", ""))

    @property
    def discards(self):
        return self.kind in DISCARDS

    @property
    def counts(self):
        without = [kind_of(self.tile)] if self.discards else []
        if self.kind in CALLS:
            without = [kind_of(each) for each in self.own]
            if not without:  # an open kan takes all that are held
                without = [kind_of(self.tile)] * self.position.counts()[kind_of(self.tile)]
        return tuple(self.position.counts(without))

    @property
    def sets(self):
        return self.position.sets + (self.kind in CALLS)

    @property
    def waits(self):
        return waits_of(self.counts, self.sets)

    @property
    def shanten(self):
        """Shanten of the hand after it; of a call, after the best discard that is allowed."""
        if self.kind not in ("chi", "pon"):
            return distance(self.counts, self.sets)
        called, own = kind_of(self.tile), sorted(map(kind_of, self.own))
        banned = {called}
        if self.kind == "chi" and own[1] - own[0] == 1:
            if called < own[0] and own[1] % 9 < 8:
                banned.add(own[1] + 1)
            elif called > own[1] and own[0] % 9 > 0:
                banned.add(own[0] - 1)
        return min(
            distance(tuple(count - (kind == each) for each, count in enumerate(self.counts)), self.sets)
            for kind, held in enumerate(self.counts)
            if held and kind not in banned
        )

    @property
    def ukeire(self):
        now = distance(self.counts, self.sets)
        return sum(
            left
            for kind, left in enumerate(self.position.unseen)
            if left > 0 and distance(tuple(c + (k == kind) for k, c in enumerate(self.counts)), self.sets) < now
        )

    @property
    def folds(self):
        return self.figures.get("note") == "fold"

    @property
    def pays(self):
        kind = kind_of(self.tile)
        return kind in (31, 32, 33, self.position.round_wind, self.position.seat_wind)

    def figure(self, name):
        return self.figures.get(name) or 0.0

    @property
    def mean_win(self):
        return self.figure("p_win") * self.figure("win_points")


def is_share(text, value):
    return text in {percent(value, digits) for digits in range(3)}


def is_points(text, value):
    return abs(number_of(text) - value) <= 0.5 + 1e-9


def number_of(text):
    return float(str(text).replace(",", "").replace("\N{MINUS SIGN}", "-").replace("+", ""))


def tiles_in(text):
    return sorted(kind_of(each) for each in names(plain(text)))


def is_wait(answer, parts):
    left = sum(answer.position.unseen[kind] for kind in answer.waits)
    live = sorted(kind for kind in answer.waits)
    return tiles_in(parts["waits"]) == live and parts["left"] == left


def avoids(position, who, suit):
    """Whether a river shows at most one tile of a suit and many of others, and no meld of another suit."""
    seat = (position.seat + who) % 4
    kinds = [tile >> 2 for tile in position.rivers[seat] if tile >> 2 < 27]
    melded = {meld.tile34 // 9 for meld in position.melds[seat] if meld.tile34 < 27}
    inside = sum(kind // 9 == suit for kind in kinds)
    return inside <= 1 and len(kinds) - inside >= 6 and melded <= {suit}


CLAIMS = {}


def claim(*keys):
    def note(check):
        CLAIMS.update(dict.fromkeys(keys, check))
        return check

    return note


# -- a reason: `one` is the answer that is better in a part, `other` the one that it is compared with -----------------


@claim("because_win_often")
def _(c):
    return c.one.figure("p_win") > c.other.figure("p_win") and is_share(c.parts["one"], c.one.figure("p_win"))


@claim("because_win_dear")
def _(c):
    return c.one.figure("win_points") > c.other.figure("win_points") and is_points(
        c.parts["points"], c.one.figure("win_points")
    )


@claim("because_win_both")
def _(c):
    return all(c.one.figure(each) > c.other.figure(each) for each in ("p_win", "win_points"))


@claim("because_win_cheap_often")
def _(c):
    return c.one.figure("p_win") > c.other.figure("p_win") and c.one.figure("win_points") < c.other.figure("win_points")


@claim("because_win_dear_rare")
def _(c):
    return c.one.figure("p_win") < c.other.figure("p_win") and c.one.figure("win_points") > c.other.figure("win_points")


@claim("because_win_mean", "because_win")
def _(c):
    return c.one.mean_win >= (0.0 if c.other.folds else c.other.mean_win)


@claim("because_win_push")
def _(c):
    return not c.one.folds and is_share(c.parts["one"], c.one.figure("p_win"))


@claim("because_deal_in_chance")
def _(c):
    one, other = c.one.figure("p_deal_in"), c.other.figure("p_deal_in")
    return one < other and is_share(c.parts["one"], one) and is_share(c.parts["other"], other)


@claim("because_deal_in_safe")
def _(c):
    return c.one.figure("p_deal_in") < 0.00005 and is_share(c.parts["other"], c.other.figure("p_deal_in"))


@claim("because_deal_in_hardly")
def _(c):
    return c.one.figure("p_deal_in") < min(0.0005, c.other.figure("p_deal_in"))


@claim("because_deal_in_pass")
def _(c):
    return c.one.kind == "pass" and c.other.figure("p_deal_in") > 0.0


@claim("because_deal_in_cost")
def _(c):
    return c.one.figure("expected_loss") < c.other.figure("expected_loss")


@claim("because_later_chance")
def _(c):
    one, other = c.one.figure("p_later"), c.other.figure("p_later")
    return one < other and is_share(c.parts["one"], one) and is_share(c.parts["other"], other)


@claim("because_later_cost")
def _(c):
    return c.one.figure("later_loss") < c.other.figure("later_loss")


@claim("because_draw_chance")
def _(c):
    return c.one.figure("p_tenpai") > c.other.figure("p_tenpai")


@claim("because_draw_push")
def _(c):
    return not c.one.folds and is_share(c.parts["one"], c.one.figure("p_tenpai"))


@claim("because_network_chance")
def _(c):
    return c.one.figure("prior") > c.other.figure("prior")


@claim("because_no_stick")
def _(c):
    return c.one.kind != "riichi" == c.other.kind


@claim("because_others_win")
def _(c):
    return c.one.figure("p_win") > (0.0 if c.other.folds else c.other.figure("p_win"))


@claim("because_stay_folded")
def _(c):
    return c.other.kind in (*CALLS, *KANS, "riichi")


@claim(
    "because_deal_in_rest", "because_later_rest", "because_draw_rest", "because_network_rest", "because_others",
    "because_places", "because_keep",
)  # fmt: skip
def _(c):
    part = c.key.removeprefix("because_").removesuffix("_rest")
    return c.one.figures["parts"].get(part, 0.0) > c.other.figures["parts"].get(part, 0.0)


# -- what was done -----------------------------------------------------------------------------------------------------


@claim("say_same")
def _(c):
    return c.mine.action == c.theirs.action


@claim("say_equal")
def _(c):
    return c.theirs.figure("value") - c.mine.figure("value") <= c.row["noise"] * (1.0 + 1e-5)


@claim("say_differs")
def _(c):
    lost = c.theirs.figure("value") - c.mine.figure("value")
    return lost > c.row["noise"] * (1.0 - 1e-5) and abs(lost - c.row["loss"]) <= 1e-5 * max(
        abs(c.mine.figure("value")), abs(c.theirs.figure("value"))
    )


@claim("kind_push")
def _(c):
    return c.theirs.folds and not c.mine.folds and c.mine.figure("p_deal_in") > c.theirs.figure("p_deal_in")


@claim("kind_risk")
def _(c):
    return c.theirs.folds and c.mine.folds and c.mine.figure("p_deal_in") > c.theirs.figure("p_deal_in")


@claim("kind_fold")
def _(c):
    return c.mine.folds and not c.theirs.folds


@claim("kind_call")
def _(c):
    return c.mine.kind in CALLS and c.theirs.kind == "pass"


@claim("kind_no_call")
def _(c):
    return c.mine.kind == "pass" and c.theirs.kind in CALLS


@claim("kind_riichi")
def _(c):
    return c.mine.kind == "riichi" != c.theirs.kind


@claim("kind_no_riichi")
def _(c):
    return c.mine.kind != "riichi" == c.theirs.kind


@claim("kind_no_win")
def _(c):
    return c.mine.kind not in ("ron", "tsumo") and any(one.kind.name in ("RON", "TSUMO") for one in c.position.legal)


@claim("two_questions_riichi", "two_questions_silent")
def _(c):
    ways = (c.mine.kind, c.theirs.kind) if c.key.endswith("silent") else (c.theirs.kind, c.mine.kind)
    total = number_of(c.parts["tile"]) + number_of(c.parts["riichi"])
    return ways == ("riichi", "discard") and c.mine.tile != c.theirs.tile and abs(total - c.row["loss"]) <= 1.5


# -- what a player sees ------------------------------------------------------------------------------------------------


@claim("fact_waits_bot")
def _(c):
    return is_wait(c.theirs, c.parts)


@claim("fact_waits_played")
def _(c):
    return is_wait(c.mine, c.parts)


@claim("fact_waits_same")
def _(c):
    return is_wait(c.mine, c.parts) and is_wait(c.theirs, c.parts)


@claim("fact_dora_played")
def _(c):
    return c.mine.discards and c.position.dora(c.mine.tile) > 0


@claim("fact_dora_bot")
def _(c):
    return c.theirs.discards and c.position.dora(c.theirs.tile) > 0


@claim("fact_yakuhai_played")
def _(c):
    return c.mine.discards and c.mine.pays


@claim("fact_yakuhai_bot")
def _(c):
    return c.theirs.discards and c.theirs.pays


@claim("fact_nearer", "fact_not_nearer")
def _(c):
    call, other = (c.theirs, c.mine) if c.theirs.kind in CALLS else (c.mine, c.theirs)
    if call.kind not in CALLS or other.kind in CALLS:
        return False
    if c.key == "fact_not_nearer":
        return call.shanten >= other.shanten and is_distance(c.parts["before"], other.shanten)
    return call.shanten < other.shanten and all(
        is_distance(c.parts[name], one.shanten) for name, one in (("before", other), ("after", call))
    )


def is_distance(text, far):
    return text.startswith(str(far)) if far > 0 else not any(char.isdigit() for char in text)


@claim("fact_kan", "fact_kan_riichi")
def _(c):
    others = [seat for seat in c.position.riichi if seat != c.position.seat]
    return {c.mine.kind, c.theirs.kind} & set(KANS) and (c.key == "fact_kan_riichi") == bool(others)


@claim("fact_safety")
def _(c):
    who = next(each for each in (1, 2, 3) if c.t.words[f"who_{each}"] == c.parts["who"])
    seat = (c.position.seat + who) % 4
    said = [
        c.t.ground(
            {"kind": kind, "unseen": c.position.unseen[kind_of(one.tile)]} if kind == "honour" else {"kind": kind}
        )
        for one in (c.mine, c.theirs)
        for kind in [c.position.safety(seat, kind_of(one.tile))]
    ]
    return seat in c.position.riichi and [c.parts["mine"], c.parts["theirs"]] == said


@claim("fact_suit_played", "fact_suit_bot")
def _(c):
    who = next(each for each in (1, 2, 3) if c.t.words[f"who_{each}"] == c.parts["who"])
    suit = next(at for at, each in enumerate("mps") if c.t.words[f"suit_{each}"] == c.parts["suit"])
    one = c.mine if c.key == "fact_suit_played" else c.theirs
    return one.discards and kind_of(one.tile) // 9 == suit and avoids(c.position, who, suit)


@claim("fact_dealt_ends_played", "fact_dealt_ends_bot", "fact_dealt_place_played", "fact_dealt_place_bot")
def _(c):
    one = c.mine if c.key.endswith("played") else c.theirs
    who = next(each for each in (1, 2, 3) if c.t.words[f"who_{each}"] == c.parts["who"])
    place = next(each for each in (1, 2, 3, 4) if c.t.words[f"place_{each}"] == c.parts["place"])
    paid = int(number_of(c.parts["points"]))
    scores = list(c.position.scores)
    scores[0] -= paid
    scores[who] += paid + 1_000 * c.position.sticks
    absolute = [scores[(each - c.position.seat) % 4] for each in range(4)]
    order = sorted(range(4), key=lambda seat: (-absolute[seat], seat))
    dealer_wins = (c.position.seat + who) % 4 == c.position.dealer
    last = 7 if c.position.rules.hanchan else 3
    ends = min(scores) < 0 or (
        c.position.kyoku >= last
        and (max(scores) >= 30_000 or c.position.kyoku >= last + 4)
        and (not dealer_wins or order[0] == c.position.dealer)
    )
    return one.discards and ends is ("ends" in c.key) and order.index(c.position.seat) + 1 == place


@claim("fact_back_played", "fact_back_bot")
def _(c):
    back = c.mine.shanten - c.theirs.shanten
    return (back > 0) is (c.key == "fact_back_played") and all(
        is_distance(c.parts[name], one.shanten) for name, one in (("mine", c.mine), ("theirs", c.theirs))
    )


@claim("fact_ukeire")
def _(c):
    return (c.parts["mine"], c.parts["theirs"]) == (c.mine.ukeire, c.theirs.ukeire)


@claim("fact_place_first", "fact_place", "fact_place_last")
def _(c):
    place = sum(
        (-score, (c.position.seat + each) % 4) < (-c.position.scores[0], c.position.seat)
        for each, score in enumerate(c.position.scores)
    )
    ranked = sorted(c.position.scores, reverse=True)
    above = ranked[place - 1] - ranked[place] if place else 0
    below = ranked[place] - ranked[place + 1] if place < 3 else 0
    stated = {"fact_place_first": place == 0, "fact_place_last": place == 3, "fact_place": 0 < place < 3}[c.key]
    return stated and number_of(c.parts["behind"]) == above and number_of(c.parts["ahead"]) == below


# -- whose opinion it is -----------------------------------------------------------------------------------------------


def searched(c):
    """How much more the search alone gives the bot's choice."""
    values = [one.figure("value") - one.figures.get("parts", {}).get("network", 0.0) for one in (c.theirs, c.mine)]
    return values[0] - values[1]


@claim("disputed_search", "only_strong_play_against")
def _(c):
    return searched(c) < 0.0


@claim("disputed_equal", "only_strong_play")
def _(c):
    return abs(searched(c)) <= c.row["noise"] * (1.0 + 1e-4)


@claim("disputed_network", "only_search")
def _(c):
    return searched(c) > 0.0 and c.mine.figure("prior") > c.theirs.figure("prior")


@claim("graded_disputed")
def _(c):
    mistake = 180.0 if c.t.scale.unit == "points" else 6.0 * c.row["noise"]
    return bool(c.row["disputed"]) and c.row["grade"] == "inaccuracy" and c.row["loss"] >= mistake


def false_claims(t, row, position):
    """The sentences about a decision that are not true of it, each with its key and its figures.

    Args:
        t: a :class:`Listening` wording.
        row: the decision, as if one of its candidates had been played.
        position: the :class:`Position` before it.
    """
    t.said = []
    text = t.decision(row)
    found = next(one for one in row["candidates"] if one["action"] == row["played"])
    mine, theirs = Answer(position, found), Answer(position, row["candidates"][0])
    faults, waiting, known = [], [], 0
    for key, parts in t.said:
        if key.startswith("because_"):
            waiting.append((key, parts))
            continue
        claims = [(key, parts, mine, theirs)]
        if key in ("for_bot", "for_played"):
            sides = (theirs, mine) if key == "for_bot" else (mine, theirs)
            claims, waiting = [(each, its, *sides) for each, its in waiting], []
        elif key.startswith(SILENT):
            continue
        for each, its, one, other in claims:
            known += 1
            case = SimpleNamespace(
                key=each, parts=its, one=one, other=other, mine=mine, theirs=theirs, row=row, position=position, t=t
            )
            if each not in CLAIMS:
                faults.append(f"{each} is checked by nothing")
            elif not CLAIMS[each](case):
                faults.append(f"{each} {its}: {row['played']}, bot {row['chosen']}: {plain(text)}")
    if waiting:
        faults.append(f"{waiting} stand in no sentence")
    return faults, known
