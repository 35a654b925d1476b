"""What can happen to a learner, as frozen values that go into the history and come back unchanged.

Missions, parts and verdicts are plain strings here: the store knows nothing of the rooms above it.
An event is never changed or removed once it is recorded; a new meaning is a new event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class LanguageChosen:
    """The learner chose a language (`zh`, `en`)."""

    kind: ClassVar[str] = "language"
    language: str


@dataclass(frozen=True, slots=True)
class PrologueSeen:
    """The prologue was read, or skipped."""

    kind: ClassVar[str] = "prologue"
    skipped: bool


@dataclass(frozen=True, slots=True)
class Seeded:
    """The seed that orders this learner's options; the first one recorded holds for ever."""

    kind: ClassVar[str] = "seed"
    seed: str


@dataclass(frozen=True, slots=True)
class Answered:
    """An option was chosen. The first of a question is the first answer, the last the final one."""

    kind: ClassVar[str] = "answered"
    mission: str
    question: str
    choice: str
    right: bool


@dataclass(frozen=True, slots=True)
class ConfidenceGiven:
    """How sure the learner was of the first answer: 1 a guess, 2 fairly, 3 sure; None where skipped."""

    kind: ClassVar[str] = "confidence"
    mission: str
    question: str
    level: int | None


@dataclass(frozen=True, slots=True)
class AgainSkipped:
    """A question that came back with changed numbers was skipped."""

    kind: ClassVar[str] = "again-skipped"
    question: str


@dataclass(frozen=True, slots=True)
class PartDone:
    """A step of the lesson is behind the learner, done or skipped."""

    kind: ClassVar[str] = "part"
    mission: str
    part: str
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Predicted:
    """What the learner thinks an expression ends as; None where they did not say."""

    kind: ClassVar[str] = "predicted"
    mission: str
    expression: str
    value: str | None


@dataclass(frozen=True, slots=True)
class WarmUpRun:
    """The warm-up was run: as written, or with `knob` set to `value`."""

    kind: ClassVar[str] = "warm-up"
    mission: str
    knob: str | None = None
    value: int | None = None


@dataclass(frozen=True, slots=True)
class HandTraced:
    """A cell of the hand-trace was filled in, or skipped (None)."""

    kind: ClassVar[str] = "hand-trace"
    mission: str
    row: int
    column: int
    answer: str | None
    right: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """The learner's file was checked. `source_hash` is of the bytes, `shape` of the code alone."""

    kind: ClassVar[str] = "checked"
    mission: str
    verdict: str
    mistakes: tuple[str, ...]
    source_hash: str
    shape: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StructureMet:
    """A check of these bytes told a mistake of structure: the question it asked, in both languages.

    Such a question is made of the file's own names, so a hint could only have it from a check.
    """

    kind: ClassVar[str] = "structure"
    mission: str
    mistake: str
    source_hash: str
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class UnknownMet:
    """A method failed in a way that has no name; `fingerprint` is of what it does, never of the code.

    `test` is the test with the smallest failing case.
    """

    kind: ClassVar[str] = "unknown"
    mission: str
    method: str
    fingerprint: str
    test: str | None


@dataclass(frozen=True, slots=True)
class MethodsSeen:
    """The mission's methods as they stood in the bytes of that hash: what a mended mistake is told from."""

    kind: ClassVar[str] = "methods"
    mission: str
    source_hash: str
    source: str


@dataclass(frozen=True, slots=True)
class HintOpened:
    """A deeper rung was opened for `mistake` (None: undiagnosed), on code of that shape.

    `now` is True where the learner would not wait.
    """

    kind: ClassVar[str] = "hint"
    mission: str
    mistake: str | None
    rung: int
    shape: str
    now: bool = False


@dataclass(frozen=True, slots=True)
class SaidBack:
    """After the last rung, the learner's own words for why it is so."""

    kind: ClassVar[str] = "said-back"
    mission: str
    mistake: str | None
    words: str


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The learner asked to be shown the `line` or the whole `solution` before a pass."""

    kind: ClassVar[str] = "gave-up"
    mission: str
    what: str


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card "beyond the exercise" was shown."""

    kind: ClassVar[str] = "card"
    mission: str
    card: str


@dataclass(frozen=True, slots=True)
class FolderUsed:
    """The learner works on this mission in that folder."""

    kind: ClassVar[str] = "folder"
    mission: str
    path: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was done in a mission counts no longer: exactly these records, by their ids.

    Named one by one, not by time: neither a clock that was set back nor an import that puts another
    machine's records before or after this one forgets more than the learner was asked about.
    """

    kind: ClassVar[str] = "forgotten"
    mission: str
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Imported:
    """Exactly these records were taken over from another machine: see `order.in_order`.

    About this history alone, so it is never exported.
    """

    kind: ClassVar[str] = "imported"
    records: tuple[str, ...]


Known = (
    LanguageChosen
    | PrologueSeen
    | Seeded
    | Answered
    | ConfidenceGiven
    | AgainSkipped
    | PartDone
    | Predicted
    | WarmUpRun
    | HandTraced
    | Checked
    | StructureMet
    | UnknownMet
    | MethodsSeen
    | HintOpened
    | SaidBack
    | GaveUp
    | CardSeen
    | FolderUsed
    | Forgotten
    | Imported
)


@dataclass(frozen=True, slots=True)
class Unread:
    """An event of a kind this version does not know: kept and exported as it is, and otherwise ignored."""

    kind: str
    data: Mapping[str, object]


Event = Known | Unread


def to_data(event: Event) -> dict[str, object]:
    """The event's fields as JSON values."""
    if isinstance(event, Unread):
        return dict(event.data)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(event).items()}


def from_data(kind: str, data: Mapping[str, object]) -> Event:
    """The event of these JSON values; `Unread` where kind or fields are not those of this version."""
    made = _KINDS.get(kind)
    if made is None:
        return Unread(kind, data)
    wanted = {field.name: field for field in fields(made)}
    if not set(data) <= set(wanted):
        return Unread(kind, data)
    values: dict[str, object] = {}
    for name, value in data.items():
        accepted = _ACCEPTED[str(wanted[name].type)]
        if type(value) not in accepted:
            return Unread(kind, data)
        if isinstance(value, list):
            if not all(isinstance(item, str) for item in value):
                return Unread(kind, data)
            values[name] = tuple(value)
        else:
            values[name] = value
    try:
        return made(**values)  # type: ignore[arg-type]  # the types were compared just above
    except TypeError:
        return Unread(kind, data)  # a field is missing


_KINDS: Mapping[str, type[Known]] = {made.kind: made for made in Known.__args__}

# Exact types: a JSON `true` is no int here, and 1.0 no count.
_ACCEPTED: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int": (int,),
    "int | None": (int, type(None)),
    "float": (float, int),
    "bool": (bool,),
    "tuple[str, ...]": (list,),
}
