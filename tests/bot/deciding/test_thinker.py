"""The thread in which a policy thinks."""

from __future__ import annotations

from concurrent.futures import Future

from bot.deciding.thinker import _BrokenOffError, _fulfil


def test_a_break_while_the_result_is_handed_over_changes_nothing():
    future = Future()

    def broken_off(_):
        raise _BrokenOffError

    future.add_done_callback(broken_off)
    _fulfil(future, lambda: "the answer")
    assert future.result() == "the answer"
