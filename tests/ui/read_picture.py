"""Reads pictures of a pool back into the state they were made from; knows nothing but what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.cells import get_character_cell_size

from pagetutor.exercise.state import BlockState, Condition, Ids, Owner, PoolState, RequestState
from pagetutor.exercise.trace import Odd, Plain
from pagetutor.ui.render.look import Marks

_HEADS = re.compile(r" \d+( \*)?( +\d+( \*)?)*")
_WORDS = {"free", "空闲"}
_LOST = {"lost", "丢失"}


def read_drawn(lines: Sequence[str], marks: Marks) -> PoolState:
    """The state of a drawn picture without its legend."""
    end = next(at for at, line in enumerate(lines) if line[0] not in " [")
    boxes = list(_boxes(lines[:end], marks))
    requests: list[RequestState] = []
    free: Ids | None = None
    for words in _unfolded(lines[end:]):
        if match := re.fullmatch(r"(?:free_blocks (.*))", words):
            free = _odd(match[1])
        elif match := re.fullmatch(r"(?:free,|空闲池，) ?(\d+) ?(?:blocks?|块)(?:[:：] ?(.*))?", words):
            free = tuple(_ids(match[2]))
            assert len(free) == int(match[1])
        elif re.match(r"no blocks of|池里没有", words):
            strays = words
            assert strays.endswith(tuple(")0123456789"))
        else:
            requests.append(_request(words))
    assert free is not None
    size = {len(slots) for _, slots, _ in boxes}.pop()
    blocks = tuple(_block(head, slots, labels, marks) for head, slots, labels in boxes)
    return PoolState(size, blocks, tuple(requests), free)


def _boxes(lines: Sequence[str], marks: Marks) -> Iterator[tuple[str, str, list[str]]]:
    at = 0
    while at < len(lines):
        assert _HEADS.fullmatch(lines[at]), lines[at]
        starts = [match.start() - 1 for match in re.finditer(r"\d+", lines[at])]
        heads = _columns(lines[at], starts)
        at += 1
        slots = [""] * len(heads)
        while not all(one.endswith("]") for one in slots):
            slots = [one + more for one, more in zip(slots, _columns(lines[at], starts), strict=True)]
            at += 1
        labels: list[list[str]] = [[] for _ in heads]
        while at < len(lines) and not _HEADS.fullmatch(lines[at]):
            for number, label in enumerate(_columns(lines[at], starts)):
                labels[number] += [label] if label else []
            at += 1
        for head, one, named in zip(heads, slots, labels, strict=True):
            yield head, one.removeprefix("[").removesuffix("]"), named


def _columns(line: str, starts: Sequence[int]) -> list[str]:
    """The parts of a line that begin at these cells."""
    cells = [part for char in line for part in [char, ""][: get_character_cell_size(char)]]
    ends = [*starts[1:], len(cells)]
    return ["".join(cells[start:end]).strip() for start, end in zip(starts, ends, strict=True)]


def _block(head: str, slots: str, labels: Sequence[str], marks: Marks) -> BlockState:
    owners = tuple(
        Owner(match[1], int(match[2]))
        for label in labels
        if (match := re.fullmatch(r"(\w+)\[(\d+)\]", label))
    )
    free = sum(label in _WORDS for label in labels)
    assert len(owners) + free + sum(label in _LOST for label in labels) == len(labels)
    filled = slots.count(marks.used) + slots.count(marks.twice)
    left_out = marks.aside in slots
    block = BlockState(int(head.removesuffix(" *")), owners, free, filled, left_out)
    rest = slots[filled:]
    match block.condition:
        case Condition.USED:
            assert slots == marks.used * filled + marks.tail * len(rest)
        case Condition.TWICE:
            empty = marks.tail if owners else marks.free
            assert slots == marks.twice * filled + empty * len(rest)
        case Condition.FREE:
            assert slots == marks.free * len(slots)
        case Condition.ASIDE:
            assert slots == marks.aside * len(slots)
            assert not labels
        case Condition.LOST:
            assert slots == marks.lost * len(slots)
            assert set(labels) <= _LOST
            assert labels
    return block


def _unfolded(lines: Sequence[str]) -> list[str]:
    """The lists with their continuation lines joined again."""
    whole: list[str] = []
    for line in lines:
        if line.startswith("  "):
            gap = "" if whole[-1].endswith(("，", "：")) else " "
            whole[-1] = whole[-1].rstrip() + gap + line.strip()
        else:
            whole.append(line)
    return whole


def _request(words: str) -> RequestState:
    match = re.fullmatch(
        r"(\w+)(?:, |，)(?:(\d+) (?:tokens?|个 token)|seq_len (.*?))(?:, |，)"
        r"(?:(\d+) ?(?:blocks?|块)(?:[:：] ?(.*))?|block_table (.*))",
        words,
    )
    assert match, words
    name, tokens, odd_length, count, arrows, odd_table = match.groups()
    table: Ids = _odd(odd_table) if odd_table else ()
    if not odd_table:
        pairs = [one.split("->") for one in (arrows or "").split(", ") if one]
        assert [int(logical) for logical, _ in pairs] == list(range(int(count)))
        table = tuple(_one(block) for _, block in pairs)
    return RequestState(name, int(tokens) if tokens else _odd(odd_length), table)


def _ids(words: str | None) -> Iterator[Plain]:
    for one in (words or "").split(", "):
        if match := re.fullmatch(r"(\d+)-(\d+)", one):
            yield from range(int(match[1]), int(match[2]) + 1)
        elif one:
            yield _one(one)


def _one(words: str) -> Plain:
    return int(words) if re.fullmatch(r"-?\d+", words) else _odd(words)


def _odd(words: str) -> Odd:
    match = re.fullmatch(r"(.*) ?\((\w+)\)", words)
    assert match, words
    return Odd(match[2], match[1].strip())


# ── sentences ────────────────────────────────────────────────────────────────────────────────────


def read_told(lines: Sequence[str]) -> PoolState:
    """The state of a picture told in sentences; spaces do not count, wrapping moves them."""
    words = "".join("".join(lines).split())
    match = re.match(r"(\d+)physicalblocks?of(\d+)slots\.|一共(\d+)个物理块，[每有]块?(\d+)个槽位。", words)
    assert match, words
    count, size = (int(one) for one in match.groups() if one is not None)
    requests = tuple(_requests_told(words))
    free = _free_told(words)
    free_ids = () if isinstance(free, Odd) else free
    told = dict(_blocks_told(words, size))
    blocks = []
    for block in range(count):
        left_out = block not in told and block not in free_ids
        owners, in_free, filled = told.pop(block, ((), 0 if left_out else 1, 0))
        assert in_free == free_ids.count(block)
        blocks.append(BlockState(block, owners, in_free, filled, left_out))
    assert not told
    return PoolState(size, tuple(blocks), requests, free)


def _requests_told(words: str) -> Iterator[RequestState]:
    pattern = (
        r"(?:Request|请求)(\w+)[:：](?:(\d+)(?:tokens?|个token)|seq_len(.*?))[,，]"
        r"(?:blocktable([^。]*?)|块表依次是(.*?)|(anemptyblocktable|块表是空的)|block_table(.*?))"
        r"[.。](?=Request|请求|Physical|物理块|Free|Noblock|空闲池|free_blocks)"
    )
    for match in re.finditer(pattern, words):
        name, tokens, odd_length, en, zh, _, odd_table = match.groups()
        table: Ids = _odd(odd_table) if odd_table else tuple(_told_ids(en or zh or ""))
        yield RequestState(name, int(tokens) if tokens else _odd(odd_length), table)


def _blocks_told(words: str, size: int) -> Iterator[tuple[int, tuple[tuple[Owner, ...], int, int]]]:
    for match in re.finditer(r"(?:Physicalblock|物理块)(\d+)[:：](.*?)[.。]", words):
        said = match[2]
        if said.startswith(("lost", "丢了")):
            yield int(match[1]), ((), 0, 0)
            continue
        slots = re.match(r"(\d+)of(\d+)slots|用了(\d+)/(\d+)个槽位", said)
        assert slots, said
        filled, all_slots = (int(one) for one in slots.groups() if one is not None)
        assert all_slots == size
        english = [(name, at) for at, name in re.findall(r"logicalblock(\d+)of(\w+?)(?=[,)]|$)", said)]
        chinese = re.findall(r"([a-z]\w*)的逻辑块(\d+)", said)
        owners = tuple(Owner(name, int(at)) for name, at in english or chinese)
        yield int(match[1]), (owners, said.count("thefreelist") + said.count("空闲池"), filled)


def _free_told(words: str) -> Ids:
    if match := re.search(r"free_blocks(.*?\))[.。]", words):
        return _odd(match[1])
    if re.search(r"Noblockisfree|空闲池是空的", words):
        return ()
    match = re.search(r"(?:Free,\d+inthisorder:|空闲池\d+块，依次是)(.*?)[.。](?=Noblocks|池里没有|$)", words)
    assert match, words
    return tuple(_told_ids(match[1]))


def _told_ids(words: str) -> Iterator[Plain]:
    yield from _ids(", ".join(words.split(",")))
