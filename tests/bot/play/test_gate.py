"""Every door to another machine: spellings of a URL, redirects, the environment, proxies, names that change."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import serve

from bot import config
from bot.machine.errors import InputError
from bot.machine.gate import (
    Endpoint,
    NotAllowedError,
    RedirectError,
    WrongAddressError,
    check_address,
    parse_server,
    route,
)
from bot.play import dial as dialling
from bot.play.dial import dial
from bot.play.losses import reason, retryable

KEY = "ID0A1B2C3D-4e5f6a7b"
SECONDS = 100.0
PROXIES = ("http_proxy", "https_proxy", "ws_proxy", "wss_proxy", "all_proxy", "socks_proxy")


# -- what a configuration may name ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.9.8.7", "localhost", "LOCALHOST", "[::1]", "[0:0::1]", "[::ffff:127.0.0.1]"]
)
def test_this_machine_in_its_usual_spellings(host):
    way = route(f"ws://{host}:7001/")
    assert way.server.local
    assert way.server.port == 7001


@pytest.mark.parametrize(
    "url",
    [
        "ws://0x7f000001/", "ws://0x7f.1/", "ws://2130706433/", "ws://017700000001/", "ws://0177.0.0.1/", "ws://127.1/",
        "ws://127.0.0.1./", "ws://localhost./", "ws://127.0.0.1%2eexample.net/", "ws://[fe80::1%25eth0]/", "ws://[::1%lo]/",
        "ws://①②⑦.0.0.1/", "ws://127。0。0。1/", "ws://127.0.0.1 .example.net/", "ws://127.0.0.1\t.example.net/",
        "ws://127.0.0.1\n/", "ws://127.0.0.1\\@example.net/", "ws://example.net\\@127.0.0.1/", "ws://127.0.0.1#@example.net/",
        "ws://user@127.0.0.1/", "ws://user:hunter2@127.0.0.1/", "ws://@127.0.0.1/", "ws://127.0.0.1@example.net/",
        "ws://hunter2:127.0.0.1@example.net:7/", "ws://-example.net/", "ws://exa mple.net/", "ws://..example.net/",
        "http://127.0.0.1/", "https://127.0.0.1/", "unix:///socket", "//127.0.0.1/", "127.0.0.1", "ws://", "ws:///x",
        "ws://[::1", "ws://127.0.0.1:0/", "ws://127.0.0.1:65536/", "ws://127.0.0.1:x/", "ws://" + 64 * "a" + "/",
    ],
)  # fmt: skip
def test_odd_spellings_are_refused_and_no_password_is_reported(url):
    with pytest.raises(NotAllowedError) as caught:
        route(url, allow_host="example.net")
    assert caught.value.key == "server.url"
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["wss://0.0.0.0/", "wss://[::]/", "wss://10.0.0.1/", "wss://127.0.0.1.example.net/", "wss://localhost.example.net/",
            "wss://xn--localhost-000/", "wss://[::ffff:10.0.0.1]/", "wss://[::127.0.0.1]/"]
)  # fmt: skip
def test_an_address_that_only_looks_like_this_machine_must_be_named_twice(url):
    with pytest.raises(NotAllowedError) as caught:
        route(url)
    assert caught.value.key == "server.allow_host"


@pytest.mark.parametrize(
    ("key", "lines"),
    [
        ("url", 'url = "wss://me:hunter2@example.net/"'),
        ("proxy", 'url = "wss://example.net/"\nallow_host = "example.net"\nproxy = "ftp://me:hunter2@example.net/"'),
    ],
)
def test_the_configuration_tells_no_password(key, lines):
    with pytest.raises(InputError, match=rf"server\.{key}") as caught:
        config.parse(f"[server]\n{lines}")
    assert "hunter2" not in str(caught.value)


def test_a_proxy_is_not_used_for_this_machine_and_its_password_is_in_no_repr():
    assert route("ws://127.0.0.1:1/", proxy="http://me:hunter2@10.0.0.1:3128").proxy is None
    way = route("wss://example.net/", "example.net", "http://me:hunter2@127.0.0.1:3128")
    assert way.proxy is not None
    assert way.proxy.login == "me:hunter2"
    assert "hunter2" not in repr(way)


def test_nothing_goes_through_a_proxy_in_clear():
    with pytest.raises(NotAllowedError, match="only over wss://"):
        route("ws://example.net/", "example.net", "http://127.0.0.1:3128")


# -- what a name may resolve to ------------------------------------------------------------------------------------

HERE = Endpoint("localhost", 1, secure=False)
THERE = Endpoint("example.net", 1, secure=True)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])
def test_loopback_addresses_are_this_machine_and_no_other(address):
    check_address(HERE, address)
    with pytest.raises(WrongAddressError, match="is this machine"):
        check_address(THERE, address)


@pytest.mark.parametrize("address", ["93.184.216.34", "10.1.2.3", "2001:db8::1", "::ffff:10.0.0.1", "fd00::1"])
def test_other_addresses_are_another_machine(address):
    check_address(THERE, address)
    with pytest.raises(WrongAddressError, match="is not this machine"):
        check_address(HERE, address)


@pytest.mark.parametrize(
    "address", [str(ipaddress.IPv4Address(0)), "::", "169.254.169.254", "fe80::1%eth0", "224.0.0.1", "ff02::1",
                "255.255.255.255", "::ffff:0:0", "::ffff:169.254.169.254"]
)  # fmt: skip
def test_addresses_of_no_machine_are_nobody(address):
    for end in (HERE, THERE):
        with pytest.raises(WrongAddressError):
            check_address(end, address)


# -- what really happens -------------------------------------------------------------------------------------------


class Listener:
    """A server that counts who connects and keeps what they send."""

    def __init__(self, answer=b""):
        self.answer = answer
        self.connections = 0
        self.heard = b""

    async def talk(self, reader, writer):
        self.connections += 1
        try:
            self.heard += await reader.readuntil(b"\r\n\r\n")
            writer.write(self.answer)
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.talk, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()
        await self.server.wait_closed()


@asynccontextmanager
async def honest(**settings):
    heard = []

    async def talk(connection):
        async for frame in connection:
            heard.append(frame)
            await connection.send(frame)

    async with serve(talk, "127.0.0.1", 0, **settings) as server:
        yield server.sockets[0].getsockname()[1], heard


@pytest.mark.parametrize(
    ("status", "target"),
    [
        (300, "ws://127.0.0.1:{port}/"), (301, "ws://0x7f000001:{port}/"), (302, "wss://example.net:{port}/"),
        (303, "http://127.0.0.1:{port}/"), (307, "/elsewhere"), (308, ""), (302, "ws://[::1"),
    ],
)  # fmt: skip
async def test_redirects_are_refused(status, target):
    async with Listener() as trap:
        location = target.format(port=trap.port)
        answer = f"HTTP/1.1 {status} Elsewhere\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n"
        async with Listener(answer.encode()) as server:
            with pytest.raises(RedirectError, match=rf"HTTP {status}.*server\.url") as caught:
                await dial(route(f"ws://127.0.0.1:{server.port}/"), SECONDS)
        assert server.connections == 1
        assert trap.connections == 0
    assert not retryable(caught.value)
    assert "redirects" in reason(caught.value)


async def timed_out(monkeypatch, way, reached):
    """Dial, and let the time be up once this event has come."""
    limits, timeout = [], asyncio.timeout

    def standing(seconds):
        limits.append((seconds, timeout(None)))  # the first is that of dialling
        return limits[-1][1]

    with monkeypatch.context() as patch:
        patch.setattr(dialling.asyncio, "timeout", standing)
        dialling_it = asyncio.create_task(dial(way, SECONDS))
        await reached.wait()
    seconds, limit = limits[0]
    assert seconds == SECONDS
    limit.reschedule(asyncio.get_running_loop().time())
    await dialling_it


async def test_a_server_that_never_answers_is_said_to_give_no_answer_in_time(monkeypatch):
    came, left = asyncio.Event(), asyncio.Event()

    async def listen(reader, writer):
        came.set()
        await reader.read()
        writer.close()
        await writer.wait_closed()
        left.set()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as silent:
        with pytest.raises(TimeoutError) as caught:
            await timed_out(monkeypatch, route(f"ws://127.0.0.1:{silent.sockets[0].getsockname()[1]}/"), came)
        await left.wait()
    assert reason(caught.value) == "no answer in time"


@pytest.mark.parametrize("spelled", [str.lower, str.upper])
async def test_the_environment_names_no_proxy(monkeypatch, spelled):
    async with Listener() as trap, honest() as (port, _):
        for name in PROXIES:
            monkeypatch.setenv(spelled(name), f"{'socks5' if 'socks' in name else 'http'}://127.0.0.1:{trap.port}")
        monkeypatch.setenv("no_proxy", "")
        async with await dial(route(f"ws://127.0.0.1:{port}/"), SECONDS) as link:
            await link.send(KEY)
            assert await link.recv() == KEY
    assert trap.connections == 0


def resolve_to(monkeypatch, *answers):
    """Each look-up gives the next list of addresses; the last one stays."""
    left = list(answers)

    def look_up(_host, port, **_):
        addresses = left.pop(0) if len(left) > 1 else left[0]
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    monkeypatch.setattr(dialling.socket, "getaddrinfo", look_up)


async def test_a_name_whose_answer_changes_leads_nowhere_else(monkeypatch):
    async with honest() as (port, _):
        way = route(f"ws://localhost:{port}/")
        resolve_to(monkeypatch, ["127.0.0.1"], ["93.184.216.34"], ["127.0.0.1", "93.184.216.34"], ["::ffff:10.0.0.1"])
        async with await dial(way, SECONDS):
            pass
        for _ in range(3):
            with pytest.raises(WrongAddressError, match="which is not this machine"):
                await dial(way, SECONDS)


async def test_another_machine_is_never_this_one(monkeypatch):
    resolve_to(monkeypatch, ["127.0.0.1"])
    async with Listener() as trap:
        with pytest.raises(WrongAddressError, match=r"example\.net leads to 127\.0\.0\.1"):
            await dial(route(f"wss://example.net:{trap.port}/", "example.net"), SECONDS)
    assert trap.connections == 0


async def test_a_resolver_that_hangs_holds_up_nobody(monkeypatch):
    hung = asyncio.Event()
    loop = asyncio.get_running_loop()
    ended = []

    def hang(*_, **__):
        loop.call_soon_threadsafe(hung.set)
        while not ended:
            time.sleep(0.01)
        return []

    monkeypatch.setattr(dialling.socket, "getaddrinfo", hang)
    with pytest.raises(TimeoutError):
        await timed_out(monkeypatch, route("ws://localhost:1/"), hung)
    ended.append(True)


async def test_the_next_address_is_tried(monkeypatch):
    resolve_to(monkeypatch, ["127.0.0.2", "127.0.0.1"])
    async with honest() as (port, _), await dial(route(f"ws://localhost:{port}/"), SECONDS) as link:
        assert link.remote_address[0] == "127.0.0.1"


# -- through a proxy -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Of example.net, signed by itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the program openssl, to make a certificate")
    folder = tmp_path_factory.mktemp("tls")
    names = "subjectAltName=DNS:example.net"
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=example.net", "-addext", names]
    made += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"), "-days", "2"]
    subprocess.run(made, check=True, capture_output=True)  # noqa: S603
    return folder


@pytest.fixture
def tls(monkeypatch, certificate):
    """Of a server with this certificate, which the client trusts."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "cert.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    return context


