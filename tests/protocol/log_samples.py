"""Small logs of every format, and how tests pack and open them."""

from __future__ import annotations

import io
import tarfile
import zipfile

from bot.logs.sources import open_logs

MJAI = b'{"type":"start_game","names":["A","B","C","D"]}\n'
MJLOG = b'<mjloggm ver="2.3"><GO type="9"/></mjloggm>'
TENHOU6 = b'{"title":["",""],"name":["A","B","C","D"],"rule":{"aka":1},"log":[]}'
WIRE = b'Send: <HELO name="NoName" tid="f0" sx="M" />\nGet: <HELO uname="NoName"/>\n'
RECORD = b'{"format":"oshihiki-record","version":2}\n{"at":0.1,"in":"{\\"tag\\":\\"HELO\\"}"}\n'
SAMPLES = {"record": RECORD, "mjlog": MJLOG, "tenhou6": TENHOU6, "mjai": MJAI, "wire": WIRE}


def tar(mode="w", **members):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name.replace("_", "."))
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zipped(members):
    """A zip of these, deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def names(*paths, **options):
    return [(file.name.rsplit("/", 1)[-1], file.format) for file in open_logs(paths, **options)]


def one(*arguments):
    (file,) = open_logs(arguments)
    return file
