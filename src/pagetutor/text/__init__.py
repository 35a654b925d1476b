"""Everything a learner reads, in both languages: the `Text` value and the `Language` it is read in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """The two languages of the course."""

    ZH = "zh"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Text:
    """One thing to say, in Chinese and in English.

    Backticks mark code spans; nothing else in it is markup. Never a path or learner's code inside
    a template that is formatted twice.
    """

    zh: str
    en: str

    def in_(self, language: Language) -> str:
        """The words in `language`."""
        return self.zh if language is Language.ZH else self.en

    def with_(self, **values: object) -> Text:
        """This text with its `{names}` filled in; the values are never themselves formatted."""
        return Text(zh=self.zh.format(**values), en=self.en.format(**values))

    def __add__(self, other: Text) -> Text:
        """Both texts after one another, without a separator."""
        return Text(zh=self.zh + other.zh, en=self.en + other.en)


def same(words: str) -> Text:
    """A text that reads the same in both languages: an identifier, a number, a line of code."""
    return Text(zh=words, en=words)
