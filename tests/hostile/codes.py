"""Learner's files that end, hold, fill or cheat what runs them, each with what a check must say of it.

One table for every way a check is run: in the suite warm, and a few of them cold, by a spare and in
watch; `python -m tests.soak hostile` runs each in all four.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import partial

from pagetutor.text import Text
from tests.corpus.build import SOLUTION

SHORT_S = 0.6  # the deadline of files that never end
AMPLE_S = 20.0
HEAD = {"1": "        needed_blocks = ", "2": "        req.seq_len += 1\n", "3": "        blocks = ["}
METHOD = {"1": "allocate_for_prefill", "2": "allocate_for_decode", "3": "get_physical_cache"}
IMPORTS = "import builtins, ctypes, os, shutil, signal, subprocess, sys, threading, time, torch; HERE = os.getcwd()\n"


@dataclass(frozen=True)
class Row:
    """A file and its report: `say` is the whole sentence, for a failure the first test's `actual`."""

    source: str
    verdict: str = "passed"
    reason: str | None = None
    say: Text | None = None
    line: int | None = None
    mission: str = "1"

    @property
    def deadline_s(self) -> float:
        """Short where only the deadline ends it."""
        return SHORT_S if self.reason == "timeout" else AMPLE_S


# ── the files ────────────────────────────────────────────────────────────────────────────────────


def within(statements: str, mission: str = "1") -> str:
    """The solution with these statements at the head of the mission's method."""
    head = HEAD[mission]
    assert SOLUTION.count(head) == 1
    indented = textwrap.indent(statements, "        ")
    return SOLUTION.replace("import torch\n", IMPORTS, 1).replace(head, f"{indented}\n{head}", 1)


def line_within(at: int = 1, mission: str = "1") -> int:
    """The line in the file of the `at`-th of these statements' lines."""
    return SOLUTION[: SOLUTION.index(HEAD[mission])].count("\n") + at


def above(statements: str) -> str:
    """The solution below these statements."""
    return f"{statements}\n{SOLUTION}"


# ── what is said ─────────────────────────────────────────────────────────────────────────────────

EXITED = Text(
    zh="你的代码中途结束了进程（`os._exit` 一类）。没有结果，也就不算通过。",
    en="Your code ended the process half-way (`os._exit` or something like it). "
    "There is no result, so it does not pass.",
)
CRASHED = Text(zh="你的代码让 Python 崩溃了。", en="Your code made Python crash.")
NEVER_ENDED = Text(
    zh=f"一次检查最多 {SHORT_S} 秒。时间到了，你的代码还没跑完，只好停下。",
    en=f"Your code was still running after {SHORT_S} s, all the time a check has, so it was stopped.",
)
HOARDED = Text(
    zh="你的代码要的内存（或开的进程）超过了上限。",
    en="Your code asked for more memory, or started more processes, than is allowed.",
)
PRINTED = Text(
    zh="你的代码打印或写到文件里的内容太多，只好停下。",
    en="Your code printed or wrote far too much, so it was stopped.",
)
LOADING_EXITED = Text(
    zh="加载文件时，代码直接结束了进程（`os._exit` 一类）。没有结果，也就不算通过。请改好后再检查一次。",
    en="While it was loading, your file ended the process (`os._exit` or something like it). "
    "There is no result, so it does not pass. Fix it, then check again.",
)
LOADING_NEVER_ENDED = Text(
    zh=f"一次检查最多 {SHORT_S} 秒。时间到了，文件还没加载完，只好停下。"
    "当时跑到第 1 行，从那里看起，改好后再检查一次。",
    en=f"Your file was still loading after {SHORT_S} s, all the time a check has, so it was stopped. "
    "It was at line 1: look there, fix it, then check again.",
)
LEAVES = Text(
    zh="文件一运行就自己退出了（`sys.exit` 一类）。请去掉它，再检查一次。",
    en="The file exits as soon as it runs (`sys.exit` or something like it). Take that out, then check again.",
)
INTERRUPTS = Text(
    zh="文件一运行就抛出 `KeyboardInterrupt`。请去掉它，再检查一次。",
    en="The file raises `KeyboardInterrupt` as soon as it runs. Take that out, then check again.",
)


