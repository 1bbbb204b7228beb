"""Audit: every decision of one seat in a recorded game compared with a policy's, and a report of it.

:mod:`.sources` reads a game, :mod:`.examine` asks the policy, and :mod:`.fields` turns the result into plain values,
from which alone the reports (:mod:`.report`, :mod:`.text_report`, :mod:`.folder`) are made.
"""
