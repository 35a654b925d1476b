"""`python -m tests.soak [NAME…]`: all runs or those named; status 1 where a promise is broken."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from tests.bench.figure import Figure
from tests.soak import edits, kills, leaks, progress

RUNS: dict[str, Callable[[], Iterator[Figure]]] = {
    "leaks": leaks.run,
    "kills": kills.run,
    "edits": edits.run,
    "two-tutors": progress.two_tutors,
    "kills-while-saving": progress.kills_while_saving,
}


def main(names: list[str]) -> int:
    """Print the figures; whether all keep their limits."""
    unknown = [name for name in names if name not in RUNS]
    if unknown:
        print(f"no run {', '.join(unknown)}; there are {', '.join(RUNS)}")
        return 2
    kept = True
    for name in names or RUNS:
        print(f"== {name}", flush=True)
        for figure in RUNS[name]():
            print(figure, flush=True)
            kept = kept and figure.holds
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
