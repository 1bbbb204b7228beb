"""Seeded damage to text: what decoders must survive. Most of it keeps the structure, so as to get past the parser."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

MAX: Final = 1 << 16
"""Bytes of one input: long enough for a hand, short enough to be quick."""
WORDS: Final = (
    "", "0", "-1", "1", "3", "4", "14", "16", "34", "135", "136", "255", "1000000", "99999999999999999999", "1e999",
    "0.5", "NaN", "null", "true", "%", "%E3%81", "%00", ",", ",,", "0,1", "?", "5mr", "\u0000", "\ud800", "é", "<", ">",
    "/>", "{}", "[]", '"', "\\", "x" * 300,
)  # fmt: skip
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 4, 37, 60, 136, 10**20, -(10**400), 0.5, float("inf"), "", "?", "5mr", "E", "0m",
    "c1p2", "r45", "😀", [], {}, [[]], [0] * 14, {"type": "dora"}, ["和了", [0, 0, 0, 0], [0, 0, 0, ""]],
)  # fmt: skip

_attribute: Final = re.compile(r'(\w+)="([^"]*)"')
_number: Final = re.compile(r"-?\d+")
_digits: Final = re.compile(rb"-?\d+")


def damage(seed: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """One to four kinds of damage to a copy of ``seed``; ``others`` lend pieces."""
    data = seed
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = rng.choice(_KINDS)(data, rng, others)[:MAX]
    return data


def _flip(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _time in range(rng.choice((1, 1, 2, 4))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    first, last = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    return data[first:last] if rng.random() < 0.3 else data[:first] + data[last:]


def _double(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    first, last = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[first : min(last, first + 400)] + data[at:]


def _splice(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _lines(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Lines, or tags, in another order, twice, not at all, or from elsewhere."""
    between = b"\n" if data.count(b"\n") > 2 else b"><"
    lines = data.split(between)
    at = rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(rng.randrange(len(lines) + 1), lines[at])
        case 2:
            to = rng.randrange(len(lines))
            lines[at], lines[to] = lines[to], lines[at]
        case _:
            lines.insert(at, rng.choice(rng.choice(others).split(between)))
    return between.join(lines)


def _text(data: bytes, rng: random.Random, change: Callable[[str], str]) -> bytes:
    del rng
    return change(data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogatepass")


def _field(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """The value of one attribute."""

    def change(text: str) -> str:
        found = list(_attribute.finditer(text))
        if not found:
            return text
        one = rng.choice(found)
        return f"{text[: one.start(2)]}{rng.choice(WORDS)}{text[one.end(2) :]}"

    return _text(data, rng, change)


def _count(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """One number."""

    def change(text: str) -> str:
        found = list(_number.finditer(text))
        if not found:
            return text
        one = rng.choice(found)
        value = rng.choice(
            (str(int(one[0][:9]) + rng.choice((-1, 1, 4, -4))), str(rng.randrange(140)), rng.choice(WORDS))
        )
        return f"{text[: one.start()]}{value}{text[one.end() :]}"

    return _text(data, rng, change)


def _values(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """One to four numbers become others of the same text or any tile, so that the result reads well and is wrong."""
    for _time in range(rng.choice((1, 1, 2, 4))):
        found = list(_digits.finditer(data))
        if not found:
            return data
        one, other = rng.choice(found), rng.choice(found)
        nearby = str(int(one[0][:9]) + rng.choice((-1, 1, 4, -4))).encode()
        value = rng.choice((nearby, str(rng.randrange(136)).encode(), other[0]))
        data = data[: one.start()] + value + data[one.end() :]
    return data


def _json(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """One place in the tree of a JSON value, or of one of the lines that hold one each."""
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n") if text.count("\n") > 2 else [text]
    at = rng.randrange(len(lines))
    try:
        tree = json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    holder: Any = [tree]
    key: Any = 0
    while isinstance(holder[key], dict | list) and holder[key] and rng.random() < 0.8:
        holder = holder[key]
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    if rng.random() < 0.2 and isinstance(holder, dict):
        del holder[key]
    elif holder is not tree or not isinstance(holder, dict):
        holder[key] = rng.choice(VALUES)
    value = tree if holder is not None else None
    try:
        lines[at] = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return data
    return "\n".join(lines).encode("utf-8", "surrogatepass")


_KINDS: Final = (
    *(_flip, _cut, _double, _splice, _lines, _lines, _field, _field, _count, _count, _values, _values),
    *(_json, _json, _json),
)
