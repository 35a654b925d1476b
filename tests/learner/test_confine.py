"""What the learner's process can neither write nor read, on a system that can forbid it."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from pagetutor.learner.port import Finished, Job, Json, Loaded
from pagetutor.learner.runner import WarmRunner

from .conftest import TOY_STAGE
from .kernel import landlock_abi, namespaces


def job(folder: Path) -> Job:
    """A job whose hidden folder holds a secret; a note lies beside it."""
    (folder / "hidden").mkdir()
    (folder / "hidden" / "secret.py").write_text("SECRET = 1")
    (folder / "note.txt").write_text("note")
    return Job(folder / "block_manager.py", TOY_STAGE, hidden=(folder / "hidden",))


def needs_landlock(version: int) -> pytest.MarkDecorator:
    """Skip where the kernel says that it has none of this version; what we make of it is not asked."""
    return pytest.mark.skipif(landlock_abi() < version, reason=f"no Landlock of version {version}")


def needs_namespace(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(name not in namespaces(), reason=f"no namespace of {name} for us")


SOURCE = b"""
import errno, os, shutil, socket, sys, tempfile
from pathlib import Path

def said(act):
    try:
        return str(act())
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENETUNREACH):
            return "forbidden"
        raise

def read(path): return said(lambda: Path(path).read_text())
def write(path): return said(lambda: Path(path).write_text("x"))
def remove(path): return said(lambda: os.remove(path))
def chmod(path): return said(lambda: os.chmod(path, 0))
def touch(path): return said(lambda: os.utime(path, (1, 1)))
def remove_home(): return said(lambda: shutil.rmtree(Path.home()))
def connect(port): return said(lambda: socket.create_connection(("127.0.0.1", port), 1))
def kill(pid): return said(lambda: os.kill(pid, 9))
def parent(): return os.getppid()
def numbers(): return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
def remove_all(path): return said(lambda: shutil.rmtree(path))
def scratch():
    with tempfile.NamedTemporaryFile() as made: made.write(b"x")
    Path("a").mkdir(); Path("a/b").write_text("x"); Path("a/b").rename("c"); shutil.rmtree("a")
    Path("/dev/null").write_text("x"); print("seen", file=open("/dev/stdout", "w"))
    return os.listdir(".")
def later():
    import colorsys, xml.dom.minidom, torch.nn.utils
    return os.path.basename(colorsys.__file__)
"""


@needs_landlock(1)
def test_only_the_scratch_folder_can_be_written(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        assert session.load(SOURCE) == Loaded()
        for call, path in (("write", "note.txt"), ("write", "new.txt"), ("remove", "note.txt")):
            asked: Json = {"call": call, "arguments": [str(tmp_path / path)]}
            assert session.play(asked) == {"answer": "forbidden"}
        assert session.play({"call": "remove_all", "arguments": [str(tmp_path)]}) == {"answer": "forbidden"}
        assert session.play({"call": "scratch"}) == {"answer": ["c"]}
        finished = session.finish()
    assert isinstance(finished, Finished)
    assert finished.prints.head == "seen\n"
    assert (tmp_path / "note.txt").read_text() == "note"
    assert (tmp_path / "hidden" / "secret.py").exists()


@needs_landlock(1)
def test_hidden_folders_cannot_be_read_and_everything_else_can(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        session.load(SOURCE)
        secret: Json = {"call": "read", "arguments": [str(tmp_path / "hidden" / "secret.py")]}
        assert session.play(secret) == {"answer": "forbidden"}
        assert session.play({"call": "read", "arguments": [str(tmp_path / "note.txt")]}) == {"answer": "note"}
        assert session.play({"call": "later"}) == {"answer": "colorsys.py"}


@needs_landlock(1)
def test_removing_the_home_folder_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "deep").mkdir(parents=True)
    (home / "deep" / "thesis.txt").write_text("years")
    monkeypatch.setenv("HOME", str(home))
    with WarmRunner() as runner, runner.session(job(tmp_path)) as session:
        session.load(SOURCE)
        assert session.play({"call": "remove_home"}) == {"answer": "forbidden"}
    assert (home / "deep" / "thesis.txt").read_text() == "years"


@needs_namespace("mount")
def test_rights_and_times_cannot_be_changed(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        session.load(SOURCE)
        note = tmp_path / "note.txt"
        before = note.stat()
        for call in ("chmod", "touch"):
            assert session.play({"call": call, "arguments": [str(note)]}) == {"answer": "forbidden"}
    assert (note.stat().st_mode, note.stat().st_mtime) == (before.st_mode, before.st_mtime)


@needs_landlock(4)
def test_no_network_is_there(runner: WarmRunner, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, runner.session(job(tmp_path)) as session:
        session.load(SOURCE)
        asked: Json = {"call": "connect", "arguments": [server.getsockname()[1]]}
        assert session.play(asked) == {"answer": "forbidden"}


@needs_landlock(6)
@needs_namespace("pid")
def test_no_process_outside_can_be_seen_or_signalled(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        session.load(SOURCE)
        assert session.play({"call": "parent"}) == {"answer": 1}
        assert session.play({"call": "kill", "arguments": [1]}) == {"answer": "forbidden"}
        seen = session.play({"call": "numbers"})
        assert isinstance(seen, dict)
        numbers = seen["answer"]
        assert isinstance(numbers, list)
        assert len(numbers) <= 5  # the warm process, this one, two that wait


def test_all_that_the_kernel_offers_holds_and_is_told_by_name(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        session.load(SOURCE)
        told = set(session.isolation)
    since = {"write": 1, "read": 1, "tcp": 4, "signal": 6}
    offered = {f"landlock:{what}" for what, version in since.items() if landlock_abi() >= version}
    offered |= {f"namespace:{name}" for name in namespaces()}
    limits = {
        "limit:core",
        "limit:fsize",
        "limit:nofile",
        *(["limit:data"] if sys.platform == "linux" else []),
    }
    assert told == offered | limits
