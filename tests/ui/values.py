"""Values as a lesson shows them, made by hand: the trickiest words of each kind."""

from __future__ import annotations

from pathlib import Path

from pagetutor.content.model import (
    Card,
    Choice,
    Code,
    Drawing,
    ExercisePart,
    HandTrace,
    Mapped,
    Mission,
    More,
    OtherWay,
    Paragraph,
    PartName,
    Points,
    Steps,
    Table,
    TraceCell,
    TraceRow,
    WarmUp,
)
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.exercise.scenario import scenario
from pagetutor.exercise.trace import Trace
from pagetutor.judge.report import CheckReport, FailingCase, Note, Reason, TestResult, Verdict
from pagetutor.learner.port import Frame, Prints, ProgramRun, Raised
from pagetutor.text import Text, same
from pagetutor.tutor.mending import Met
from pagetutor.tutor.recap import Day, Given, MissionRecap, Recap
from pagetutor.tutor.screen import (
    CardShown,
    EvidenceShown,
    Explained,
    HintShown,
    MappingShown,
    MissionLine,
    Overview,
    PageShown,
    PartHeading,
    RecapShown,
    ReportShown,
    Said,
    Showable,
    SolutionShown,
    TraceProgress,
    WarmUpRan,
    WarmUpShown,
)

SOURCE = """\
class KVCacheManager:
    def allocate_for_prefill(self, req):
        needed_blocks = req.seq_len // self.block_size
        if len(self.free_blocks) < needed_blocks:
            raise RuntimeError("OOM")
        for _ in range(needed_blocks):
            req.block_table.append(self.free_blocks.pop(0))
"""

MISSION = Mission(
    id="1",
    title=Text(zh="Mission 1 · 概念练习 · Prefill", en="Mission 1 · concept practice · Prefill"),
    methods=("allocate_for_prefill",),
    todos=(),
    guess=None,
    background=(),
    diagram=(),
    warm_up=None,
    mapping_intro=None,
    mapping=(),
    quiz=None,
    hand_trace=None,
    exercise=ExercisePart((), same("works"), same("next")),
    tests=Path("missions/01-prefill/test_prefill.py"),
    test_titles={},
    models=(),
    other_ways=(),
    cards=(),
)

ODD_WORDS = "`pool[block_id]` `List[int]` `x[a:b:c]` `{a:b:c}` :smile: [/x] [bold]x[/bold] \\[y]"
"""What Rich would delete, turn into a picture, or refuse."""

PAGE = PageShown(
    (
        Paragraph(
            Text(
                zh=f"最后一块就算只放了一个 token，也要占一整个物理块，所以要向上取整（{ODD_WORDS}）。",
                en=f"A last block with a single token still takes a whole block, so round up ({ODD_WORDS}).",
            )
        ),
        Points((Text(zh="`pop(0)` 取出开头的 id。", en="`pop(0)` takes the id at the head."),)),
        Steps((same("`req.seq_len += 1`"), Text(zh="再看余数", en="then look at the remainder"))),
        Drawing(
            art=Text(
                zh="逻辑块 0     逻辑块 1\n┌──┬──┐      ┌──┬──┐\n│t0│t1│ ───→ │t2│  │\n└──┴──┘      └──┴──┘",
                en="logical 0    logical 1\n┌──┬──┐      ┌──┬──┐\n│t0│t1│ ───→ │t2│  │\n└──┴──┘      └──┴──┘",
            ),
            says=Text(
                zh="三个 token 占两个块，第二块空一格。",
                en="Three tokens take two blocks; one slot stays empty.",
            ),
        ),
        Table(
            head=(
                Text(zh="长度", en="length"),
                Text(zh="余数", en="remainder"),
                Text(zh="动作", en="action"),
            ),
            rows=(
                (
                    same("8"),
                    same("0"),
                    Text(zh="正好装满，不提前补块", en="exactly full, nothing in advance"),
                ),
                (same("9"), same("1"), Text(zh="进了新块，追加一个 id", en="a new block, append one id")),
            ),
        ),
        Code("blocks = [pool[block_id] for block_id in table]  # List[int]"),
        More((Paragraph(Text(zh="vLLM 常用 16。", en="vLLM's usual size is 16.")),)),
    )
)

FLOOR = Mistake(
    id="prefill.floor-division",
    certain=True,
    span=Span(3, 25, 3, 55),
    belief=Text(zh="这里好像觉得整除就够了。", en="This looks as if plain division were enough."),
    ask=Text(
        zh="6 个 token 分到每块 4 个，剩下的 2 个去哪了？",
        en="Of 6 tokens in blocks of 4, where do the last 2 go?",
    ),
    reread=PartName.DIAGRAM,
    slot="count",
    method="allocate_for_prefill",
)

