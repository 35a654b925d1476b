"""Warm-ups in a real interpreter: what they print, and what their expressions end as."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.content.model import Course, WarmUp

_DRIVER = """
import contextlib, io, json, sys
ends = []
for program, expressions in json.load(sys.stdin):
    names, raised = {}, None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(program, names)
        except Exception as error:
            raised = f"{type(error).__name__}: {error}"
    values = {name: repr(eval(name, names)) for name in expressions}
    ends.append({"output": printed.getvalue(), "values": values, "raised": raised})
json.dump(ends, sys.stdout)
"""


@dataclass(frozen=True, slots=True)
class End:
    """How a program ended."""

    output: str
    values: dict[str, str]
    raised: str | None


def run_programs(programs: Sequence[tuple[str, Sequence[str]]]) -> list[End]:
    """Each program in a namespace of its own, one interpreter for all: torch is imported once."""
    done = subprocess.run(
        [sys.executable, "-c", _DRIVER],
        input=json.dumps([[program, list(watch)] for program, watch in programs]),
        capture_output=True,
        text=True,
        check=True,
    )
    return [End(**end) for end in json.loads(done.stdout)]


def warm_ups(course: Course) -> dict[str, WarmUp]:
    """The warm-ups by mission."""
    return {mission.id: mission.warm_up for mission in course.missions if mission.warm_up is not None}


def watched(warm_up: WarmUp) -> list[str]:
    """The expressions a learner predicts."""
    return [one.expression for one in warm_up.predictions]


def warm_up_complaints(mission: str, warm_up: WarmUp, end: End) -> list[str]:
    """What a warm-up says of its own end and does not keep, a line for each."""
    place = f"missions[{mission}].warm_up"
    said = []
    if end.raised is not None:
        said.append(f"{place}.program raised {end.raised}")
    if end.output != warm_up.output:
        said.append(f"{place}.output is {warm_up.output!r}, but it prints {end.output!r}")
    for index, one in enumerate(warm_up.predictions):
        ended = end.values[one.expression]
        if ended != one.ends_as:
            said.append(
                f"{place}.predictions[{index}].ends_as: {one.expression} ends as {ended}, not {one.ends_as}"
            )
    return said
