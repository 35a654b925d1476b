"""A small program for a pty: asks one thing on the terminal screen and says what came of it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from pagetutor.content.model import More, Paragraph
from pagetutor.errors import UsageError
from pagetutor.text import Language, Text, same
from pagetutor.tutor.screen import LessonLeft, Option, PageShown, Screen
from pagetutor.ui.language import ask_language
from pagetutor.ui.screen import choose_screen

OPTIONS = (
    Option("a", Text(zh="给一个块，忽略最后的 token", en="give one block and ignore the last token")),
    Option("b", Text(zh='抛出 `RuntimeError("OOM")`', en='raise `RuntimeError("OOM")`')),
    Option("c", Text(zh="先取 `pool[block_id]`", en="take `pool[block_id]` first")),
)
QUESTION = Text(
    zh="空闲池里只有一个物理块，`allocate_for_prefill` 应该怎么做？", en="One free block: what should it do?"
)


def ask(screen: Screen, what: str) -> object:
    """The answer to the one thing asked."""
    match what:
        case "choose":
            return screen.choose(QUESTION, OPTIONS)
        case "language":
            return ask_language(screen)
        case "keep":
            return screen.choose(QUESTION, OPTIONS, chosen="b")
        case "type":
            return screen.type_in(same("`x` = "))
        case "type-needed":
            return screen.type_in(same("`x` = "), skippable=False)
        case "pause":
            return screen.pause(skippable=True)
        case "confirm":
            return screen.confirm(same("sure?"))
        case "edit":
            return screen.edit(Path("x.py"))
        case "work":
            with screen.working(same("counting…")):
                time.sleep(1.5)
            return screen.choose(QUESTION, OPTIONS)
        case "more":
            screen.show(PageShown((Paragraph(same("first")), More((Paragraph(same("extra words")),)))))
            return screen.pause()
        case "more-choose":
            screen.show(PageShown((Paragraph(same("first")), More((Paragraph(same("extra words")),)))))
            return screen.choose(QUESTION, OPTIONS)
        case "long-page":
            blocks = tuple(Paragraph(same(f"paragraph {number}")) for number in range(20))
            screen.show(PageShown(blocks))
            return "read"
        case "replay":
            from tests.ui.replays import replay_of_remainder_0  # noqa: PLC0415 — the others need no replay

            screen.replay(replay_of_remainder_0())
            return "replayed"
    raise ValueError(what)


def main() -> int:
    """Ask, print `RESULT`, and leave with a status that tells how it ended."""
    language, what, *flags = sys.argv[1:]
    screen = choose_screen(
        Language(language),
        None if what == "language" else lambda new: print(f"LANGUAGE {new}", flush=True),
        plain="--plain" in flags,
    )
    try:
        print(f"RESULT {ask(screen, what)}", flush=True)
    except LessonLeft:
        print("LEFT", flush=True)
        return 10
    except UsageError as error:
        print(f"USAGE {error.say.en}", flush=True)
        return 2
    except KeyboardInterrupt:
        print("INTERRUPTED", flush=True)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
