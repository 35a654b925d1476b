"""A replay made by hand, of a decode that takes a block at remainder 0: nothing is run for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.scenario import decode, holding, pool, scenario
from pagetutor.exercise.trace import (
    LineSeen,
    LinesSeen,
    ManagerSeen,
    Outcome,
    RequestSeen,
    Step,
    TensorSeen,
    Trace,
)
from pagetutor.text import Text
from pagetutor.tutor.replay_frames import frames_of
from pagetutor.tutor.replaying import Replay

SOURCE = '''\
class KVCacheManager:
    def allocate_for_decode(self, req):
        """块满了就再领一块 `block`。"""
        req.seq_len += 1
        if self.is_full(
            req,
        ):
            req.block_table.append(self.free_blocks.pop(0))

    def is_full(self, req):
        return req.seq_len % self.block_size == 0
'''

_SCENE = scenario(pool(6, 4, free=[5, 0]), holding("a", [3], 3), decode("a", 2))


def replay_of_remainder_0() -> Replay:
    """Two calls; the first takes a block too early, and that is the first difference."""
    trace = trace_of_remainder_0()
    return Replay(
        mission="2",
        file="block_manager.py",
        test_id="test_decode.py::test_full_blocks",
        title=Text(zh="正好装满，不补块", en="exactly full: no block yet"),
        source=SOURCE,
        frames=frames_of(trace, first_violation(trace), ast.parse(SOURCE)),
    )


def trace_of_remainder_0() -> Trace:
    """What is replayed."""
    steps: list[Step] = []
    states = [
        ((), None, (0, 1, 2, 3, 4, 5)),
        ((), None, (5, 0)),
        ((), 3, (5, 0)),
        ((3,), 3, (5, 0)),
        ((3, 5), 4, (0,)),
        ((3, 5), 5, (0,)),
    ]
    for op, (table, tokens, free) in zip(_SCENE.ops, states, strict=True):
        requests = {} if tokens is None else {"a": RequestSeen(tokens, table)}
        managers = {"m": ManagerSeen(free, TensorSeen((6, 4, 1), None))}
        steps.append(Step(op, Outcome("done"), requests, managers))
    steps[4] = _with_lines(steps[4], _first_call())
    steps[5] = _with_lines(steps[5], _second_call())
    return Trace(_SCENE, tuple(steps))


def _with_lines(step: Step, lines: Iterator[LineSeen]) -> Step:
    return Step(step.op, step.outcome, step.requests, step.managers, LinesSeen(tuple(lines), "whole"))


def _first_call() -> Iterator[LineSeen]:
    own, helper = ("allocate_for_decode", 0), ("is_full", 1)
    yield LineSeen(4, *own, "done", 4, (3,), (5, 0))
    yield LineSeen(5, *own, "calls", 4, (3,), (5, 0))
    yield LineSeen(11, *helper, "done", 4, (3,), (5, 0))
    yield LineSeen(5, *own, "done", 4, (3,), (5, 0), (("is", "True"),))
    yield LineSeen(8, *own, "done", 4, (3, 5), (0,), (("is", "True"), ("word", "'`'")))


def _second_call() -> Iterator[LineSeen]:
    yield LineSeen(4, "allocate_for_decode", 0, "done", 5, (3, 5), (0,))
    yield LineSeen(5, "allocate_for_decode", 0, "done", 5, (3, 5), (0,))
