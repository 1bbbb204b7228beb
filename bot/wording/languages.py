"""The languages there are, and the tables of each."""

from __future__ import annotations

import json
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


class Lang(StrEnum):
    """A language."""

    EN = "en"
    JA = "ja"


@cache
def table(package: str, name: str, lang: Lang) -> dict[str, Any]:
    """The contents of ``NAME.LANG.json`` in a package. Not to be changed."""
    text = (files(package) / f"{name}.{lang.value}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
