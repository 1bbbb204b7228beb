"""The report of one audit: a single HTML page that needs nothing but a browser, and ten lines for a terminal."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup
from rich.cells import cell_len

from bot.page.table import COLUMNS
from bot.page.template import Design, render_page, render_part
from bot.review import overview
from bot.review.document import Decision, Head, Review
from bot.review.graph import Mark, places_graph
from bot.review.habits import rates
from bot.review.measure import Grade, reference, strong_play
from bot.review.shown import shown_decision
from bot.review.wording import Wording
from bot.wording.languages import MINUS, Lang, number, percent, plain
from bot.wording.opponents import as_people_from
from engine.model.seats import by_score
from engine.model.tiles import DORA_AFTER, PLAIN37, format_tile37, parse_tiles37
from protocol.logs.game_log import LOG_ID

_is_log_id: Final = re.compile(LOG_ID).fullmatch
DESIGN: Final = Design(
    "bot.review", "report.html.j2", ("table.js", "share.js", "report.js"), ("page.css", "screen.css", "report.css")
)
WIDE: Final = (560, 250)
NARROW: Final = (366, 104)
"""Sizes of the graph: for screens, and for phones."""


def render_report(fields: Review, lang: Lang = Lang.EN, others: Sequence[Review] = (), log: str = "") -> str:
    """The page of an audit whose fields come from :func:`bot.review.fields.audit_fields`.

    Args:
        fields: the audit that is shown first.
        lang: language of the page.
        others: audits of the other seats of the same game, between which the page can switch.
        log: the game as :func:`bot.review.recording.shared_log` writes it; "" if the page offers none.
    """
    views = [_view(each, lang) for each in (fields, *others)]
    words = views[0]["t"].words
    return render_page(
        DESIGN,
        lang,
        words,
        {
            "words": _script_words(views[0]["t"]),
            "columns": COLUMNS,
            "log": log,
            "seats": [report_data(view["fields"], view["t"]) for view in views],
            "bodies": [render_part(DESIGN, "seat.html.j2", lang, words, several=True, **view) for view in views[1:]],
        },
        deflated=True,
        views=views,
        several=len(views) > 1,
        **views[0],
    )


def _view(fields: Review, lang: Lang) -> dict[str, Any]:
    """The values that the template needs of one seat."""
    wording = Wording.of(fields["policy"], lang)
    fields = wording.localised(fields)
    return {
        "t": wording,
        "fields": fields,
        "rows": {row["number"]: row for row in fields["decisions"]},
        "names": player_names(fields, wording),
        "strengths": strengths(fields, wording),
        "graphs": _graphs(fields, wording),
        "first": overview,
        "lost_by_hand": overview.lost_by_hand(fields, wording),
        "settings": json.dumps(fields["policy"]["settings"], ensure_ascii=False),
        "network": strong_play(fields["policy"]["settings"]),
        "known": reference(),
        "marked": marked_hand,
        "melds": laid_melds,
        "order": lambda end: by_score(end["scores"]),
    }


def _graphs(fields: Review, wording: Wording) -> list[Markup]:
    """The graph of the chances of the final places with the costly decisions on it, in each size."""
    if not any(hand["before"] for hand in fields["hands"]):
        return []
    numbered = {number: str(at) for at, number in enumerate(fields["turning_points"], 1)}
    marks = [
        Mark(row["number"], numbered.get(row["number"], ""), _title(row, fields, wording))
        for row in fields["decisions"]
        if row["number"] in numbered or row["grade"] in {Grade.MISTAKE, Grade.BLUNDER}
    ]
    names = {"label": wording("places_title"), **{f"place_{at}": wording(f"place_{at}") for at in range(1, 5)}}
    return [places_graph(fields, names, marks, *size) for size in (WIDE, NARROW)]


def _title(row: Decision, fields: Review, wording: Wording) -> str:
    """A costly decision in a few words: hand, turn, grade and what it cost."""
    place = f"{fields['hands'][row['hand']]['name']} {wording('turn', turn=row['turn'])}"
    grade, lost = wording(f"grade_{row['grade']}"), wording.amount(row["loss"] or 0.0)
    return f"{place}: {grade} {MINUS}{lost}"


def viewer_link(fields: Review) -> str:
    """The address of the game in tenhou.net's viewer, from the seat's side; empty unless it was played there.

    The number of a hand follows it.
    """
    if not _is_log_id(fields["log_id"]):
        return ""
    return f"https://tenhou.net/0/?log={fields['log_id']}&tw={fields['seat']}&ts="


def report_data(fields: Review, wording: Wording) -> dict[str, Any]:
    """The data for the page's script: the decisions of one seat, packed as :func:`_packed` says."""
    decisions = [shown_decision(row, {wording.lang: wording}) for row in fields["decisions"]]
    return {
        "names": player_names(fields, wording),
        "strengths": strengths(fields, wording),
        "decimals": wording.scale.decimals,
        "unit": wording.unit(fields["policy"]["unit"]),
        "title": fields["log_id"] or fields["date"] or "review",
        "viewer": viewer_link(fields),
        "worst": fields["turning_points"],
        "hands": [{name: hand[name] for name in _HAND} for hand in fields["hands"]],
        "decisions": _packed([{**row, "table": None, "candidates": len(row["candidates"])} for row in decisions]),
        "tables": _packed([row["table"] for row in decisions]),
        "candidates": _packed([one for row in decisions for one in row["candidates"]]),
    }


