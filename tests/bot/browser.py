"""A headless browser for tests, spoken to over its own protocol."""

from __future__ import annotations

import asyncio
import atexit
import base64
import itertools
import json
import shutil
import subprocess
import tempfile
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-port=0",
)  # fmt: skip
PATIENCE = 60.0
"""Seconds after which a browser that says nothing has failed."""
STILL = 15
"""Milliseconds for which an element that is clicked has stood still: few enough to pass where a page's clock stands."""

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium")


class NavigatedError(Exception):
    """The page was left before it answered."""


class Page:
    """One page, spoken to over the browser's own protocol. Keeps what it complains about and what it asks for."""

    def __init__(self, socket, session):
        self.socket, self.session = socket, session
        self.numbers = itertools.count(1)
        self.complaints, self.requests = [], []

    async def call(self, method, **params):
        number = next(self.numbers)
        await self.socket.send(
            json.dumps({"id": number, "method": method, "params": params, "sessionId": self.session})
        )
        while True:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
            self.note(message)
            if message.get("id") == number:
                if "navigated" in message.get("error", {}).get("message", ""):
                    raise NavigatedError
                assert "error" not in message, message
                return message["result"]

    def note(self, message):
        params = message.get("params", {})
        if message.get("method") in {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}:
            self.complaints.append(json.dumps(params))
        elif message.get("method") == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif message.get("method") == "Network.webSocketCreated":
            self.requests.append(params["url"])

    async def open(self, url, width=1280, height=900):
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self.call(f"{domain}.enable")
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        await self.call("Emulation.setDeviceMetricsOverride", **size)
        before = await self.ask("performance.timeOrigin")
        loads = "loaderId" in await self.call("Page.navigate", url=url)  # not where only the part after # is new
        arrived = f"performance.timeOrigin !== {before} && " if loads else ""
        await self.until(f"{arrived}!location.pathname.includes('/enter/') && document.readyState === 'complete'")

    async def reload(self):
        before = await self.ask("performance.timeOrigin")
        await self.ask("location.reload(); 0")
        await self.until(f"performance.timeOrigin !== {before} && document.readyState === 'complete'")

    async def picture(self, path):
        """Keep what is shown as a file."""
        found = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(found["data"]))

    async def ask(self, script):
        found = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def until(self, script, seconds=PATIENCE):
        """Ask until it holds; a page that is being left has not answered yet."""
        async with asyncio.timeout(seconds):
            while True:
                with suppress(NavigatedError):
                    if await self.ask(f"Boolean({script})"):
                        return
                await asyncio.sleep(0.02)

    async def click(self, selector):
        """Press the mouse on the first element that fits, once it stands still: a page may just be building up."""
        found = f"document.querySelector({json.dumps(selector)})"
        await self.ask(f"{found}.scrollIntoView({{block: 'center'}})")
        centre = f"((r) => [r.x + r.width / 2, r.y + r.height / 2])({found}.getBoundingClientRect())"
        x, y = await self.ask(
            f"(async () => {{ for (let was = [];;) {{ const is = {centre}; if (`${{is}}` === `${{was}}`) return is; "
            f"was = is; await new Promise((done) => setTimeout(done, {STILL})); }} }})()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def stay(self, milliseconds):
        """Wait until what there is has been drawn, and for so long after, whatever the clock of the page says."""
        await self.ask(
            "new Promise((done) => requestAnimationFrame((drawn) => { const look = (now) => "
            f"now - drawn > {milliseconds} ? done(0) : requestAnimationFrame(look); look(drawn); }}))"
        )

    async def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        with suppress(NavigatedError):  # the key has led to another page
            await self.ask("new Promise((done) => setTimeout(() => done(0), 0))")

    async def type(self, key):
        """Press a key that the browser itself acts upon."""
        code = {"Tab": 9, "Enter": 13, "Escape": 27}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        down = "keyDown" if text else "rawKeyDown"
        for kind, more in ((down, text), ("keyUp", {})):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)


class _Chromium:
    """The browser of this process, started when a test first needs it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="oshihiki-browser-"))
        atexit.register(self.end)
        self.process = subprocess.Popen(  # noqa: S603 - the browser
            [CHROMIUM, *FLAGS, f"--user-data-dir={self.folder}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    @property
    def runs(self):
        return self.process.poll() is None

    async def address(self):
        """Where it listens, which it writes into its folder."""
        port = self.folder / "DevToolsActivePort"
        async with asyncio.timeout(PATIENCE):
            while not (port.exists() and len(words := port.read_text(encoding="ascii").split()) == 2):
                assert self.runs, "the browser ended"
                await asyncio.sleep(0.02)
        return f"ws://127.0.0.1:{words[0]}{words[1]}"

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


_running: list[_Chromium] = []


@asynccontextmanager
async def browser():
    """One empty page, with nothing kept from another: all tests of a process share one browser."""
    if not _running or not _running[-1].runs:
        _running.append(_Chromium())
    address = await _running[-1].address()
    async with connect(address, max_size=None, proxy=None, ping_interval=None) as socket:
        context = await _plain(socket, "Target.createBrowserContext", disposeOnDetach=True)
        target = await _plain(socket, "Target.createTarget", url="about:blank", **context)
        attached = await _plain(socket, "Target.attachToTarget", targetId=target["targetId"], flatten=True)
        yield Page(socket, attached["sessionId"])


async def _plain(socket, method, **params):
    await socket.send(json.dumps({"id": 0, "method": method, "params": params}))
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message.get("id") == 0 and "method" not in message:
            return message["result"]
