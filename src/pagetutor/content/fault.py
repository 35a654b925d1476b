"""A fault in the course's files: where it is, what was found there, what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.errors import ContentError
from pagetutor.text import Text, same

SHOWN = 20
"""A file with its first lines misplaced can have hundreds of faults; nobody reads past a screen."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `file` is relative to the course's folder; `line` and `column` are 1-based.

    `path` is where in the course it is (`missions[1].guess.choices[2]`), empty where that is
    not known, as in a file that is not YAML at all.
    """

    file: str
    line: int
    column: int
    path: str
    found: Text
    write: Text

    @property
    def say(self) -> Text:
        """The fault as one line."""
        where = f"{self.file}:{self.line}:{self.column}" + (f" {self.path}" if self.path else "")
        return Text(
            zh=f"{where}：{self.found.zh}；{self.write.zh}",
            en=f"{where}: {self.found.en}; {self.write.en}",
        )


def in_order(faults: Sequence[Fault]) -> list[Fault]:
    """The faults file by file as they were read, from top to bottom, each once."""
    files = list(dict.fromkeys(fault.file for fault in faults))
    unique = dict.fromkeys(faults)  # the final mission reads the others' models once more
    return sorted(unique, key=lambda fault: (files.index(fault.file), fault.line, fault.column))


class CourseError(ContentError):
    """The course cannot be read: all the faults found, one per line in `say`."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        lines = [fault.say for fault in self.faults[:SHOWN]]
        left = len(self.faults) - len(lines)
        if left:
            lines.append(Text(zh=f"…… 还有 {left} 处", en=f"… and {left} more"))
        said = lines[0]
        for line in lines[1:]:
            said = said + same("\n") + line
        super().__init__(said)
