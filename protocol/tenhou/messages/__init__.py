"""Every message of the protocol as a frozen dataclass, sent by a server (:mod:`.server`) or a client (:mod:`.client`).

A message declares its attributes as fields (:func:`.fields.attr`); :mod:`.schema` alone reads and writes them.
"""

from protocol.tenhou.messages import client, server
from protocol.tenhou.messages.schema import Message, Sender, Unknown

__all__ = ["Message", "Sender", "Unknown", "client", "server"]
