"""The document of a review: one player's game, judged, as typed JSON.

A :class:`Review` holds its hands, its decisions, and of each decision the candidates. It is the value that
:mod:`bot.review.fields` makes, that ``--json`` prints and a folder keeps; whoever shows or adds up reviews reads it by
these names, and nothing translates it. :func:`why_damaged` checks all of a review that was kept when it is read.

Seats are relative (0 self, 1 right, 2 across, 3 left) except :attr:`Head.seat`, which is absolute; lists of four are in
that order. Tiles are written as described in :mod:`bot.page.table`. Fields that may be missing are not in reviews of
every version or judge; fields of other versions may stand beside those that are known.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, NotRequired, cast

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict  # that of Python 3.11 is not checked by pydantic

from bot.machine.errors import InputError
from bot.machine.text import brief
from bot.page.table import WrittenAction, WrittenCandidate, WrittenTable
from protocol.logs.json_text import parse_value

FORMAT: Final = "oshihiki-audit"
VERSION: Final = 10
"""The version of the names below and of what they mean. Raise it with either: then the next audit into a folder reviews
the games in it again."""
READ: Final = frozenset((7, 8, 9, VERSION))
"""Versions that are read; practice and the page pass over others. Version 9 does not say which tiles an answer gains.
Version 8 has no clauses either, version 7 no notes of the log and not three of its rules, and how an answer compares
only of the one that was played."""
DAMAGE: Final = (ArithmeticError, ValueError, TypeError, AttributeError, LookupError, RecursionError, StopIteration)
"""What reading a damaged review raises."""
Ground = dict[str, Any]
"""A ground: its kind and its figures, as :mod:`bot.deciding.fields` writes them."""
Clause = dict[str, Any]
"""What is said of a decision, without words: the ``key`` of its words; by place its ``parts``; and of a part of the
value its name, ``about``, and its ``gain`` for the bot's choice. See :mod:`bot.review.arguments`."""


class Score(TypedDict):
    """Sums over decisions; None where there are too few."""

    per_hundred: float | None  # value lost in a hundred judged decisions: the rating
    error: float | None  # its standard error
    agreement: float | None  # share of the judged answers that are the policy's choice or its equal
    decisions: int
    judged: int
    same: int
    equal: int
    differences: int
    inaccuracies: int
    mistakes: int
    blunders: int
    lost: float
    weighed: int


# -- a decision --------------------------------------------------------------------------------------------------------


class Judged(TypedDict):
    """How an answer compares."""

    verdict: str  # a value of :class:`bot.review.verdicts.Verdict`
    grade: str | None  # of :class:`bot.review.measure.Grade`; None if it is not judged
    category: str  # of :class:`bot.review.verdicts.Category`
    loss: float | None  # value lost; None if that is not known
    disputed: str | None  # of :class:`bot.review.verdicts.Side`
    questions: dict[str, float]  # by :class:`bot.review.verdicts.Question`, what of the loss is due to it


class Dealt(TypedDict):
    """What a deal-in does to the game."""

    to: int
    points: int
    ends: bool
    place: int


class Facts(TypedDict, total=False):
    """What a player sees about an answer; see :func:`bot.review.facts.facts_of`."""

    draws: str
    shapes: str
    waits: str
    left: int
    shanten: int
    dora: int
    yakuhai: bool
    safety: dict[str, Ground]
    suit: dict[str, str]
    dealt: Dealt
    called: bool
    kan: int


class Answer(TypedDict, total=False):
    """What else is known of an answer, where that which was played differs from the policy's choice."""

    judged: Judged  # how it would have been judged
    facts: Facts


class Candidate(WrittenCandidate, Answer):
    """An answer with what the policy makes of it. The policy's choice is first, the others as it ranks them."""


class Held(TypedDict):
    """The decision in which the choice was made that is held."""

    decision: int
    turn: int


class Truth(TypedDict):
    """What the others really held, right, across, left; None where the log does not show it."""

    hands: list[str | None]
    waits: list[str | None]


