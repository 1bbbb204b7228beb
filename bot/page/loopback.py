"""The door to the pages of this machine: it listens on the loopback alone, and opens to browsers that it knows.

The address of the pages keeps from one run to the next and holds no secret. A browser is let in once by a link with the
secret of this run, and gets two things. A cookie, a token of that browser, lets it in until the program ends. A key,
which the browser keeps where no script can read it and never sends, lets it in again after the program has been started
anew: each side proves that it has the key before the other one says anything. Cookies know no ports: another program
gets those of a path for which it makes the browser ask. Therefore the pages of a run lie behind a path that is made for
it and that only browsers learn which have been let in, and the cookie is bound to that path. Without it, or with that
of an earlier run, an address leads to the door, which leads on to the place that it names.
"""

import hmac
import secrets
import socket
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from json import dumps
from pathlib import Path
from re import fullmatch
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from bot.machine.errors import InputError
from bot.machine.files import create_private
from bot.page.template import Design, render_page
from bot.wording.languages import Lang

HOST: Final = "127.0.0.1"
PORT: Final = 8136
"""The port of the pages, unless another one is named or it is taken."""
PORTS: Final = 20
"""Number of ports that are tried, from :data:`PORT` on."""
OTHER_NAME: Final = "localhost"
"""A name that is led on to :data:`HOST`: by it a browser may ask the program that listens on another loopback."""
COOKIE: Final = "oshihiki"
KEY: Final = "page.key"
"""Name of the file that holds the key from which addresses and the keys of browsers are derived."""
_KEY_LENGTH: Final = 32
_MOST: Final = 256
"""Number of browsers that are let in at once, and of proofs that are awaited; the oldest are forgotten."""
_NAME: Final = "[A-Za-z0-9_-]{16,64}"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_DESIGN: Final = Design("bot.page", "door.html.j2", ("door.js", "enter.js"), ("page.css",), connects=True)


def listen(port: int | None) -> socket.socket:
    """A socket that listens on the loopback.

    Args:
        port: the port; 0: any free one; None: :data:`PORT`, or the next one that is free.

    Raises:
        InputError: the port cannot be used.
    """
    if port is None:
        for each in range(PORT, PORT + PORTS):
            with suppress(OSError):
                return socket.create_server((HOST, each))
        return listen(0)
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise InputError(f"--port {port}: cannot be used: {error.strerror or error}; choose another") from None


def kept_key(folder: Path) -> bytes | None:
    """The key of a user's pages, made when it is first wanted; None if it can be neither read nor written.

    Args:
        folder: where it is kept, for its owner's eyes only.
    """
    path = folder / KEY
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            with suppress(FileExistsError):  # another program was faster
                create_private(path, secrets.token_bytes(_KEY_LENGTH))
        if len(key := path.read_bytes()) != _KEY_LENGTH:  # damaged: browsers are let in by the link again
            path.unlink()
            create_private(path, key := secrets.token_bytes(_KEY_LENGTH))
    except OSError:
        return None
    return key


class Asked(NamedTuple):
    """A request that may enter."""

    host: str  # the host that it names
    path: str  # the path behind that of the pages
    query: str = ""  # what follows the question mark
    remembered: Lang | None = None  # the language that was chosen last

    def lang(self, otherwise: Lang) -> Lang:
        """The language that it names, or else the one that is remembered."""
        named = (each for each in Lang if f"lang={each}" in self.query.split("&", 8))
        return next(named, self.remembered or otherwise)


