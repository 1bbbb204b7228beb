"""The ten lines that a terminal shows of an audit: what was lost, how that compares, and what cost most."""

from collections.abc import Iterator

from rich.cells import cell_len

from bot.review.document import Review
from bot.review.habits import rates
from bot.review.report import player_names
from bot.review.wording import Wording
from bot.wording.languages import Lang, number, percent, plain


def render_summary(fields: Review, lang: Lang = Lang.EN) -> str:
    """The summary of an audit, each decision on a line. Untrusted text in ``fields`` has already been cleaned."""
    wording = Wording.of(fields["policy"], lang)
    return "\n".join(_lines(fields, wording)) + "\n"


def _lines(fields: Review, t: Wording) -> Iterator[str]:
    score = fields["score"]
    yield _title(fields, t)
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


def _title(fields: Review, t: Wording) -> str:
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
