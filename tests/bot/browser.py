"""A headless browser for tests, spoken to over its own protocol."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import re
import shutil
from contextlib import asynccontextmanager, suppress

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
        await self.until(f"{arrived}document.readyState === 'complete'")

    async def picture(self, path):
        """Keep what is shown as a file."""
        found = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(found["data"]))

    async def ask(self, script):
        found = await self.call("Runtime.evaluate", expression=script, returnByValue=True)
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
        """Press the mouse on the first element that fits."""
        found = f"document.querySelector({json.dumps(selector)})"
        await self.ask(f"{found}.scrollIntoView({{block: 'center'}})")
        centre = "[r.x + r.width / 2, r.y + r.height / 2]"
        x, y = await self.ask(f"(() => {{ const r = {found}.getBoundingClientRect(); return {centre}; }})()")
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        await self.ask("new Promise((done) => setTimeout(done, 0)) && 0")

    async def type(self, key):
        """Press a key that the browser itself acts upon."""
        code = {"Tab": 9, "Enter": 13, "Escape": 27}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        down = "keyDown" if text else "rawKeyDown"
        for kind, more in ((down, text), ("keyUp", {})):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)


@asynccontextmanager
async def browser(folder):
    """A fresh browser with one empty page."""
    process = await asyncio.create_subprocess_exec(
        CHROMIUM, *FLAGS, f"--user-data-dir={folder}",
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE):
            address = None
            while address is None:
                line = (await process.stderr.readline()).decode(errors="replace")
                assert line, "the browser ended"
                address = re.search(r"ws://\S+", line)
        drain = asyncio.create_task(process.stderr.read())
        async with connect(address[0], max_size=None, proxy=None, ping_interval=None) as socket:
            page = Page(socket, None)
            page.session = None
            target = await _plain(socket, "Target.createTarget", url="about:blank")
            page.session = (await _plain(socket, "Target.attachToTarget", targetId=target["targetId"], flatten=True))[
                "sessionId"
            ]
            yield page
        drain.cancel()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _plain(socket, method, **params):
    await socket.send(json.dumps({"id": 0, "method": method, "params": params}))
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message.get("id") == 0 and "method" not in message:
            return message["result"]
