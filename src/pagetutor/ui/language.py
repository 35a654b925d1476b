"""Which language the learner reads: what was asked for, what was remembered, what the system speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pagetutor.errors import UsageError
from pagetutor.text import Language, Text, same
from pagetutor.ui import phrases

if TYPE_CHECKING:
    from pagetutor.tutor.screen import Screen

_UNKNOWN = Text(
    zh="没有 {value} 这种语言：可以写 zh（中文）或 en（English）。",
    en="There is no language {value}: write zh (中文) or en (English).",
)


def chosen_language(
    flag: str | None, environ: Mapping[str, str], remembered: Language | None
) -> Language | None:
    """`--lang`, then PAGETUTOR_LANG, then what was remembered, then a Chinese locale; None where none says.

    Raises UsageError for a flag or variable that names no language of the course.
    """
    for asked in (flag, environ.get("PAGETUTOR_LANG")):
        if asked:
            return _named(asked)
    if remembered is not None:
        return remembered
    return Language.ZH if _locale(environ).lower().startswith("zh") else None


def ask_language(screen: Screen) -> Language:
    """The language chosen at the one first question, which reads the same in both."""
    from pagetutor.tutor.screen import Option  # noqa: PLC0415 — 30 ms of dataclasses: not for --help

    options = (Option(Language.ZH, same("中文")), Option(Language.EN, same("English")))
    return Language(screen.choose(phrases.ASK_LANGUAGE, options))


def can_show(language: Language, encoding: str | None) -> bool:
    """Whether a stdout of this encoding can show this language at all."""
    return language is Language.EN or can_encode(encoding, "块表向上取整")


def can_encode(encoding: str | None, characters: str) -> bool:
    """Whether all of these characters exist in the encoding."""
    try:
        characters.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _named(asked: str) -> Language:
    short = asked.strip().lower().replace("-", "_").split("_")[0].split(".")[0]
    names = {
        "zh": Language.ZH,
        "cn": Language.ZH,
        "中文": Language.ZH,
        "en": Language.EN,
        "english": Language.EN,
    }
    if short not in names:
        raise UsageError(_UNKNOWN.with_(value=asked))
    return names[short]


def _locale(environ: Mapping[str, str]) -> str:
    """The locale messages are in, by the order POSIX gives these variables."""
    return next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
