"""Records of live games: every frame, event and decision with its full input.

``docs/records.md`` describes the file, :mod:`protocol.logs.record` reads it, and :mod:`bot.replay.exact` reproduces it.
"""
