"""A small course that is valid in every part, to break one thing of at a time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.fault import CourseError
from pagetutor.content.read import load_course

COURSE = """\
title: {zh: 分页注意力, en: Paged attention}
prologue:
  - text: {zh: 先认识几个词。, en: A few words first.}
missions: [01-prefill, final]
"""

MISSION = """\
id: "1"
title: {zh: 装箱, en: Packing}
methods: [allocate_for_prefill]
todos:
  - number: 1
    method: allocate_for_prefill
    name: needed_blocks
    task: {zh: 算出 `needed_blocks`。, en: Work out `needed_blocks`.}
guess:
  ask: {zh: "要几个块？", en: "How many blocks?"}
  reread: background
  choices:
    - id: two
      text: {zh: 两个, en: two}
      explain: {zh: 对。, en: Yes.}
      right: "true"
    - id: one
      text: {zh: 一个, en: one}
      explain: {zh: 少了 `6 % 4` 个 token。, en: It loses `6 % 4` tokens.}
      mistake: prefill.floor-division
  again:
    ask: {zh: "这回呢？", en: "And now?"}
    choices:
      - {id: three, text: "3", explain: {zh: 对。, en: Yes.}, right: "true"}
      - {id: four, text: "4", explain: {zh: 多了。, en: Too many.}}
background:
  - text: {zh: 块有大小。, en: A block has a size.}
  - points:
      - {zh: 一, en: first}
      - pool
  - steps:
      - {zh: 再来, en: again}
  - code: |
      pool.pop(0)
  - table:
      head: [n, {zh: 余数, en: remainder}]
      rows:
        - ["9", "1"]
  - more:
      - text: {zh: 还有。, en: There is more.}
diagram:
  - drawing:
      art:
        zh: |
          ┌────┐
          │ 块 │
          └────┘
        en: |
          +----+
          | 7  |
          +----+
      says: {zh: 一个块。, en: One block.}
warm_up:
  intro: {zh: 装箱。, en: Packing goods.}
  program: |
    item_count = 11
    boxes = item_count // 5
    print(boxes)
  predictions:
    - {expression: boxes, ends_as: "2"}
  knobs:
    - {name: item_count, suggested: 21, what_happens: {zh: 变成 4。, en: It becomes 4.}}
  output: |
    2
mapping:
  intro: {zh: 一一对应。, en: One by one.}
  rows:
    - {warm_up: item_count, exercise: req.seq_len, remark: {zh: 长度, en: the length}}
quiz:
  ask: {zh: "为什么先检查？", en: "Why check first?"}
  reread: diagram
  choices:
    - {id: halves, text: {zh: 怕做一半, en: half done}, explain: {zh: 对。, en: Yes.}, right: "true"}
    - {id: float, text: {zh: 变浮点, en: a float}, explain: {zh: 不会。, en: It is not.}}
hand_trace:
  intro: {zh: 填一填。, en: Fill it in.}
  head: [tokens, {zh: 块数, en: blocks}]
  rows:
    - given: "6"
      cells:
        - {answer: "2", explain: {zh: 向上取整。, en: Rounded up.}}
exercise:
  page:
    - text: {zh: 试着做。, en: Try it.}
  now_works: {zh: 能用了。, en: It works.}
  next_up: {zh: 下一个。, en: Next.}
tests: test_prefill.py
test_titles:
  test_six_tokens: {zh: 六个 token, en: six tokens}
other_ways:
  - title: {zh: 另一种, en: Another way}
    code: |
      needed_blocks = -(-req.seq_len // self.block_size)
    trade_off: {zh: 短。, en: Short.}
cards:
  - {id: size-one, title: {zh: 大小是 1, en: Size one}, text: {zh: 想想。, en: Think.}}
"""

FINAL = """\
id: final
title: {zh: 整道题, en: The whole exercise}
methods: [allocate_for_prefill]
todos:
  - {number: 1, method: allocate_for_prefill, task: {zh: 全做。, en: All of it.}}
background: []
exercise:
  page:
    - text: {zh: 一起做。, en: All at once.}
  now_works: {zh: 都好了。, en: All of it works.}
  next_up: {zh: 没有了。, en: Nothing more.}
tests: test_whole.py
test_titles:
  test_whole: {zh: 全部, en: the whole}
other_ways: []
cards: []
"""

MISTAKES = """\
models:
  - method: allocate_for_prefill
    template: |
      needed_blocks = {count}
      {check}
    slots:
      count:
        reference: "(n + b - 1) // b"
        neutral: ["-(-n // b)"]
        example: {zh: 例如 5 件。, en: Say 5 goods.}
        pattern: {zh: "`(n + ?) // b`", en: "`(n + ?) // b`"}
        line: {zh: "`(n + b - 1) // b`", en: "`(n + b - 1) // b`"}
      check:
        reference: |
          if needed_blocks > len(self.free_blocks):
              raise RuntimeError("OOM")
        neutral: []
        example: {zh: 例如, en: Say}
        pattern: {zh: 形如, en: Like}
        line: {zh: 这行, en: This}
    variants:
      - id: prefill.floor-division
        code: {count: "n // b"}
        belief: {zh: 像是向下取整了。, en: It seems to round down.}
        ask: {zh: "第 5 个放哪？", en: "Where does the 5th go?"}
        reread: background
      - id: prefill.no-capacity-check
        code: {check: ""}
        belief: {zh: 像是没检查。, en: It seems not to check.}
        ask: {zh: "不够呢？", en: "What if there are too few?"}
        reread: diagram
"""

STARTER = '''\
class KVCacheManager:
    def allocate_for_prefill(self, req):
        """Give the prompt its blocks."""
        # TODO 1: how many?
        needed_blocks = ...
'''

FILES = {
    "course.yaml": COURSE,
    "01-prefill/mission.yaml": MISSION,
    "01-prefill/mistakes.yaml": MISTAKES,
    "01-prefill/test_prefill.py": "def test_six_tokens(play): ...\n",
    "final/mission.yaml": FINAL,
    "final/test_whole.py": "def test_whole(play): ...\n",
    "block_manager.py": STARTER,
    "solution.py": STARTER,
}


@dataclass(frozen=True)
class SmallCourse:
    """The files of the small course under `root`."""

    root: Path

    def write(self, file: str, content: str | bytes) -> None:
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def change(self, file: str, old: str, new: str) -> None:
        """Replace `old`, which must stand in the file exactly once."""
        text = (self.root / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        self.write(file, text.replace(old, new))


def small_course(root: Path) -> SmallCourse:
    """All files of the small course, written under `root`."""
    course = SmallCourse(root)
    for file, content in FILES.items():
        course.write(file, content)
    return course


def faults_of(course: SmallCourse) -> list[tuple[str, str]]:
    """What loading everything says, in Chinese and English, a pair per fault; empty if it loads."""
    try:
        load_course(course.root, with_models=True)
    except CourseError as error:
        return list(zip(error.say.zh.split("\n"), error.say.en.split("\n"), strict=True))
    return []
