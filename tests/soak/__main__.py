"""`python -m tests.soak [NAME[=COUNT]…]`: all runs or those named; status 1 where a promise is broken.

A count makes a run shorter (`leaks=150`); `hostile` takes names instead: `hostile=watch,forks 200`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from tests.bench.figure import Figure
from tests.soak import edits, hostile, kills, leaks, progress

COUNTED: dict[str, Callable[[int], Iterator[Figure]]] = {
    "leaks": leaks.run,
    "kills": kills.run,
    "edits": edits.run,
    "two-tutors": progress.two_tutors,
    "kills-while-saving": progress.kills_while_saving,
}
WHOLE = {
    "leaks": leaks.ROUNDS,
    "kills": kills.ROUNDS,
    "edits": edits.EDITS,
    "two-tutors": progress.ROUNDS,
    "kills-while-saving": progress.KILLS,
}
NAMES = (*COUNTED, "hostile")


def main(words: list[str]) -> int:
    """Print the figures; whether all keep their limits."""
    asked = [(name, argument) for name, _, argument in (word.partition("=") for word in words or NAMES)]
    unknown = [name for name, _ in asked if name not in NAMES]
    if unknown:
        print(f"no run {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return 2
    kept = True
    for name, argument in asked:
        print(f"== {name}", flush=True)
        for figure in _figures(name, argument):
            print(figure, flush=True)
            kept = kept and figure.holds
    return 0 if kept else 1


def _figures(name: str, argument: str) -> Iterator[Figure]:
    if name == "hostile":
        return hostile.run(frozenset(filter(None, argument.split(","))))
    return COUNTED[name](int(argument or WHOLE[name]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
