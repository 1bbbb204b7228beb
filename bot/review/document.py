"""The document of a review as it is kept: the types of its fields, checked whenever one is read."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError


class Kept(BaseModel):
    """A part of a document; fields of other versions may stand beside those that are known."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")


class Score(Kept):
    """Sums over decisions; None where there are too few."""

    decisions: int
    judged: int
    same: int
    equal: int
    differences: int
    inaccuracies: int
    mistakes: int
    blunders: int
    per_hundred: float | None
    error: float | None
    agreement: float | None
    lost: float | None


class PlayedRules(Kept):
    """The rules by which a game was judged."""

    hanchan: bool
    red_fives: bool
    open_tanyao: bool


class End(Kept):
    """How a game ended: points and results in turn order from the player, and the player's place."""

    scores: list[int]
    results: list[float] | None
    placement: int


class Judge(Kept):
    """The policy that judged."""

    name: str
    unit: str


class Standing(Kept):
    """A room of players with whom a review is compared."""

    mean: float
    percentile: int | None


class Document(Kept):
    """One player's game, judged. ``differences`` are the decisions that are asked about again; every one is a row."""

    format: str
    version: int
    log_id: str
    date: str
    policy: Judge
    made_by: dict[str, Any]
    seat: int
    names: list[str]
    rules: PlayedRules
    game: str
    complete: bool
    ends: list[End]
    score: Score
    categories: dict[str, Score]
    situations: dict[str, Score]
    reference: dict[str, Standing]
    habits: list[dict[str, Any]]
    choices: list[dict[str, Any]]
    hands: list[dict[str, Any]]
    turning_points: list[int]
    deal_ins: list[dict[str, Any]]
    differences: list[dict[str, Any]]
    draws: dict[str, Any] | None = None


def why_damaged(fields: object) -> str:
    """Why what was read is no document of a review; empty if it is one, or is empty for a game without the player."""
    if fields == {}:
        return ""
    try:
        Document.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        return f"{where}: {first['msg']}" if where else first["msg"]
    return ""