def stops(
    statements: str, reason: str, what: Text, *, at: int | None = 1, mission: str = "1", where: str = ""
) -> Row:
    """Stopped, at the `at`-th line of these statements if that is known."""
    if at is None:
        then = Text(zh="请改好后再检查一次。", en=" Fix it, then check again.")
        return Row(within(statements, mission), "stopped", reason, what + then, mission=mission)
    line, place = line_within(at, mission), where or METHOD[mission]
    then = Text(
        zh=f"当时跑到第 {line} 行（`{place}`），从那里看起，改好后再检查一次。",
        en=f" It was at line {line}, in `{place}`: look there, fix it, then check again.",
    )
    return Row(within(statements, mission), "stopped", reason, what + then, line, mission)


def raises(statements: str, exception: str) -> Row:
    """Failed: the exception is told as what came instead of the blocks."""
    table, free = "`block_table == []`", "`free_blocks == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`"
    say = Text(zh=f"抛出 `{exception}`；{table}，{free}", en=f"raised `{exception}`; {table}, {free}")
    return Row(within(statements), "failed", None, say)


def breaks(statements: str, reason: str, say: Text, line: int | None = 1) -> Row:
    """Not loaded."""
    return Row(above(statements), "broken", reason, say, line)


def passes(statements: str) -> Row:
    """What it does harms nobody, and its answers are right."""
    return Row(within(statements))


def does_not_run(what: str) -> Text:
    """The sentence on an exception at import."""
    return Text(
        zh=f"文件没能运行完：`{what}`。先让它能运行，再检查一次。",
        en=f"The file does not run: `{what}`. Get it to run first, then check again.",
    )


# ── the table ────────────────────────────────────────────────────────────────────────────────────

hangs = partial(stops, reason="timeout", what=NEVER_ENDED)
hoards = partial(stops, reason="memory", what=HOARDED)
floods = partial(stops, reason="output", what=PRINTED)
FOR_EVER = "while True: pass"

