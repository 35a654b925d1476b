"""The exercise: the learner's own file, checked as often as they like, until it passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pagetutor.content.model import Mission, MissionId, Paragraph, PartName, Points
from pagetutor.errors import WorkspaceError
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.store.events import FolderUsed, PartDone
from pagetutor.text import Text
from pagetutor.tutor.after_pass import following_mission, say_what_works
from pagetutor.tutor.checking import check_file, read_file, source_hash
from pagetutor.tutor.hints import HintEnd, hint
from pagetutor.tutor.means import Means
from pagetutor.tutor.parts import Step, filled, mission_name, part_title, parts_of
from pagetutor.tutor.replaying import replay, show_replay
from pagetutor.tutor.reread import show_part
from pagetutor.tutor.screen import Option, PageShown, Showable
from pagetutor.tutor.sitting import Sitting
from pagetutor.tutor.solution import solution
from pagetutor.tutor.starter import known_file, place_starter, still_open, unsaved_edits
from pagetutor.tutor.waiting import CHECKING, REPLAYING
from pagetutor.tutor.watching import Watched, watch


def exercise(sitting: Sitting) -> MissionId | None:
    """The last step: place the file, name what is open, then the menu until the learner goes.

    The id of the next mission where the learner asked for it after a pass; it is never begun here.
    """
    sitting.head(Step.EXERCISE)
    sitting.screen.show(PageShown(sitting.mission.exercise.page))
    if not _may_place(sitting):
        return None
    place_starter(sitting.workspace, sitting.screen)
    folder = str(sitting.workspace.folder)
    if sitting.here().folder != folder:
        sitting.record(FolderUsed(sitting.mission.id, folder))
    _name_open_todos(sitting)
    return _menu(sitting)


def _may_place(sitting: Sitting) -> bool:
    """Whether the starter may be placed here: a second one only for who wants it."""
    elsewhere = known_file(sitting.workspace, sitting.progress(), sitting.mission)
    if elsewhere is None:
        return True
    sitting.say(_KNOWN.with_(file=elsewhere))
    if sitting.screen.confirm(_PLACE_ANOTHER.with_(folder=sitting.workspace.folder)):
        return True
    sitting.say(_GO_THERE.with_(folder=elsewhere.parent, mission=sitting.mission.id))
    return False


def _name_open_todos(sitting: Sitting) -> None:
    todos = still_open(sitting.mission, sitting.workspace)
    if todos:
        items = tuple(_TODO.with_(number=todo.number) + todo.task for todo in todos)
        sitting.screen.show(PageShown((Paragraph(_STILL_OPEN), Points(items))))


def _menu(sitting: Sitting) -> MissionId | None:
    report: CheckReport | None = None
    while True:
        match sitting.screen.choose(_WHAT_NOW, _options(sitting)):
            case "check":
                report = _check(sitting)
            case "watch":
                report = _watch(sitting) or report
            case "edit":
                _edit(sitting, report)
            case "replay":
                _replay(sitting)
            case "hint":
                report = _hint(sitting, report)
            case "reread":
                _reread(sitting)
            case "solution":
                path = sitting.workspace.file
                sitting.screen.show(solution(sitting.course, sitting.mission, path, sitting.history))
            case "next":
                following = _following(sitting)
                return following.id if following else None


def _options(sitting: Sitting) -> list[Option]:
    """What the learner can do now. How to leave is told by the screen, as at every question.

    While the file passes as it is there is nothing to watch for, nor to hint at.
    """
    here = sitting.here()  # whoever checked last: here, in watch, or for a hint
    passes = here.last_verdict == Verdict.PASSED and here.last_source == _hash_now(sitting)
    following = _following(sitting) if here.passed else None
    options = {
        Option("next", filled(_NEXT, mission=mission_name(following or sitting.mission))): bool(following),
        Option("check", _CHECK): True,
        Option("watch", _WATCH): not passes,
        Option("edit", _EDIT): True,
        Option("hint", _HINT): not passes,
        Option("solution", _SOLUTION): here.passed,
        Option("reread", _REREAD): True,
        Option("replay", _REPLAY, key="t"): here.last_verdict == Verdict.FAILED,
    }
    return [option for option, makes_sense in options.items() if makes_sense]


def _hash_now(sitting: Sitting) -> str | None:
    """What the file's bytes are remembered by; None where there is no file."""
    try:
        return source_hash(read_file(sitting.workspace.file))
    except WorkspaceError:
        return None


