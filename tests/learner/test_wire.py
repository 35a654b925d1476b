"""Frames, what was printed, and what comes back as values."""

from __future__ import annotations

import pytest

from pagetutor.learner import wire
from pagetutor.learner.answers import raised as raised_from_wire
from pagetutor.learner.channels import Printed
from pagetutor.learner.port import Frame, Json, Prints, Raised
from pagetutor.learner.stuck import stuck_frame


def test_a_frame_arrives_byte_by_byte() -> None:
    reader = wire.FrameReader()
    frame: dict[str, Json] = {"块": [1, -2.5, None, True, "x" * 300]}
    for byte in wire.encode(frame)[:-1]:
        reader.feed(bytes([byte]))
        assert reader.pop() is None
    reader.feed(wire.encode(frame)[-1:])
    assert reader.pop() == frame
    assert reader.empty


def test_a_frame_that_is_expected_to_the_letter_is_not_read() -> None:
    reader = wire.FrameReader()
    for body in (b'{"a":1}', b'{"a":2}', b"not read"):
        reader.feed(len(body).to_bytes(4, "big") + body)
    assert reader.pop(b'{"a":1}') is wire.EXPECTED
    assert reader.pop(b'{"a":1}') == {"a": 2}
    assert reader.pop(b"not read") is wire.EXPECTED
    assert (reader.body, reader.empty) == (b"not read", True)


@pytest.mark.parametrize(
    ("bytes_", "why"),
    [
        (b"\xff\xff\xff\xff", "a frame of 4294967295 bytes"),
        (b"\0\0\0\x02[]", "a frame that is no mapping"),
        (b"\0\0\0\x04{}{}", "more than one value in a frame"),
        (b"\0\0\0\x01{", "no JSON"),
        (b"\0\0\0\x02\xff\xff", "no JSON"),
        (b"\0\1\0\0" + b"[" * 65536, "no JSON"),
        (b'\0\0\x17\x76{"a":' + b"9" * 6000 + b"}", "no JSON"),
    ],
)
def test_what_is_no_frame_is_refused(bytes_: bytes, why: str) -> None:
    reader = wire.FrameReader()
    reader.feed(bytes_)
    with pytest.raises(wire.WireError, match=why):
        reader.pop()


def test_what_is_no_plain_data_is_not_sent() -> None:
    endless: list[Json] = []
    endless.append(endless)
    for value in ({"a": object()}, {"a": endless}, {"a": 10**5000}, {"a": "x" * (wire.FRAME_LIMIT + 1)}):
        with pytest.raises(wire.WireError):
            wire.encode(value)  # type: ignore[arg-type]


def test_prints_keep_head_and_tail_and_count_the_rest() -> None:
    printed = Printed()
    printed.feed(b"h" * 40_000)
    assert printed.prints() == Prints(head="h" * 40_000)
    printed.feed(b"t" * 60_000)
    assert printed.prints() == Prints("h" * 32_768, "t" * 32_768, 100_000 - 65_536)


def test_a_cut_never_goes_through_a_character() -> None:
    printed = Printed()
    printed.feed("块".encode() * 50_000)
    prints = printed.prints()
    assert set(prints.head + prints.tail) == {"块"}


def test_the_stuck_frame_is_the_main_threads_innermost_in_the_file() -> None:
    dump = (
        "Timeout (0:00:00.500000)!\n"
        'Thread 0x00007f (most recent call first):\n  File "/x/块.py", line 9 in elsewhere\n\n'
        "Thread 0x00007e (most recent call first):\n"
        '  File "/usr/lib/random.py", line 1 in choice\n'
        '  File "/x/\\u5757.py", line 31 in allocate_for_prefill\n'
        '  File "/x/\\u5757.py", line 50 in <module>\n'
    )
    assert stuck_frame(dump, "/x/块.py") == Frame(31, "allocate_for_prefill")
    assert stuck_frame(dump, "/x/other.py") is None
    assert stuck_frame("", "/x/块.py") is None


RAISED: dict[str, Json] = {
    "exception": "IndexError",
    "ancestors": ["IndexError", "LookupError", "Exception", "BaseException"],
    "message": "pop from empty list",
    "frames": [{"line": 3, "function": "answer"}],
}


def test_an_exception_crosses_the_wire() -> None:
    assert raised_from_wire(RAISED) == Raised(
        "IndexError",
        ("IndexError", "LookupError", "Exception", "BaseException"),
        "pop from empty list",
        (Frame(3, "answer"),),
    )


@pytest.mark.parametrize(
    "change",
    [{"exception": 1}, {"ancestors": "x"}, {"message": None}, {"frames": [{"line": True, "function": "f"}]}],
)
def test_an_exception_of_another_shape_is_refused(change: dict[str, Json]) -> None:
    with pytest.raises(wire.WireError):
        raised_from_wire({**RAISED, **change})
