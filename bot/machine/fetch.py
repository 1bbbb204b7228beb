"""Fetching a log that somebody has named from tenhou.net, in the form that its operator asks for.

Only ``https://tenhou.net/0/log/?ID`` is asked for, one log at a time and one a second, over TLS whose certificate is
checked; redirects are not followed. What came is kept, and never asked for again.
"""

import errno
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from re import fullmatch
from typing import Final

from platformdirs import user_data_path

from bot.logs.sources import MAX_GAME_BYTES
from bot.machine.files import PRIVATE, locked_folder, replace_file
from bot.machine.gate import Endpoint, WrongAddressError, check_address
from protocol.errors import LogError, LogTrouble
from protocol.logs.formats import detect_format
from protocol.logs.game_log import LOG_ID

EVERY: Final = 1.0
"""Seconds from the end of a request to the next one, also of several programs."""
SECONDS: Final = 20.0
"""Seconds within which a log has to be here."""
_QUEUE: Final = 600.0
"""Seconds for which another program may be asking before us."""
_ASKED: Final = "asked"
"""File whose time is that of the last request."""
_SHOWN: Final = 60
"""Characters of a server's words that a message shows."""


@dataclass(frozen=True, slots=True)
class Archive:
    """A server that keeps logs."""

    host: str = "tenhou.net"  # its name, which its certificate has to bear
    port: int = 443  # port number
    trusted: str | None = None  # file of the certificates that are trusted; None: those of the system

    def address(self, log_id: str) -> str:
        """The address of a log there."""
        port = "" if self.port == http.client.HTTPS_PORT else f":{self.port}"
        return f"https://{self.host}{port}{_path(log_id)}"


TENHOU: Final = Archive()


def kept_logs() -> Path:
    """The folder of the logs that were fetched."""
    return user_data_path("oshihiki", appauthor=False) / "logs"


