"""The line below the results of watching: what is watched, when it was last checked, which keys act."""

from __future__ import annotations

from rich.text import Text as Line

from pagetutor.text import same
from pagetutor.tutor.live import Key, Phase, WatchState
from pagetutor.tutor.verdicts import VERDICTS
from pagetutor.ui import phrases, replay_phrases
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import folded, prose, visible

_PHASES = {
    Phase.WAITING: phrases.WATCHING,
    Phase.LOADING: phrases.WATCH_LOADING,
    Phase.CHECKING: phrases.WATCH_CHECKING,
    Phase.GONE: phrases.WATCH_GONE,
    Phase.PASSED: phrases.WATCH_PASSED,
}
_KEYS = {
    Key.RUN: phrases.WATCH_RUN,
    Key.HINT: phrases.WATCH_HINT,
    Key.REPLAY: replay_phrases.WATCH_REPLAY,
    Key.MORE: phrases.WATCH_MORE,
    Key.LIST: phrases.WATCH_LIST,
    Key.NEXT: phrases.WATCH_NEXT,
    Key.QUIT: phrases.WATCH_LEAVE,
}


def watch_state(state: WatchState, look: Look) -> list[Line]:
    """What is watched and when it was last checked."""
    words = _PHASES[state.phase].with_(file=visible(state.file))
    if state.stops_after_s is not None:
        words += phrases.WATCH_STOPS.with_(seconds=f"{state.stops_after_s:g}")
    if state.checked_at is not None:
        words += phrases.LAST_CHECKED.with_(at=state.checked_at)
    if state.verdict is not None and state.phase is not Phase.PASSED:
        words += same(" · ") + VERDICTS[state.verdict]
    return [piece for line in prose(words, look, style="bold") for piece in folded(line, look.width)]


def watch_keys(keys: tuple[Key, ...], look: Look) -> list[Line]:
    """The keys that act now, in one line where they fit."""
    named = [f"{key} {_KEYS[key].in_(look.language)}" for key in keys]
    lines = [named[0]]
    for name in named[1:]:
        if Line(f"{lines[-1]}   {name}").cell_len <= look.width:
            lines[-1] += f"   {name}"
        else:
            lines.append(name)
    return [piece for line in lines for piece in folded(Line(line, style="dim"), look.width)]
