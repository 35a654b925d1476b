"""What a replay says of its own, in Chinese and in English."""

from __future__ import annotations

from pagetutor.text import Text

REPLAY = Text(zh="回放", en="Replay")
FRAME = Text(zh="第 {frame}/{of} 步", en="step {frame} of {of}")
CALL = Text(zh="第 {call}/{of} 次调用", en="call {call} of {of}")
CALL_HEAD = Text(zh="第 {call}/{of} 次调用", en="Call {call} of {of}")
BEFORE = Text(zh="调用之前：", en="Before the call: ")
LINE = Text(zh="第 {line} 行", en="line {line}")
LINES = Text(zh="第 {first}–{last} 行", en="lines {first}–{last}")
IN_FUNCTION = Text(zh="，在 `{function}` 里", en=" in `{function}`")
COLON = Text(zh="：", en=": ")
COMMA = Text(zh="，", en=", ")
SEMICOLON = Text(zh="；", en="; ")
NOTHING_NEW = Text(zh="没有新的变化", en="nothing new")
AFTER = Text(zh="调用之后：", en="After the call: ")
FIRST_DIFFERENCE = Text(zh="第一处不同就在这里", en="Here is the first difference")
ONE_MORE_DIFFERENCE = Text(zh="这里又有一处不同", en="Here is one more difference")
VALUES = Text(zh="局部变量：", en="Local values: ")

WATCH_REPLAY = Text(zh="回放", en="replay")

MORE = Text(zh="还有 {count} 行：按上下键", en="{count} more rows: up, down")
ONE_MORE = Text(zh="还有 1 行：按上下键", en="1 more row: up, down")
MORE_IN_A_LARGER_WINDOW = Text(zh="还有 {count} 行：把窗口拉大", en="{count} more rows in a larger window")

ONE_MORE_IN_A_LARGER_WINDOW = Text(zh="还有 1 行：把窗口拉大", en="1 more row in a larger window")

NEXT = Text(zh="下一步", en="next")
BACK = Text(zh="上一步", en="back")
DIFFERENCE = Text(zh="第一处不同", en="first difference")
NEXT_CALL = Text(zh="下一次调用", en="next call")
LANGUAGE = Text(zh="English", en="中文")
LEAVE = Text(zh="离开", en="leave")

DRAWN = Text(zh="画好了：{path}", en="Drawn: {path}")
