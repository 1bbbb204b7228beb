"""The record of a live game: every frame, event and decision with its full input, and the way back to the same bytes.

``docs/records.md`` describes the file; :mod:`protocol.logs.record` reads it; :mod:`bot.replay.exact` plays it again.
"""
