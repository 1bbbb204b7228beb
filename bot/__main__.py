"""Entry point of the command ``oshihiki``, and of ``python -m bot`` in a checkout that is not installed."""

import sys


def main() -> None:
    """Run the command line, and let Ctrl-C end it in one line already while it is loaded."""
    try:
        from bot.machine.loading import ended_by_an_interrupt  # noqa: PLC0415 - from here on it may be interrupted

        with ended_by_an_interrupt():
            from bot.cli import program  # noqa: PLC0415 - it takes a while

        program()
    except KeyboardInterrupt:
        sys.stderr.write("oshihiki: stopped\n")
        sys.exit(130)
    finally:
        _end_quietly()


def _end_quietly() -> None:
    """From here on Ctrl-C ends the process without a word; the interpreter, while it ends, would print a traceback."""
    import signal  # noqa: PLC0415 - it takes longer to load than the rest of this module

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
