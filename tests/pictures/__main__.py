"""`python -m tests.pictures` draws the README's pictures anew; with `--check`, tells which have changed."""

from __future__ import annotations

import argparse
import sys

from pagetutor.text import Language
from pagetutor.ui.svg import svg
from tests.pictures.stored import FOLDER, differences
from tests.pictures.story import pictures


def main() -> int:
    """Run `pagetutor`, and write its screens or compare them with the files; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a picture differs")
    check = parser.parse_args().check
    drawn = {
        picture.name: svg(picture.screen, picture.command, language)
        for language in Language
        for picture in pictures(language)
    }
    found = differences(drawn)
    if not check:
        for name, picture in drawn.items():
            (FOLDER / name).write_text(picture, encoding="utf-8", newline="\n")
    for difference in found:
        print(difference)
    if check and found:
        print("Look whether that is meant; then run `python -m tests.pictures` and look at the pictures.")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
