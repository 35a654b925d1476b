"""The options of every command, wherever they stand: `--lang`, `--plain`, `--no-shuffle`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_FLAGS = ("--plain", "--no-shuffle")


@dataclass(frozen=True, slots=True)
class Given:
    """The global options, and the words that are left once they are taken out."""

    words: tuple[str, ...]
    lang: str | None = None
    plain: bool = False
    no_shuffle: bool = False

    @property
    def wants_json(self) -> bool:
        """Whether stdout is to hold one JSON document, errors too."""
        return self.words[:1] == ("check",) and "--json" in self.words[: _end_of_options(self.words)]

    @property
    def checks(self) -> bool:
        """Whether this is going to need torch, and nothing but torch takes long."""
        asks_for_help = {"--help", "-h", "--version"}.intersection(self.words)
        return self.words[:1] == ("check",) and not asks_for_help


def read_given(argv: Sequence[str]) -> Given:
    """The global options out of `argv`, up to a `--`; a `--lang` without a value is left for the parser."""
    words: list[str] = []
    lang: str | None = None
    flags: set[str] = set()
    end = _end_of_options(argv)
    rest = iter(range(end))
    for at in rest:
        word = argv[at]
        if word in _FLAGS:
            flags.add(word)
        elif word.startswith("--lang="):
            lang = word.removeprefix("--lang=")
        elif word == "--lang" and at + 1 < end:
            lang = argv[next(rest)]
        else:
            words.append(word)
    return Given((*words, *argv[end:]), lang, "--plain" in flags, "--no-shuffle" in flags)


def _end_of_options(words: Sequence[str]) -> int:
    return words.index("--") if "--" in words else len(words)