class Proxy(Listener):
    """Answers CONNECT with a tunnel to a port of this machine, wherever it was asked for, and keeps what passes."""

    def __init__(self, port):
        super().__init__()
        self.to = port
        self.passed = b""

    async def talk(self, reader, writer):
        self.connections += 1
        self.heard += await reader.readuntil(b"\r\n\r\n")
        there, back = await asyncio.open_connection("127.0.0.1", self.to)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await asyncio.gather(self.carry(reader, back), self.carry(there, writer))

    async def carry(self, reader, writer):
        while data := await reader.read(65536):
            self.passed += data
            writer.write(data)
        writer.close()


async def test_a_proxy_that_is_named_sees_no_key(monkeypatch, tls, tmp_path):
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    login = json.dumps({"tag": "HELO", "name": KEY})
    async with honest(ssl=tls) as (port, heard), Proxy(port) as proxy:
        way = route("wss://example.net/", "example.net", f"http://me:secret@localhost:{proxy.port}")
        async with await dial(way, SECONDS) as link:
            await link.send(login)
            assert await link.recv() == login
    assert heard == [login]
    assert proxy.heard.startswith(b"CONNECT example.net:443 ")
    assert b"4e5f6a7b" not in proxy.heard + proxy.passed
    assert not (tmp_path / "keys").exists()


