"""Matches between players of any kind on duplicate walls: played, kept in a journal, stopped by a test, summarised.

:mod:`.sparring` plays one deal in any process, :mod:`.match` many of them, :mod:`.sides` and :mod:`.pairs` say what
came of them, and :mod:`.papers` holds the experiments of the papers as data.
"""