def _packed(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as one list per field: deflated, that takes a quarter less than one by one.

    A field that a row does not have is ``"-"``, because ``null`` is a value.
    """
    fields = dict.fromkeys(key for one in rows for key in one)
    return {key: [one.get(key, "-") for one in rows] for key in fields}


def _script_words(wording: Wording) -> dict[str, str]:
    """The words that the script needs."""
    needed = (
        "seat_", "wind_", "act_", "ver_", "c_", "f_count", "f_none", "wall", "sticks", "dora", "furiten",
        "waits", "offered_by", "bot", "played", "both", "turn", "grounds", "mode", "resumed_table", "cat_", "hand",
        "danger_", "share_", "grade_", "part_", "sum_",
    )  # fmt: skip
    return {key: text for key, text in wording.words.items() if key.startswith(needed)}


_HAND: Final = ("name", "kyoku", "honba", "dealer")
"""Fields of a hand that the script needs."""


def player_names(fields: Head, wording: Wording) -> list[str]:
    """The names, or substitutes for empty ones; built-in opponents have those of people."""
    return [
        name or (wording.who(seat) if seat else wording("player_n", n=fields["seat"] + 1))
        for seat, name in enumerate(as_people_from(fields["names"], fields["seat"])[0])
    ]


def strengths(fields: Head, wording: Wording) -> list[str]:
    """How strong each player is, in words; empty of whoever is no built-in opponent."""
    return [name and wording(f"strength_{name}") for name in as_people_from(fields["names"], fields["seat"])[1]]


def marked_hand(row: Decision) -> list[tuple[str, str]]:
    """The tiles of a decision's hand, each with its roles: ``mine`` (played), ``bot``, ``drawn``, ``offer``, ``dora``.

    A tile may have several.
    """
    table = row["table"]
    names = [table["hand"][at : at + 2] for at in range(0, len(table["hand"]), 2)]
    marks = ["" for _ in names]
    if table["drawn"]:
        names.append(table["drawn"])
        marks.append("drawn")
    if row["own_turn"]:
        for action, mark in ((row["played"], "mine"), (row["chosen"], "bot")):
            tile = action.get("tile") if action else None
            if tile in names:
                at = len(names) - 1 - names[::-1].index(tile)
                marks[at] = f"{marks[at]} {mark}".strip()
    if table["offered"]:
        names.append(table["offered"])
        marks.append("offer")
    dora = dora_of(table["dora"])
    marks = [
        f"{mark} dora".strip() if without_red(name) in dora else mark for name, mark in zip(names, marks, strict=True)
    ]
    return list(zip(names, marks, strict=True))


def laid_melds(row: Decision) -> list[list[tuple[str, bool]]]:
    """The own melds as they lie on the table: their tiles, and whether one is turned; a closed kan hides its ends."""
    found = []
    for meld in row["table"]["melds"][0]:
        tiles = [meld["tiles"][at : at + 2] for at in range(0, len(meld["tiles"]), 2)]
        if meld["kind"] == "ankan":
            red = next((name for name in tiles if name[0] == "0"), tiles[1])
            laid = [("back", False), (next((name for name in tiles if name != red), red), False), (red, False)]
            found.append([*laid, ("back", False)])
            continue
        turned = [(meld["called"], True), *([(meld["added"], True)] if "added" in meld else [])]
        at = {3: 0, 2: 1}.get(meld["from"], len(tiles))
        found.append([*((name, False) for name in tiles[:at]), *turned, *((name, False) for name in tiles[at:])])
    return found


def dora_of(indicators: str) -> set[str]:
    """The dora that indicators, written without separators, make."""
    return {format_tile37(DORA_AFTER[PLAIN37[tile]]) for tile in parse_tiles37(indicators)}


def without_red(name: str) -> str:
    """A tile with a red five written as a plain one."""
    return name.replace("0", "5")


# -- the ten lines of a terminal ---------------------------------------------------------------------------------------


def render_summary(fields: Review, lang: Lang = Lang.EN) -> str:
    """The summary of an audit, each decision on a line. Untrusted text in ``fields`` has already been cleaned."""
    wording = Wording.of(fields["policy"], lang)
    return "\n".join(_lines(fields, wording)) + "\n"


def _lines(fields: Review, t: Wording) -> Iterator[str]:
    score = fields["score"]
    yield _whose(fields, t)
    if not fields["complete"]:
        yield t("incomplete")
    yield from (t("fault", place=fault["place"], message=fault["message"]) for fault in fields["faults"])
    if not score["judged"]:
        yield t("nothing_judged", decisions=score["decisions"], policy=fields["policy"]["name"])
        return
    rating = f"{t('rating')}: {t.rating(score['per_hundred'], score['error'])} {t.unit(fields['policy']['unit'])}"
    yield "  ".join(filter(None, (rating, t.standing(fields))))
    yield t(
        "summary_grades",
        blunders=score["blunders"],
        mistakes=score["mistakes"],
        inaccuracies=score["inaccuracies"],
        judged=score["judged"],
        same=percent(score["same"] / score["judged"]),
        agreed=percent(score["agreement"]),
    )
    ended = [hand for hand in fields["hands"] if hand["ended"]]
    shown = [f"{t('rate_' + name)} {percent(rate)}" for name, rate in rates(ended).items() if rate is not None]
    yield t("summary_hands", hands=len(ended), rates=t.listed(shown))
    yield from _costliest(fields, t)


def _whose(fields: Review, t: Wording) -> str:
    """Whose game it was, and how it ended."""
    found = [t("title", name=player_names(fields, t)[0]), fields["log_id"] or fields["source"]]
    found += [
        f"{t('place_' + str(end['placement']))}, {number(end['scores'][0])} {t('points')}" for end in fields["ends"]
    ]
    return "  ".join(filter(None, found))


def _costliest(fields: Review, t: Wording) -> Iterator[str]:
    """The decisions that cost most, worst first: hand, turn and grade below each other, then what was played."""
    rows = {row["number"]: row for row in fields["decisions"]}
    worst = [rows[number] for number in fields["turning_points"]]
    yield t("turning_hint") if worst else t("none_lost")
    hands = [t.hand(hand["name"]) for hand in fields["hands"]]
    heads = [(hands[row["hand"]], t("turn", turn=row["turn"]), t(f"grade_{row['grade']}")) for row in worst]
    widths = [max(map(cell_len, column)) for column in zip(*heads, strict=True)]
    for row, head in zip(worst, heads, strict=True):
        columns = (text + " " * (width - cell_len(text)) for text, width in zip(head, widths, strict=True))
        yield f"  {'  '.join(columns)}  {plain(t.sentences([t.cost(row), *t.graded(row)]))}"