def _means(sitting: Sitting) -> Means:
    """What a report, a hint or a replay can advise: the options of the menu that follows."""
    return Means(menu=lambda: _options(sitting))


def _following(sitting: Sitting) -> Mission | None:
    return following_mission(sitting.course, sitting.mission, sitting.progress())


def _check(sitting: Sitting) -> CheckReport | None:
    if (unsaved := unsaved_edits(sitting.workspace)) is not None:
        sitting.say(unsaved)
    try:
        with sitting.screen.working(CHECKING):
            report = check_file(
                sitting.course,
                sitting.mission,
                sitting.workspace.file,
                sitting.history,
                sitting.runner,
                check=sitting.check,
            )
    except WorkspaceError as error:  # the file went away meanwhile: the lesson stays
        sitting.say(error.say)
        return None
    sitting.record()
    sitting.screen.show(_means(sitting).report(report, sitting.workspace.file))
    if report.verdict is Verdict.PASSED:
        _after_pass(sitting, report, sitting.screen.show)
    return report


def _watch(sitting: Sitting) -> CheckReport | None:
    """Check on every save until it passes; then the menu is where the learner chooses what comes.

    The last check's report; None where there was no check.
    """
    last: list[CheckReport] = []

    def keep(reports: Sequence[CheckReport]) -> None:
        last[:] = reports

    watched = Watched(
        sitting.course,
        (sitting.mission,),
        sitting.workspace.file,
        sitting.screen,
        sitting.history,
        sitting.runner,
        check=sitting.check,
        lingers=False,
    )
    try:
        watch(
            watched,
            after_check=keep,
            after_pass=lambda reports, show: _after_pass(sitting, reports[0], show),
        )
    except WorkspaceError as error:
        sitting.say(error.say)
    return last[0] if last else None


def _after_pass(sitting: Sitting, report: CheckReport, show: Callable[[Showable], None]) -> None:
    """Stop, say what works now; what comes next is the learner's to choose."""
    sitting.history.append(PartDone(sitting.mission.id, Step.EXERCISE))
    say_what_works(sitting.course, sitting.mission, report, show, sitting.history)


def _edit(sitting: Sitting, report: CheckReport | None) -> None:
    _place_if_gone(sitting)
    if sitting.screen.edit(sitting.workspace.file, _line(report)):
        sitting.say(_EDITED)
    else:
        sitting.say(_NO_EDITOR.with_(path=sitting.workspace.file))


def _place_if_gone(sitting: Sitting) -> None:
    """Put the starter there once more where the file was deleted during the lesson."""
    if not sitting.workspace.file.exists():
        place_starter(sitting.workspace, sitting.screen)


def _line(report: CheckReport | None) -> int | None:
    """The line worth opening the editor at."""
    if report is None:
        return None
    spans = [mistake.span for mistake in report.mistakes if mistake.span is not None]
    return spans[0].line if spans else report.line


def _hint(sitting: Sitting, report: CheckReport | None) -> CheckReport | None:
    """A hint, and where the next rung waits: now, or back to the code; the report, where it still holds."""
    end = _one_hint(sitting)
    if end is HintEnd.WAITS and sitting.screen.choose(_WAIT, _WAIT_OPTIONS) == "now":
        _one_hint(sitting, now=True)
    elif end is HintEnd.LINE_WAITS and sitting.screen.choose(_WAIT, _LINE_OPTIONS) == "give-up":
        _one_hint(sitting, give_up=True)
    return None if end is HintEnd.NOTHING_WRONG else report