_TESTS = (
    TestResult("t::a", Text(zh="满块不多占", en="full blocks take no extra one"), "passed"),
    TestResult(
        "t::b",
        Text(zh="6 个 token 占 2 块", en="6 tokens take 2 blocks"),
        "failed",
        Text(zh="2 块", en="2 blocks"),
        Text(zh="1 块", en="1 block"),
    ),
)

FAILED = CheckReport(
    mission="1",
    file="block_manager.py",
    verdict=Verdict.FAILED,
    reason=None,
    line=3,
    tests=_TESTS,
    mistakes=(FLOOR,),
    notes=(
        Note(
            "takes-from-tail", Text(zh="你从尾部取块，也可以。", en="You take from the tail, which is fine.")
        ),
    ),
    seconds=0.18,
    case=FailingCase(
        test_id="t::b",
        call=Text(
            zh="`allocate_for_prefill(req)`，6 个 token，block_size 4，10 个空闲块",
            en="`allocate_for_prefill(req)` with 6 tokens, block_size 4, 10 free blocks",
        ),
        expected=Text(zh="`req.block_table` 有 2 个 id", en="`req.block_table` holds 2 ids"),
        actual=Text(zh="只有 1 个：`[0]`", en="only 1: `[0]`"),
        reproduce="m = KVCacheManager(10, 4, 1)\nr = Request(0, 6)\nm.allocate_for_prefill(r)",
        trace=Trace(scenario(), ()),
    ),
    prints=Prints(head="need 1\n[/x] {a:b:c} :smile:\n", tail="last\x1b[31m\n", dropped=12345),
    source=SOURCE,
)

BROKEN = CheckReport(
    mission="2",
    file="block_manager.py",
    verdict=Verdict.BROKEN,
    reason=Reason.IMPORT,
    line=3,
    tests=(),
    mistakes=(),
    notes=(),
    seconds=0.01,
    say=Text(
        zh="文件没能执行完，先让它能运行，再检查一次。",
        en="The file could not be executed. Mend it, then check again.",
    ),
    raised=Raised("NameError", ("Exception",), "name 'List[int]' is not defined", (Frame(3, "<module>"),)),
    source=SOURCE,
)

PASSED = CheckReport(
    mission="final",
    file="block_manager.py",
    verdict=Verdict.PASSED,
    reason=None,
    line=None,
    tests=(_TESTS[0],),
    mistakes=(),
    notes=(),
    seconds=0.2,
    source=SOURCE,
)

WARM_UP = WarmUp(
    intro=Text(zh="先用装箱练一练。", en="Practise on boxes first."),
    program="item_count = 11\nbox_capacity = 5\nprint(item_count // box_capacity)",
    predictions=(),
    knobs=(),
    output="2\n",
)

TRACE = HandTrace(
    intro=Text(zh="block_size 是 4，空闲池 10 块。", en="block_size is 4, the pool holds 10 blocks."),
    head=(same("token"), Text(zh="需要几块", en="blocks needed"), Text(zh="还剩几块", en="blocks left")),
    rows=(
        TraceRow(same("4"), (TraceCell("1", same("")), TraceCell("9", same("")))),
        TraceRow(same("5"), (TraceCell("2", same("")), TraceCell("8", same("")))),
    ),
)

_WRONG = Choice("a", Text(zh="给它一块，`[0]`", en="give it one block, `[0]`"), same("no"))
_RIGHT = Choice("b", Text(zh="两块才够", en="it takes two"), same("yes"), right=True)
RECAP = Recap(
    Text(zh="Level 22 · vLLM 分页注意力", en="Level 22 · paged attention in vLLM"),
    (
        MissionRecap(
            MISSION,
            passed=True,
            checks=4,
            hints=1,
            saw_the_line=False,
            saw_the_solution=True,
            seconds=3900.0,
            given=(
                Given(Text(zh="5 个 token 要几块？", en="How many blocks for 5 tokens?"), _WRONG, _RIGHT, 3),
                Given(Text(zh="为什么先检查？", en="Why check first?"), _RIGHT, _RIGHT, None),
            ),
            met=(
                Met(
                    "prefill.floor-division",
                    FLOOR.belief,
                    2,
                    mended=True,
                    passed=True,
                    diff=(
                        "@@ -1,3 +1,3 @@",
                        " def allocate_for_prefill(self, req):",
                        "-    needed_blocks = req.seq_len // self.block_size  # [/x] {a:b:c}",
                        "+    needed_blocks = -(-req.seq_len // self.block_size)  # ```",
                        "     return needed_blocks",
                    ),
                ),
                Met("prefill.no-capacity-check", FLOOR.belief, 1, mended=True, diff=(), passed=True),
                Met("structure.missing-self", None, 1, mended=True, diff=None, passed=True),
            ),
            days=(
                Day("2026-11-28", "23:50", "23:58", ("unfilled", "failed", "failed")),
                Day("2026-11-29", "19:45", "19:45", ("passed",)),
            ),
        ),
        MissionRecap(
            MISSION,
            passed=False,
            checks=0,
            hints=0,
            saw_the_line=True,
            saw_the_solution=False,
            seconds=59.0,
            given=(),
            met=(Met("gather.stacks", None, 1, mended=False, diff=None),),
            days=(),
        ),
    ),
)

