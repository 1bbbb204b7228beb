"""An audit for a terminal: the figures, and one line for each decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.audit.report import player_names
from bot.audit.wording import Wording
from bot.wording.languages import Lang
from bot.wording.numbers import number, percent
from bot.wording.tiles import plain

Fields = Mapping[str, Any]

SIGNS: Final = {"same": "=", "equal": "≈", "differs": "✗", "forced": "·"}
"""The marks of verdicts; ``?`` if nothing can be said."""


def render_text(fields: Fields, lang: Lang = Lang.EN) -> str:
    """The whole report. Untrusted text in ``fields`` has already been cleaned."""
    wording = Wording.of(fields["policy"], lang)
    return "\n".join(_lines(wording.localised(fields), wording)) + "\n"


def _lines(fields: Fields, t: Wording) -> Iterator[str]:
    names = player_names(fields, t)
    unit = t.unit(fields["policy"]["unit"])
    yield f"{t('title', name=names[0])}  {fields['log_id'] or fields['source']}".rstrip()
    for end in fields["ends"]:
        placed = f"{t('place_' + str(end['placement']))}, {number(end['scores'][0])} {t('points')}"
        result = "" if end["results"] is None else f", {number(end['results'][0], sign=True)}"
        yield placed + result
    yield t("policy_line", policy=fields["policy"]["name"], unit=unit)
    if not fields["complete"]:
        yield t("incomplete")
    yield from (t("fault", place=fault["place"], message=fault["message"]) for fault in fields["faults"])
    yield ""
    yield from _figures(fields, t, unit)
    rows = {row["number"]: row for row in fields["decisions"]}
    if fields["deal_ins"]:
        yield from ("", t("deal_ins"))
    for one in fields["deal_ins"]:
        place = fields["hands"][one["hand"]]["name"]
        lines = [plain(line) for line in t.deal_in(one, rows.get(one["decision"]))]
        yield f"  {place}  {plain(t('deal_paid', tile=one['tile'], paid=number(one['paid'])))}"
        yield from (f"    {line}" for line in lines)
    yield from ("", t("decisions"))
    last = -1
    for row in fields["decisions"]:
        if row["hand"] != last:
            last = row["hand"]
            hand = fields["hands"][last]
            gain = "" if hand["deltas"] is None else f"  {number(hand['deltas'][0], sign=True)}"
            yield f"{hand['name']}  {plain(t.outcome(hand))}{gain}"
        yield _decision(row, t)


def _figures(fields: Fields, t: Wording, unit: str) -> Iterator[str]:
    score = fields["score"]
    rating = "—" if score["rating"] is None else f"{score['rating']:.1f}"
    error = "" if score["error"] is None else f" {t('uncertain', error=format(score['error'], '.1f'))}"
    hint = t("agreement_hint", same=score["same"], equal=score["equal"], judged=score["judged"])
    per_hand = t("lost_per_hand", lost=t.amount(score["lost"] / max(1, len(fields["hands"]))))
    of = t("differences_hint", decisions=score["decisions"], hands=len(fields["hands"]))
    yield f"{t('rating')}: {rating}{error}"
    yield f"{t('agreement')}: {percent(score['agreement'])} ({hint})"
    yield f"{t('lost')}: {t.amount(score['lost'])} {unit}, {per_hand}"
    yield f"{t('differences')}: {score['differences']} {of}"
    graded = ", ".join(f"{t('grades_' + grade)} {count}" for grade, count in t.counts_of(score)[:3])
    yield f"{t('grades')}: {graded}"
    if standing := t.standing(fields):
        yield standing
    for one in fields["judges"]:
        score, same = one["score"], percent(one["agreed"] / max(1, one["compared"]))
        shares = f"{t('rating')} {t.rating(score['rating'])}, {t('with_player')} {percent(score['agreement'])}"
        yield f"{t('judge')} {one['name']}: {shares}, {t('with_first')} {same}"
    if fields["judges"]:
        yield t("judges_hint", first=fields["judges"][0]["name"], **fields["confirmed"])
    if fields["policy"]["values"] != fields["policy"]["unit"]:
        yield t("unit_said")
    for name, one in fields["categories"].items():
        yield f"  {t('cat_' + name)}: {one['judged']}, {percent(one['agreement'])}, {t.amount(-one['lost'])}"
    luck = fields["luck"]
    for key, expected, actual in (
        ("luck_wins", "wins_expected", "wins"),
        ("luck_deal_ins", "deal_ins_expected", "deal_ins"),
    ):
        yield f"{t(key)}: {luck[actual]} ({t('expected')} {luck[expected]:.1f})"
    if luck["luck"] is not None:
        for key in ("decisions", "luck"):
            name = t("luck_decisions") if key == "decisions" else t("luck")
            yield f"{name}: {t.amount(luck[key], sign=True)}"


def _decision(row: Fields, t: Wording) -> str:
    sign = SIGNS.get(row["verdict"], "?")
    head = f"  {row['number']:>4} {sign} {t('turn', turn=row['turn'])}: "
    if row["verdict"] in {"same", "forced"}:
        return head + plain(t.action(row["played"]))
    text = plain(t.decision(row))
    lost = f"  [{t('grade_' + row['grade'])} {t.amount(-row['loss'])}]" if row["loss"] else ""
    return f"{head}{text}{lost}"
