"""The order in which things happened, where another machine's records were added after this one's."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence

from pagetutor.store.database import Record
from pagetutor.store.events import Imported


def in_order(records: Sequence[Record]) -> tuple[Record, ...]:
    """These records, given as they were added, in the order they happened.

    What one machine recorded stays in its own order, whatever its clock did; what was imported is put
    among it by the time it was recorded.
    """
    ordered: list[Record] = []
    for record in records:
        if isinstance(record.event, Imported):
            imported = set(record.event.records)
            here = [one for one in ordered if one.id not in imported]
            there = [one for one in ordered if one.id in imported]
            merged = heapq.merge(_dated(here), _dated(there), key=lambda dated: dated[0])
            ordered = [one for _, one in merged]
        ordered.append(record)
    return tuple(ordered)


def _dated(records: Sequence[Record]) -> Iterator[tuple[float, Record]]:
    """Each with the latest time so far: after a clock was set back, what came later is still later."""
    latest = -math.inf
    for record in records:
        latest = max(latest, record.at)
        yield latest, record
