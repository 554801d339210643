"""Dashes in Chinese text that are words: 到 between two numbers, amounts, times or days, 负 before a number, 减 between two.

A dash that joins the groups of an id, a date or a telephone number is none of them and stays a mark; so does a wave that
joins no figures. A long dash between two clauses joins nothing.
"""

from __future__ import annotations

import re

from core.spoken.chinese.measures import UNIT_SIGN, counted
from core.spoken.folding import Folded

TO, MINUS, LESS, PAUSE = "到负减—"
_LEFT = re.compile(
    r"(?P<sign>(?<![a-z])(?:[a-z]{1,3} ?)?[$¥€£₹]|(?<![a-z])(?:usd|eur|gbp|rmb|cny|hkd) ?)?(?<![\da-z@_])(?<![\da-z][,.:/-])"
    r"(?P<figures>\d+(?:[,.:/]\d+)*)(?P<unit> ?(?:[百千万亿]{1,2}[元块]?|[%°点时分日号月年元块]|°c|[ap]m))? ?$"
)
_RIGHT = re.compile(
    r" ?(?P<sign>-?(?:[a-z]{1,3})?[$¥€£₹])?(?P<minus>-)?(?P<figures>\d+(?:[,.:/]\d+)*)"
    r"(?P<unit> ?(?:[百千万亿]{1,2}[元块]?|[%°点时分日号月年元块]|°c|[ap]m)|[kmb]n?)?(?![a-z@_/\d]|[.,]\d|-\d)"
)
_WITH_UNIT = re.compile(r" ?\d+(?:\.\d+)?")
_ISO_LEFT, _ISO_RIGHT = re.compile(r"(?<![\d-])\d{4}-\d\d?-\d\d? ?$"), re.compile(r" ?\d{4}-\d\d?-\d\d?(?![\d-])")
_DAY_LEFT = re.compile(r"(?:周|星期|礼拜)[一二三四五六日天] ?$")
_DAY_RIGHT = re.compile(r" ?(?:周|星期|礼拜)?[一二三四五六日天]")
_LABEL = re.compile(r"(?:码|编号|尾号|单号|订单|电话|手机|分机|房间?|室|门牌|航班|账户|账号|卡号?|拨打?|打)[是为:]? ?$")
_NEAR = 40
"""How many characters on either side of a dash decide what it is."""
_BEFORE_MINUS = frozenset("温到度为是约至从达于比了在")
"""Characters after which a dash before figures is a minus."""


def with_words(text: str, folded: Folded, plain: str) -> str:
    """`plain` with a character in place of every dash that is a word; as long as before."""
    found = list(plain)
    for at, char in enumerate(plain):
        if char in "-~":
            written = text[folded.original(at, at + 1)[0]]
            left, right = plain[max(0, at - _NEAR) : at], plain[at + 1 : at + 1 + _NEAR]
            found[at] = _word(left, right, char if char == "~" else written) or char
        elif char == "," and text[folded.original(at, at + 1)[0]] == "，" and plain[at - 1 : at].isdecimal():
            found[at] = "、"  # 100，200 are two numbers
    return "".join(found)


def _word(left: str, right: str, written: str) -> str:
    """What a dash between two parts of a text is said as, "" for nothing; `written` is the dash as it was written."""
    spaced = left.endswith(" ") and right.startswith(" ")
    if written == "—" and (spaced or left.endswith("-") or right.startswith("-")):
        return PAUSE
    if _DAY_LEFT.search(left) and _DAY_RIGHT.match(right):
        return TO
    if _ISO_LEFT.search(left) and _ISO_RIGHT.match(right):
        return TO if spaced or written != "-" else ""
    low, high = _LEFT.search(left), _RIGHT.match(right)
    if low is not None and (high is not None or _measured(right)):
        figures = high["figures"] if high is not None else right.strip()
        if written == "\u2212" or (high is not None and right[high.end() :].lstrip().startswith("=")):
            return LESS
        return TO if high is None or _is_range(low, high, left, right, written == "-", figures) else ""
    return MINUS if written != "~" and _is_minus(left, right) else ""


def _measured(right: str) -> bool:
    """Whether figures with the sign of a unit begin a text: 10kg."""
    number = _WITH_UNIT.match(right)
    return number is not None and UNIT_SIGN.match(right, number.end()) is not None


def _is_minus(left: str, right: str) -> bool:
    """Whether a dash before figures is a minus: nothing is written right before it, or what is counted follows a word."""
    number = re.match(r"(?:[a-z]{0,2}[$¥€£₹])?\d+(?:\.\d+)?", right)
    if number is None or re.search(r"[\d%] *$", left):
        return False
    before = left[-1:]
    if not before.isalnum():
        return before not in ("-", "@", "_", "/")
    return not before.isascii() and (before in _BEFORE_MINUS or counted(right, number.end()))


def _is_range(low: re.Match[str], high: re.Match[str], left: str, right: str, hyphen: bool, upper: str) -> bool:
    """Whether the numbers on both sides of a dash are from one to the other."""
    a, b = low["figures"], upper
    bars = ["/" in part for part in (a, b)]
    if any(bars):
        return all(bars)
    if low["sign"] or high["sign"] or high["minus"] or low["unit"] or re.fullmatch(r"\d{1,2}:\d\d", b):
        return True
    if any(":" in part or part.count(".") > 1 for part in (a, b)):
        return False
    rising = float(a.replace(",", "")) < float(b.replace(",", ""))
    if not (a.isdecimal() and b.isdecimal()):
        return rising
    counts = high["unit"] is not None or counted(right, high.end("figures"))
    labelled = not counts and _LABEL.search(left, 0, low.start("figures")) is not None
    if a == b or labelled or any(len(part) > 1 and part[0] == "0" for part in (a, b)):
        return False
    if (len(a), len(b)) == (4, 4):
        return rising and ((int(a) >= 1900 and int(b) <= 2099) or (counts and not hyphen))
    if max(len(a), len(b)) <= 2:
        return rising or not hyphen or (left.endswith(" ") and right.startswith(" "))
    return rising and (counts or not hyphen) and (max(len(a), len(b)) <= 3 or (counts and not hyphen))
