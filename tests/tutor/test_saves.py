"""Saves are told once, whatever way they are made: a played world of files under a played clock."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pagetutor.text import Text
from pagetutor.tutor.saves import COARSE_S, DOUBT_S, LOOK_S, SETTLE_S, Content, Disk, Saved, Saves, Stamp

PATH = Path("block_manager.py")


@dataclass
class World:
    """One file; `at` are things to be done to it when their time has come."""

    content: Content | None = b"first"
    ticks: int = 0  # of the file's clock
    now: float = 0.0
    at: list[tuple[float, Callable[[], None]]] = field(default_factory=list)
    while_read: Callable[[], None] | None = None
    stamps: list[float] = field(default_factory=list)
    reads: int = 0

    def stamp(self, path: Path) -> Stamp | None:
        self.stamps.append(self.now)
        if self.content is None:
            return None
        return (1 if isinstance(self.content, Text) else len(self.content), self.ticks)

    def read(self, path: Path) -> Content | None:
        self.reads += 1
        content = self.content
        if self.while_read is not None:
            act, self.while_read = self.while_read, None
            act()
        return content

    def put(self, content: Content | None, *, tick: bool = True) -> None:
        """Save this; without `tick` within the resolution of the file's clock."""
        self.content = content
        self.ticks += tick

    def told(self, saves: Saves, seconds: float) -> list[tuple[float, object]]:
        """What is told in so many seconds, and when, by a caller that looks whenever it is due."""
        end = self.now + seconds
        found: list[tuple[float, object]] = []
        while True:
            for moment, act in [one for one in self.at if one[0] <= self.now + 1e-9]:
                self.at.remove((moment, act))
                act()
            news = saves.look(self.now)
            if news is not None:
                found.append((round(self.now, 3), news.content if isinstance(news, Saved) else "gone"))
            nxt = min([max(saves.due, self.now + 0.001), *(moment for moment, _ in self.at)])
            if nxt > end:
                self.now = end
                return found
            self.now = nxt


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def saves(world: World) -> Saves:
    return Saves(PATH, world)


def test_what_stands_there_at_first_is_told_once_it_is_at_rest(world: World, saves: Saves) -> None:
    assert world.told(saves, 5) == [(SETTLE_S, b"first")]


