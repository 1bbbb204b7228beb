"""Pages made from templates: one file each, with everything inlined, and a policy that blocks everything else."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bot.audit.tile_art import sprite
from bot.audit.wording import Wording
from bot.wording.numbers import MINUS, number, percent
from bot.wording.tiles import MARK

_UNSAFE_IN_SCRIPT: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"}


PUNCTUATION: Final = ";,.:)\N{IDEOGRAPHIC COMMA}\N{IDEOGRAPHIC FULL STOP}"
"""Characters that must not begin a line after a tile."""


@cache
def asset(name: str) -> str:
    """The text of a file that goes into pages."""
    return (files("bot.audit") / "assets" / name).read_text(encoding="utf-8")


def embedded_json(value: Any) -> Markup:
    """JSON that is safe inside a script element: nothing in it can end the element or begin another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_UNSAFE_IN_SCRIPT))  # noqa: S704 - everything that could be markup has just been removed


def content_policy(style: str, script: str) -> str:
    """The page's Content-Security-Policy: this style, this script, nothing from elsewhere."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def tile(name: str, extra: str = "") -> Markup:
    """One tile as an image."""
    return Markup(
        '<svg class="tile{}" viewBox="0 0 30 40" role="img" aria-label="{}"><use href="#t-{}"/></svg>'
    ).format(f" {extra}" if extra else "", name, name)


def tiles(text: str) -> Markup:
    """Adjacent tiles, as images in a row."""
    row = Markup("").join(tile(text[at : at + 2]) for at in range(0, len(text), 2))
    return Markup('<span class="tiles">{}</span>').format(row)


def sentence(text: str) -> Markup:
    """A sentence of :class:`~bot.audit.wording.Wording`, with its tiles as images; a comma stays with its tile."""
    parts: list[Markup] = []
    last = 0
    for match in MARK.finditer(text):
        parts.append(escape(text[last : match.start()]))
        last = match.end()
        follows = text[last : last + 1]
        if follows and follows in PUNCTUATION:
            parts.append(Markup('<span class="kept">{}{}</span>').format(tile(match[1]), follows))
            last += 1
        else:
            parts.append(tile(match[1]))
    return Markup("").join([*parts, escape(text[last:])])


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bot.audit", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"sentence": sentence, "number": number, "percent": percent, "tiles": tiles}
    return environment


def render_page(template: str, wording: Wording, script: str, data: Any, **values: Any) -> str:
    """A whole page.

    Args:
        template: name in ``assets``.
        wording: wording in its language.
        script: name of the script in ``assets``.
        data: data embedded for the script.
        values: values for the template.
    """
    style, code = asset("report.css"), asset(script)
    return (
        _environment()
        .get_template(template)
        .render(
            lang=wording.lang.value,
            t=wording,
            words=wording.words,
            minus=MINUS,
            policy=content_policy(style, code),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(code),  # noqa: S704 - our own file
            sprite=Markup(sprite()),  # noqa: S704 - drawn by us
            data=embedded_json(data),
            tile=tile,
            **values,
        )
    )
