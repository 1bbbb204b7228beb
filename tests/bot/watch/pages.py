"""Where the live page is in a game, and that it complained of nothing."""

from __future__ import annotations

from tests.bot.entering import address_of

AT = "Number(document.querySelector('#where').textContent.match(/(\\d+)\\/(\\d+)$/)[1])"
LAST = "Number(document.querySelector('#where').textContent.match(/(\\d+)\\/(\\d+)$/)[2])"


def assert_quiet(page, link):
    assert page.complaints == []
    address = address_of(link)
    allowed = (address, address.replace("http:", "ws:", 1), "data:")
    assert [url for url in page.requests if not url.startswith(allowed)] == []
