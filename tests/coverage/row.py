"""What a row of the table is, and where its path leads in the YAML and in the course's values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, cast

from pagetutor.content.model import (
    Code,
    Course,
    Drawing,
    Mission,
    More,
    Paragraph,
    Points,
    Pool,
    Pools,
    Steps,
    Table,
)
from pagetutor.text import Language, Text


@dataclass(frozen=True, slots=True)
class Row:
    """One fact of CONTENT.md: where it stands, and what a learner must see of it there.

    Each of the `at` is a path in the YAML, missions by their id (`missions[1].background[1].points[0]`).
    `needles` are seen in both languages, `zh` and `en` in one; spaces and line breaks do not count.
    """

    id: str
    at: tuple[str, ...]
    needles: tuple[str, ...] = ()
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Where it stands."""
        return self.at

    def wanted(self, language: Language) -> tuple[str, ...]:
        """All the needles of one language."""
        return self.needles + (self.zh if language is Language.ZH else self.en)


@dataclass(frozen=True, slots=True)
class Exact:
    """A value of CONTENT.md that is no sentence: an end value, a mistake's id, a head, which option is right.

    `en` is its English where that differs.
    """

    id: str
    at: str
    value: str
    en: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Where it stands."""
        return (self.at,)


Words = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Writes rows of one part of the course: `prefix` stands before their ids and paths."""

    name: str
    prefix: str

    def row(self, name: str, at: Words, *needles: str, zh: Words = (), en: Words = ()) -> Row:
        """A row whose words a learner sees."""
        paths = tuple(self.prefix + path for path in _tuple(at))
        return Row(f"{self.name}.{name}", paths, needles, _tuple(zh), _tuple(en))

    def exact(self, name: str, at: str, value: str, en: str | None = None) -> Exact:
        """A row whose value is compared."""
        return Exact(f"{self.name}.{name}", self.prefix + at, value, en)


def _tuple(words: Words) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else words


# ── paths ────────────────────────────────────────────────────────────────────────────────────────


Token = str | int

_TOKEN = re.compile(r"([a-z_]+)|\[([a-z0-9]+)\]")
_BLOCKS: dict[type, tuple[str, str]] = {
    Paragraph: ("text", "text"),
    Points: ("points", "items"),
    Steps: ("steps", "items"),
    Code: ("code", "source"),
    More: ("more", "blocks"),
    Pools: ("pools", "items"),
}


def tokens(path: str) -> list[Token]:
    """`guess.choices[0]` as `["guess", "choices", 0]`."""
    return [name or (int(index) if index.isdigit() else index) for name, index in _TOKEN.findall(path)]


def mission_of(path: str) -> str | None:
    """The mission a path leads into; None for what stands in `course.yaml`."""
    match = re.match(r"missions\[(\w+)\]", path)
    return match[1] if match else None


def find(course: Course, path: str) -> object:
    """The value at a path. Raises AttributeError, IndexError or KeyError where there is none."""
    value: object = course
    for token in _value_tokens(path):
        name = _name(value, token)
        value = value if name is None else _child(value, name)
    return value


def changed(course: Course, path: str, change: Callable[[object], object]) -> Course:
    """The course with the value at a path changed."""
    return cast("Course", _changed(course, _value_tokens(path), change))


def blank(value: object) -> object:
    """The value with every word in it deleted (a dash is left), true made false."""
    if value is None:
        return None
    if isinstance(value, Text):
        return Text(zh="—", en="—")
    if isinstance(value, bool):
        return False
    if isinstance(value, str):
        return "—"
    if isinstance(value, int):
        return 0
    if isinstance(value, tuple):
        return tuple(blank(one) for one in value)
    assert is_dataclass(value), value
    values = {field.name: blank(getattr(value, field.name)) for field in fields(value)}
    return replace(cast("Any", value), **values)


def _value_tokens(path: str) -> list[Token]:
    """In the values a mapping is its rows, and its introduction stands beside it."""
    return tokens(path.replace("mapping.rows", "mapping").replace("mapping.intro", "mapping_intro"))


def _name(value: object, token: Token) -> Token | None:
    """What a token of the YAML is called in the values; None where the values have no such level."""
    if type(value) in _BLOCKS:
        key, name = _BLOCKS[type(value)]
        if token != key:
            raise KeyError(token)
        return name
    if (type(value), token) in {(Table, "table"), (Drawing, "drawing"), (Pool, "pool")}:
        return None
    return token


def _child(value: object, name: Token) -> object:
    if isinstance(name, str):
        if isinstance(value, tuple):
            return next(one for one in value if one.id == name)
        return getattr(value, name)
    if isinstance(value, tuple) and value and isinstance(value[0], Mission):
        return next(one for one in value if one.id == str(name))
    return cast("tuple[object, ...]", value)[name]


def _changed(value: object, rest: list[Token], change: Callable[[object], object]) -> object:
    if not rest:
        return change(value)
    name = _name(value, rest[0])
    if name is None:
        return _changed(value, rest[1:], change)
    child = _child(value, name)
    new = _changed(child, rest[1:], change)
    if isinstance(value, tuple):
        return tuple(new if one is child else one for one in value)
    return replace(cast("Any", value), **{str(name): new})
