"""What each command says and with which status it ends, as real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagetutor.store.events import LanguageChosen
from pagetutor.store.history import History
from tests.cli.command import Command

_MISSIONS = Path(__file__).resolve().parents[2] / "missions"
_SOLUTION = _MISSIONS / "solution.py"


# ── help and version ─────────────────────────────────────────────────────────────────────────────


def test_the_version_is_said(pagetutor: Command) -> None:
    ran = pagetutor("--version")
    assert (ran.status, ran.out, ran.err) == (0, "pagetutor 0.1.0\n", "")


def test_help_lists_every_verb_in_the_order_a_learner_needs_them(pagetutor: Command) -> None:
    ran = pagetutor("--help")
    assert ran.status == 0
    listed = ran.out.split("Commands:")[1]
    verbs = ["mission", "list", "status", "words", "show", "check", "hint", "start", "solution"]
    places = [listed.index(f"  {verb} ") for verb in verbs]
    assert places == sorted(places)


def test_help_speaks_chinese(pagetutor: Command) -> None:
    assert "检查你的文件" in pagetutor("--lang", "zh", "--help").out
    assert "检查你的文件" in pagetutor("check", "--help", LANG="zh_CN.UTF-8").out


def test_help_touches_no_disk_and_imports_nothing_heavy(pagetutor: Command) -> None:
    program = (
        "import sys\n"
        "from pagetutor.cli.boundary import run\n"
        "run(['--help'])\n"
        "heavy = set('torch numpy pytest questionary prompt_toolkit yaml rich pydantic sqlite3'.split())\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=pagetutor.environ()
    )
    assert ran.stderr == "[]\n"
    assert not pagetutor.home.exists()


# ── wrong usage ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["misison", "1"], "pagetutor: There is no command misison. Did you mean `pagetutor mission`?\n"),
        (["--lang", "zh", "chekc"], "pagetutor: 没有 chekc 这个命令。是不是 `pagetutor check`？\n"),
        (
            ["check", "1", "--jsn"],
            "pagetutor: There is no option --jsn. Did you mean --json? Try pagetutor check --help.\n",
        ),
        (["check", "--lang", "zh"], "pagetutor: 后面还要写上 N|all。试试 pagetutor check --help。\n"),
        (["mission"], "pagetutor: N is missing. Try pagetutor mission --help.\n"),
        (
            ["check", "1", "--deadline", "soon"],
            "pagetutor: --deadline wants a number of seconds between 0 and 600, not soon.\n",
        ),
        (
            ["check", "1", "--deadline", "nan"],
            "pagetutor: --deadline wants a number of seconds between 0 and 600, not nan.\n",
        ),
    ],
)
def test_a_typo_gets_one_sentence_with_the_nearest(pagetutor: Command, words: list[str], said: str) -> None:
    ran = pagetutor(*words)
    assert (ran.status, ran.out, ran.err) == (2, "", said)


NO_FRENCH = {
    "zh": "没有 fr 这种语言：可以写 zh（中文）或 en（English）。",
    "en": "There is no language fr: write zh (中文) or en (English).",
}


@pytest.mark.parametrize(("words", "environ"), [(["--lang", "fr"], {}), ([], {"PAGETUTOR_LANG": "fr"})])
def test_a_language_there_is_not_is_told_in_the_one_remembered_or_in_both(
    pagetutor: Command, words: list[str], environ: dict[str, str]
) -> None:
    def said() -> str:
        ran = pagetutor("list", *words, **environ)
        assert (ran.status, ran.out) == (2, "")
        return ran.err

    assert said() == f"pagetutor: {NO_FRENCH['zh']}\n{NO_FRENCH['en']}\n"
    assert pagetutor("list", *words, **environ, LANG="zh_CN.UTF-8").err == f"pagetutor: {NO_FRENCH['zh']}\n"
    assert pagetutor("list", *words, **environ, PYTHONIOENCODING="ascii").err == (
        "pagetutor: There is no language fr: write zh (??) or en (English).\n"
    )
    for language in ("zh", "en"):
        History(pagetutor.home / "history.db").append(LanguageChosen(language))
        assert said() == f"pagetutor: {NO_FRENCH[language]}\n"
    ran = pagetutor("check", "1", "--json", *words, **environ)
    assert (ran.status, ran.err) == (2, "")
    assert ran.document["error"] == {"code": 2, "say": NO_FRENCH["en"]}


def test_mission_4_says_which_there_are(pagetutor: Command) -> None:
    ran = pagetutor("mission", "4", "--lang", "zh")
    assert ran.status == 2
    assert ran.err.startswith("pagetutor: 没有 mission 4。有这些：\n  1  Mission 1")
    assert "\n  final  " in ran.err


def test_a_part_there_is_not_says_which_there_are(pagetutor: Command) -> None:
    ran = pagetutor("show", "1", "diagrm")
    assert ran.status == 2
    assert "Did you mean `diagram`?" in ran.err


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "order",
    [["--lang", "zh", "--plain", "show", "1", "diagram"], ["show", "1", "diagram", "--plain", "--lang=zh"]],
)
def test_global_options_stand_before_or_after_the_verb(pagetutor: Command, order: list[str]) -> None:
    ran = pagetutor(*order)
    assert (ran.status, ran.err) == (0, "")
    assert "图解原理 (3/8)" in ran.out


def test_after_two_dashes_nothing_is_an_option(pagetutor: Command) -> None:
    ran = pagetutor("check", "1", "--", "--lang")
    assert ran.status == 3
    assert "--lang" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["list"], "`pagetutor show 3` rereads: guess, background"),
        (["status"], "0 of 4 passed"),
        (["words"], "KV cache"),
        (["show", "2", "mapping"], "`seats_per_row`"),
        (["show", "final"], "The official exercise"),
        ([], "Begin Mission 1 with “Guess first”: `pagetutor mission 1`."),
    ],
)
def test_what_is_read_through_a_pipe_has_no_escape_and_no_box(
    pagetutor: Command, words: list[str], said: str
) -> None:
    ran = pagetutor(*words)
    assert (ran.status, ran.err) == (0, "")
    assert said in ran.out
    assert not [char for char in ran.out if char == "\x1b" or "\u2500" <= char <= "\u257f"]


def test_a_language_is_taken_from_the_locale_and_never_asked_for_without_a_terminal(
    pagetutor: Command,
) -> None:
    assert "通过 0/4" in pagetutor("status", LANG="zh_CN.UTF-8").out
    assert "0 of 4 passed" in pagetutor("status").out


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk"])
def test_no_encoding_of_stdout_crashes_a_page(pagetutor: Command, encoding: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pagetutor", "show", "1", "--lang", "zh"],
        capture_output=True,
        check=False,
        cwd=pagetutor.folder,
        env=pagetutor.environ(PYTHONIOENCODING=encoding),
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    told = ran.stdout.decode(encoding)
    if encoding == "gbk":
        assert "先猜一猜" in told
    else:
        assert told.startswith(
            f"This terminal's encoding ({encoding}) cannot show Chinese, so here is English;"
        )
        assert "Guess first" in told


def test_a_reader_that_goes_away_is_no_error_of_ours(pagetutor: Command) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pagetutor", "show", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=pagetutor.folder,
        env=pagetutor.environ(PYTHONUNBUFFERED="1"),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "words",
    [
        ["check", "1"],
        ["check", "1", "--json"],
        ["check", "7", "--json"],
        ["show", "1"],
        ["doctor"],
        ["progress", "export"],
        ["--help"],
        [],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("lang", "unbuffered", "said"),
    [
        (
            "en",
            "",
            "pagetutor: The result could not be written (No space left on device). Make room, or send it "
            "elsewhere, and run this again.\n",
        ),
        (
            "zh",
            "1",
            "pagetutor: 结果写不出去（No space left on device）。腾出空间，或者换个地方输出，再运行一次。\n",
        ),
    ],
    ids=["en", "zh"],
)
def test_a_stdout_that_takes_no_more_is_status_3_and_one_line(
    pagetutor: Command, words: list[str], lang: str, unbuffered: str, said: str
) -> None:
    pagetutor("start")
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "pagetutor", *words],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=pagetutor.folder,
            env=pagetutor.environ(PAGETUTOR_LANG=lang, PYTHONUNBUFFERED=unbuffered),
            encoding="utf-8",
        )
    assert (ran.returncode, ran.stderr) == (3, said)


@pytest.mark.parametrize("columns", ["0", "abc", "20", "1000"])
def test_any_number_of_columns_is_laid_out(pagetutor: Command, columns: str) -> None:
    ran = pagetutor("show", "1", "background", COLUMNS=columns)
    assert (ran.status, ran.err) == (0, "")
    assert max(len(line) for line in ran.out.splitlines()) <= (20 if columns == "20" else 100)


# ── lesson through a pipe ────────────────────────────────────────────────────────────────────────


def test_a_lesson_whose_input_ends_stops_with_status_2_and_keeps_what_was_answered(
    pagetutor: Command,
) -> None:
    ran = pagetutor("mission", "1", typed="s\n1\n\n")
    assert ran.status == 2
    assert ran.err == (
        "pagetutor: The input ended too early: what was answered is kept. Run this in a terminal, or give "
        "the answers that are missing.\n"
    )
    status = pagetutor("status").out
    assert "Go on with Mission 1" in status
    assert "0 of 8 parts done" in status  # a guess is a beginning


def test_a_lesson_can_be_left(pagetutor: Command) -> None:
    ran = pagetutor("mission", "1", typed="q\n")
    assert (ran.status, ran.err) == (0, "")
    assert "`pagetutor mission 1` goes on from here." in ran.out


def test_the_starter_is_placed_once_and_never_touched_again(pagetutor: Command) -> None:
    file = pagetutor.folder / "block_manager.py"
    assert pagetutor("start").status == 0
    assert file.read_bytes() == (_MISSIONS / "block_manager.py").read_bytes()
    file.write_text("# mine: allocate_for_prefill\n")
    assert pagetutor("start").status == 0
    assert file.read_text() == "# mine: allocate_for_prefill\n"


# ── check ────────────────────────────────────────────────────────────────────────────────────────


def test_a_file_that_is_not_there_is_said_with_what_to_do(pagetutor: Command) -> None:
    ran = pagetutor("check", "1")
    assert ran.status == 3
    assert "Run `pagetutor start`" in ran.err


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "There is no `nofile.py` in {folder}. See whether the name is right."),
        ("zh", "{folder} 里没有 `nofile.py`。看看文件名写对了没有。"),
    ],
)
def test_a_name_that_is_not_there_is_not_answered_with_the_starter(
    pagetutor: Command, language: str, said: str
) -> None:
    ran = pagetutor("check", "1", "nofile.py", "--lang", language)
    assert (ran.status, ran.err) == (3, f"pagetutor: {said.format(folder=pagetutor.folder)}\n")


@pytest.mark.parametrize(
    ("language", "following"),
    [("en", "Next: `pagetutor mission 2`"), ("zh", "接下来：`pagetutor mission 2`")],
)
def test_after_a_pass_the_last_line_is_what_to_run_next(
    pagetutor: Command, language: str, following: str
) -> None:
    ran = pagetutor("check", "1", str(_SOLUTION), "--lang", language)
    assert ran.status == 0
    assert ran.out.rstrip().splitlines()[-1] == following


def test_after_a_pass_of_everything_nothing_is_left_to_run(pagetutor: Command) -> None:
    ran = pagetutor("check", "all", str(_SOLUTION))
    assert ran.out.endswith(
        "The whole exercise passes.\n\n"
        "To look back on your way (guesses, mistakes and how you mended them):\n"
        "`pagetutor recap`.\n\n"
    )


def test_an_open_todo_is_status_1_on_the_screen(pagetutor: Command) -> None:
    pagetutor("start")
    ran = pagetutor("check", "1", "--lang", "zh")
    assert (ran.status, ran.err) == (1, "")
    assert "✗ Mission 1 · TODO 还没填" in ran.out


def test_the_solution_passes_everything(pagetutor: Command) -> None:
    ran = pagetutor("check", "all", str(_SOLUTION), "--json")
    assert (ran.status, ran.err) == (0, "")
    document = ran.document
    assert document["schema"] == 1
    assert [one["mission"] for one in document["missions"]] == [1, 2, 3, "final"]
    assert {one["verdict"] for one in document["missions"]} == {"passed"}


def test_all_passes_only_if_every_mission_does(pagetutor: Command) -> None:
    half = _SOLUTION.read_text().replace("req.seq_len += 1", "req.seq_len += 1\n        return", 1)
    (pagetutor.folder / "half.py").write_text(half)
    ran = pagetutor("check", "all", "half.py", "--json")
    verdicts = {one["mission"]: one["verdict"] for one in ran.document["missions"]}
    assert ran.status == 1
    assert (verdicts[1], verdicts[3]) == ("passed", "passed")
    assert verdicts[2] != "passed"
    assert verdicts["final"] != "passed"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "zh",
            "通过了：Mission 1、Mission 3。还没通过：Mission 2、官方题目。接下来：`pagetutor mission 2`",
        ),
        (
            "en",
            "Passed: Mission 1, Mission 3. Not yet: Mission 2, The official exercise. "
            "Next: `pagetutor mission 2`",
        ),
    ],
)
def test_a_check_of_everything_ends_with_what_passes_what_does_not_and_what_is_next(
    pagetutor: Command, language: str, said: str
) -> None:
    half = _SOLUTION.read_text().replace("req.seq_len += 1", "req.seq_len += 1\n        return", 1)
    (pagetutor.folder / "half.py").write_text(half)
    ran = pagetutor("check", "all", "half.py", "--lang", language)
    assert ran.status == 1
    assert "".join(ran.out.split()).endswith("".join(said.split()))


def test_where_nothing_passes_yet_nothing_is_said_to_pass(pagetutor: Command) -> None:
    (pagetutor.folder / "block_manager.py").write_text("class KVCacheManager\n")
    ran = pagetutor("check", "all", "--lang", "en", COLUMNS="100")
    assert ran.out.rstrip().splitlines()[-1] == (
        "Not yet: Mission 1, Mission 2, Mission 3, The official exercise. Next: `pagetutor mission 1`"
    )


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["check", "1", "--json"], 3, 3),
        (["check", "7", "--json"], 2, 2),
        (["check", "--json"], 2, 2),
        (["check", "1", "--json", "--deadline", "-1"], 2, 2),
        (["check", "1", "--nonsense", "--json"], 2, 2),
        (["--lang", "fr", "check", "1", "--json"], 2, 2),
    ],
)
def test_with_json_every_error_is_one_document_too(
    pagetutor: Command, words: list[str], status: int, code: int
) -> None:
    ran = pagetutor(*words)
    assert (ran.status, ran.err) == (status, "")
    assert ran.document["schema"] == 1
    assert set(ran.document["error"]) == {"code", "say"}
    assert ran.document["error"]["code"] == code


def test_the_json_of_a_report_has_the_contracts_fields(pagetutor: Command) -> None:
    (pagetutor.folder / "block_manager.py").write_text("def f(:\n")
    ran = pagetutor("check", "1", "--json", "--lang", "zh")
    document = ran.document
    assert ran.status == 1
    assert list(document) == [
        "schema", "mission", "file", "verdict", "reason", "line", "tests", "diagnoses", "notes", "seconds",
        "isolation",
    ]  # fmt: skip
    assert (document["mission"], document["file"]) == (1, "block_manager.py")
    assert (document["verdict"], document["reason"], document["line"]) == ("broken", "syntax", 1)


def test_what_the_learner_prints_never_reaches_the_document(pagetutor: Command) -> None:
    noisy = 'print("{}")\n' + _SOLUTION.read_text()
    (pagetutor.folder / "block_manager.py").write_text(noisy)
    ran = pagetutor("check", "1", "--json")
    assert ran.document["verdict"] == "passed"


# ── bugs of ours ─────────────────────────────────────────────────────────────────────────────────


def _with_a_bug(pagetutor: Command, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys\n"
        "from pagetutor.cli.desk import Desk\n"
        "def secret(self, *, asks=True):\n"
        "    raise RuntimeError('my answer was 42')\n"
        "Desk.screen = secret\n"
        "Desk.course = property(secret)\n"
        "from pagetutor.cli.boundary import run\n"
        f"sys.exit(run({list(words)!r}))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=pagetutor.folder,
        env=pagetutor.environ(**environ),
    )


def test_a_bug_of_ours_is_one_line_and_a_log_without_answers(pagetutor: Command) -> None:
    ran = _with_a_bug(pagetutor, "status")
    assert ran.returncode == 70
    (log,) = (pagetutor.home / "logs").iterdir()
    assert ran.stderr == (
        f"pagetutor: pagetutor itself went wrong; it is not your fault. Please paste this file to us: {log}\n"
    )
    told = log.read_text()
    assert "RuntimeError" in told
    assert "secret" in told
    assert "42" not in told.split("RuntimeError", 1)[1].replace(":42", "")


def test_a_bug_with_json_is_a_document_of_code_70(pagetutor: Command) -> None:
    ran = _with_a_bug(pagetutor, "check", "1", "--json")
    assert ran.returncode == 70
    assert '"code": 70' in ran.stdout


@pytest.mark.skipif(
    os.geteuid() == 0 and not Path("/proc").exists(), reason="needs a path that cannot be made"
)
def test_a_log_that_cannot_be_kept_at_home_goes_to_the_temporary_folder(
    pagetutor: Command, tmp_path: Path
) -> None:
    spare = tmp_path / "spare"
    spare.mkdir()
    ran = _with_a_bug(pagetutor, "status", PAGETUTOR_HOME="/proc/nowhere", TMPDIR=str(spare))
    assert ran.returncode == 70
    assert [path.suffix for path in spare.iterdir()] == [".log"]