def fetch(
    log_id: str,
    folder: Path | None = None,
    archive: Archive | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Path:
    """The file of a log, which is asked for unless it was kept.

    Args:
        log_id: id of the log.
        folder: where logs are kept; None: :func:`kept_logs`.
        archive: the server; None: tenhou.net.
        wanted: whether it is still to be asked for, when its turn comes.

    Raises:
        LogError: it is not there, or no longer wanted; the message says why, and what can be done.
    """
    if fullmatch(LOG_ID, log_id) is None:
        raise LogError("is not the id of a log", log_id[:_SHOWN], trouble=LogTrouble.ADDRESS)
    folder = kept_logs() if folder is None else folder
    path = folder / f"{log_id}.xml"
    try:
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with locked_folder(folder, _QUEUE, wanted):
                if not path.is_file():  # another program may have fetched it meanwhile
                    asked = folder / _ASKED
                    _wait(asked, wanted)
                    try:
                        replace_file(path, _ask(archive or TENHOU, log_id), PRIVATE)
                    finally:
                        asked.touch()  # connecting takes its time: a second is counted from where the server is done
    except OSError as error:
        why = f"{folder}: cannot be written: {error.strerror or error}"
        raise LogError(why, log_id, trouble=LogTrouble.NOT_KEPT) from None
    return path


def _path(log_id: str) -> str:
    return f"/0/log/?{log_id}"


def _wait(asked: Path, wanted: Callable[[], bool]) -> None:
    """Wait until a second after the last request, and note that another one begins now.

    Raises:
        OSError: it is no longer wanted.
    """
    with suppress(FileNotFoundError):
        time.sleep(min(max(asked.stat().st_mtime + EVERY - time.time(), 0.0), EVERY))
    if not wanted():
        raise OSError(errno.ECANCELED, "it is no longer wanted")
    asked.touch()


def _ask(archive: Archive, log_id: str) -> bytes:
    """The log as the server sends it.

    Raises:
        LogError: it does not send it.
    """
    where = archive.address(log_id)
    ended = threading.Event()
    held: list[socket.socket] = []

    def give_up() -> None:
        ended.set()
        for each in held[-1:]:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    clock = threading.Timer(SECONDS, give_up)
    clock.daemon = True
    clock.start()
    try:
        return _answer(archive, log_id, held)
    except LogError as error:
        raise (_late(archive) if ended.is_set() else error).located(where) from None
    except ssl.SSLCertVerificationError as error:
        why = (
            f"the certificate is not that of {archive.host} ({error.verify_message}); nothing was asked. "
            "Somebody may stand between: try from another network"
        )
        raise LogError(why, where, trouble=LogTrouble.CERTIFICATE) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise (_late(archive) if ended.is_set() else _unreachable(archive, error)).located(where) from None
    finally:
        clock.cancel()
        for each in held:
            each.close()


def _late(archive: Archive) -> LogError:
    why = f"{archive.host} has not sent the log within {SECONDS:.0f} s; try again later"
    return LogError(why, trouble=LogTrouble.LATE)


def _unreachable(archive: Archive, error: Exception) -> LogError:
    if isinstance(error, TimeoutError):
        return _late(archive)
    trouble = LogTrouble.NO_NETWORK
    if isinstance(error, socket.gaierror):
        why = f"{archive.host} cannot be found: there is no network here, or no name service"
    elif isinstance(error, WrongAddressError):
        why, trouble = str(error), LogTrouble.CERTIFICATE
    elif isinstance(error, ConnectionRefusedError):
        why = f"{archive.host} cannot be reached: there is no network here, or the server is down"
    elif isinstance(error, OSError) and not isinstance(error, ssl.SSLError | ConnectionError):
        why = f"{archive.host} cannot be reached: {error.strerror or error}"
    else:
        why, trouble = f"{archive.host} broke off, or does not speak HTTPS; try again later", LogTrouble.CUT_OFF
    return LogError(why, trouble=trouble)


def _answer(archive: Archive, log_id: str, held: list[socket.socket]) -> bytes:
    context = ssl.create_default_context(cafile=archive.trusted)
    plain = socket.create_connection((archive.host, archive.port), timeout=SECONDS)
    held.append(plain)
    check_address(Endpoint(archive.host, archive.port, secure=True), plain.getpeername()[0])
    secure = context.wrap_socket(plain, server_hostname=archive.host, do_handshake_on_connect=False)
    held.append(secure)
    secure.do_handshake()
    line = http.client.HTTPConnection(archive.host, archive.port)
    line.sock = secure
    headers = {"User-Agent": "oshihiki", "Accept-Encoding": "identity", "Connection": "close"}
    line.request("GET", _path(log_id), headers=headers)
    with line.getresponse() as answer:
        return _log(archive, answer)


def _log(archive: Archive, answer: http.client.HTTPResponse) -> bytes:
    """The log in an answer, if it is a whole one."""
    if answer.status != http.HTTPStatus.OK:
        raise _refusal(archive, answer)
    length = answer.getheader("Content-Length", "")
    if length.isdecimal() and int(length) > MAX_GAME_BYTES:
        raise _too_large(archive)
    data = answer.read(MAX_GAME_BYTES + 1)
    if len(data) > MAX_GAME_BYTES:
        raise _too_large(archive)
    if (length.isdecimal() and len(data) < int(length)) or not data.strip():
        why = f"{archive.host} has sent only a part of the log; try again later"
        raise LogError(why, trouble=LogTrouble.CUT_OFF)
    if detect_format(data) != "mjlog" or not data.rstrip().endswith(b"</mjloggm>"):
        why = (
            f"{archive.host} has sent something that is not a whole log; it may not be written yet: "
            "open the address in a browser and look"
        )
        raise LogError(why, trouble=LogTrouble.NOT_WHOLE)
    return data


def _too_large(archive: Archive) -> LogError:
    why = f"{archive.host} sends more than {MAX_GAME_BYTES >> 20} MiB, which no log has; nothing was kept"
    return LogError(why, trouble=LogTrouble.SENT_TOO_MUCH)


def _refusal(archive: Archive, answer: http.client.HTTPResponse) -> LogError:
    """The error that an answer other than a log means."""
    status, host = answer.status, archive.host
    said = f"{status} {answer.reason}"[:_SHOWN].strip()
    if http.HTTPStatus.MULTIPLE_CHOICES <= status < http.HTTPStatus.BAD_REQUEST:
        trouble = LogTrouble.ELSEWHERE
        why = f"{host} wants to lead elsewhere ({said}), where we do not follow; open the address in a browser"
    elif status in {http.HTTPStatus.NOT_FOUND, http.HTTPStatus.GONE}:
        trouble = LogTrouble.NOT_THERE
        why = (
            f"{host} has no such log ({said}): it is not written yet, which takes some minutes, or too old; "
            "of old games your own client may still hold the log"
        )
    elif status in {http.HTTPStatus.FORBIDDEN, http.HTTPStatus.UNAUTHORIZED}:
        trouble = LogTrouble.REFUSED
        why = f"{host} refuses to give this log ({said}); open the address in a browser and save it"
    elif status == http.HTTPStatus.TOO_MANY_REQUESTS or status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
        trouble = LogTrouble.BUSY
        why = f"{host} is busy or being mended ({said}); try again later"
    else:
        trouble = LogTrouble.REFUSED
        why = f"{host} does not give the log ({said}); open the address in a browser"
    return LogError(why, trouble=trouble)
