"""Which language: flag, variable, memory, locale, in this order."""

from __future__ import annotations

import pytest

from pagetutor.errors import UsageError
from pagetutor.text import Language
from pagetutor.ui.language import chosen_language

ZH, EN = Language.ZH, Language.EN


@pytest.mark.parametrize(
    ("flag", "environ", "remembered", "chosen"),
    [
        ("en", {"PAGETUTOR_LANG": "zh"}, ZH, EN),
        (None, {"PAGETUTOR_LANG": "zh"}, EN, ZH),
        (None, {"LANG": "zh_CN.UTF-8"}, EN, EN),
        (None, {"LANG": "zh_CN.UTF-8"}, None, ZH),
        (None, {"LANG": "zh_TW.UTF-8", "LC_ALL": "C"}, None, None),
        (None, {"LANG": "en_US.UTF-8"}, None, None),
        (None, {}, None, None),
        ("zh-CN", {}, None, ZH),
        ("EN", {}, None, EN),
        ("中文", {}, None, ZH),
    ],
)
def test_the_first_that_says_anything_decides(
    flag: str | None, environ: dict[str, str], remembered: Language | None, chosen: Language | None
) -> None:
    assert chosen_language(flag, environ, remembered) is chosen


def test_a_language_there_is_not_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError) as error:
        chosen_language("fr", {}, None)
    assert error.value.say.en == "There is no language fr: write zh (中文) or en (English)."
    assert error.value.say.zh == "没有 fr 这种语言：可以写 zh（中文）或 en（English）。"
