"""Every word that a script of a page takes by its name is there, in both languages."""

from __future__ import annotations

import re

import pytest

from bot.home import place as home
from bot.page.template import asset
from bot.watch import place as watch
from bot.wording.languages import Lang


@pytest.mark.parametrize("place", [home, watch], ids=["home", "watch"])
@pytest.mark.parametrize("lang", list(Lang))
def test_the_words_that_scripts_name_are_there(place, lang):
    own = [name for name in place.DESIGN.scripts if name not in {"door.js", "table.js"}]
    named = {word for name in own for word in re.findall(r"\bW\.([a-z]\w*)", asset(place.DESIGN.package, name))}
    assert len(named) > 30
    assert named <= set(place.WORDS(lang))
