"""The shape of a wrong learner's file: what it says, the mistakes it holds, and where to point."""

from __future__ import annotations

from dataclasses import dataclass

from tests.corpus.build import with_method


@dataclass(frozen=True)
class Wrong:
    """A learner's wrong file: the methods that replace the reference's (or a whole file), the mistakes it must be told of, and where."""

    name: str
    mission: str
    """ "1", "2" or "3"."""
    mistakes: tuple[str, ...]
    """Mistake ids in causal order; ("unknown",) where the catalogue has no name for it."""
    at: tuple[str, ...] | str
    """Unique substrings on the lines to point at, any of them right; for a missing statement, the line it belongs before."""
    code: str
    """Method definitions that replace the reference's in the manager class; with "class KVCacheManager" in it, the whole file."""

    @property
    def source(self) -> str:
        """The file as the learner would hand it in."""
        return self.code.lstrip("\n") if "class KVCacheManager" in self.code else with_method(self.code)
