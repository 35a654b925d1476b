"""`python -m pagetutor` and the console script."""

from __future__ import annotations

import gc
import sys

_BETWEEN_COLLECTIONS = 100_000  # new objects; at Python's 700 collecting takes 50 of 280 ms of start-up


def main() -> None:
    """Run the command line and leave with its exit status."""
    gc.set_threshold(_BETWEEN_COLLECTIONS)
    from pagetutor.cli.boundary import run  # noqa: PLC0415 — a warm runner may have to start before this

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    # `python -m` puts the working folder first: a learner's `random.py` would become everybody's.
    if not sys.flags.safe_path:
        del sys.path[0]
    main()
