"""What the learner's process is on this machine: its torch, and what holds it in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.model import Course
from pagetutor.errors import MachineError
from pagetutor.learner.port import Job, Runner, Stopped
from pagetutor.text import Text

_VERSION = "torch.__version__"


@dataclass(frozen=True, slots=True)
class Examined:
    """The version of torch, and the layers that hold a learner's process in, by name."""

    torch: str
    isolation: tuple[str, ...]

    @property
    def held(self) -> Text:
        """What the learner's code cannot do here, and what nothing keeps it from, as one sentence."""
        told = [hold.say for hold in _HOLDS if hold.layers.intersection(self.isolation)]
        if not told:
            return _NOT_HELD
        free = [hold.otherwise for hold in _HOLDS if not hold.layers.intersection(self.isolation)]
        held = Text(zh="，".join(say.zh for say in told), en=", ".join(say.en for say in told))
        if not free:
            return held
        return held + Text(
            zh=f"；这个系统拦不住它{'、'.join(say.zh for say in free)}",
            en=f"; nothing on this system keeps it from {', '.join(say.en for say in free)}",
        )


def examine(course: Course, runner: Runner, path: Path) -> Examined:
    """Start one learner's process, as a check of the file at `path` would, and ask it.

    Raises MachineError where none can be had.
    """
    job = Job(path, course.stage, deadline_s=30.0, hidden=(course.root,))
    with runner.session(job) as session:
        ran = session.run("import torch", [_VERSION])
        if isinstance(ran, Stopped):
            raise MachineError(_STOPPED.with_(why=ran.detail or ran.reason.value))
        return Examined(ran.values[_VERSION].strip("'"), session.isolation)


@dataclass(frozen=True, slots=True)
class _Hold:
    """What one of these layers keeps the code from: how that is said, and what it could do otherwise."""

    layers: frozenset[str]
    say: Text
    otherwise: Text


_HOLDS = (
    _Hold(
        frozenset({"landlock:write", "namespace:mount"}),
        Text(zh="只能写自己的临时文件夹", en="it can write only in a scratch folder"),
        Text(zh="改别处的文件", en="writing to other files"),
    ),
    _Hold(
        frozenset({"landlock:read"}),
        Text(zh="读不到课程文件", en="cannot read the course's files"),
        Text(zh="读课程文件", en="reading the course's files"),
    ),
    _Hold(
        frozenset({"namespace:net", "landlock:tcp"}),
        Text(zh="不能联网", en="has no network"),
        Text(zh="联网", en="the network"),
    ),
    _Hold(
        frozenset({"namespace:pid", "landlock:signal"}),
        Text(zh="碰不到别的进程", en="cannot touch other processes"),
        Text(zh="碰别的进程", en="touching other processes"),
    ),
    _Hold(
        frozenset({"limit:data", "limit:fsize"}),
        Text(zh="内存和文件大小有上限", en="memory and files are limited"),
        Text(zh="占满内存和磁盘", en="filling memory and disk"),
    ),
)
_NOT_HELD = Text(
    zh="这个系统没有办法限制它：只检查你信得过的文件",
    en="this system offers nothing to hold it in: check only files you trust",
)
_STOPPED = Text(
    zh="用来运行你的代码的进程停了：{why}。在 Python 里运行 `import torch` 看看。",
    en="The process that runs your code stopped: {why}. Try `import torch` in Python.",
)
