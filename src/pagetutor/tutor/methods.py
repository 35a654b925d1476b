"""The mission's methods as the learner wrote them: for a look at the reference, and for the recap."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from pagetutor.content.model import Mission
from pagetutor.diagnosis.gate import Broken, find_method, parse, read_source
from pagetutor.diagnosis.manager_class import first_line
from pagetutor.store.events import Checked, MethodsSeen
from pagetutor.store.history import History
from pagetutor.tutor.mending import came_to_a_verdict
from pagetutor.tutor.progress import remembered

_LARGEST = 16_000  # characters; the solution's three methods have 1,500
_MOST = 300  # of a mission: even a watched file saved every minute is then no megabyte a day


def methods_in(source: bytes, names: Sequence[str]) -> str | None:
    """These methods as they stand in the source, one after the other; None where none is there to be read."""
    text = read_source(source)
    if isinstance(text, Broken):
        return None
    tree = parse(text)
    if isinstance(tree, Broken):
        return None
    found: list[str] = []
    for name in names:
        definition = find_method(tree, name)
        if definition is None:
            continue
        lines = text.lines[first_line(definition) - 1 : definition.end_lineno]
        found.append(textwrap.dedent("\n".join(lines)))
    return "\n\n".join(found) or None


def remember_methods(history: History, mission: Mission, source: bytes, checked: Checked) -> None:
    """Keep the methods of a check that names a mistake, of the next that comes to a verdict, and of the pass.

    Between those it was mended. Other checks are not kept, nor bytes that are already.
    """
    events = [record.event for record in remembered(history.records())]
    kept = [one for one in events if isinstance(one, MethodsSeen) and one.mission == mission.id]
    checks = [one for one in events if isinstance(one, Checked) and one.mission == mission.id]
    told = [one for one in checks if came_to_a_verdict(one)]
    before = told[:-1]  # the last is `checked` itself
    around = told[-2:]
    if checked.verdict == "passed":  # nothing since the last pass, where nothing was wrong since
        around = before[
            max((at for at, one in enumerate(before) if one.verdict == "passed"), default=-1) + 1 :
        ]
    worth_keeping = any(one.mistakes for one in around)
    if not came_to_a_verdict(checked) or not worth_keeping or len(kept) >= _MOST:
        return
    if checked.source_hash in {one.source_hash for one in kept}:
        return
    methods = methods_in(source, mission.methods)
    if methods is not None and len(methods) <= _LARGEST:
        history.append(MethodsSeen(mission.id, checked.source_hash, methods))
