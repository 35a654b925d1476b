"""`python -m pagetutor` and the console script."""

from __future__ import annotations

import gc
import signal
import sys

_BETWEEN_COLLECTIONS = 100_000  # new objects; at Python's 700 collecting takes 50 of 280 ms of start-up


def main() -> None:
    """Run the command line and leave with its exit status."""
    gc.set_threshold(_BETWEEN_COLLECTIONS)
    try:
        from pagetutor.cli.boundary import run  # noqa: PLC0415 — a warm runner may have to start before this

        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # amid the imports, or once more while the first one was being dealt with
        status = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done; one during Python's own end is a traceback
    sys.exit(status)


if __name__ == "__main__":
    # `python -m` puts the working folder first: a learner's `random.py` would become everybody's.
    if not sys.flags.safe_path:
        del sys.path[0]
    main()
