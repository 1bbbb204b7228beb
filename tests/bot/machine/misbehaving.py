"""A server of logs over TLS that behaves as it is told, and counts what it is asked."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from bot.machine.fetch import Archive

ID = "2019010112gm-0001-0000-0123abcd"
HANDS = '<UN n0="%41" n1="%42" n2="%43" n3="%44"/><TAIKYOKU oya="0"/>'
LOG = f'<mjloggm ver="2.3"><SHUFFLE seed="" ref=""/><GO type="9" lobby="0"/>{HANDS}</mjloggm>'.encode()


def certificate(folder, name="localhost"):
    """A key and a certificate that names itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the program openssl, to make a certificate")
    key, made = folder / f"{name}-key.pem", folder / f"{name}.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}"]
    command += ["-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", made]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    return made, key


def answer(status="200 OK", body=LOG, *headers, length=None):
    """A whole answer as bytes."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}", *headers, "", ""]
    return "\r\n".join(head).encode() + body


@contextmanager
def serving(files, respond):
    """A server that answers each request by ``respond(secure, path)``: ``(archive, paths)``."""
    made, key = files
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made, key)
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.1)
    asked, ended = [], threading.Event()

    def one(plain):
        with suppress(OSError, ValueError, IndexError), plain, context.wrap_socket(plain, server_side=True) as secure:
            asked.append(secure.recv(4096).split()[1].decode())
            respond(secure, ended)

    def run():
        while not ended.is_set():
            with suppress(TimeoutError):
                threading.Thread(target=one, args=(listening.accept()[0],)).start()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield Archive("localhost", listening.getsockname()[1], str(made)), asked
    finally:
        ended.set()
        thread.join()
        listening.close()
        for each in threading.enumerate():
            if each is not threading.current_thread() and getattr(each, "_target", None) is one:
                each.join()


class StandingClock:
    """In the place of the clock of a request: it stands until a server turns it, and then the time is up."""

    def __init__(self):
        self._act, self._began = None, False

    def timer(self, _seconds, act):
        """What stands in the place of :class:`threading.Timer`."""
        self._act, self._began = act, False
        return self

    def start(self):
        """It may be turned from now on."""
        self._began = True

    def cancel(self):
        """There is nothing to call off."""

    def turn(self):
        """The time is up."""
        if self._began:
            self._act()


def drip(data, clock, seconds=0.05):
    """Sends a byte at a time, of which the time is up after the third."""

    def respond(secure, ended):
        for at in range(len(data)):
            if ended.is_set():
                return
            secure.sendall(data[at : at + 1])
            if at == 2:
                clock.turn()
            time.sleep(seconds)

    return respond


def says(data):
    """Sends that, and closes."""
    return lambda secure, _ended: secure.sendall(data)
