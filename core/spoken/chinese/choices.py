"""Choices, agreement and refusal in Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.spoken.chinese.passage import Passage
from core.spoken.kinds import Kind, Reading, Unit

_YES = """
    是 是的 是啊 是呀 对 对的 对啊 对呀 对对 没错 正确 好 好的 好啊 好呀 好吧 行 行的 可以 可以的 当然 当然可以 没问题
    同意 确认 我确认 就这样 就是这样 要的 我要 愿意 我愿意 嗯 嗯嗯 ok okay yes 有的 没有问题 对没错 是这样的 就是它
    那好 不错 需要 我需要 您说得对 你说得对 说得对
""".split()
_NO = """
    不 不是 不是的 不对 不要 不用 不用了 不了 不行 不可以 不同意 不需要 不愿意 不想 没有 没有了 没 错了 错 不正确
    不确认 算了 别 我不是 我不要 我不用 我不需要 我不想 我没有 还没有 还没 no 暂时不用 暂时不需要 不太对 不完全对
    不是这个 不是这样
""".split()
_NEITHER = """
    不知道 我不知道 不好意思 不清楚 我不清楚 不确定 我不确定 不客气 不一定 是不是 对不对 行不行 好不好 可不可以 要不要
    好像 好几 对了 对于 对方 行李 行程 没关系 没事 别的 别人 是谁 是什么 好多 不过 不管 不如 不但 不仅 错过 是否
    可以吗 对吗 是吗 好吗 行吗 可以问 可以帮 没想到 我要求 我想
""".split()
_FILLER = re.compile(r"(?:嗯|啊|哦|呃|那|噢|哎|呵|哈| )+(?=.)")
_CUES = sorted(
    [*((cue, None) for cue in _NEITHER), *((cue, True) for cue in _YES), *((cue, False) for cue in _NO)],
    key=lambda item: -len(item[0]),
)


def read_yes_no(passage: Passage) -> list[Reading]:
    """Agreement or refusal, where clauses begin with cues of one kind only; 嗯 counts only where nothing else is said."""
    found: list[tuple[int, int, bool]] = []
    for clause in re.finditer(r"[^,.;:!?。、\n]+", passage.plain):
        lead = _FILLER.match(passage.plain, clause.start(), clause.end())
        starts = (clause.start(),) if lead is None else (lead.end(), clause.start())
        hits = [(start, cue, verdict) for start in starts for cue, verdict in _CUES if passage.plain.startswith(cue, start)]
        if hits and hits[0][2] is not None:
            start, cue, verdict = hits[0]
            found.append((start, min(start + len(cue), clause.end()), bool(verdict)))
    found = [item for item in found if item[1] - item[0] > 1 or passage.plain[item[0]] != "嗯"] or found
    if len({verdict for _, _, verdict in found}) != 1:
        return []
    first, last, verdict = found[0]
    start, end = passage.original(first, last)
    return [Reading(Kind.YES_NO, verdict, start, end, passage.text[start:end])]


def phrase_places(units: Sequence[Unit], phrase: tuple[str, ...]) -> list[int]:
    """Where `phrase` stands in `units`, never inside a longer number or a longer Latin word."""
    size = len(phrase)
    if not size:
        return []
    texts = tuple(unit.text for unit in units)
    return [at for at in range(len(units) - size + 1) if texts[at : at + size] == phrase and _apart(units, at, at + size)]


def _apart(units: Sequence[Unit], first: int, last: int) -> bool:
    """Whether neither end of the units `first` to `last` lies inside a number or a Latin word."""

    def tied(left: int, right: int) -> bool:
        if left < 0 or right >= len(units):
            return False
        a, b = units[left], units[right]
        if a.text in _NUMERIC and b.text in _NUMERIC:
            return True
        latin = a.text.isascii() and b.text.isascii() and a.text.isalnum() and b.text.isalnum()
        return latin and (a.end == b.start or a.start == b.start)

    return not tied(first - 1, first) and not tied(last - 1, last)


_NUMERIC = frozenset("0123456789.")
