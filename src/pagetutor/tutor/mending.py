"""The mistakes a mission's checks named, and what was changed until they were gone."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest

from pagetutor.store.database import Record
from pagetutor.store.events import Checked, MethodsSeen, StructureMet
from pagetutor.text import Text

_HALF_WRITTEN_S = 30.0  # whoever watches has an unfinished line checked too, and types on


@dataclass(frozen=True, slots=True)
class Met:
    """A mistake, from the check that first named it to the last one that did.

    `checks` is how many named it. `belief` is what it seems to believe, for one of structure what it asked;
    None where neither is known. `mended`: no later check names it; `passed`: one of those passed. `diff` are
    the lines of a unified diff of the method (`@@`, ` `, `-`, `+`) from the last version that holds it to the
    one that passed, or to the next one where none did; none where the change lies elsewhere in the file; None
    where the methods of those checks were not kept, or it is not mended.
    """

    mistake: str
    belief: Text | None
    checks: int
    mended: bool
    diff: tuple[str, ...] | None
    passed: bool = False


def came_to_a_verdict(checked: Checked) -> bool:
    """Whether a check can tell that a mistake is gone; one of a file that did not even load cannot."""
    return checked.verdict in ("failed", "passed") or bool(checked.mistakes)


def mistakes_met(
    mission: str, records: Sequence[Record], beliefs: Callable[[Set[str]], Mapping[str, Text]]
) -> tuple[Met, ...]:
    """The mistakes of this mission in the order they were met, each once.

    `beliefs` gives what these mistakes believe, by their ids; those of a file's structure are in no error
    model. What such a one was in a half-written save, that did not come to its tests, is no mistake.
    """
    events = [record.event for record in records]
    sources = {
        event.source_hash: event.source
        for event in events
        if isinstance(event, MethodsSeen) and event.mission == mission
    }
    asked = {
        event.mistake: Text(zh=event.zh, en=event.en)
        for event in events
        if isinstance(event, StructureMet) and event.mission == mission
    }
    checks = [check for check in _written(mission, records) if came_to_a_verdict(check)]
    named = dict.fromkeys(mistake for check in checks for mistake in check.mistakes)
    known = beliefs({mistake for mistake in named if not mistake.startswith("structure.")})
    said = {**asked, **known}
    return tuple(_followed(mistake, checks, sources, said.get(mistake)) for mistake in named)


def _written(mission: str, records: Sequence[Record]) -> Iterator[Checked]:
    """The checks of this mission, those of half-written saves without their mistakes of structure."""
    checks = [
        (record.at, record.event)
        for record in records
        if isinstance(record.event, Checked) and record.event.mission == mission
    ]
    for (at, check), following in zip_longest(checks, checks[1:]):
        lived_s = None if following is None else following[0] - at
        if check.verdict != "failed" and lived_s is not None and 0 <= lived_s < _HALF_WRITTEN_S:
            whole = tuple(one for one in check.mistakes if not one.startswith("structure."))
            yield replace(check, mistakes=whole)
        else:
            yield check


def _followed(
    mistake: str, checks: Sequence[Checked], sources: Mapping[str, str], belief: Text | None
) -> Met:
    """The mistake from the first of these checks that names it to where it was gone for good."""
    naming = [at for at, check in enumerate(checks) if mistake in check.mistakes]
    last, later = checks[naming[-1]], checks[naming[-1] + 1 :]
    if not later:
        return Met(mistake, belief, len(naming), mended=False, diff=None)
    passing = next((check for check in later if check.verdict == "passed"), None)
    mended = later[0] if passing is None or passing.source_hash not in sources else passing
    wrong, right = sources.get(last.source_hash), sources.get(mended.source_hash)
    diff = None if wrong is None or right is None else _diff(wrong, right)
    return Met(mistake, belief, len(naming), mended=True, diff=diff, passed=passing is not None)


def _diff(wrong: str, mended: str) -> tuple[str, ...]:
    lines = difflib.unified_diff(wrong.split("\n"), mended.split("\n"), lineterm="")
    return tuple(lines)[2:]  # without the two lines of file names
