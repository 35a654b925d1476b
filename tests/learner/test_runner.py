"""Sessions that go well, and the runner's own life."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pagetutor.errors import ContentError, MachineError
from pagetutor.learner import processes
from pagetutor.learner.port import Finished, Job, Loaded, Prints, Raised, Stopped, StopReason
from pagetutor.learner.runner import WarmRunner, open_runner
from pagetutor.learner.warm_process import WarmProcess

from .conftest import RIGHT, TOY_STAGE, Bench, footprint, left_processes, left_scratches


def test_a_right_file_is_loaded_played_and_finished(any_bench: Bench) -> None:
    assert any_bench.outcome(RIGHT.decode()) == (Loaded(), {"answer": 42}, Finished())
    any_bench.assert_intact()


def test_prints_of_both_streams_come_in_order(bench: Bench) -> None:
    source = (
        "import sys\nprint('块')\nsys.stderr.write('two\\n')\ndef answer():\n    print('three')\n    return 1"
    )
    _, _, finished = bench.outcome(source)
    assert finished == Finished(Prints(head="块\ntwo\nthree\n"))


def test_prints_before_a_crash_are_kept(bench: Bench) -> None:
    with bench.session() as session:
        stopped = session.load(b"import os\nprint('last words')\nos.abort()")
        assert stopped == Stopped(StopReason.CRASH, detail="SIGABRT")
        assert session.prints() == Prints(head="last words\n")


def test_much_print_keeps_head_and_tail(bench: Bench) -> None:
    source = "print('first')\nfor n in range(20000): print('line', n)\nprint('last')\ndef answer(): return 1"
    _, _, finished = bench.outcome(source)
    assert isinstance(finished, Finished)
    prints = finished.prints
    assert prints.head.startswith("first\nline 0\n")
    assert prints.tail.endswith("line 19999\nlast\n")
    total = len("first\nlast\n") + sum(len(f"line {n}\n") for n in range(20000))
    assert len(prints.head) + prints.dropped + len(prints.tail) == total


def test_loading_again_replaces_the_module(bench: Bench) -> None:
    with bench.session() as session:
        assert session.load(b"def answer(): return 1\ndef gone(): return 1") == Loaded()
        assert session.load(b"def answer(): return 2") == Loaded()
        assert session.play({"call": "answer"}) == {"answer": 2}
        assert "KeyError" in str(session.play({"call": "gone"}))


def test_edits_within_one_second_and_of_equal_length_run_as_they_stand(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    for number in range(20):
        source = f"def answer(): return {100 + number}".encode()
        bench.path.write_bytes(source)
        os.utime(bench.path, (1_000_000_000, 1_000_000_000))
        assert bench.outcome(source.decode())[1] == {"answer": 100 + number}


def test_a_helper_beside_the_file_is_never_stale(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    helper = bench.path.with_name("my_helper.py")
    source = "import my_helper\ndef answer(): return my_helper.VALUE"
    seen = []
    for value in (1, 2):
        helper.write_text(f"VALUE = {value}")
        os.utime(helper, (1_000_000_000, 1_000_000_000))
        # What a plain run of the learner's leaves behind, and then believes.
        command = [sys.executable, "-c", "import my_helper; print(my_helper.VALUE)"]
        seen.append(subprocess.check_output(command, cwd=bench.path.parent, text=True).strip())
        assert bench.outcome(source)[1] == {"answer": value}
    assert seen == ["1", "1"]  # the fault is real: a plain import runs the old code


def test_a_helper_is_read_again_at_the_second_load(bench: Bench) -> None:
    helper = bench.path.with_name("my_helper.py")
    source = b"import my_helper\ndef answer(): return my_helper.VALUE"
    with bench.session() as session:
        for value in (1, 2):
            helper.write_text(f"VALUE = {value}")
            assert session.load(source) == Loaded()
            assert session.play({"call": "answer"}) == {"answer": value}


@pytest.mark.parametrize("name", ["torch", "random", "typing", "test", "json", "pagetutor"])
def test_a_file_beside_it_shadows_nothing(bench: Bench, name: str) -> None:
    bench.path.with_name(f"{name}.py").write_text("raise RuntimeError('shadowed')")
    source = "import torch, random, typing, json\ndef answer(): return int(torch.ones(2).sum())"
    assert bench.outcome(source) == (Loaded(), {"answer": 2}, Finished())


@pytest.mark.parametrize("name", ["torch", "random", "__main__", "sys", "文件", "with space", "a.b", "numpy"])
def test_a_learner_file_of_any_name_breaks_nothing(runner: WarmRunner, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.py"
    source = "import torch, random\ndef answer(): return int(torch.ones(2).sum() + 0 * random.random())"
    with runner.session(Job(path, TOY_STAGE)) as session:
        assert session.load(source.encode()) == Loaded()
        assert session.play({"call": "answer"}) == {"answer": 2}
        assert session.play({"stage": "counts in torch"}) == {"answer": 3}


@pytest.mark.parametrize("folder", ["课 程", "[x]%s'\"", "é" * 60, "y" * 250])
def test_a_stuck_line_is_found_under_any_path(runner: WarmRunner, tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    job = Job(tmp_path / folder / "block_manager.py", TOY_STAGE, deadline_s=0.4)
    with runner.session(job) as session:
        assert session.load(b"\nwhile True: pass") == Stopped(StopReason.TIMEOUT, 2, "<module>")


def test_the_file_behaves_as_if_imported(bench: Bench) -> None:
    source = """
        from __future__ import annotations
        import dataclasses, os, pickle, sys

        @dataclasses.dataclass
        class Block:
            number: int

        def answer():
            assert sys.modules[__name__].Block is Block
            assert pickle.loads(pickle.dumps(Block(1))) == Block(1)
            assert __name__ == "block_manager" and __file__.endswith("block_manager.py")
            return os.path.basename(os.getcwd())[:9]
    """
    assert bench.outcome(textwrap.dedent(source))[1] == {"answer": "pagetutor"}


def test_nothing_is_written_beside_the_learners_file(bench: Bench) -> None:
    bench.path.with_name("my_helper.py").write_text("VALUE = 1")
    bench.outcome("import my_helper\nopen('here', 'w').write('x')\ndef answer(): return 1")
    assert sorted(path.name for path in bench.path.parent.iterdir()) == ["block_manager.py", "my_helper.py"]


def test_random_numbers_differ_from_process_to_process(bench: Bench) -> None:
    source = "import random\ndef answer(): return random.random()"
    assert bench.outcome(source)[1] != bench.outcome(source)[1]


# ── loading ──


def test_a_missing_typing_import_in_annotations_is_lent(bench: Bench) -> None:
    source = "class A:\n    ids: Dict[int, int]\ndef answer(x: List[int] = ()) -> Optional[int]: return 42"
    loaded, played, _ = bench.outcome(source)
    assert loaded == Loaded(supplied=("Dict", "List", "Optional"))
    assert played == {"answer": 42}


def test_a_typing_name_used_for_more_than_annotations_is_not_lent(bench: Bench) -> None:
    loaded, _, _ = bench.outcome("def answer() -> List[int]: return 42\nIds = List[int]")
    assert "NameError" in str(loaded)
    assert "name 'List' is not defined" in str(loaded)


def test_another_missing_name_is_not_lent(bench: Bench) -> None:
    loaded, _, _ = bench.outcome("def answer() -> Lisst[int]: return 42")
    assert "name 'Lisst' is not defined" in str(loaded)


def test_a_syntax_error_tells_its_line(bench: Bench) -> None:
    loaded, _, finished = bench.outcome("x = 1\ndef answer(:\n")
    assert "exception='SyntaxError'" in str(loaded)
    assert "Frame(line=2, function='<module>')" in str(loaded)
    assert finished == Finished()


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbfdef answer():\r\n\treturn 42\r\n",
        "# -*- coding: gbk -*-\n# 块\ndef answer(): return 42".encode("gbk"),
    ],
)
def test_marks_newlines_and_coding_cookies_are_pythons(bench: Bench, source: bytes) -> None:
    with bench.session() as session:
        assert session.load(source) == Loaded()
        assert session.play({"call": "answer"}) == {"answer": 42}


def test_a_traceback_printed_by_the_learner_quotes_the_line(bench: Bench) -> None:
    source = "import traceback\ndef answer():\n    try: boom()\n    except NameError: traceback.print_exc()"
    _, _, finished = bench.outcome(source)
    assert isinstance(finished, Finished)
    assert "try: boom()" in finished.prints.head


def test_the_quoted_line_is_the_one_of_pythons_number(bench: Bench) -> None:
    source = (
        "import traceback  # \x0c \u2028 \x85\ndef answer():\n"
        "    try: boom()\n    except NameError: traceback.print_exc()"
    )
    _, _, finished = bench.outcome(source)
    assert isinstance(finished, Finished)
    assert "    try: boom()\n" in finished.prints.head


# ── warm-ups ──


def test_a_warm_up_tells_its_output_and_final_values(bench: Bench) -> None:
    with bench.session() as session:
        run = session.run("free = [0, 1, 2]\nprint('taken', free.pop(0))", ["free", "len(free)", "nope"])
        assert not isinstance(run, Stopped)
        assert (run.output, run.raised) == ("taken 0\n", None)
        assert run.values == {
            "free": "[1, 2]",
            "len(free)": "2",
            "nope": "NameError: name 'nope' is not defined",
        }
        assert session.finish() == Finished()  # its output is not the learner's


def test_a_warm_up_that_raises_tells_where(bench: Bench) -> None:
    with bench.session() as session:
        run = session.run("x = 1\nx / 0", ["x"])
        assert not isinstance(run, Stopped)
        assert run.values == {"x": "1"}
        assert isinstance(run.raised, Raised)
        assert (run.raised.exception, run.raised.line) == ("ZeroDivisionError", 2)


def test_a_warm_up_changed_into_an_endless_one_stops(bench: Bench) -> None:
    with bench.session(deadline_s=0.4) as session:
        stopped = session.run("x = 1\nwhile True: x += 1", [])
        assert stopped == Stopped(StopReason.TIMEOUT, line=2, function="<module>")
    with bench.session() as session:
        stopped = session.run("while True: print('x' * 999)", [])
        assert isinstance(stopped, Stopped)
        assert stopped.reason is StopReason.OUTPUT


# ── the stage ──


def test_a_stage_that_raises_is_told_with_its_traceback(bench: Bench) -> None:
    _, played, _ = bench.outcome(RIGHT.decode(), scenario={"stage": "raises"})
    assert isinstance(played, Stopped)
    assert played.reason is StopReason.CRASH
    assert "ValueError: the stage is at fault" in played.detail
    assert TOY_STAGE.name in played.detail


def test_a_stage_that_answers_no_plain_data_is_told(bench: Bench) -> None:
    _, played, _ = bench.outcome(RIGHT.decode(), scenario={"stage": "answers an object"})
    assert isinstance(played, Stopped)
    assert (played.reason, "not plain data" in played.detail) == (StopReason.CRASH, True)


def test_a_stage_that_is_not_there_or_fails_is_the_courses_fault(runner: WarmRunner, tmp_path: Path) -> None:
    with pytest.raises(ContentError), runner.session(Job(tmp_path / "x.py", tmp_path / "none.py")):
        pass
    (tmp_path / "stage.py").write_text("1 /")
    job = Job(tmp_path / "x.py", tmp_path / "stage.py")
    with pytest.raises(ContentError, match="syntax error at line 1"), runner.session(job):
        pass
    (tmp_path / "stage.py").write_text("1 / 0")
    job = Job(tmp_path / "x.py", tmp_path / "stage.py")
    with pytest.raises(ContentError, match="ZeroDivisionError"), runner.session(job) as session:
        session.load(RIGHT)
    runner.settle()
    assert left_processes(footprint(runner)) == []
    assert left_scratches(footprint(runner)) == []


# ── the runner's life ──


def test_two_sessions_at_once_do_not_disturb_each_other(any_bench: Bench) -> None:
    with any_bench.session() as one, any_bench.session() as other:
        assert one.load(b"def answer(): return 1") == Loaded()
        assert other.load(b"import os\nos._exit(0)") == Stopped(StopReason.EXIT, detail="status 0")
        assert one.play({"call": "answer"}) == {"answer": 1}
        assert one.finish() == Finished()
    any_bench.assert_intact()


@pytest.mark.parametrize(
    "stop_timer", ["", "import faulthandler\nfaulthandler.cancel_dump_traceback_later()\n"]
)
def test_a_line_is_told_that_is_stuck_after_many_answers_and_a_pause(bench: Bench, stop_timer: str) -> None:
    source = stop_timer + "def answer(n):\n    while n > 9: pass\n    return n\n"
    with bench.session(deadline_s=0.6) as session:
        session.load(source.encode())
        for number in (1, 2, 3):
            assert session.play({"call": "answer", "arguments": [number]}) == {"answer": number}
        time.sleep(0.7)  # what is told between two questions counts for nothing
        assert session.play({"call": "answer", "arguments": [4]}) == {"answer": 4}
        line = source.count("\n") - 1
        stuck = session.play({"call": "answer", "arguments": [10]})
        assert stuck == Stopped(StopReason.TIMEOUT, line, "answer")


def test_a_line_is_told_after_a_pause_also_where_it_is_no_timeout(bench: Bench) -> None:
    source = b"def first(): return 1\ndef answer():\n    while True: print('x' * 1000)\n"
    with bench.session(deadline_s=0.5) as session:
        session.load(source)
        assert session.play({"call": "first"}) == {"answer": 1}
        time.sleep(0.6)
        stopped = session.play({"call": "answer"})
    assert isinstance(stopped, Stopped)
    assert (stopped.reason, stopped.line, stopped.function) == (StopReason.OUTPUT, 3, "answer")


def test_the_time_between_two_questions_is_not_counted(bench: Bench) -> None:
    with bench.session(deadline_s=0.3) as session:
        session.load(RIGHT)
        time.sleep(0.4)
        assert session.play({"call": "answer"}) == {"answer": 42}


def test_the_deadline_holds_for_all_questions_together(bench: Bench) -> None:
    with bench.session(deadline_s=0.5) as session:
        session.load(b"import time\ndef answer():\n    time.sleep(0.3)\n    return 1")
        assert session.play({"call": "answer"}) == {"answer": 1}
        assert session.play({"call": "answer"}) == Stopped(StopReason.TIMEOUT, 3, "answer")


def test_a_session_left_by_an_exception_ends_its_process(bench: Bench) -> None:
    def interrupted() -> None:
        with bench.session() as session:
            session.load(b"import subprocess\nsubprocess.Popen(['sleep', '99'])")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    bench.assert_intact()


def test_warm_returns_at_once_and_ready_tells_when() -> None:
    with WarmRunner() as runner:
        assert not runner.ready()
        runner.warm()
        assert not runner.ready()
        while not runner.ready():
            time.sleep(0.02)
        first = footprint(runner)
        runner.warm()
        assert footprint(runner) == first


def test_a_killed_warm_process_is_replaced(tmp_path: Path) -> None:
    with WarmRunner() as runner:
        bench = Bench(runner, tmp_path)
        bench.assert_intact()
        warm = footprint(runner).launcher
        os.kill(warm, signal.SIGKILL)
        # A session begun in this very moment would stop: `tests.soak kills`.
        os.waitid(os.P_PID, warm, os.WEXITED | os.WNOWAIT)
        bench.assert_intact()


def test_close_leaves_nothing_and_may_come_twice(tmp_path: Path) -> None:
    runner = WarmRunner()
    bench = Bench(runner, tmp_path)
    context = bench.session()
    session = context.__enter__()
    session.load(b"import subprocess\nsubprocess.Popen(['sleep', '99'], start_new_session=True)")
    seen = footprint(runner)
    runner.close()
    runner.close()
    assert processes.marked(seen.mark) == ()
    assert not seen.scratch.exists()
    context.__exit__(None, None, None)


def test_close_while_torch_is_imported_leaves_nothing() -> None:
    runner = WarmRunner()
    runner.warm()
    mark = footprint(runner).mark
    runner.close()
    assert processes.marked(mark) == ()


@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 9)"])
@pytest.mark.parametrize("moment", ["importing", "playing"])
def test_everything_ends_with_the_tutor(tmp_path: Path, moment: str, end: str) -> None:
    (tmp_path / "block_manager.py").write_bytes(RIGHT)
    if moment == "importing":  # and for so long that only the tutor's end can be the reason
        (tmp_path / "torch.py").write_text("import time\nfor _ in range(600): time.sleep(0.1)")
    tutor = f"""
        import os, pathlib, sys
        sys.path.insert(0, {str(tmp_path)!r})
        from pagetutor.learner.port import Job
        from pagetutor.learner.runner import WarmRunner
        runner = WarmRunner()
        runner.warm()
        if {moment == "playing"}:
            job = Job(pathlib.Path({str(tmp_path / "block_manager.py")!r}), pathlib.Path({str(TOY_STAGE)!r}))
            context = runner.session(job)
            session = context.__enter__()
            session.load(b"import threading\\nthreading.Thread(target=input).start()")
        print(runner.footprint.mark, flush=True)
        {end}
    """
    mark = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(tutor)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ).stdout.strip()
    assert mark.startswith("PAGETUTOR_MARK=")
    _wait_until_none(mark)


def _wait_until_none(mark: str) -> None:
    for _ in range(200):
        if not processes.marked(mark):
            return
        time.sleep(0.05)
    assert processes.marked(mark) == ()


def test_ctrl_c_while_waiting_comes_through_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "block_manager.py").write_bytes(RIGHT)
    tutor = f"""
        import pathlib
        from pagetutor.learner.port import Job
        from pagetutor.learner.runner import WarmRunner
        with WarmRunner() as runner:
            try:
                with runner.session(Job(pathlib.Path({str(tmp_path / "block_manager.py")!r}),
                                        pathlib.Path({str(TOY_STAGE)!r}), deadline_s=60)) as session:
                    print(runner.footprint.mark, flush=True)
                    session.load(b"while True: pass")
            except KeyboardInterrupt:
                print("interrupted", flush=True)
    """
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(tutor)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
        process_group=0,
    ) as process:
        assert process.stdout is not None
        mark = process.stdout.readline().strip()
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
        assert process.wait() == 0
    assert processes.marked(mark) == ()
    assert list(scratch.iterdir()) == []


def test_a_tutor_that_was_suspended_takes_the_answer_that_came_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "block_manager.py").write_bytes(RIGHT)
    tutor = f"""
        import pathlib
        from pagetutor.learner.port import Job
        from pagetutor.learner.runner import WarmRunner
        with WarmRunner() as runner:
            with runner.session(Job(pathlib.Path({str(tmp_path / "block_manager.py")!r}),
                                    pathlib.Path({str(TOY_STAGE)!r}), deadline_s=1)) as session:
                print("asking", flush=True)
                print(session.load(b"import time; time.sleep(0.5)"), flush=True)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(tutor)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(1.5)
        os.kill(process.pid, signal.SIGCONT)
        assert process.stdout.read() == "Loaded(supplied=())\n"


