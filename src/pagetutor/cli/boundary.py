"""The one place where an exception becomes words and an exit status."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from pagetutor.cli.desk import Desk
from pagetutor.cli.ending import Ending
from pagetutor.cli.fitting import fitted
from pagetutor.cli.given import Given, read_given
from pagetutor.cli.status import DONE, INTERRUPTED, OUR_BUG, STDOUT_CLOSED
from pagetutor.errors import MachineError, TutorError
from pagetutor.text import Language, Text, same

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})  # a stdout that takes no more


def run(argv: Sequence[str]) -> int:
    """Do what the command line says; the exit status.

    0 done or passed · 1 the file does not pass · 2 wrong usage · 3 content, workspace or machine ·
    70 our bug · 130 Ctrl-C · 129, 131, 143 a hangup, SIGQUIT, SIGTERM · 141 whoever was reading
    stdout has gone.
    """
    _survive_any_encoding()
    ending = Ending()
    ending.listen()
    given = read_given(argv)
    desk = Desk(given)
    try:
        code = _guarded(given, desk, ending)
        sys.stdout.flush()
    except BrokenPipeError:
        code = STDOUT_CLOSED
    except OSError as error:
        code = _told_on_stderr(MachineError.code, _stdout_fails(error), desk)
        _forget_stdout()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else OUR_BUG  # an accident is never a verdict
    if code == STDOUT_CLOSED:
        _forget_stdout()
    return ending.status(code)


def _guarded(given: Given, desk: Desk, ending: Ending) -> int:
    try:
        try:
            if given.checks:  # importing torch takes a second: it begins before Typer does
                desk.runner.warm(hurry=True)
            return _command(given, desk)
        finally:
            _tell_trouble(desk)
    except TutorError as error:
        return _told(error.code, error.say, given, desk)
    except KeyboardInterrupt:
        return _interrupted(desk, ending)
    except BrokenPipeError:
        raise
    except _lesson_left():
        return DONE
    except Exception as bug:
        if ending.by is not None:  # what fails on a terminal that has gone is no bug
            return INTERRUPTED
        if isinstance(bug, OSError) and bug.errno in _FULL and bug.filename is None:
            raise  # from stdout: what is written to files of ours is told where it is written
        return _told(OUR_BUG, _logged(bug), given, desk)


def _interrupted(desk: Desk, ending: Ending) -> int:
    """After Ctrl-C, the sentence that leaving by `q` ends with; nothing where a signal from outside came."""
    with suppress(OSError):  # after a hangup there is nobody to see it
        print(file=sys.stderr)  # noqa: T201 — the shell's prompt begins on its own line
        if ending.by is None and desk.farewell is not None:
            words = _in_words(desk.farewell(), desk)
            on_a_screen = words.replace("`", "") if sys.stderr.isatty() else words  # as `q` shows it there
            print(fitted(on_a_screen, sys.stderr), file=sys.stderr)  # noqa: T201
    return INTERRUPTED


def _lesson_left() -> type[Exception]:
    """Looked up only while an exception passes: a lesson's values take 30 ms to define."""
    from pagetutor.tutor.screen import LessonLeft  # noqa: PLC0415

    return LessonLeft


def _command(given: Given, desk: Desk) -> int:
    from pagetutor.cli.app import command  # noqa: PLC0415

    result = command(_help_language(given)).main(
        args=list(given.words), prog_name="pagetutor", standalone_mode=False, obj=desk
    )
    if result == INTERRUPTED:  # Typer makes this status of a KeyboardInterrupt
        raise KeyboardInterrupt
    return result if isinstance(result, int) else DONE


def _help_language(given: Given) -> Language:
    """The language of help texts: told or the system's, never looked up on disk."""
    from pagetutor.ui.language import can_show, chosen_language  # noqa: PLC0415

    language = chosen_language(given.lang, os.environ, None) or Language.EN
    return language if can_show(language, sys.stdout.encoding) else Language.EN


# ── telling ──────────────────────────────────────────────────────────────────────────────────────


def _told(code: int, say: Text, given: Given, desk: Desk) -> int:
    if not given.wants_json:
        return _told_on_stderr(code, say, desk)
    from pagetutor.judge.encode import encode_error  # noqa: PLC0415

    print_json(encode_error(code, same(_in_words(say, desk)), Language.EN))
    return code


def _told_on_stderr(code: int, say: Text, desk: Desk) -> int:
    with suppress(OSError):  # where stderr takes nothing either, the status alone tells it
        words = fitted(f"pagetutor: {_in_words(say, desk)}", sys.stderr)
        print(words, file=sys.stderr, flush=True)  # noqa: T201
    return code


def _stdout_fails(error: OSError) -> Text:
    from pagetutor.cli import phrases  # noqa: PLC0415

    return phrases.STDOUT_FAILS.with_(why=error.strerror)


def _in_words(say: Text, desk: Desk) -> str:
    """In the learner's language; in both where even that is what went wrong, and nothing is remembered."""
    try:
        language: Language | None = desk.language
    except TutorError:
        language = desk.language_untold
    return f"{say.zh}\n{say.en}" if language is None else say.in_(language)


def _tell_trouble(desk: Desk) -> None:
    trouble = desk.close()
    if trouble is not None:
        _told_on_stderr(MachineError.code, trouble, desk)


def print_json(document: dict[str, object]) -> None:
    """The document on stdout, on one line; escaped where stdout could not show all of it."""
    readable = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    print(json.dumps(document, ensure_ascii=not readable))  # noqa: T201


def _logged(bug: Exception) -> Text:
    from pagetutor.cli import phrases  # noqa: PLC0415
    from pagetutor.cli.log import write_log  # noqa: PLC0415

    path = write_log(bug)
    if path is None:
        return phrases.BUG_UNLOGGED.with_(what=type(bug).__name__)
    return phrases.BUG.with_(log=path)


# ── streams ──────────────────────────────────────────────────────────────────────────────────────


def _survive_any_encoding() -> None:
    """Whatever the streams' encoding, a character it lacks becomes a question mark, never a crash."""
    for name in ("stdin", "stdout", "stderr"):
        stream: TextIO | None = getattr(sys, name)
        if stream is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _forget_stdout() -> None:
    """Point stdout nowhere, or Python would complain about it once more while it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(nowhere, sys.stdout.fileno())