class Decision(Judged):
    """A decision: what was asked and played, how that compares, and what the policy makes of each answer."""

    number: int  # in order of play, from 1
    hand: int  # index into the hands
    turn: int  # number of the own turn, from 1
    event: int  # position in the recording
    own_turn: bool
    legal: int  # number of legal answers
    known: str  # of :class:`bot.replay.decisions.Known`
    played: WrittenAction | None  # None if not known
    chosen: WrittenAction
    noise: float  # difference below which answers count as equal
    held: Held | None
    mode: str
    situation: str  # of :class:`bot.review.habits.Situation`
    threatened: bool  # whether an opponent has declared riichi
    per_point: float
    grounds: list[Ground]
    candidates: list[Candidate]
    table: WrittenTable
    truth: Truth
    # the danger of each tile of the hand, run together: the tile, and three digits per mille for each opponent, right,
    # across and left; empty unless it is the seat's turn
    danger: str
    clauses: NotRequired[list[Clause]]


# -- a hand ------------------------------------------------------------------------------------------------------------


class Win(TypedDict("_From", {"from": int})):
    """A win of anybody, ``from`` the seat whose tile it was; without its value if the log does not state one."""

    seat: int
    tile: str
    points: NotRequired[int]
    han: NotRequired[int]
    fu: NotRequired[int]
    limit: NotRequired[int]
    yaku: NotRequired[list[list[str | int]]]  # names in English and Japanese, han


class Winner(Win):
    """A winner on a tile that was dealt in, and what it really waited on."""

    hand: str | None
    melds: list[str]
    waits: str
    shape: str
    threat: str
    safety: Ground | None


class Safest(TypedDict):
    """The least dangerous tile."""

    action: WrittenAction
    p_deal_in: float | None


class DealIn(TypedDict):
    """A deal-in; how the seat dealt in, and whether that was right: see :mod:`bot.review.fields`."""

    hand: int
    decision: int | None
    tile: str
    paid: int
    p_deal_in: float | None
    expected_loss: float | None
    rank: int | None
    of: int
    safest: Safest | None
    worth: str
    loss: float | None
    winners: list[Winner]


class Placing(TypedDict):
    """The chances of the final places, and the result expected in thousands."""

    places: list[float]
    result: float


class Hand(TypedDict):
    """A hand: how it ended for the player, how well it was played, and how the places stood."""

    name: str
    game: int
    kyoku: int
    honba: int
    sticks: int
    dealer: int
    scores: list[int]
    deltas: list[int] | None
    ended: bool
    resumed: bool
    outcome: str
    riichi: bool
    called: bool
    against_riichi: bool
    last: bool
    wins: list[Win]
    draw: str | None
    score: Score
    before: Placing | None
    after: Placing | None
    first: int | None  # number of its first decision


# -- a review ----------------------------------------------------------------------------------------------------------


class Judge(TypedDict):
    """The policy that judged."""

    name: str
    settings: dict[str, Any]
    nodes: int | None
    unit: str  # in which values are shown
    values: str  # that of the policy itself
    noise: float
    bounds: dict[str, float]  # least loss of each grade of mistakes
    worth: list[float] | None  # of 1,000 points in its own unit, least and most


class PlayedRules(TypedDict):
    """The rules by which a game was judged."""

    hanchan: bool
    red_fives: bool
    open_tanyao: bool
    kiriage: NotRequired[bool]
    start_points: NotRequired[int]
    honba_points: NotRequired[int]
    shown: NotRequired[str]


class LeftOut(TypedDict):
    """A hand that could not be followed to its end."""

    place: str
    message: str


class End(TypedDict):
    """How a game ended: points and results, and the player's place."""

    scores: list[int]
    results: list[float] | None
    placement: int


class Room(TypedDict):
    """How the players of a room fare by this judge, and the rank of this game among theirs."""

    games: int
    mean: float
    sd: float
    percentile: int | None
    categories: dict[str, float | None]


class Habit(TypedDict):
    """The differences of a kind in a situation."""

    kind: str
    situation: str
    count: int
    lost: float