EVERY_VALUE: tuple[Showable, ...] = (
    PartHeading(MISSION, PartName.GUESS, 1, 8, in_lesson=True),
    PartHeading(MISSION, PartName.MAPPING, 5, 8, in_lesson=True),
    PartHeading(MISSION, PartName.MAPPING, 5, 8),
    PAGE,
    Said(Text(zh="先想一想，再往下读。", en="Think first, then read on.")),
    Explained(Choice("a", same("a"), Text(zh="漏了最后的 token。", en="The last token is lost."))),
    Explained(Choice("b", same("b"), Text(zh="两块才够。", en="It takes two blocks."), right=True)),
    MappingShown(
        Text(zh="换个名字，就是这道题。", en="Other names, and it is the exercise."),
        (
            Mapped("item_count", "req.seq_len", Text(zh="要装的东西", en="what has to go in")),
            Mapped(
                "ordered_pages",
                "blocks",
                Text(zh="每个是一块 `pool[block_id]`", en="each one is a `pool[block_id]`"),
            ),
        ),
    ),
    WarmUpShown(WARM_UP, WARM_UP.program),
    WarmUpRan(
        ProgramRun("3 箱\n[/x]\n", {"boxes_needed": "3", "assigned": "[20, 7, 31]"}, None),
        {"boxes_needed": "2", "assigned": "20,7,31"},
    ),
    WarmUpRan(ProgramRun("", {}, Raised("RuntimeError", (), "FULL", (Frame(7, "<module>"),))), {}),
    TraceProgress(TRACE, ((None, None), (None, None))),
    TraceProgress(TRACE, (("1", "9"), ("2", None))),
    ReportShown(FAILED),
    ReportShown(BROKEN),
    ReportShown(PASSED),
    EvidenceShown(
        Choice("b", same("b"), Text(zh="两块才够。", en="It takes two blocks."), right=True),
        Text(
            zh="`block_size=4`，`free_blocks=[0]`；`seq_len=5`，`block_table=[]` → `allocate_for_prefill(a)`",
            en="`block_size=4`, `free_blocks=[0]`; `seq_len=5`, `block_table=[]` → `allocate_for_prefill(a)`",
        ),
        Text(
            zh="抛出 `RuntimeError('OOM')`；`block_table == []`，`free_blocks == [0]`",
            en="raised `RuntimeError('OOM')`; `block_table == []`, `free_blocks == [0]`",
        ),
        Text(zh="当时很有把握，也猜对了。", en="You were sure, and right."),
    ),
    HintShown(
        Text(zh="套路", en="The pattern"),
        Text(zh="写成：\n    (n + b - 1) // b", en="Write:\n    (n + b - 1) // b"),
    ),
    CardShown(Card("c", Text(zh="队列", en="Queues"), Text(zh="`deque` 更快。", en="A `deque` is faster."))),
    SolutionShown(
        "def allocate_for_prefill(self, req):\n    return -(-req.seq_len // self.block_size)",
        (OtherWay(Text(zh="用 `math.ceil`", en="With `math.ceil`"), "math.ceil(n / b)", same("float")),),
        "def allocate_for_prefill(self, req):\n    ...",
    ),
    RecapShown(RECAP),
    RecapShown(Recap(same("the course"), ())),
    Overview(
        Text(zh="Level 22 · vLLM 分页注意力", en="Level 22 · paged attention in vLLM"),
        (
            MissionLine(
                MISSION, 3, 8, passed=False, checks=2, last_check=("unfilled", "2026-11-29 19:45"), begun=True
            ),
        ),
        Text(zh="接着学：`pagetutor mission 1`。", en="Go on: `pagetutor mission 1`."),
    ),
)
