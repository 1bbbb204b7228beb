"""The door to a page of this machine: it listens on the loopback alone and opens only to its secret link."""

import secrets
import socket
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from bot.machine.errors import InputError
from bot.wording.languages import Lang

HOST: Final = "127.0.0.1"
LOCAL: Final = frozenset((HOST, "localhost"))
"""Names by which a browser may ask for a page; others may be names of elsewhere that lead here."""
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def listen(port: int) -> socket.socket:
    """A socket that listens on the loopback; port 0: any free one.

    Raises:
        InputError: the port cannot be used.
    """
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise InputError(f"--port {port}: cannot be used: {error.strerror or error}; choose another") from None


class Asked(NamedTuple):
    """A request that may enter."""

    host: str  # the host that it names
    path: str  # the path behind the secret
    query: str = ""  # what follows the question mark

    def lang(self, otherwise: Lang) -> Lang:
        """The language that it names."""
        return next((each for each in Lang if f"lang={each}" in self.query.split("&", 8)), otherwise)


class Door:
    """Lets those in who know the link.

    Attributes:
        link: the address of the page, secret included.
    """

    def __init__(self, listening: socket.socket) -> None:
        """Make a secret for a socket from :func:`listen`."""
        self._secret = secrets.token_urlsafe(16)
        self.link = f"http://{HOST}:{listening.getsockname()[1]}/{self._secret}/"

    def enter(self, request: Request) -> Asked | Response:
        """The contents of a request, or the response that refuses it."""
        if getattr(request, "method", "GET") != "GET":  # older versions of the library refuse it themselves
            return response(
                HTTPStatus.METHOD_NOT_ALLOWED, "Pages are only read here.\nここではページの閲覧しかできません。\n"
            )
        try:
            (host,) = request.headers.get_all("Host")
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return response(HTTPStatus.BAD_REQUEST, "The request has to name one host.\n")
        if name not in LOCAL:
            return response(
                HTTPStatus.FORBIDDEN,
                "This page is for this machine only.\nこのページはこのマシンからしか開けません。\n",
            )
        path, _, query = request.path.partition("?")
        secret, _, rest = path.removeprefix("/").partition("/")
        if not secrets.compare_digest(secret.encode(), self._secret.encode()):
            return response(
                HTTPStatus.NOT_FOUND,
                "Open the link that the program has shown; it ends with a slash.\n"
                "プログラムが表示したリンクを、末尾の「/」まで開いてください。\n",
            )
        return Asked(host, rest, query)


def foreign(asked: Asked, request: Request) -> Response | None:
    """The response to a websocket that another page than ours opens; None if it is ours."""
    if request.headers.get_all("Origin") == [f"http://{asked.host}"]:
        return None
    return response(HTTPStatus.FORBIDDEN, "This connection is for the page itself.\nこの接続はページ専用です。\n")


def response(status: HTTPStatus, text: str, kind: str = "text/plain") -> Response:
    """A response that closes the connection."""
    body = text.encode()
    headers = Headers({**_HEADERS, "Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))})
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, body)
