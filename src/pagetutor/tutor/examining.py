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
        """What the learner's code cannot do here, as one sentence; honest where it can do everything."""
        kinds = set(self.isolation)
        told = [say for say, layers in _HELD if kinds.intersection(layers)]
        if not told:
            return _NOT_HELD
        return Text(zh="，".join(say.zh for say in told), en=", ".join(say.en for say in told))


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


_HELD = (
    (
        Text(zh="只能写自己的临时文件夹", en="it can write only in a scratch folder"),
        ("landlock:write", "namespace:mount"),
    ),
    (Text(zh="读不到课程文件", en="cannot read the course's files"), ("landlock:read",)),
    (Text(zh="不能联网", en="has no network"), ("namespace:net", "landlock:tcp")),
    (
        Text(zh="碰不到别的进程", en="cannot touch other processes"),
        ("namespace:pid", "landlock:signal"),
    ),
    (Text(zh="内存和文件大小有上限", en="memory and files are limited"), ("limit:data", "limit:fsize")),
)
_NOT_HELD = Text(
    zh="这个系统没有办法限制它：只检查你信得过的文件",
    en="this system offers nothing to hold it in: check only files you trust",
)
_STOPPED = Text(
    zh="用来运行你的代码的进程停了：{why}。在 Python 里运行 `import torch` 看看。",
    en="The process that runs your code stopped: {why}. Try `import torch` in Python.",
)
