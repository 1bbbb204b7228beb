"""``python -m oshihiki``: the command line."""

import sys

from oshihiki._packages import home

if __name__ == "__main__":
    sys.path.insert(0, home())  # the path is handed on to the processes that commands start
    from bot.__main__ import main

    main()
