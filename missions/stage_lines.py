"""Plays a scenario as stage.py does, and tells which lines of the learner's file ran in each call.

A stage of its own for replays: a check runs untraced. After each line that ran stands what the line
left behind: the request's length and table, the free list, and the frame's small values. Only frames
of the learner's own file are followed, helper methods included, comprehensions and the bodies of classes
not: they belong to their line. Code that sets a trace function of its own keeps it; its lines are then not told.

Where the scenario has a `limit_s`, a call that runs on beyond it is given up, so that the lines before
are told: its step is the last one. Code that ignores the signal, or is inside C, is not stopped so.
"""

import signal
import sys
from pathlib import Path

# Read and executed before the learner's file is: afterwards missions/ may be out of reach.
_stage = {"__name__": "stage", "__builtins__": __builtins__}
exec(compile(Path(__file__).with_name("stage.py").read_bytes(), "stage.py", "exec"), _stage)  # noqa: S102

MOST_LINES = 200  # a call; a loop that goes wrong runs a million
MOST_NAMES = 12
MOST_IDS = 2_000  # a list of ids any longer is told at the ends of a call alone: 200 times it takes seconds
TOO_LONG = "too long"
AGAIN_S = 0.05  # after the limit, until the call has ended: the first time may fall into the watching itself

_settrace, _gettrace = sys.settrace, sys.gettrace
_IN_A_FUNCTION = 1  # CO_OPTIMIZED: the body of a class has not got it
_setitimer = getattr(signal, "setitimer", None)
_type, _str, _len, _list, _is_a = type, str, len, list, issubclass
_SMALL = (int, float, bool, str, list, tuple, _type(None))
_plain, _ids, _shown, _getattr_or_none = (
    _stage[name] for name in ("_plain", "_ids", "_shown", "_getattr_or_none")
)
_plain_tensor, _no_grad = _stage["_plain_tensor"], _stage["_no_grad"]


def play(namespace, scenario, describe):
    """The trace of `scenario` as stage.py tells it, its calls with the `lines` that ran."""
    with _no_grad():
        played = _PlayWithLines(namespace, describe, _list(scenario["ops"]))
        limit_s = scenario.get("limit_s")
        if limit_s is None or _setitimer is None:
            return {"steps": played.steps(), "books": played.module_books()}
        signal.signal(signal.SIGALRM, played.on_limit)
        _setitimer(signal.ITIMER_REAL, limit_s, AGAIN_S)
        try:
            steps = played.steps()
        finally:
            _setitimer(signal.ITIMER_REAL, 0)
        return {"steps": steps, "books": played.module_books()}


class _GivenUp(BaseException):
    """Ends a call that runs on beyond the limit."""


class _PlayWithLines(_stage["_Play"]):
    """Plays, and watches each call."""

    def __init__(self, namespace, describe, ops):
        super().__init__(namespace, describe, ops)
        self.path = namespace.get("__file__")
        self.is_in_an_op = False
        self.lines = None  # of the call that runs
        self.hung = None  # the step of the one that was given up

    def outcome(self, op):
        found = None
        try:
            self.is_in_an_op = True
            found = self.watched(op)
            self.is_in_an_op = False
        except _GivenUp:  # it came in the stage's own code, a moment before or after the learner's
            self.is_in_an_op = False
        if self.hung is None:
            return found
        _setitimer(signal.ITIMER_REAL, 0)
        del self.ops[self.ops.index(op) + 1 :]  # `steps` goes through them: nothing is done after this
        return self.hung | ({} if self.lines is None else {"lines": self.lines.told()})

    def watched(self, op):
        self.lines = None
        if op["op"] != "call" or op["request"] not in self.requests or op["manager"] not in self.managers:
            return super().outcome(op)
        self.lines = _Lines(self.path, self.requests[op["request"]], self.managers[op["manager"]])
        with self.lines:
            found = super().outcome(op)
        return found | {"lines": self.lines.told()}

    def on_limit(self, number, frame):
        """Give up what runs; where nothing of the learner's does, the next time will tell."""
        if not self.is_in_an_op:
            return
        while frame is not None and frame.f_code.co_filename != self.path:
            frame = frame.f_back
        self.hung = {"kind": "hung", "line": None, "function": ""}
        if frame is not None:
            self.hung |= {"line": frame.f_lineno, "function": frame.f_code.co_name[:60]}
        if self.lines is not None:
            self.lines.stop("hung")
        raise _GivenUp


