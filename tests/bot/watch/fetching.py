"""Requests to the server of the live page."""

from __future__ import annotations

import asyncio
import http.client
from urllib.parse import urlsplit


async def fetch(link, **headers):
    def get():
        parts = urlsplit(link)
        line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
        line.request("GET", parts.path, headers=headers)
        answer = line.getresponse()
        return answer.status, answer.read().decode(), dict(answer.getheaders())

    return await asyncio.to_thread(get)
