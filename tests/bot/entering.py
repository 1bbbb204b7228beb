"""How a program comes in where a browser does: by the link, and from then on with the cookie."""

from __future__ import annotations

import asyncio
import http.client
from contextlib import asynccontextmanager, closing
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

from websockets.asyncio.client import connect


def origin(link):
    """Where a link leads, without a path."""
    parts = urlsplit(link)
    return f"{parts.scheme}://{parts.netloc}"


def address_of(link):
    """The address of the pages that a link lets in to."""
    return f"{origin(link)}/{urlsplit(link).path.split('/')[1]}/"


def asked(url, method="GET", **headers):
    """Status, text and headers of an answer; names of headers may have ``_`` for ``-``."""
    parts = urlsplit(url)
    line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=100)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    with closing(line), line.getresponse() as answer:
        return answer.status, answer.read().decode(), dict(answer.getheaders())


_GIVEN = {}


async def _given(link):
    """The cookie that a link gives; one for each link."""
    if link not in _GIVEN:
        status, _, headers = await asyncio.to_thread(asked, link)
        assert status == 200, status
        (_GIVEN[link],) = SimpleCookie(headers["Set-Cookie"]).values()
    return _GIVEN[link]


async def cookie_of(link):
    """The cookie that a link gives, as a browser sends it."""
    cookie = await _given(link)
    return f"{cookie.key}={cookie.value}"


async def inside_of(link):
    """Where the pages lie to which a link lets in."""
    return origin(link) + (await _given(link))["path"]


async def fetch(link, path="", **headers):
    """Ask for the page at a path as a browser that has been let in."""
    cookie = await cookie_of(link)
    return await asyncio.to_thread(asked, await inside_of(link) + path, **({"Cookie": cookie} | headers))


@asynccontextmanager
async def line(link, place="", **more):
    """A websocket to a place, as its own page opens it."""
    cookie = await cookie_of(link)
    url = (await inside_of(link)).replace("http:", "ws:", 1) + place + "live"
    usual = {"origin": origin(link), "proxy": None, "max_size": None, "additional_headers": {"Cookie": cookie}}
    async with connect(url, **(usual | more)) as socket:
        yield socket
