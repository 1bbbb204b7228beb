"""Pages made from templates: one file each, with everything inlined, and a policy that blocks everything else."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from bot.page.tile_art import icon, sprite
from bot.wording.languages import MARK, MINUS, Lang, number, percent

_UNSAFE_IN_SCRIPT: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"}
PUNCTUATION: Final = ";,.:)\N{IDEOGRAPHIC COMMA}\N{IDEOGRAPHIC FULL STOP}"
"""Characters that must not begin a line after a tile."""
DEFLATED: Final = "application/zlib"
"""Type of the element that holds compressed data."""
_SHARED: Final = "bot.page"


@dataclass(frozen=True, slots=True)
class Design:
    """The design of a page. Its files are in the folder ``assets`` of its package, or in that of this one.

    Attributes:
        package: the package.
        template: name of the template.
        scripts: names of the scripts, in order.
        styles: names of the style sheets, in order.
        connects: whether its script speaks to the server that the page came from.
    """

    package: str
    template: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...] = ("page.css",)
    connects: bool = False


_COMMENTS: Final = re.compile(r"^ *(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.DOTALL | re.MULTILINE)


@cache
def asset(package: str, name: str) -> str:
    """The text of a file that goes into the pages of a package, without the lines that are comments."""
    own = files(package) / "assets" / name
    text = (own if own.is_file() else files(_SHARED) / "assets" / name).read_text(encoding="utf-8")
    return _COMMENTS.sub("", text)


def embedded_json(value: Any) -> Markup:
    """JSON that is safe inside a script element: nothing in it can end the element or begin another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_UNSAFE_IN_SCRIPT))  # noqa: S704 - everything that could be markup has just been removed


def deflated_json(value: Any) -> Markup:
    """JSON deflated (zlib) and in base64, a quarter as long; browsers from 2023 on read it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(base64.b64encode(zlib.compress(text.encode(), 9)).decode())  # noqa: S704 - base64 is no markup


def content_policy(style: str, script: str, *, connects: bool = False) -> str:
    """The page's Content-Security-Policy: this style, this script, nothing from elsewhere."""
    connecting = "connect-src 'self'; " if connects else ""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        f"{connecting}base-uri 'none'; form-action 'none'"
    )


def in_colours(page: str, theme: str) -> str:
    """A page in the colours that were chosen, ``light`` or ``dark``; empty: those of the browser.

    The rules for a dark browser apply always or never, and the policy names the style sheet as it is then.
    """
    head, opening, rest = page.partition("<style>")
    style, closing, body = rest.partition("</style>")
    if not theme or not closing:
        return page
    chosen = style.replace("(prefers-color-scheme: dark)", "all" if theme == "dark" else "not all")
    chosen = chosen.replace("color-scheme: light dark", f"color-scheme: {theme}")
    head = head.replace(_digest(style), _digest(chosen)).replace('content="light dark"', f'content="{theme}"')
    return f"{head}{opening}{chosen}{closing}{body}"


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
    """A sentence with its marked tiles (:mod:`bot.wording.languages`) as images; a comma stays with its tile."""
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


def render_part(design: Design, template: str, lang: Lang, words: Mapping[str, str], **values: Any) -> Markup:
    """A part of a page that its script puts in place; the page's data may hold it."""
    found = _environment(design.package).get_template(template)
    return Markup(found.render(lang=lang.value, words=words, minus=MINUS, tile=tile, **values))  # noqa: S704 - escaped by the template


@cache
def _environment(package: str) -> Environment:
    environment = Environment(
        loader=ChoiceLoader([PackageLoader(each, "assets") for each in (package, _SHARED)]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"sentence": sentence, "number": number, "percent": percent, "tiles": tiles}
    return environment


def render_page(
    design: Design, lang: Lang, words: Mapping[str, str], data: Any, *, deflated: bool = False, **values: Any
) -> str:
    """A whole page.

    Args:
        design: what it is made of.
        lang: its language.
        words: labels and sentences in that language.
        data: data embedded for the scripts.
        deflated: whether the data is compressed.
        values: further values for the template.
    """
    style = "".join(asset(design.package, name) for name in design.styles)
    code = "".join(asset(design.package, name) for name in design.scripts)
    return (
        _environment(design.package)
        .get_template(design.template)
        .render(
            lang=lang.value,
            words=words,
            minus=MINUS,
            policy=content_policy(style, code, connects=design.connects),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(code),  # noqa: S704 - our own file
            sprite=Markup(sprite()),  # noqa: S704 - drawn by us
            page_icon=icon(),
            data=deflated_json(data) if deflated else embedded_json(data),
            data_type=DEFLATED if deflated else "application/json",
            tile=tile,
            **values,
        )
    )
