"""A replay: one frame as a screen of so many rows, or all of it as text."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.exercise.contract import Violation
from pagetutor.exercise.scenario import CallMethod
from pagetutor.exercise.state import state_after
from pagetutor.text import Text, same
from pagetutor.text.spans import unticked
from pagetutor.tutor.replay_frames import Moment, ReplayFrame
from pagetutor.tutor.replaying import Replay
from pagetutor.ui import phrases
from pagetutor.ui import replay_phrases as told
from pagetutor.ui.render.blocks import named_rows, stacked
from pagetutor.ui.render.code import behind, highlighted
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool import pool_picture
from pagetutor.ui.render.words import folded, prose, visible
from pagetutor.ui.render.yours_expected import Beside, beside

_LEAST_CODE = 3  # rows: the marked line with one above and one below


def replay_screen(replay: Replay, at: int, look: Look, rows: int, top: int = 0) -> list[Line]:
    """The frame `at` with its head and the keys, in at most `rows` lines: the picture gives way first.

    What is left of its room shows the picture from its row `top` on, says how much is not shown, and the
    first difference all the same.
    """
    return _laid_out(replay, at, look, rows, top)[0]


def most_top(replay: Replay, at: int, look: Look, rows: int) -> int:
    """How many rows the picture of this frame can be scrolled by; 0 where all of it is shown."""
    return _laid_out(replay, at, look, rows, 0)[1]


def _laid_out(replay: Replay, at: int, look: Look, rows: int, top: int) -> tuple[list[Line], int]:
    keys = _keys(replay, look)
    room = rows - len(keys)
    frame, most = replay.frames[at], 0
    title, where, says = _title(replay, look), _where(replay, at, look), _says(replay, at, look)
    head = [*title, *where, *says]
    if len(head) <= room // 2:
        body, most = _fitting(replay, frame, look, room - len(head), top)
    if most or len(head) > room // 2:  # narrow or low: what is replayed was seen before
        head = [*where, *says] if len(where) + len(says) <= room // 2 else says
        head = head[: max(room - _LEAST_CODE, 1)]
        body, most = _fitting(replay, frame, look, room - len(head), top)
    return [*head, *body, *keys][:rows], most


def replay_slide(replay: Replay, look: Look) -> list[Line]:
    """The frame of the first difference, or the last where there is none, whole and without keys."""
    at = replay.first_difference
    at = len(replay.frames) - 1 if at is None else at
    frame = replay.frames[at]
    code = _code(replay, frame, look)
    return stacked(_head(replay, at, look), code.lines, _values(frame, look), _picture(frame, look).lines)


def replay_text(replay: Replay, look: Look) -> list[Line]:
    """All of it: a paragraph for each call, a line for each line that ran, the first difference drawn."""
    first = replay.first_difference
    paragraphs = [
        [line for at in frames for line in _told(replay, at, look, drawn=at == first)]
        for frames in _by_call(replay)
    ]
    return stacked(_title(replay, look), *paragraphs)


# ── the head ─────────────────────────────────────────────────────────────────────────────────────


def _title(replay: Replay, look: Look) -> list[Line]:
    dot = same(" · ")
    title = told.REPLAY + dot + phrases.mission_name(replay.mission) + dot + replay.title
    remark = [] if replay.remark is None else prose(replay.remark, look)
    return [*prose(title, look, style="bold"), *remark]


def _head(replay: Replay, at: int, look: Look) -> list[Line]:
    """What is replayed, which frame this is, and what it says."""
    return [*_title(replay, look), *_where(replay, at, look), *_says(replay, at, look)]


def _where(replay: Replay, at: int, look: Look) -> list[Line]:
    frame = replay.frames[at]
    where = told.FRAME.with_(frame=at + 1, of=len(replay.frames)) + same(" · ") + _call(replay, frame)
    return prose(where, look, style="dim")


def _call(replay: Replay, frame: ReplayFrame, counted: Text = told.CALL) -> Text:
    op = frame.op
    named = (
        same(f"`{op.method.full_name}({op.request})`") if isinstance(op, CallMethod) else same("`__init__`")
    )
    return counted.with_(call=frame.call, of=replay.calls) + told.COLON + named


def _says(replay: Replay, at: int, look: Look) -> list[Line]:
    frame = replay.frames[at]
    match frame.moment:
        case Moment.BEFORE:
            return prose(told.BEFORE + _joined(frame.says), look)
        case Moment.LINE:
            return prose(_line(frame) + told.COLON + _joined(frame.says or (told.NOTHING_NEW,)), look)
        case Moment.AFTER if frame.differs is None:
            return prose(told.AFTER + _joined(frame.says), look)
        case Moment.AFTER:
            which = told.FIRST_DIFFERENCE if at == replay.first_difference else told.ONE_MORE_DIFFERENCE
            return [*_marked(which, look), *_difference(frame.differs, look), *_remarks(frame, look)]


def _line(frame: ReplayFrame) -> Text:
    first, last = frame.marked or (0, 0)
    where = told.LINE.with_(line=first) if first == last else told.LINES.with_(first=first, last=last)
    called = frame.op.method.full_name if isinstance(frame.op, CallMethod) else ""
    return where if frame.function == called else where + told.IN_FUNCTION.with_(function=frame.function)


def _joined(says: Sequence[Text]) -> Text:
    return functools.reduce(lambda before, text: before + told.SEMICOLON + text, says)


def _marked(words: Text, look: Look) -> list[Line]:
    mark = f"{look.marks.no} "
    return prose(words, look, indent=cell_len(mark), first=mark, style="bold red")


def _difference(differs: Violation, look: Look) -> list[Line]:
    rows = [(phrases.EXPECTED, differs.expected, "green"), (phrases.GOT, differs.actual, "red")]
    return named_rows(rows, look)


def _remarks(frame: ReplayFrame, look: Look) -> list[Line]:
    """What there is to say beside how the call ended, which `got` has told."""
    return [line for text in frame.says[1:] for line in prose(text, look)]


# ── the body ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Code:
    """Lines of a function, and which of them are marked."""

    lines: list[Line]
    marked: range

    def around(self, rows: int) -> list[Line]:
        """So many of them, the marked ones in the middle."""
        spare = max(rows - len(self.marked), 0)
        start = min(max(self.marked.start - spare // 2, 0), max(len(self.lines) - rows, 0))
        return self.lines[start : start + rows]


def _fitting(replay: Replay, frame: ReplayFrame, look: Look, rows: int, top: int) -> tuple[list[Line], int]:
    """Code, values and picture in at most so many rows, and how far the picture can be scrolled."""
    code, values, picture = _code(replay, frame, look), _values(frame, look), _picture(frame, look)
    values = values[: max(rows - _LEAST_CODE, 0)]
    rows -= len(values)
    least = min(_LEAST_CODE, len(code.lines))
    drawn = [Line(""), *picture.lines] if picture.lines else []
    most = 0
    if least + len(drawn) > rows:
        drawn, most = _part(picture, look, max(rows - least, 1), top)
    return [*code.around(max(rows - len(drawn), 0)), *values, *drawn], most


def _part(picture: Beside, look: Look, rows: int, top: int) -> tuple[list[Line], int]:
    """As much of a picture as fits, and how far it can be scrolled; that there is more comes before all."""
    states = [*picture.states, *picture.legend]
    difference = picture.difference if len(picture.difference) < rows else []
    room = max(rows - len(difference) - 1, 0)
    most = max(len(states) - room, 0) if room else 0
    top = min(top, most)
    left = len(states) - room
    one = told.ONE_MORE if most else told.ONE_MORE_IN_A_LARGER_WINDOW
    many = told.MORE if most else told.MORE_IN_A_LARGER_WINDOW
    more = prose(one if left == 1 else many.with_(count=left), look, style="dim")[:1]
    return [*states[top : top + room], *more, *difference], most


def _code(replay: Replay, frame: ReplayFrame, look: Look) -> _Code:
    """The function with its line numbers, without its docstring; the lines that ran bear sign and colour."""
    if frame.shown is None:
        return _Code([], range(0))
    first, last = frame.shown
    rows = [visible(row.rstrip()) for row in replay.source.split("\n")[first - 1 : last]]
    margin = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    marked_first, marked_last = frame.marked or (0, -1)
    skipped = range(0)
    if frame.docstring is not None and not frame.docstring[0] <= marked_first <= frame.docstring[1]:
        skipped = range(frame.docstring[0], frame.docstring[1] + 1)
    lines: list[Line] = []
    marks: list[int] = []
    clean = highlighted("\n".join(row[margin:] for row in rows), look)
    for number, row in enumerate(clean, start=first):
        if number in skipped:
            continue
        marked = marked_first <= number <= marked_last
        pieces = list(_numbered(row, number, len(str(last)), look, marked=marked))
        marks += range(len(lines), len(lines) + len(pieces)) if marked else ()
        lines += pieces
    return _Code(lines, range(marks[0], marks[-1] + 1) if marks else range(0))


def _numbered(row: Line, number: int, width: int, look: Look, *, marked: bool) -> Iterator[Line]:
    sign = look.marks.pointer if marked else " " * cell_len(look.marks.pointer)
    style = "bold yellow" if marked else "dim"
    label = f"{sign} {number:>{width}} {look.marks.gutter} "
    if marked:
        row.stylize("bold")
    for part_number, part in enumerate(folded(row, look.width - cell_len(label))):
        blank = f"{sign} {' ' * width} {look.marks.gutter} "
        yield behind(label if part_number == 0 else blank, style, part)


def _values(frame: ReplayFrame, look: Look) -> list[Line]:
    if not frame.values:
        return []
    shown = [same(f"`{name} == {unticked(value)}`") for name, value in frame.values]
    return prose(told.VALUES + functools.reduce(lambda before, text: before + told.COMMA + text, shown), look)


def _picture(frame: ReplayFrame, look: Look) -> Beside:
    """Yours | expected after a call; before that the state alone, and none where that is not known."""
    if frame.expected is not None:
        return beside(frame.yours, frame.expected, frame.size, look, left_out=frame.left_out)
    state = state_after(frame.yours, frame.size, frame.left_out)
    return Beside([] if state is None else pool_picture(state, look), [], [])


# ── the keys ─────────────────────────────────────────────────────────────────────────────────────


def _keys(replay: Replay, look: Look) -> list[Line]:
    """The keys that act, in one line; where they do not fit, without words."""
    named = [("→", told.NEXT), ("←", told.BACK)]
    named += [("d", told.DIFFERENCE)] if replay.first_difference is not None else []
    named += [("c", told.NEXT_CALL)] if replay.calls > 1 else []
    named += [("l", told.LANGUAGE), ("q", told.LEAVE)]
    if look.only_ascii:
        named[:2] = [("n", told.NEXT), ("p", told.BACK)]
        named = [(key, text) for key, text in named if key != "l" or look.language == "zh"]
    words = "   ".join(f"{key} {text.in_(look.language)}" for key, text in named)
    if cell_len(words) > look.width:
        words = " ".join(key for key, _ in named)
    return [Line(words[: look.width], style="dim")]


# ── as text ──────────────────────────────────────────────────────────────────────────────────────


def _by_call(replay: Replay) -> list[list[int]]:
    calls: list[list[int]] = [[] for _ in range(replay.calls)]
    for at, frame in enumerate(replay.frames):
        calls[frame.call - 1].append(at)
    return calls


def _told(replay: Replay, at: int, look: Look, *, drawn: bool) -> list[Line]:
    """One frame in words."""
    frame = replay.frames[at]
    head = prose(_call(replay, frame, told.CALL_HEAD), look, style="bold")
    match frame.moment:
        case Moment.BEFORE:
            return [*head, *_says(replay, at, look)]
        case Moment.LINE:
            code = replay.source.split("\n")[(frame.marked or (1, 1))[0] - 1].strip()
            words = _line(frame) + same(f" `{unticked(code)}`")
            said = words + told.COLON + _joined(frame.says) if frame.says else words
            return prose(said, look, indent=2)
        case Moment.AFTER:
            told_before = any(one.call == frame.call for one in replay.frames[:at])
            picture = _picture(frame, look).lines if drawn else []
            return [*([] if told_before else head), *_says(replay, at, look), *picture]