def test_a_save_is_told_within_a_look_and_the_time_to_settle(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.at.append((10.001, lambda: world.put(b"second")))
    [(at, content)] = world.told(saves, 5)
    assert content == b"second"
    assert at <= 10.001 + LOOK_S + SETTLE_S + 0.001


def test_the_path_is_looked_at_steadily_and_read_only_after_a_change(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.stamps.clear()
    world.reads = 0
    world.told(saves, 10)
    assert len(world.stamps) == pytest.approx(10 / LOOK_S, abs=2)
    assert world.reads == 0


def test_a_file_that_is_still_being_written_is_waited_for(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.at += [(10 + number * 0.01, lambda n=number: world.put(b"x" * n)) for number in range(1, 21)]  # type: ignore[misc]
    [(at, content)] = world.told(saves, 5)
    assert content == b"x" * 20
    assert at >= 10.2 + SETTLE_S


def test_truncated_and_then_written_is_one_save(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.at += [(10.0, lambda: world.put(b"")), (10.25, lambda: world.put(b"second"))]
    assert [content for _, content in world.told(saves, 5)] == [b"second"]


def test_a_file_left_empty_is_told(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.put(b"")
    [(at, content)] = world.told(saves, 5)
    assert content == b""
    assert at >= 10 + DOUBT_S


def test_a_moment_of_absence_is_part_of_a_save(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.at += [(10.0, lambda: world.put(None)), (10.25, lambda: world.put(b"second"))]
    assert [content for _, content in world.told(saves, 5)] == [b"second"]


def test_a_file_that_stays_away_is_told_as_gone_once(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    assert saves.there
    world.put(None)
    assert [content for _, content in world.told(saves, 5)] == ["gone"]
    assert not saves.there


def test_the_same_content_come_back_is_told_again(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.put(None)
    world.told(saves, 5)
    world.put(b"first")  # its check may have been cancelled
    assert [content for _, content in world.told(saves, 5)] == [b"first"]
    assert saves.there


def test_no_file_at_first_is_told_and_the_file_when_it_comes(world: World, saves: Saves) -> None:
    world.put(None)
    assert [content for _, content in world.told(saves, 5)] == ["gone"]
    world.put(b"first")
    assert [content for _, content in world.told(saves, 5)] == [b"first"]


def test_a_touch_and_the_same_bytes_again_need_no_check(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.put(b"first")
    assert world.told(saves, 5) == []


def test_a_second_save_within_one_tick_of_the_files_clock_is_seen(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.put(b"== 0")
    world.at.append((world.now + 0.2, lambda: world.put(b"== 1", tick=False)))
    assert [content for _, content in world.told(saves, 5)] == [b"== 0", b"== 1"]


def test_after_two_seconds_the_times_of_the_file_are_believed_again(world: World, saves: Saves) -> None:
    world.told(saves, COARSE_S + 1)
    reads = world.reads
    world.told(saves, 10)
    assert world.reads == reads


def test_what_was_written_to_while_it_was_read_is_read_again(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    world.put(b"half")
    world.while_read = lambda: world.put(b"whole")
    assert [content for _, content in world.told(saves, 5)] == [b"whole"]


def test_what_went_away_and_came_back_while_it_was_read_is_read_again(world: World, saves: Saves) -> None:
    class Winking(World):
        def read(self, path: Path) -> Content | None:
            content = super().read(path)
            return None if self.reads == 2 else content

    world = Winking()
    saves = Saves(PATH, world)
    world.told(saves, 10)
    world.reads = 1
    world.put(b"second")
    assert [content for _, content in world.told(saves, 5)] == [b"second"]


def test_a_reason_why_it_cannot_be_read_is_told_like_content(world: World, saves: Saves) -> None:
    why = Text(zh="是文件夹", en="a folder")
    world.told(saves, 10)
    world.put(why)
    assert [content for _, content in world.told(saves, 5)] == [why]
    world.put(b"first")
    assert [content for _, content in world.told(saves, 5)] == [b"first"]


def test_what_stands_there_can_be_told_once_more(world: World, saves: Saves) -> None:
    world.told(saves, 10)
    saves.forget()
    assert [content for _, content in world.told(saves, 5)] == [b"first"]
    world.put(None)
    world.told(saves, 5)
    saves.forget()
    assert [content for _, content in world.told(saves, 5)] == ["gone"]


# ── the disk itself ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "block_manager.py"
    path.write_bytes(b"first")
    return path


def test_every_way_to_replace_a_file_changes_its_stamp(path: Path) -> None:
    disk = Disk()
    stamps = [disk.stamp(path)]

    def by_rename_with_the_same_times() -> None:
        before = path.stat()
        beside = path.with_suffix(".tmp")
        beside.write_bytes(b"other")
        os.utime(beside, ns=(before.st_atime_ns, before.st_mtime_ns))
        beside.replace(path)

    def by_a_link_elsewhere() -> None:
        (path.parent / "elsewhere.py").write_bytes(b"first")
        path.unlink()
        path.symlink_to("elsewhere.py")

    def by_another_link() -> None:
        (path.parent / "third.py").write_bytes(b"first")
        path.unlink()
        path.symlink_to("third.py")

    for replace in (by_rename_with_the_same_times, by_a_link_elsewhere, by_another_link):
        replace()
        stamps.append(disk.stamp(path))
    assert None not in stamps
    assert len(set(stamps)) == len(stamps)


def test_what_is_no_file_is_read_as_its_reason(path: Path) -> None:
    disk = Disk()
    path.unlink()
    assert disk.stamp(path) is None
    assert disk.read(path) is None
    path.symlink_to("nowhere.py")
    assert disk.stamp(path) is None
    assert disk.read(path) is None
    path.unlink()
    path.symlink_to(path.name)  # in a circle
    assert disk.stamp(path) is not None
    assert isinstance(disk.read(path), Text)
    path.unlink()
    path.mkdir()
    assert disk.stamp(path) is not None
    assert isinstance(disk.read(path), Text)
