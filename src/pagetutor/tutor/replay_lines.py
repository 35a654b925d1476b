"""The lines of a call, told one by one: what each has changed, and the state it left. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pagetutor.exercise import words
from pagetutor.exercise.scenario import CallMethod
from pagetutor.exercise.trace import LineSeen, Odd, Outcome, Plain, Step
from pagetutor.text import Text
from pagetutor.text.spans import unticked
from pagetutor.tutor.replay_places import statement_at


class Told:
    """Tells of each line what is new after it: values, then the request's and the manager's state."""

    def __init__(self, op: CallMethod, outcome: Outcome) -> None:
        self._op = op
        self._outcome = outcome
        self._values: dict[int, dict[str, str]] = {}  # by the frame's depth
        self._untold: set[str] = set()  # of table and free list, what was too long when last looked at

    def of(self, line: LineSeen, before: Step, now: Step, callee: str) -> Iterator[Text]:
        """The sentences about this line; none where nothing is new."""
        if line.how == "calls":
            self._values.pop(line.depth + 1, None)
            yield _CALLS.with_(name=callee)
            return
        known = self._values.setdefault(line.depth, {})
        for name, shown in line.values:
            if known.get(name) != shown:
                yield Text(zh=f"`{name} == {unticked(shown)}`", en=f"`{name} == {unticked(shown)}`")
        self._values[line.depth] = dict(line.values)
        request, manager = self._op.request, self._op.manager
        was, held = before.requests[request], before.managers[manager]
        has, holds = now.requests[request], now.managers[manager]
        if has.seq_len != was.seq_len:
            yield words.seq_len_seen(has.seq_len)
        if self._is_news("block_table", line.table, was.table):
            yield words.table_seen(has.table) if line.table is not None else _too_long("block_table")
        if self._is_news("free_blocks", line.free, held.free):
            yield words.free_seen(holds.free) if line.free is not None else _too_long("free_blocks")
        if line.how == "raised":
            raised = self._outcome.raised
            ours = raised is not None and any(frame.line == line.line for frame in raised.frames)
            yield words.outcome_words(self._outcome) if ours else _RAISES

    def _is_news(
        self, name: str, told: tuple[Plain, ...] | Odd | None, before: tuple[Plain, ...] | Odd
    ) -> bool:
        was_untold = name in self._untold
        if told is None:
            self._untold.add(name)
            return not was_untold
        self._untold.discard(name)
        return was_untold or told != before


def _too_long(name: str) -> Text:
    return _TOO_LONG.with_(name=name)


def after_line(step: Step, op: CallMethod, line: LineSeen) -> Step:
    """The state after the line; what was too long to be told is as it was."""
    was, held = step.requests[op.request], step.managers[op.manager]
    now = replace(was, seq_len=line.seq_len, table=_or(line.table, was.table))
    seen = replace(held, free=_or(line.free, held.free))
    return replace(
        step,
        op=op,
        outcome=Outcome("done"),
        requests={**step.requests, op.request: now},
        managers={**step.managers, op.manager: seen},
    )


def _or(told: tuple[Plain, ...] | Odd | None, before: tuple[Plain, ...] | Odd) -> tuple[Plain, ...] | Odd:
    return before if told is None else told


def merged(seen: Sequence[LineSeen], tree: ast.Module) -> Iterator[LineSeen]:
    """The lines with each run of a statement of several lines told once, as it stands at its end."""
    pending: LineSeen | None = None
    for line in seen:
        if pending is not None and not _go_on(pending, line, tree):
            yield pending
        pending = line
    if pending is not None:
        yield pending


def _go_on(line: LineSeen, following: LineSeen, tree: ast.Module) -> bool:
    if "calls" in (line.how, following.how) or line.depth != following.depth:
        return False
    statement = statement_at(tree, line.line)
    return statement is not None and statement == statement_at(tree, following.line)


_CALLS = Text(zh="调用 `{name}`", en="calls `{name}`")
_RAISES = Text(zh="抛出异常", en="raises an exception")
_TOO_LONG = Text(
    zh="`{name}` 太长了，这里不列出来，调用之后再看",
    en="`{name}` is too long to be told line by line; see it after the call",
)
