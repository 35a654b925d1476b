"""Where the learner's code was stuck, out of what `faulthandler` wrote."""

from __future__ import annotations

from pagetutor.learner.port import Frame


def stuck_frame(dump: str, file: str) -> Frame | None:
    """The innermost frame of the main thread in `file`, from a dump of `faulthandler`'s.

    The main thread is the last in the dump, its innermost frame the first.
    """
    main = dump.rpartition("(most recent call first):\n")[2]
    start = f'  File "{_as_dumped(file)}", line '
    for line in main.splitlines():
        if line.startswith(start):
            number, _, function = line[len(start) :].partition(" in ")
            if number.isdecimal():
                return Frame(int(number), function)
    return None


def _as_dumped(path: str) -> str:
    """The path as `faulthandler` writes it: escaped beyond ASCII, and cut after 500 characters."""
    escaped = "".join(
        char
        if " " <= char <= "~"
        else f"\\x{ord(char):02x}"
        if ord(char) < 0x100
        else f"\\u{ord(char):04x}"
        if ord(char) < 0x10000
        else f"\\U{ord(char):08x}"
        for char in path[:500]
    )
    return escaped + ("..." if len(path) > 500 else "")
