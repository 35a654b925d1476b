"""The one sentence for a verdict that no test speaks for, each with the next thing to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetutor.content.model import Todo
from pagetutor.learner.port import Raised, Stopped, StopReason
from pagetutor.store.workspace import FILE_NAME
from pagetutor.text import Text, same
from pagetutor.text.spans import unticked


def unfilled(still_open: Sequence[Todo], lines: Mapping[str, int], *, held: bool) -> Text:
    """Which TODOs are still open, and where; `held` where a `...` holds the place of each.

    `lines` says on which line a method begins, for those that are there.
    """
    numbers = [str(todo.number) for todo in still_open]
    listed = _listed(numbers)
    are = "is" if len(numbers) == 1 else "are"
    methods = list(dict.fromkeys(todo.method for todo in still_open))
    where = "、".join(f"`{method}`" for method in methods)
    english = _listed([f"`{method}`" for method in methods])
    if not held:
        where = "、".join(_at(method, lines).zh for method in methods)
        english = _listed([_at(method, lines).en for method in methods])
        space = "" if where.endswith("）") else " "
        return Text(
            zh=f"TODO {'、'.join(numbers)} 还空着。在 {where}{space}里写上你的代码，再检查一次。",
            en=f"TODO {listed} {are} still open. Write your code into {english}, then check again.",
        )
    return Text(
        zh=f"TODO {'、'.join(numbers)} 还空着。把 {where} 里的占位符 `...` 换成你的代码，再检查一次。",
        en=f"TODO {listed} {are} still open. "
        f"Put your code in place of the `...` in {english}, then check again.",
    )


def nothing_there(name: str, *, empty: bool) -> Text:
    """That the file called `name` has none of the exercise in it, and where a starter comes from."""
    name = unticked(name)
    is_so = Text(zh=f"`{name}` 是空的", en=f"`{name}` is empty")
    if not empty:
        is_so = Text(zh=f"`{name}` 里还没有类和方法", en=f"`{name}` holds no class and no method yet")
    return is_so + (_STARTER if name == FILE_NAME else _STARTER_ELSEWHERE)


_STARTER = Text(
    zh="。`pagetutor start` 会写好起始文件，但从不覆盖已有的文件：先把这个文件删掉或改个名，再运行它。",
    en=". `pagetutor start` writes a starter to begin with. It never overwrites a file: delete or rename "
    "this one first.",
)


_STARTER_ELSEWHERE = Text(
    zh="。`pagetutor start` 会在当前文件夹写好起始文件 `block_manager.py`，从不覆盖已有的文件。",
    en=". `pagetutor start` writes a starter, `block_manager.py`, into the folder you are in; it never "
    "overwrites a file.",
)


def _at(method: str, lines: Mapping[str, int]) -> Text:
    if method not in lines:
        return same(f"`{method}`")
    return Text(zh=f"`{method}`（第 {lines[method]} 行）", en=f"`{method}` (line {lines[method]})")


def _listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else words[0]


def load_failed(raised: Raised) -> Text:
    """Executing the file itself raised."""
    if "SystemExit" in raised.ancestors:
        return Text(
            zh="文件一运行就自己退出了（`sys.exit` 一类）。请去掉它，再检查一次。",
            en="The file exits as soon as it runs (`sys.exit` or something like it). "
            "Take that out, then check again.",
        )
    if "KeyboardInterrupt" in raised.ancestors:
        return Text(
            zh="文件一运行就抛出 `KeyboardInterrupt`。请去掉它，再检查一次。",
            en="The file raises `KeyboardInterrupt` as soon as it runs. Take that out, then check again.",
        )
    shown = _exception(raised)
    return Text(
        zh=f"文件没能运行完：{shown}。先让它能运行，再检查一次。",
        en=f"The file does not run: {shown}. Get it to run first, then check again.",
    )


def stopped_while_loading(stopped: Stopped, deadline_s: float) -> Text:
    """The process ended while the file itself was executed."""
    return _WHILE_LOADING[stopped.reason].with_(seconds=f"{deadline_s:g}") + _then(stopped)


def stopped(stopped: Stopped, deadline_s: float) -> Text:
    """The process ended while the tests ran."""
    return _WHILE_RUNNING[stopped.reason].with_(seconds=f"{deadline_s:g}") + _then(stopped)


_WHILE_LOADING = {
    StopReason.TIMEOUT: Text(
        zh="一次检查最多 {seconds} 秒。时间到了，文件还没加载完，只好停下。",
        en="Your file was still loading after {seconds} s, all the time a check has, so it was stopped.",
    ),
    StopReason.CRASH: Text(
        zh="加载文件时，Python 崩溃了。",
        en="Python crashed while it was loading your file.",
    ),
    StopReason.EXIT: Text(
        zh="加载文件时，代码直接结束了进程（`os._exit` 一类）。没有结果，也就不算通过。",
        en="While it was loading, your file ended the process (`os._exit` or something like it). "
        "There is no result, so it does not pass.",
    ),
    StopReason.MEMORY: Text(
        zh="加载文件时，代码要的内存（或开的进程）超过了上限。",
        en="While it was loading, your file asked for more memory, or started more processes, "
        "than is allowed.",
    ),
    StopReason.OUTPUT: Text(
        zh="加载文件时，代码打印或写到文件里的内容太多，只好停下。",
        en="While it was loading, your file printed or wrote far too much, so it was stopped.",
    ),
}
_WHILE_RUNNING = {
    StopReason.TIMEOUT: Text(
        zh="一次检查最多 {seconds} 秒。时间到了，你的代码还没跑完，只好停下。",
        en="Your code was still running after {seconds} s, all the time a check has, so it was stopped.",
    ),
    StopReason.CRASH: Text(
        zh="你的代码让 Python 崩溃了。",
        en="Your code made Python crash.",
    ),
    StopReason.EXIT: Text(
        zh="你的代码中途结束了进程（`os._exit` 一类）。没有结果，也就不算通过。",
        en="Your code ended the process half-way (`os._exit` or something like it). "
        "There is no result, so it does not pass.",
    ),
    StopReason.MEMORY: Text(
        zh="你的代码要的内存（或开的进程）超过了上限。",
        en="Your code asked for more memory, or started more processes, than is allowed.",
    ),
    StopReason.OUTPUT: Text(
        zh="你的代码打印或写到文件里的内容太多，只好停下。",
        en="Your code printed or wrote far too much, so it was stopped.",
    ),
}


def _then(stopped: Stopped) -> Text:
    """Where it was, where that is known, and the next thing to do."""
    if stopped.line is None:
        return Text(zh="请改好后再检查一次。", en=" Fix it, then check again.")
    place = f"`{stopped.function}`" if stopped.function and stopped.function != "<module>" else ""
    where = Text(
        zh=f"当时跑到第 {stopped.line} 行" + (f"（{place}）" if place else ""),
        en=f" It was at line {stopped.line}" + (f", in {place}" if place else ""),
    )
    return where + Text(zh="，从那里看起，改好后再检查一次。", en=": look there, fix it, then check again.")


def _exception(raised: Raised) -> str:
    message = unticked(raised.message).split("\n")[0][:160]
    return f"`{raised.exception}: {message}`" if message else f"`{raised.exception}`"