class Choices(TypedDict):
    """How often a choice came in a situation, and how often the player and the bot took it."""

    kind: str
    situation: str
    count: int
    played: int
    chosen: int


class Draws(TypedDict):
    """What the draws, deals and ura of a game were worth."""

    points: int
    places: float


class Head(TypedDict):
    """A review without single decisions."""

    format: str
    version: int
    made_by: dict[str, Any]
    source: str
    log_id: str
    date: str
    policy: Judge
    seat: int
    names: list[str]
    rules: PlayedRules
    game: str  # identifies a seat of a game
    complete: bool
    notes: NotRequired[list[str]]
    faults: list[LeftOut]
    ends: list[End]
    score: Score
    reference: dict[str, Room]
    categories: dict[str, Score]
    situations: dict[str, Score]
    habits: list[Habit]
    choices: list[Choices]
    hands: list[Hand]
    turning_points: list[int]  # numbers of the costliest decisions, worst first
    deal_ins: list[DealIn]


class Review(Head):
    """One player's game with every decision."""

    decisions: list[Decision]


class Kept(Head):
    """A review as it is kept: of its decisions those that cost something, and the luck of the draws."""

    differences: list[Decision]
    draws: NotRequired[Draws | None]


class Block(TypedDict):
    """Some games in a row, of many: the numbers of the first and the last, their days, losses, grades and rates."""

    first: int
    last: int
    games: int
    days: list[str]
    per_hundred: float | None
    error: float | None
    judged: int
    blunders: int
    mistakes: int
    inaccuracies: int
    mean_placement: float | None
    rates: dict[str, float | None]


class Totals(TypedDict):
    """The sums over many games."""

    games: int
    hands: int
    failed: int
    again: int
    elsewhere: int
    policy: Judge | None
    made_by: dict[str, Any] | None
    score: Score
    reference: dict[str, Room]
    rules: dict[str, bool]  # ``hanchan``: whether most games are
    categories: dict[str, Score]
    situations: dict[str, Score]
    habits: list[Habit]
    trend: list[Block]
    placements: dict[str, int]
    mean_placement: float | None
    without_draws: dict[str, Any] | None
    rates: dict[str, float | None]
    rates_by_situation: dict[str, dict[str, Any]]
    choices: list[dict[str, Any]]
    mean_win: float | None
    mean_deal_in: float | None


def kept_of(review: Review, draws: Draws | None) -> Kept:
    """A review as it is kept."""
    head = {name: value for name, value in review.items() if name != "decisions"}
    differences = [row for row in review["decisions"] if row["verdict"] == "differs"]
    return cast("Kept", {**head, "draws": draws, "differences": differences})


def read_review(where: str, text: str) -> Kept | None:
    """A review that was kept; None for a game without the player.

    Args:
        where: how messages name it.
        text: its fields as JSON.

    Raises:
        InputError: it is damaged, or of another version.
    """
    with naming_damage(where):
        fields: Any = parse_value(text)
        known = fields == {} or (fields["format"] == FORMAT and fields["version"] in READ)
        if known and (why := why_damaged(fields)):
            raise ValueError(why)
    if not known:
        raise InputError(f"{where}: was written by another version; run oshihiki audit with the same folder again")
    found: Kept | None = fields or None
    return found


@contextmanager
def naming_damage(where: str) -> Iterator[None]:
    """Name a review in place of the error that reading it raises where it is damaged."""
    try:
        yield
    except DAMAGE as error:
        raise InputError(
            f"{where}: is damaged; delete it and run oshihiki audit with the same folder again: "
            f"{brief(str(error) or type(error).__name__, 80)}"
        ) from None


@cache
def _schema() -> TypeAdapter[Kept]:
    return TypeAdapter(Kept)


def why_damaged(fields: object) -> str:
    """Why what was read is no document of a review; empty if it is one, or is empty for a game without the player."""
    if fields == {}:
        return ""
    try:
        _schema().validate_python(fields, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where}: {first['msg']}" if where else first["msg"]
    return ""