class _Lines:
    """The lines of one file that run while the body runs."""

    def __init__(self, path, request, manager):
        self.path = path
        self.request = request
        self.manager = manager
        self.seen = []
        self.ended = "whole"
        self.open = []  # frames of the file that are running: [frame, the line that runs, whether it raised]
        self.last = {}  # the ids as they were told last

    def __enter__(self):
        if _gettrace() is None:
            _settrace(self.on_call)
        else:
            self.ended = "lost"

    def told(self):
        """What goes on the wire."""
        return {"seen": self.seen, "ended": self.ended}

    def __exit__(self, *_):
        if self.ended == "whole" and _gettrace() != self.on_call:
            self.ended = "lost"
        elif self.ended == "whole":
            _settrace(None)

    def on_call(self, frame, event, argument):
        """Follow a frame of the learner's file; whatever goes wrong in here must not reach the code."""
        try:
            return self._on_call(frame)
        except BaseException:  # noqa: BLE001
            self.stop("lost")
            return None

    def _on_call(self, frame):
        code = frame.f_code
        if code.co_filename != self.path or code.co_name[:1] == "<" or not code.co_flags & _IN_A_FUNCTION:
            return None
        if self.open and self.open[-1][1] is not None:
            caller, line, _ = self.open[-1]
            self._tell(caller, line, "calls", _len(self.open) - 1)
        self.open.append([frame, None, False])
        return self.on_event

    def on_event(self, frame, event, argument):
        """Tell the line that has just ended, and remember the one that begins."""
        try:
            if not self.open or self.open[-1][0] is not frame:
                self.stop("lost")
                return None
            here = self.open[-1]
            if event == "exception":
                # An iterator's end is no exception that a learner would know of.
                here[2] = here[2] or not _is_a(argument[0], (StopIteration, GeneratorExit))
                return self.on_event
            if here[1] is not None:
                self._tell(frame, here[1], "raised" if here[2] else "done", _len(self.open) - 1)
            here[1:] = [frame.f_lineno, False]
            if event == "return":
                self.open.pop()
        except BaseException:  # noqa: BLE001
            self.stop("lost")
        return self.on_event

    def stop(self, ended):
        if self.ended == "whole":
            self.ended = ended
            _settrace(None)

    def _tell(self, frame, line, how, depth):
        if self.ended != "whole":
            return
        if _len(self.seen) == MOST_LINES:
            self.stop("cut")
            return
        told = {
            "line": line,
            "function": frame.f_code.co_name[:60],
            "depth": depth,
            "how": how,
            "seq_len": _plain(_getattr_or_none(self.request, "seq_len")),
            "values": _values(frame.f_locals),
        }
        for name, owner, field in (
            ("table", self.request, "block_table"),
            ("free", self.manager, "free_blocks"),
        ):
            told[name] = self._news(name, _getattr_or_none(owner, field))
        self.seen.append(told)

    def _news(self, name, container):
        """The ids, None where they are as they were told last, or that they are too long to be told."""
        ids = _ids(container) if _short(container) else TOO_LONG
        if name in self.last and ids == self.last[name]:
            return None
        self.last[name] = ids
        return ids


def _short(container):
    try:
        return _len(container) <= MOST_IDS
    except BaseException:  # noqa: BLE001 - the learner's own `__len__`, or none
        return True


def _values(names):
    """The small values among a frame's local names, as short texts, in the order they were bound."""
    values = {}
    for name, value in names.items():
        shown = _value(value)
        if shown is not None and _len(values) < MOST_NAMES:
            values[name[:60]] = shown
    return values


def _value(value):
    kind = _type(value)
    if kind in _SMALL:
        return _shown(value, depth=2)[:60]
    tensor = _plain_tensor(value)
    if tensor is None:
        return None
    whole = _plain(tensor)
    return _str(whole) if _type(whole) in _SMALL else _shown(tensor, depth=0)
