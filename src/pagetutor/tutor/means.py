"""How a learner can ask for more from where they are: by a command, by a key of watching, in a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagetutor.judge.report import CheckReport
from pagetutor.tutor.naming import file_argument
from pagetutor.tutor.screen import Option, ReportShown


@dataclass(frozen=True, slots=True)
class Means:
    """What is at hand; a report, a hint and a replay advise nothing else.

    `by_keys`: the keys of watching. `menu`: gives the options of the menu that comes below, as they are once
    a report is recorded. With neither, commands.
    """

    by_keys: bool = False
    menu: Callable[[], Sequence[Option]] | None = None

    @property
    def by_commands(self) -> bool:
        """Whether the learner is at the shell, and can type a command."""
        return not self.by_keys and self.menu is None

    def report(self, report: CheckReport, path: Path) -> ReportShown:
        """The report of the file at `path`, with what can be done next from here."""
        menu = () if self.menu is None else tuple(self.menu())
        return ReportShown(report, file_argument(path), by_keys=self.by_keys, menu=menu)


COMMANDS, KEYS = Means(), Means(by_keys=True)
