"""Whole Chinese sentences for the ear: everything written in figures and signs comes out in words, words stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.spoken.chinese.claims import Claims, claims_of
from core.spoken.chinese.clock import SaidTime, say_clock
from core.spoken.chinese.dates import SaidDate, say_date
from core.spoken.chinese.identifiers import find_codes, find_runs, is_range, say_code, say_digits
from core.spoken.chinese.measures import ORDINAL_AFTER, UNIT_SIGN, UNIT_SIGNS
from core.spoken.chinese.money import SaidAmount, say_money, two
from core.spoken.chinese.normal import SIGNS
from core.spoken.chinese.numerals import Numeral, cardinal, counted, decimal_words, digit_words
from core.spoken.chinese.saying import say_address

Spoken = tuple[int, int, str]
"""First plain character, plain character after the last, words."""

_LABEL = re.compile(r"(?:号|码|号是|码是|号为|码为|尾号|房间|房|室|分机|拨打?|转|键|工号|编号)[是为:]? ?$")
"""Before a short number that is an id and not a quantity."""
_ROOM = re.compile(r"(?:号?房|室|号(?:楼|线|房|机|桌))")


def verbalise(text: str) -> str:
    """`text` with figures and signs in words."""
    claims = claims_of(text)
    plain = claims.passage.plain
    kept: list[Spoken] = []
    used: set[int] = set()
    for start, end, words in _candidates(claims):
        if used.isdisjoint(range(start, end)) and any(char.isdecimal() or char in _FIGURES for char in plain[start:end]):
            used |= set(range(start, end))
            kept.append((start, end, words))
    spoken, at = "", 0
    for first, last, words in sorted(kept):
        start, end = claims.passage.original(first, last)
        spoken = _joined(_joined(spoken, text[at:start]), words)
        at = max(at, end)
    return _joined(spoken, text[at:])


_FIGURES = frozenset(SIGNS) | frozenset("@._+-")


def _joined(left: str, right: str) -> str:
    """Both sides, with a space where two Latin words would run together."""
    apart = left[-1:].isascii() and left[-1:].isalnum() and right[:1].isascii() and right[:1].isalnum()
    return f"{left} {right}" if apart else left + right


def _candidates(claims: Claims) -> Iterator[Spoken]:
    """Everything that could be put into words, what is surest first."""
    plain, loose = claims.passage.plain, claims.loose
    for email in claims.emails:
        yield email.start, email.end, say_address(email.text)
    for day in claims.dates:
        if day.fixed:
            yield day.start, day.end, _date(plain[day.start : day.end], day)
    for time in claims.times:
        if time.marked:
            yield time.start, time.end, _time(plain[time.start : time.end], time)
    for amount in claims.amounts:
        yield amount.start, amount.end, _amount(plain[amount.start : amount.end], amount)
    for start, end, above, below in claims.fractions:
        yield start, end, f"{cardinal(below)}分之{cardinal(above)}"
    for code in find_codes(claims.passage, loose, claims.loose_numerals):
        if not code.text.isdecimal() and not code.text.isalpha():
            yield code.start, code.end, say_code(code.text)
    for run in find_runs(loose, claims.loose_numerals):
        yield from _run(loose, run)
    for numeral in claims.loose_numerals:
        yield _number(loose, numeral)
    for at, char in enumerate(loose):
        if char in SIGNS:
            yield at, at + 1, SIGNS[char]


def _date(text: str, day: SaidDate) -> str:
    """Figures of a date in words; 年, 月, 日 and 号 stay where they are written."""
    if not day.worded:
        return say_date(day.year, day.month or 1, day.day or 1)
    text = re.sub(r"\d+(?=年)", lambda match: digit_words(match.group()), text)
    return re.sub(r"\d+", lambda match: cardinal(int(match.group())), text)


def _time(text: str, time: SaidTime) -> str:
    """A clock in words; what was written with 点 keeps its 半, 刻 and 差."""
    if ":" in text or not re.search("[点时]", text):
        return time.part + say_clock(time.hour, time.minute)
    text = re.sub(r"(?<=[点时])0+分", "", text)
    text = re.sub(r"0+(?=\d+(?!\d)(?:分|$))", "零", re.sub(r"0(?=\d[点时])", "", text))
    return re.sub(r"\d+", lambda match: _small(match, text), text)


def _small(match: re.Match[str], text: str) -> str:
    """Hours and minutes; 2 is 两 before 点 and 分, unless a zero leads it."""
    number, after = int(match.group()), text[match.end() : match.end() + 1]
    return "两" if number == 2 and after in "点分" and text[match.start() - 1 : match.start()] != "零" else cardinal(number)


def _amount(text: str, amount: SaidAmount) -> str:
    """An amount in its own currency; 块 and 元 stay what they are."""
    unit = "块" if "块" in text or "毛" in text else amount.unit
    if amount.value * 100 % 1 and unit in ("块", "元"):
        return decimal_words(format(amount.value, "f")) + unit
    return say_money(amount.value, unit)


def _run(plain: str, run: list[Numeral]) -> Iterator[Spoken]:
    """Ids digit by digit; a range as 三到五天; a lone short number is left to be a quantity."""
    start, end = run[0].start, run[-1].end
    if is_range(plain, run):
        low, high = (cardinal(int(item.digits)) for item in run)
        yield (*_measured(plain, start, end, f"{low}到{high}"),)
    elif any(item.literal for item in run) and (len(run) > 1 or _is_id(plain, run[0])):
        year = re.match("年", plain[end:]) is not None and len(run) == 1
        digits = "".join(item.digits for item in run)
        minus = "负" if run[0].negative else ""
        yield _measured(plain, start, end, minus + (digit_words(digits) if year else say_digits(digits)))


def _is_id(plain: str, numeral: Numeral) -> bool:
    """Whether a lone number is said digit by digit: leading zeros, long ones, years, and short ones after a word like 尾号."""
    size = len(numeral.digits)
    if (size > 1 and numeral.digits[0] == "0") or size > 16:
        return True
    if size == 4 and plain.startswith("年", numeral.end):
        return True
    if counted(plain, numeral.end):
        return False
    labelled = _LABEL.search(plain, 0, numeral.start) is not None or _ROOM.match(plain, numeral.end) is not None
    return size >= 4 or (size > 1 and labelled)


def _number(plain: str, numeral: Numeral) -> Spoken:
    """A quantity, with 两 before what it counts, and the sign of a unit in words."""
    written = f"{numeral.digits}.{numeral.fraction}" if numeral.fraction else numeral.digits
    words = decimal_words(written)
    if numeral.percent:
        words = f"百分之{words}"
    elif counted(plain, numeral.end) and plain[numeral.end : numeral.end + 1] not in tuple(ORDINAL_AFTER):
        words = two(words)
    return _measured(plain, numeral.start, numeral.end, ("负" if numeral.negative else "") + words)


def _measured(plain: str, start: int, end: int, words: str) -> Spoken:
    sign = UNIT_SIGN.match(plain, end)
    return (start, end, words) if sign is None else (start, sign.end(), words + UNIT_SIGNS[sign[1]])
