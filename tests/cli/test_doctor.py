"""`pagetutor doctor`: the machine in five lines, in both languages."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

from pagetutor import __version__
from pagetutor.tutor.examining import Examined
from tests.cli.command import Command


@pytest.mark.parametrize(
    ("language", "terminal", "isolation"),
    [
        ("en", "no terminal (TERM=dumb), utf-8, language en", "isolation ("),
        ("zh", "没有接终端（TERM=dumb），utf-8，语言 zh", "隔离（"),
    ],
)
def test_the_doctor_tells_versions_terminal_and_isolation(
    pagetutor: Command, language: str, terminal: str, isolation: str
) -> None:
    ran = pagetutor("doctor", "--lang", language, TERM="dumb")
    lines = ran.out.splitlines()
    assert (ran.status, ran.err, len(lines)) == (0, "", 5)
    assert lines[0] == f"pagetutor {__version__}"
    assert lines[1].startswith(f"Python {platform.python_version()} ({sys.executable}), ")
    assert lines[2] == terminal
    assert lines[3].startswith("torch 2.")
    assert lines[4].startswith(isolation)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "pagetutor: The folder you are in has been deleted. `cd` to another one and run this again.\n",
        ),
        ("zh", "pagetutor: 你所在的文件夹已经被删掉了。先 `cd` 到别的文件夹，再运行一次。\n"),
    ],
)
def test_in_a_deleted_folder_it_says_where_to_go(pagetutor: Command, language: str, said: str) -> None:
    doctor = f'rmdir "$PWD" && exec "{sys.executable}" -m pagetutor doctor --lang {language}'
    ran = subprocess.run(
        ["bash", "-c", doctor],
        capture_output=True,
        check=False,
        cwd=pagetutor.folder,
        env=pagetutor.environ(),
        encoding="utf-8",
    )
    assert (ran.returncode, ran.stderr) == (3, said)


ALL = Examined("2.13.0", ("limit:data", "landlock:write", "landlock:read", "landlock:tcp", "namespace:pid"))


def test_what_holds_is_one_sentence() -> None:
    assert ALL.held.en == (
        "it can write only in a scratch folder, cannot read the course's files, has no network, "
        "cannot touch other processes, memory and files are limited"
    )
    assert (
        ALL.held.zh
        == "只能写自己的临时文件夹，读不到课程文件，不能联网，碰不到别的进程，内存和文件大小有上限"
    )


def test_what_nothing_keeps_it_from_is_told_with_it() -> None:
    held = Examined("2.13.0", ("limit:core", "limit:fsize", "limit:nofile")).held
    assert held.en == (
        "memory and files are limited; nothing on this system keeps it from writing to other files, "
        "reading the course's files, the network, touching other processes"
    )
    assert held.zh == ("内存和文件大小有上限；这个系统拦不住它改别处的文件、读课程文件、联网、碰别的进程")


def test_where_nothing_holds_it_is_said() -> None:
    held = Examined("2.13.0", ()).held
    assert held.en == "this system offers nothing to hold it in: check only files you trust"
    assert held.zh == "这个系统没有办法限制它：只检查你信得过的文件"
