"""`python -m tests.bench [NAME…]`: all benches or those named; status 1 where a limit is missed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from tests.bench import check, diagnosis, keys, pictures, servers, watch
from tests.bench.figure import Figure
from tests.bench.start_up import start_up

BENCHES: dict[str, Callable[[], Iterator[Figure]]] = {
    "start-up": start_up,
    "check": check.run,
    "diagnosis": diagnosis.run,
    "servers": servers.run,
    "keys": keys.run,
    "watch": watch.run,
    "pictures": pictures.run,
}


def main(names: list[str]) -> int:
    """Print the figures; whether all keep their limits."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}")
        return 2
    kept = True
    for name in names or BENCHES:
        print(f"== {name}")
        for figure in BENCHES[name]():
            print(figure, flush=True)
            kept = kept and figure.holds
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
