"""From frames of the learner's process to values of the port; each raises WireError for a wrong shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagetutor.learner import wire
from pagetutor.learner.port import Frame, Loaded, LoadFailed, ProgramRun, Raised

if TYPE_CHECKING:
    from pagetutor.learner.port import Json


def loaded(answer: dict[str, Json]) -> Loaded | LoadFailed:
    """How executing the file ended."""
    if "raised" in answer:
        return LoadFailed(raised(answer["raised"]))
    supplied = listed(mapping(answer.get("loaded")).get("supplied"))
    return Loaded(tuple(text(name) for name in supplied))


def trace(answer: dict[str, Json]) -> Json:
    """What the stage tells of a scenario, as it came."""
    if "trace" not in answer:
        raise wire.WireError("no trace")
    return answer["trace"]


def traces(answer: dict[str, Json]) -> list[Json]:
    """What the stage tells of several scenarios, in order."""
    return listed(answer.get("traces"))


def end(answer: dict[str, Json]) -> bool:
    """Whether this is the end frame."""
    return answer.get("end") is True


def program_run(answer: dict[str, Json]) -> ProgramRun:
    """A warm-up's run."""
    error = answer.get("raised")
    return ProgramRun(
        output=text(answer.get("output")),
        values={name: text(value) for name, value in mapping(answer.get("values")).items()},
        raised=None if error is None else raised(error),
    )


def raised(value: Json) -> Raised:
    """The exception that `describe` has put on the wire."""
    fields = mapping(value)
    frames = [mapping(frame) for frame in listed(fields.get("frames"))]
    return Raised(
        exception=text(fields.get("exception")),
        ancestors=tuple(text(name) for name in listed(fields.get("ancestors"))),
        message=text(fields.get("message")),
        frames=tuple(Frame(whole(frame.get("line")), text(frame.get("function"))) for frame in frames),
    )


def mapping(value: Json) -> dict[str, Json]:
    """Exactly a mapping."""
    if type(value) is not dict:
        raise wire.WireError("no mapping where one belongs")
    return value


def listed(value: Json) -> list[Json]:
    """Exactly a list."""
    if type(value) is not list:
        raise wire.WireError("no list where one belongs")
    return value


def text(value: Json) -> str:
    """Exactly a text."""
    if type(value) is not str:
        raise wire.WireError("no text where one belongs")
    return value


def whole(value: Json) -> int:
    """Exactly a whole number."""
    if type(value) is not int:
        raise wire.WireError("no number where one belongs")
    return value
