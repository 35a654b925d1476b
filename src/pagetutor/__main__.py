"""`python -m pagetutor` and the console script."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and leave with its exit status."""
    from pagetutor.cli.boundary import run  # noqa: PLC0415 — a warm runner may have to start before this

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
