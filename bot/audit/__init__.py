"""Audit: every decision of one seat of a recorded game beside what a policy would have done, and a report of it.

:mod:`.sources` reads a game, :mod:`.examine` asks the policy, :mod:`.fields` turns the result into plain values; the
reports (:mod:`.report`, :mod:`.text_report`, :mod:`.folder`) are made of those values alone.
"""