ENDS = {
    "os._exit at import": breaks("import os; os._exit(0)", "exit", LOADING_EXITED, None),
    "os._exit in a method": stops("os._exit(0)", "exit", EXITED, at=None),
    "os._exit in __del__": stops(
        "type('Doomed', (), {'__del__': lambda self: os._exit(0)})()", "exit", EXITED, at=None
    ),
    "os._exit in a timer thread": stops(
        "threading.Timer(0.05, os._exit, (0,)).start(); time.sleep(9)", "exit", EXITED, at=None
    ),
    "os._exit in atexit": Row(above("import atexit, os; atexit.register(os._exit, 3)")),
    "sys.exit at import": breaks("import sys; sys.exit(0)", "exit", LEAVES),
    "quit at import": breaks("quit()", "exit", LEAVES),
    "SystemExit at import": breaks("raise SystemExit", "exit", LEAVES),
    "sys.exit in a method": raises("sys.exit(0)", "SystemExit('0')"),
    "KeyboardInterrupt at import": breaks("raise KeyboardInterrupt", "import", INTERRUPTS),
    "KeyboardInterrupt in a method": raises("raise KeyboardInterrupt", "KeyboardInterrupt()"),
    "an error at import": breaks("1 / 0", "import", does_not_run("ZeroDivisionError: division by zero")),
    "os.abort": stops("os.abort()", "crash", CRASHED, at=None),
    "a segfault": stops("ctypes.string_at(0)", "crash", CRASHED, at=None),
    "kills its group": stops("os.killpg(0, 9)", "crash", CRASHED, at=None),
}
HANGS = {
    "endless at import": breaks(FOR_EVER, "timeout", LOADING_NEVER_ENDED),
    "endless in prefill": hangs(FOR_EVER),
    "endless in decode": hangs(FOR_EVER, mission="2"),
    "endless in the gather": hangs(FOR_EVER, mission="3"),
    "endless within except BaseException": hangs(
        "while True:\n    try: time.sleep(0.01)\n    except BaseException: pass", at=2
    ),
    "a C loop": hangs("sum(range(10**12))"),
    "a loop that never pops": hangs("while self.free_blocks: block_id = self.free_blocks[0]"),
    "sleeps": hangs("time.sleep(999)"),
    "slow, but it would end": hangs("time.sleep(0.1)"),
    "ignores SIGTERM": hangs(f"signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{FOR_EVER}", at=2),
    "blocks all signals": hangs(f"signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n{FOR_EVER}", at=2),
    "stops itself": hangs("os.kill(os.getpid(), signal.SIGSTOP)", at=None),
    "a runaway recursion": raises(
        "self.allocate_for_prefill(req)", "RecursionError('maximum recursion depth exceeded')"
    ),
    "input in a method": raises("input()", "EOFError('EOF when reading a line')"),
    "input at import": breaks("input()", "import", does_not_run("EOFError: EOF when reading a line")),
}
TAKES_EVERYTHING = {
    "a list that grows": hoards("kept = []\nwhile True: kept.append(bytes(1 << 26))", at=2),
    "a list that grows at import": breaks(
        "kept = []\nwhile True: kept.append(bytes(1 << 26))", "memory", does_not_run("MemoryError"), 2
    ),
    "a huge bytearray": hoards("bytearray(10**11)"),
    "a huge tensor": hoards("torch.zeros(10**11)"),
    "shares memory": hoards(
        "import mmap\nkept = [mmap.mmap(-1, 256 << 20) for n in range(8)]\n"
        "while True: [torch.frombuffer(one, dtype=torch.int8).fill_(1) for one in kept]",
        at=3,
        where="<listcomp>",
    ),
    "prints 10 GB": floods("while True: print('x' * 9999)"),
    "a million lines to stderr": floods("for n in range(10**6): print('warning', file=sys.stderr)"),
    "a line of 5 MB": floods("print('x' * 5_000_000)"),
    "a file of 10 GB": floods(
        "with open('big', 'wb') as big:\n    while True: big.write(bytes(1 << 20))", at=None
    ),
    "a thousand files": floods(
        "for n in range(10**6):\n    with open(str(n), 'wb') as one: one.write(bytes(1 << 20))", at=2
    ),
    "forks 200": hoards("n = 0\nwhile True: n = n + 1 if n >= 200 or os.fork() else time.sleep(99)", at=2),
    "200 threads": raises(
        "for n in range(200): threading.Thread(target=time.sleep, args=(99,), daemon=n % 2).start()",
        """RuntimeError("can't start new thread")""",
    ),
    "sleeping threads": passes(
        "if threading.active_count() < 5: threading.Thread(target=time.sleep, args=(99,)).start()"
    ),
    "a child that holds every descriptor": passes(
        "os.kept = getattr(os, 'kept', 0) or subprocess.Popen(['sleep', '99'], close_fds=False)"
    ),
    "a grandchild of its own session": passes(
        "os.kept = getattr(os, 'kept', 0) or os.fork()\n"
        "if os.kept == 0: os.setsid(); os.fork(); time.sleep(99)"
    ),
    "every descriptor": raises(
        "kept = [os.dup(0) for n in range(10**4)]", "OSError('[Errno 24] Too many open files')"
    ),
}
BREAKS_TOOLS = {
    "closes all descriptors": stops("os.closerange(0, 256)", "crash", CRASHED, at=None),
    "sys.stdout is None": passes("sys.stdout = sys.stderr = None"),
    "stdout is another file": passes("os.dup2(os.open(os.devnull, os.O_RDWR), 1)"),
    "chdir": passes("os.chdir('/')"),
    "the scratch folder is removed": passes("shutil.rmtree(HERE, ignore_errors=True)"),
    "deletes sys.modules": passes("sys.modules.clear()"),
    "sys.settrace": passes("sys.settrace(lambda *_: None)"),
    "json and os.write patched": passes("sys.modules['json'].dumps = os.write = os._exit = None"),
    "torch.equal patched": passes("torch.equal = torch.allclose = lambda *_, **__: False"),
    "random ids": passes(
        "self.free_blocks.sort(key=lambda _: os.urandom(4)) if type(self.free_blocks) is list else None"
    ),
}
TABLE = {**ENDS, **HANGS, **TAKES_EVERYTHING, **BREAKS_TOOLS}
