"""`python -m pagetutor` and the console script."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    raise NotImplementedError


if __name__ == "__main__":
    main()
