"""What a check says of the file, in words."""

from __future__ import annotations

from collections.abc import Mapping

from pagetutor.text import Text

VERDICTS: Mapping[str, Text] = {  # by their names, as a history holds them
    "passed": Text(zh="通过了", en="passed"),
    "failed": Text(zh="还没通过", en="not passing yet"),
    "unfilled": Text(zh="TODO 还没填", en="TODOs still open"),
    "broken": Text(zh="文件还跑不起来", en="the file cannot be loaded"),
    "stopped": Text(zh="没有跑完", en="it did not finish"),
}
