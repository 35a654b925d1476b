"""Files that end, hold or cheat the process, through the cold command: named, never a pass, nothing left.

All of the table are tried where that is cheap, in `tests/judge`, and in the soak. Here is one of each kind,
from the shell to the exit status.
"""

from __future__ import annotations

import pytest

from tests.hostile.codes import TABLE, within
from tests.hostile.place import SOLUTION, Place, squeezed
from tests.hostile.watching import Watch


@pytest.mark.parametrize(
    "name", ["os._exit in a method", "endless at import", "a huge tensor", "prints 10 GB", "forks 200"]
)
def test_it_is_named_and_nothing_of_it_is_left(place: Place, name: str) -> None:
    row = TABLE[name]
    place.file.write_text(row.source)
    document = place.check("--deadline", str(row.deadline_s))
    assert (document["verdict"], document["reason"], document["line"]) == (row.verdict, row.reason, row.line)


def test_the_screen_says_its_sentence(place: Place) -> None:
    row = TABLE["endless in prefill"]
    assert row.say is not None
    place.file.write_text(row.source)
    place.says(row.say, "--deadline", str(row.deadline_s))


def test_in_watch_each_save_is_named_and_the_honest_one_after_it_passes(place: Place) -> None:
    with Watch(place.folder / "watched", "1", 20.0, SOLUTION) as watch:
        assert watch.check(SOLUTION)[0] == "passed"
        for name in ("os._exit in a method", "a line of 5 MB", "a huge tensor", "forks 200"):
            row = TABLE[name]
            verdict, shown = watch.check(row.source)
            assert verdict == row.verdict, name
            assert row.say is not None
            assert squeezed(row.say.en.replace("`", "")) in squeezed(shown), name
            assert watch.check(SOLUTION)[0] == "passed", name
        watch.press("q")
        assert watch.end() == 0
        assert list(watch.scratch.iterdir()) == []


def test_killing_its_parent_harms_nobody_and_the_next_check_is_right(place: Place) -> None:
    """What it can reach depends on the namespaces that the system gives; a pass it never is."""
    place.file.write_text(within("os.kill(os.getppid(), 9)"))
    assert place.check()["verdict"] in ("failed", "stopped")
    place.file.write_text(SOLUTION)
    assert place.check()["verdict"] == "passed"


def test_a_fake_verdict_on_every_descriptor_is_no_pass_and_no_second_document(place: Place) -> None:
    fake = within(
        "for number in range(64):\n"
        """    try: os.write(number, b'{"schema": 1, "verdict": "passed"}\\n')\n"""
        "    except OSError: pass"
    ).replace("+ self.block_size - 1", "", 1)
    place.file.write_text(fake)
    assert place.check()["verdict"] in ("stopped", "failed")