class Door:
    """Lets those in who know the link, and browsers that have been let in before.

    Attributes:
        address: the address of the pages, for bookmarks; it lets in nobody who is not known.
        link: the address that lets a browser in; the path of a page may follow it.
    """

    def __init__(self, listening: socket.socket, key: bytes | None = None) -> None:
        """Make a secret for this run.

        Args:
            listening: a socket from :func:`listen`.
            key: what addresses and keys of browsers are derived from; None: they are good for this run.
        """
        self._port = listening.getsockname()[1]
        self._key = key or secrets.token_bytes(_KEY_LENGTH)
        self._path = _proof(self._key, f"path {self._port}")[:16]
        self._secret = secrets.token_urlsafe(16)
        self._inside = f"/{self._path}/{secrets.token_urlsafe(8)}/"  # where the pages of this run lie
        self._tokens: dict[str, None] = {}
        self._asked: dict[str, tuple[str, str]] = {}  # by our nonce, the browser that is to prove itself, and its nonce
        self.address = f"http://{HOST}:{self._port}/{self._path}/"
        self.link = f"{self.address}enter/{self._secret}/"

    def enter(self, request: Request) -> Asked | Response:
        """The contents of a request, or the response that it gets at the door."""
        if getattr(request, "method", "GET") != "GET":  # older versions of the library refuse it themselves
            return response(
                HTTPStatus.METHOD_NOT_ALLOWED, "Pages are only read here.\nここではページの閲覧しかできません。\n"
            )
        try:
            (host,) = request.headers.get_all("Host")
            name, port = urlsplit(f"//{host}").hostname, urlsplit(f"//{host}").port
        except ValueError:
            return response(HTTPStatus.BAD_REQUEST, "The request has to name one host.\n")
        if name == OTHER_NAME:
            return _leading_to(f"http://{HOST}" + (f":{port}" if port else "") + "/" + request.path.lstrip("/"))
        if name != HOST:
            return response(
                HTTPStatus.FORBIDDEN,
                "This page is for this machine only.\nこのページはこのマシンからしか開けません。\n",
            )
        path, _, query = request.path.partition("?")
        first, slash, rest = path.removeprefix("/").partition("/")
        if not slash or not _same(first, self._path):
            return response(
                HTTPStatus.NOT_FOUND,
                "Open the link that the program has shown; it ends with a slash.\n"
                "プログラムが表示したリンクを、末尾の「/」まで開いてください。\n",
            )
        match rest.split("/"):
            case ["enter", secret, *place] if _same(secret, self._secret):
                return self._let_in("/".join(place), query)
            case ["known", name, theirs]:
                return self._prove(name, theirs)
            case ["known", name, theirs, ours, proof]:
                return self._recognise(name, theirs, ours, proof)
        if path.startswith(self._inside) and any(
            _same(given, token) for given in _cookies(request) for token in self._tokens
        ):
            return Asked(host, path.removeprefix(self._inside), query)
        return response(HTTPStatus.FORBIDDEN, _door_page({}), "text/html")

    def _let_in(self, place: str, query: str) -> Response:
        """A page that keeps the browser's key and leads on; its request is no longer one of another site's page."""
        name = secrets.token_urlsafe(16)
        to = f"{self._inside}{place}" + (f"?{query}" if query else "")
        known = {"name": name, "key": self._key_of(name).hex(), "to": to}
        return self._with_token(response(HTTPStatus.OK, _door_page(known), "text/html"))

    def _prove(self, name: str, theirs: str) -> Response:
        """Prove to a browser that we have its key, and give it a nonce of ours with which to prove that it has."""
        if not fullmatch(_NAME, name) or not fullmatch(_NAME, theirs):
            return response(HTTPStatus.NOT_FOUND, "There is no such browser.\n")
        ours = secrets.token_urlsafe(16)
        self._asked[ours] = name, theirs
        _forget_oldest(self._asked)
        proof = proof_of_program(self._key, self._port, name, theirs, ours)
        return response(HTTPStatus.OK, dumps({"nonce": ours, "proof": proof}), "application/json")

    def _recognise(self, name: str, theirs: str, ours: str, proof: str) -> Response:
        """Let a browser in that has proved to have its key, and say where; a nonce is good for one attempt."""
        asked = self._asked.pop(ours, None) == (name, theirs)
        if not asked or not _same(proof, _proof(self._key_of(name), f"browser {theirs} {ours}")):
            return response(HTTPStatus.FORBIDDEN, "This browser is not known.\n")
        return self._with_token(response(HTTPStatus.OK, dumps({"to": self._inside}), "application/json"))

    def _key_of(self, name: str) -> bytes:
        return _key_of_browser(self._key, self._port, name)

    def _with_token(self, answer: Response) -> Response:
        token = secrets.token_urlsafe(16)
        self._tokens[token] = None
        _forget_oldest(self._tokens)
        answer.headers["Set-Cookie"] = f"{COOKIE}={token}; Path={self._inside}; HttpOnly; SameSite=Strict"
        return answer


def proof_of_program(key: bytes, port: int, name: str, theirs: str, ours: str) -> str:
    """What proves to a browser that a program has the user's key.

    Args:
        key: the user's key.
        port: the port of the pages.
        name: name of the browser.
        theirs: its nonce.
        ours: the program's nonce.
    """
    return _proof(_key_of_browser(key, port, name), f"program {theirs} {ours}")


def _key_of_browser(key: bytes, port: int, name: str) -> bytes:
    return bytes.fromhex(_proof(key, f"browser {port} {name}"))


def _proof(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), sha256).hexdigest()


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _forget_oldest(of: dict[str, Any]) -> None:
    while len(of) > _MOST:
        del of[next(iter(of))]


def _cookies(request: Request) -> Iterator[str]:
    """The values that a request gives for our cookie; another program of this host may have set one of that name."""
    for line in request.headers.get_all("Cookie"):
        for part in line.split(";"):
            with suppress(CookieError):
                found = SimpleCookie(part.strip()).get(COOKIE)
                if found is not None:
                    yield found.value


def _door_page(known: dict[str, str]) -> str:
    return render_page(_DESIGN, Lang.EN, {}, known)


def _leading_to(address: str) -> Response:
    answer = response(HTTPStatus.TEMPORARY_REDIRECT, f"{address}\n")
    answer.headers["Location"] = address
    return answer


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