async def test_a_proxy_whose_certificate_is_anothers_gets_nowhere(tls):
    unhandled = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(context))
    async with honest(ssl=tls) as (port, heard), Proxy(port) as proxy:
        way = route("wss://example.org/", "example.org", f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(ssl.SSLCertVerificationError) as caught:
            await dial(way, SECONDS)
        await asyncio.sleep(0.1)
    assert not heard
    assert not [context for context in unhandled if isinstance(context.get("exception"), AttributeError)]
    assert not retryable(caught.value)
    assert reason(caught.value, way).startswith("the certificate of example.org is not trusted: Hostname mismatch")


@pytest.mark.parametrize("proxy", ["", "http://example.net:1"])
async def test_a_socket_that_ends_up_elsewhere_is_closed_before_it_speaks(monkeypatch, tls, proxy):
    """As a rule of the network that sends connections to another place would have it, even with a trusted name."""
    resolve_to(monkeypatch, ["203.0.113.7"])
    asked = []
    async with (
        honest(ssl=tls, process_request=lambda _, request: asked.append(request)) as (port, _),
        Proxy(port) as by,
    ):
        loop = asyncio.get_running_loop()
        connect, there = loop.sock_connect, ("127.0.0.1", by.port if proxy else port)
        diverted = lambda sock, to: connect(sock, there if to[0] == "203.0.113.7" else to)  # noqa: E731
        monkeypatch.setattr(loop, "sock_connect", diverted)
        with pytest.raises(WrongAddressError, match=r"example\.net leads to 127\.0\.0\.1"):
            await dial(route("wss://example.net/", "example.net", proxy), SECONDS)
        await asyncio.sleep(0.1)
    assert not asked


async def test_a_proxy_that_is_named_as_this_machine_must_be_it(monkeypatch):
    resolve_to(monkeypatch, ["93.184.216.34"])
    with pytest.raises(WrongAddressError, match="localhost leads to"):
        await dial(route("wss://example.net/", "example.net", "http://localhost:3128"), SECONDS)


def test_the_embedded_lobby_needs_no_leave():
    assert parse_server("ws://127.0.0.1:1/").local
    assert config.Config().server.is_loopback
