"""Where the live page is in a game, and that it complained of nothing."""

from __future__ import annotations

AT = "Number(document.querySelector('#where').textContent.match(/(\\d+)\\/(\\d+)$/)[1])"
LAST = "Number(document.querySelector('#where').textContent.match(/(\\d+)\\/(\\d+)$/)[2])"


def assert_quiet(page, link):
    assert page.complaints == []
    allowed = (link, link.replace("http:", "ws:", 1) + "live")
    assert [url for url in page.requests if not url.startswith(allowed) and url != "data:,"] == []
