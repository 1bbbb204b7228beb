"""mjai during a game: lines to events and actions to lines, in the same words as in logs."""

from protocol.mjai.feed import Feed, Message, parse_message
from protocol.mjai.replies import NONE, Asked, find_action, format_action

__all__ = ["NONE", "Asked", "Feed", "Message", "find_action", "format_action", "parse_message"]
