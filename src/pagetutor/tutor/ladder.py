"""The hint ladder: which rung is next for a mistake, and whether it may open yet.

Rungs 0–2 come with every failing report. From 3 on a rung opens once the code has changed since the
last one, or 20 s after it, or at once for who will not wait. The last one, the line itself, waits for
a changed attempt or for giving up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.content.model import Course, Slot
from pagetutor.content.read import load_models
from pagetutor.store.database import Record
from pagetutor.store.events import Checked, HintOpened
from pagetutor.text import Text

EXAMPLE, PATTERN, LINE = 3, 4, 5
WAIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Open:
    """This rung may be shown; `again` where it was shown before. `hurried`: only for who would not wait."""

    rung: int
    again: bool = False
    hurried: bool = False


@dataclass(frozen=True, slots=True)
class Shut:
    """This rung is not open yet: it opens in `wait_s` seconds, or (None) only after a changed attempt."""

    rung: int
    wait_s: float | None


def next_rung(
    records: Sequence[Record],
    about: tuple[str, str],
    shape: str,
    at: float,
    *,
    now: bool = False,
    give_up: bool = False,
) -> Open | Shut:
    """The next rung `about` a (mission, mistake), on code of this shape at this time.

    `now` opens the next rung but the line; `give_up` opens the line.
    """
    opened = [
        (record.at, record.event)
        for record in records
        if isinstance(record.event, HintOpened) and (record.event.mission, record.event.mistake) == about
    ]
    top = max((event.rung for _, event in opened), default=EXAMPLE - 1)
    if top >= LINE:
        return Open(LINE, again=True)
    if give_up:
        return Open(LINE)
    rung = top + 1
    last_at, last_shape = (
        (opened[-1][0], opened[-1][1].shape) if opened else _told(records, about) or (at, shape)
    )
    if shape != last_shape:
        return Open(rung)
    if rung == LINE:
        return Shut(rung, None)
    passed_s = at - last_at
    if passed_s < 0 or passed_s >= WAIT_S:  # a clock that was set back makes nobody wait
        return Open(rung)
    return Open(rung, hurried=True) if now else Shut(rung, WAIT_S - passed_s)


def _told(records: Sequence[Record], about: tuple[str, str]) -> tuple[float, str] | None:
    """When, and on what code, a report first named this mistake; checking again winds no clock back."""
    for record in records:
        if isinstance(record.event, Checked) and (record.event.mission, *record.event.mistakes[:1]) == about:
            return record.at, record.event.shape
    return None


def slot_of(course: Course, mistake: str) -> Slot | None:
    """The place of the reference that this mistake is about; None for one that no error model knows."""
    if mistake.startswith("structure."):  # needs no models to be read
        return None
    for mission in course.missions:
        for model in mission.models or load_models(course.root, mission.id):
            for variant in model.variants:
                if variant.id == mistake:
                    return model.slot(next(iter(variant.code)))
    return None


def rung_text(slot: Slot, rung: int) -> tuple[Text, Text]:
    """Title and words of this rung."""
    return {
        EXAMPLE: (_EXAMPLE_TITLE, slot.example),
        PATTERN: (_PATTERN_TITLE, slot.pattern),
        LINE: (_LINE_TITLE, slot.line),
    }[rung]


_EXAMPLE_TITLE = Text(zh="换一组数字看一遍", en="The same with other numbers")
_PATTERN_TITLE = Text(zh="写法留一个空，你来填", en="The line, with a blank to fill")
_LINE_TITLE = Text(zh="就是这一行", en="The line itself")
