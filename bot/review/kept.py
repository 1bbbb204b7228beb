"""A review as the store keeps it: its whole document and its log, of which the page and the rows are made when wanted.

So the page is in the language of whoever asks for it. A review of an earlier version has a page that was made with it,
in one language, and rows beside it; both are shown as they are.
"""

import json
import time
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter
from typing_extensions import TypedDict  # that of Python 3.11 is not checked by pydantic

from bot.review.document import Kept, Review, naming_damage, read_review
from bot.review.report import render_report
from bot.review.shown import shown_decision
from bot.review.wording import Wording
from bot.store import reviews
from bot.wording.languages import Lang
from protocol.logs.json_text import parse_value

Row = dict[str, Any]
"""A decision as it stands beside the table."""
_DOCUMENT: Final = "{"
"""How a document begins, and no page."""


class _Whole(TypedDict):
    """What is kept of a review to make its page of."""

    review: Review
    log: str  # as :func:`bot.review.recording.shared_log` writes it


def keep(folder: Path, name: str, fields: Kept, review: Review, log: str) -> None:
    """Keep a review in place of one of that name.

    Args:
        folder: the folder of the reviews.
        name: its name.
        fields: the review without the decisions that cost nothing.
        review: the whole review.
        log: its game, as :func:`bot.review.recording.shared_log` writes it.

    Raises:
        InputError: it cannot be written.
    """
    whole: _Whole = {"review": review, "log": log}
    page = json.dumps(whole, ensure_ascii=False)
    reviews.keep(folder, name, time.time_ns(), json.dumps(fields, ensure_ascii=False), "", page)


def is_whole(folder: Path, name: str) -> bool:
    """Whether a review can be read, with a page in every language.

    Raises:
        InputError: it, or the store, cannot be read.
    """
    fields = read_review(name, reviews.text(folder, name, "fields"))
    return fields is not None and reviews.text(folder, name, "page").startswith(_DOCUMENT)


def page_of(folder: Path, name: str, lang: Lang) -> str:
    """The page of a review, in that language unless it was made by an earlier version; empty if it has none.

    Raises:
        InputError: the store cannot be read, or the review is damaged.
    """
    text = reviews.text(folder, name, "page")
    if not text.startswith(_DOCUMENT):
        return text
    with naming_damage(name):
        whole = _whole(text)
        return render_report(whole["review"], lang, log=whole["log"])


def rows_of(folder: Path, name: str) -> list[Row]:
    """The decisions of a review as they stand beside the table, in every language; none if they were not kept.

    Raises:
        InputError: the store cannot be read, or the review is damaged.
    """
    text = reviews.text(folder, name, "page")
    with naming_damage(name):
        if not text.startswith(_DOCUMENT):
            found = parse_value(reviews.text(folder, name, "rows"))
            return found if isinstance(found, list) else []
        review = _whole(text)["review"]
        wordings = {lang: Wording.of(review["policy"], lang) for lang in Lang}
        scale = {"decimals": wordings[Lang.EN].scale.decimals, "unit": review["policy"]["unit"]}
        return [{**shown_decision(row, wordings), **scale} for row in review["decisions"]]


def _whole(text: str) -> _Whole:
    found: _Whole = parse_value(text)
    _schema().validate_python(found, strict=True)
    return found


@cache
def _schema() -> TypeAdapter[_Whole]:
    return TypeAdapter(_Whole)
