"""The mistakes a mission's checks named, and what was changed when they went."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from pagetutor.store.database import Record
from pagetutor.store.events import Checked, MethodsSeen
from pagetutor.text import Text


@dataclass(frozen=True, slots=True)
class Met:
    """A mistake, from the check that first named it to the one that no longer did.

    `checks` is how many named it. `belief` is None where it belongs to no error model. `diff` are the
    lines of a unified diff of the method (`@@`, ` `, `-`, `+`), none where the change lies elsewhere in the
    file; None where the methods of those checks were not kept, or it is not mended.
    """

    mistake: str
    belief: Text | None
    checks: int
    mended: bool
    diff: tuple[str, ...] | None


def came_to_a_verdict(checked: Checked) -> bool:
    """Whether a check can tell that a mistake is gone; one of a file that did not even load cannot."""
    return checked.verdict in ("failed", "passed") or bool(checked.mistakes)


def mistakes_met(
    mission: str, records: Sequence[Record], beliefs: Callable[[Set[str]], Mapping[str, Text]]
) -> tuple[Met, ...]:
    """The mistakes of this mission in the order they were met; one that came back is met again.

    `beliefs` gives what these mistakes believe, by their ids; those of a file's structure are in no error
    model, and what they believe is told only with the code.
    """
    events = [record.event for record in records]
    sources = {
        event.source_hash: event.source
        for event in events
        if isinstance(event, MethodsSeen) and event.mission == mission
    }
    checks = [
        event
        for event in events
        if isinstance(event, Checked) and event.mission == mission and came_to_a_verdict(event)
    ]
    named = {mistake for check in checks for mistake in check.mistakes}
    known = beliefs({mistake for mistake in named if not mistake.startswith("structure.")})
    met: list[Met] = []
    for at, check in enumerate(checks):
        for mistake in check.mistakes:
            if at == 0 or mistake not in checks[at - 1].mistakes:
                met.append(_followed(mistake, checks[at:], sources, known.get(mistake)))
    return tuple(met)


def _followed(
    mistake: str, checks: Sequence[Checked], sources: Mapping[str, str], belief: Text | None
) -> Met:
    """The mistake from the first of these checks, which names it, to the first that does not."""
    without = next((at for at, check in enumerate(checks) if mistake not in check.mistakes), None)
    if without is None:
        return Met(mistake, belief, len(checks), mended=False, diff=None)
    wrong, mended = (sources.get(checks[at].source_hash) for at in (without - 1, without))
    diff = None if wrong is None or mended is None else _diff(wrong, mended)
    return Met(mistake, belief, without, mended=True, diff=diff)


def _diff(wrong: str, mended: str) -> tuple[str, ...]:
    lines = difflib.unified_diff(wrong.split("\n"), mended.split("\n"), lineterm="")
    return tuple(lines)[2:]  # without the two lines of file names