def _replay(sitting: Sitting) -> None:
    """The case that fails, on the file as it is now."""
    path = sitting.workspace.file.absolute()
    try:
        with sitting.screen.working(REPLAYING):
            replayed = replay(
                *(sitting.course, sitting.mission, path, read_file(path), sitting.runner),
                check=sitting.check,
            )
    except WorkspaceError as error:
        sitting.say(error.say)
    else:
        show_replay(replayed, sitting.screen, path, _means(sitting))


def _one_hint(sitting: Sitting, *, now: bool = False, give_up: bool = False) -> HintEnd | None:
    try:
        end = hint(
            sitting.course,
            sitting.mission,
            sitting.workspace.file,
            screen=sitting.screen,
            history=sitting.history,
            runner=sitting.runner,
            check=sitting.check,
            now=now,
            give_up=give_up,
            means=_means(sitting),
        )
    except WorkspaceError as error:
        sitting.say(error.say)
        return None
    sitting.record()
    return end


def _reread(sitting: Sitting) -> None:
    parts = parts_of(sitting.mission)
    options = [Option(part.value, part_title(sitting.mission, part)) for part in parts]
    chosen = sitting.screen.choose(_WHICH_PART, [*options, Option("back", _BACK)])
    if chosen != "back":
        show_part(sitting.mission, PartName(chosen), sitting.screen, sitting.history)
        sitting.screen.pause()


_KNOWN = Text(zh="你的文件在别的文件夹：{file}", en="Your file is in another folder: {file}")
_PLACE_ANOTHER = Text(
    zh="要在 {folder} 再放一份起始文件，从头写吗？",
    en="Put a second starter into {folder}, and begin anew?",
)
_GO_THERE = Text(
    zh="什么都没放。先 `cd {folder}`，再运行 `pagetutor mission {mission}`。",
    en="Nothing was placed. `cd {folder}`, then `pagetutor mission {mission}`.",
)
_TODO = Text(zh="TODO {number}：", en="TODO {number}: ")
_STILL_OPEN = Text(zh="还没填的：", en="Still open:")
_WHAT_NOW = Text(zh="现在做什么？", en="What now?")
_CHECK = Text(zh="检查我的文件", en="Check my file")
_WATCH = Text(zh="每次保存都自动检查", en="Check on every save")
_EDIT = Text(zh="在编辑器里打开", en="Open it in my editor")
_REPLAY = Text(zh="回放失败的例子，一步一步看", en="Step through the failing case")
_HINT = Text(zh="要一点提示", en="A hint, please")
_REREAD = Text(zh="重读某一部分", en="Reread a part")
_SOLUTION = Text(zh="和参考解对照", en="Compare with the reference")
_NEXT = Text(zh="去 {mission}", en="Go on to {mission}")
_EDITED = Text(
    zh="在编辑器里保存之后，选「检查我的文件」。", en="Save it in your editor, then choose “Check my file”."
)
_NO_EDITOR = Text(
    zh="打不开编辑器：自己打开 {path}，或者先设好 `EDITOR` 环境变量。",
    en="No editor could be started: open {path} yourself, or set `EDITOR` first.",
)
_WAIT = Text(zh="要等，还是现在就看？", en="Wait, or see it now?")
_BACK = Text(zh="回去", en="Back")
_BACK_TO_CODE = Text(zh="回去再想想", en="Back to my code")
_WAIT_OPTIONS = (Option("back", _BACK_TO_CODE), Option("now", Text(zh="现在就看", en="Show it now")))
_LINE_OPTIONS = (
    Option("back", _BACK_TO_CODE),
    Option("give-up", Text(zh="放弃，看那一行", en="Give up, show me the line")),
)
_WHICH_PART = Text(zh="重读哪一部分？", en="Which part?")