def test_torch_missing_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    with pytest.raises(MachineError) as told, WarmRunner() as runner, runner.session(_any_job()) as session:
        session.load(RIGHT)
    assert told.value.say.en == "This Python has no torch. Run `pip install torch`, then try again."
    assert told.value.say.zh == "这个 Python 里没有装 torch。请先运行 `pip install torch`，然后再试一次。"


def test_torch_broken_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise OSError('libgomp.so.1: cannot open shared object file')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(MachineError) as told, WarmRunner() as runner, runner.session(_any_job()) as session:
        session.load(RIGHT)
    assert told.value.say.en == (
        "torch is installed but cannot be imported: OSError: libgomp.so.1: cannot open shared object file. "
        "Try `import torch` in Python, or reinstall it with `pip install --force-reinstall torch`."
    )


def test_torch_too_slow_says_so(tmp_path: Path) -> None:
    warm = WarmProcess(scratch=tmp_path, spare=False, polite=False)
    with pytest.raises(MachineError, match="still not imported after 0 seconds"):
        warm.wait_ready(0)
    warm.close()


def test_no_python_to_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(MachineError, match="could not be started: No such file or directory"):
        WarmRunner().warm()


def test_the_working_folder_cannot_shadow_torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise RuntimeError('shadowed')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    with WarmRunner() as runner:
        Bench(runner, tmp_path).assert_intact()


def test_the_setting_chooses_the_start() -> None:
    forking, spare = open_runner({}), open_runner({"PAGETUTOR_START": "spare"})
    assert isinstance(forking, WarmRunner)
    assert isinstance(spare, WarmRunner)
    assert (forking.spare, spare.spare) == (False, True)


def test_importing_the_runner_is_cheap() -> None:
    heavy = {"torch", "numpy", "pytest", "multiprocessing", "asyncio", "ctypes"}
    code = f"import sys, pagetutor.learner.runner; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def _any_job() -> Job:
    return Job(Path("block_manager.py"), TOY_STAGE)
