"""Every message of the protocol as a frozen dataclass: :mod:`.server` and :mod:`.client` say who says it.

A message declares its attributes as fields (:func:`.fields.attr`); reading and writing them is the work of
:mod:`.schema` alone.
"""

from protocol.tenhou.messages import client, server
from protocol.tenhou.messages.schema import Message, Sender, Unknown

__all__ = ["Message", "Sender", "Unknown", "client", "server"]
