"""The first thing in which a step of the learner's file differs from a right file's, and where it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagetutor.exercise.contract import is_oom
from pagetutor.exercise.scenario import CallMethod, MakeManager, MakeRequest
from pagetutor.exercise.state import Ids
from pagetutor.exercise.trace import MOST_IDS, Odd, Outcome, Plain, RequestSeen, Step, TensorSeen
from pagetutor.exercise.words import FREE_LIST_SHARED, POOL_SHARED, TABLE_SHARED, outcome_due, outcome_words
from pagetutor.text import Text
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.pool_words import NOTHING_MARKED, Marked, filled, shown
from pagetutor.ui.render.strips import place_at, rows_of, shape_in_words


@dataclass(frozen=True, slots=True)
class Difference:
    """In words, and what of each of the two pictures bears the mark; `row` is a row of a gather."""

    say: Text
    yours: Marked = NOTHING_MARKED
    expected: Marked = NOTHING_MARKED
    row: int | None = None

    @property
    def in_state(self) -> bool:
        """Whether it lies in the tables, the lengths or the free list."""
        return (self.yours, self.expected) != (NOTHING_MARKED, NOTHING_MARKED)


def first_difference(yours: Step, expected: Step, size: MakeManager) -> Difference | None:
    """The first difference in the order a call makes them: how it ended, what it gave, tables, free list.

    None where the two steps are the same for the contract.
    """
    return next(_differences(yours, expected, size), None)


def ends_alike(yours: Outcome, expected: Outcome) -> bool:
    """Whether both raised the exercise's own signal, or neither raised nor was missing."""
    if expected.raised is not None:
        return yours.raised is not None and is_oom(yours.raised)
    return yours.kind == expected.kind


def _differences(yours: Step, expected: Step, size: MakeManager) -> Iterator[Difference]:
    if not ends_alike(yours.outcome, expected.outcome):
        yield _ended(yours.outcome, expected.outcome)
    if isinstance(expected.outcome.value, TensorSeen):
        yield from _gathered(yours, expected.outcome.value, size)
    names = sorted(expected.requests, key=lambda name: not _called(yours, name))
    requests = [(name, yours.requests.get(name), expected.requests[name]) for name in names]
    for name, now, due in requests:
        if now is None:
            yield Difference(filled(phrases.NOT_MADE_REQUEST, request=name), expected=Marked(request=name))
        else:
            yield from _table(name, now.table, due.table)
    for name, now, due in requests:
        if now is not None and now.seq_len != due.seq_len:
            yield _length(name, now, due)
    held, due_manager = yours.managers.get(size.manager), expected.managers.get(size.manager)
    if held is not None and due_manager is not None:
        yield from _free(held.free, due_manager.free)
        yield from _pool(held.pool, due_manager.pool)
    yield from _shared(yours, expected, size)


def _called(step: Step, request: str) -> bool:
    return isinstance(step.op, CallMethod) and step.op.request == request


def _ended(yours: Outcome, expected: Outcome) -> Difference:
    if yours.kind == "hung":
        return Difference(phrases.NO_END)
    now = phrases.NO_EXCEPTION if yours.kind == "done" else outcome_words(yours)
    due = phrases.NO_EXCEPTION_DUE if expected.kind == "done" else outcome_due(expected)
    return Difference(filled(phrases.ENDED, yours=now, expected=due))


def _gathered(yours: Step, due: TensorSeen, size: MakeManager) -> Iterator[Difference]:
    now = yours.outcome.value
    if not isinstance(now, TensorSeen):
        yield Difference(
            filled(phrases.DUE, yours=outcome_words(yours.outcome), expected=_tensor_of(due.shape))
        )
        return
    if now.shape != due.shape:
        yield Difference(filled(phrases.DUE, **_shapes(now, due)))
        return
    pool = yours.managers[size.manager].pool if size.manager in yours.managers else None
    if now.values is None or due.values is None or not isinstance(pool, TensorSeen) or pool.values is None:
        return  # nothing to compare, or nothing to name the rows by
    for row, (mine, right) in enumerate(zip(rows_of(now), rows_of(due), strict=True)):
        if mine != right:
            places = {"yours": place_at(now, row, pool), "expected": place_at(due, row, pool)}
            yield Difference(filled(phrases.ROW_FROM, row=str(row), **places), row=row)


