"""A measured figure, its limit, and how times are taken so that they can be compared."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a bench's answer; `limit` is the most it may be, None where it is only told."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def holds(self) -> bool:
        """Whether it keeps its limit."""
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        limit = (
            "" if self.limit is None else f"  (at most {self.limit:g}: {'ok' if self.holds else 'MISSED'})"
        )
        return f"{self.name:<56} {self.value:>8.2f} {self.unit}{limit}"


def medians_side_by_side(
    timed: Mapping[str, Callable[[], float]], *, rounds: int = ROUNDS
) -> dict[str, float]:
    """The median of each, in seconds, taken in turns: what else the machine does meets all of them alike.

    One round before the first is not counted: it fills the bytecode and the disk caches.
    """
    taken: dict[str, list[float]] = {name: [] for name in timed}
    for number in range(rounds + 1):
        for name, take in timed.items():
            seconds = take()
            if number:
                taken[name].append(seconds)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