def _table(name: str, now: Ids, due: Ids) -> Iterator[Difference]:
    if isinstance(now, Odd) or isinstance(due, Odd):
        if now != due and isinstance(now, Odd):
            template = phrases.LONG_TABLE if now.is_too_long else phrases.ANOTHER_TABLE
            words = filled(template, request=name, yours=shown(now), most=f"{MOST_IDS:,}")
            yield Difference(words, Marked(request=name), Marked(request=name))
        return
    for logical in range(max(len(now), len(due))):
        mine = now[logical] if logical < len(now) else None
        right = due[logical] if logical < len(due) else None
        if mine == right:
            continue
        if mine is None:
            template = phrases.BLOCK_MISSING
        else:
            template = phrases.BLOCK_TOO_MANY if right is None else phrases.ANOTHER_BLOCK
        words = filled(
            template,
            request=name,
            logical=str(logical),
            yours="" if mine is None else _block(mine),
            expected="" if right is None else _block(right),
        )
        marked = _ids(mine, right)
        yield Difference(words, Marked(marked, request=name), Marked(marked, request=name))
        return


def _length(name: str, now: RequestSeen, due: RequestSeen) -> Difference:
    words = filled(
        phrases.ANOTHER_LENGTH, request=name, yours=shown(now.seq_len), expected=shown(due.seq_len)
    )
    return Difference(words, Marked(request=name), Marked(request=name))


def _free(now: Ids, due: Ids) -> Iterator[Difference]:
    if isinstance(now, Odd) or isinstance(due, Odd):
        if now != due and isinstance(now, Odd):
            template = phrases.LONG_FREE_LIST if now.is_too_long else phrases.NOT_A_FREE_LIST
            yield Difference(filled(template, yours=shown(now), most=f"{MOST_IDS:,}"), Marked(free=True))
        return
    mine, right = Counter(now), Counter(due)
    for one in (*now, *due):
        if mine[one] == right[one]:
            continue
        if mine[one] < right[one]:
            words = filled(phrases.NOT_FREE, block=_block(one))
        elif mine[one] == 1:
            words = filled(phrases.STILL_FREE, block=_block(one))
        else:
            words = filled(phrases.FREE_TOO_OFTEN, block=_block(one), count=str(mine[one]))
        marked = Marked(_ids(one), free=True)
        yield Difference(words, marked, marked)
        return


def _pool(now: TensorSeen | Odd, due: TensorSeen | Odd) -> Iterator[Difference]:
    """The pool's kind, its shape, and its values where both came with them."""
    if isinstance(due, Odd):
        return
    if isinstance(now, Odd) or now.shape != due.shape:
        told: dict[str, Text | str] = {"expected": _tensor_of(due.shape)}
        told |= {"yours": shown(now)} if isinstance(now, Odd) else _shapes(now, due)
        yield Difference(filled(phrases.ANOTHER_POOL, **told))
    elif None not in (now.values, due.values) and now.values != due.values:
        yield Difference(phrases.POOL_CHANGED)


def _tensor_of(shape: Sequence[int]) -> Text:
    return phrases.TENSOR.with_(shape=list(shape))


def _shapes(now: TensorSeen, due: TensorSeen) -> dict[str, Text | str]:
    """Both shapes, the dimensions counted where their number is the difference: `[8, 8]` and `[5, 8]`."""
    if len(now.shape) != len(due.shape):
        counted = [shape_in_words(one.shape, counted=True) for one in (now, due)]
        return {"yours": counted[0], "expected": counted[1]}
    return {"yours": shape_in_words(now.shape, counted=False), "expected": str(list(due.shape))}


def _shared(yours: Step, expected: Step, size: MakeManager) -> Iterator[Difference]:
    """What is another's object too, or was changed through it."""
    match yours.op:
        case MakeManager() as op if (made := yours.managers.get(op.manager)) is not None and made.shares:
            yield Difference(POOL_SHARED if "physical_kv_cache" in made.shares else FREE_LIST_SHARED)
        case MakeRequest() | CallMethod() as op:
            now = yours.requests.get(op.request)
            if now is not None and now.shares:
                yield Difference(TABLE_SHARED)
    for name, due in expected.managers.items():
        seen = yours.managers.get(name)
        if name != size.manager and seen is not None and any(_free(seen.free, due.free)):
            yield Difference(FREE_LIST_SHARED)


def _block(one: Plain) -> Text | str:
    return phrases.PHYSICAL.with_(block=one) if isinstance(one, int) else shown(one)


def _ids(*ones: Plain | None) -> frozenset[int]:
    return frozenset(one for one in ones if isinstance(one, int))
