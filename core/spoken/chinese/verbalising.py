"""Whole Chinese sentences for the ear: everything written in figures and signs comes out in words, words stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.spoken.chinese.claims import Claims, claims_of
from core.spoken.chinese.clock import SaidTime, say_clock
from core.spoken.chinese.dashes import LESS, MINUS, TO
from core.spoken.chinese.dates import SaidDate, say_date
from core.spoken.chinese.identifiers import find_codes, find_runs, say_code, say_digits
from core.spoken.chinese.measures import ORDINAL_AFTER, UNIT_SIGN, UNIT_SIGNS, counted
from core.spoken.chinese.money import SIGNS as MONEY_SIGNS
from core.spoken.chinese.money import SaidAmount, say_money, two
from core.spoken.chinese.normal import AHEAD, SIGNS, is_ahead
from core.spoken.chinese.numerals import Numeral, cardinal, decimal_words, digit_words
from core.spoken.chinese.saying import say_address

Spoken = tuple[int, int, str]
"""First plain character, plain character after the last, words."""

_LABEL = re.compile(r"(?:号|码|号是|码是|号为|码为|尾号|房间|房|室|分机|拨打?|转|键|工号|编号)[是为:]? ?$")
"""Before a short number that is an id and not a quantity."""
_EMERGENCY = frozenset({"110", "119", "120", "122", "911", "112", "999"})
_YEARS_BEFORE = re.compile(rf"(?<!\d)(?:19|20)\d\d{TO}$")
_YEARS = re.compile(rf"{TO}(?:19|20)\d\d(?!\d)")
_ROOM = re.compile(r"(?:号?房|室|号(?:楼|线|房|机|桌))")


def verbalise(text: str) -> str:
    """`text` with figures and signs in words."""
    claims = claims_of(text)
    plain = claims.passage.plain
    kept: list[Spoken] = []
    used: set[int] = set()
    for start, end, words in _candidates(claims):
        written = any(char.isdecimal() or char in _FIGURES or char in _DASH_WORDS for char in plain[start:end])
        if used.isdisjoint(range(start, end)) and written:
            used |= set(range(start, end))
            kept.append((start, end, words))
    spoken, at = "", 0
    for first, last, words in sorted(kept):
        start, end = claims.passage.original(first, last)
        spoken = _joined(_joined(spoken, text[at:start]), words)
        at = max(at, end)
    return _joined(spoken, text[at:])


_DASH_WORDS = frozenset((TO, MINUS, LESS))
_FIGURES = frozenset(SIGNS) | frozenset(AHEAD) | frozenset("@._+-")


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
    for item in claims.fixed:
        yield item.start, item.end, item.words
    for part in claims.fractions:
        whole = f"{cardinal(int(part.whole))}又" if part.whole else ""
        yield part.start, part.end, f"{whole}{cardinal(part.below)}分之{cardinal(part.above)}"
    for code in find_codes(claims.passage, loose, claims.loose_numerals):
        if not code.text.isdecimal() and not code.text.isalpha():
            yield code.start, code.end, say_code(code.text)
    for run in find_runs(loose, claims.loose_numerals):
        yield from _run(loose, run)
    for numeral in claims.loose_numerals:
        yield _number(loose, numeral)
    for at, char in enumerate(loose):
        foreign = char in MONEY_SIGNS and loose[max(0, at - 1) : at].isascii() and loose[max(0, at - 1) : at].isalpha()
        if (char in SIGNS and not foreign) or is_ahead(loose, at):
            yield at, at + 1, SIGNS.get(char) or AHEAD[char]
    yield from ((at, at + 1, char) for at, char in enumerate(plain) if char in _DASH_WORDS and _is_dash(claims, at))


def _is_dash(claims: Claims, at: int) -> bool:
    """Whether a word of the plain text is written as a dash."""
    return claims.passage.written(at, at + 1) != claims.passage.plain[at]


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
    if amount.shared:
        return two(decimal_words(format(amount.value.normalize(), "f")))
    unit = "块" if "块" in text or "毛" in text else amount.unit
    if amount.value * 100 % 1 and unit in ("块", "元"):
        return decimal_words(format(amount.value, "f")) + unit
    return say_money(amount.value, unit)


def _run(plain: str, run: list[Numeral]) -> Iterator[Spoken]:
    """Ids digit by digit; a lone short number is left to be a quantity."""
    start, end = run[0].start, run[-1].end
    if any(item.literal for item in run) and (len(run) > 1 or _is_id(plain, run[0])):
        year = len(run) == 1 and _is_year(plain, run[0])
        digits = "".join(item.digits for item in run)
        minus = "负" if run[0].negative else ""
        yield _measured(plain, start, end, minus + (digit_words(digits) if year else say_digits(digits)))


def _is_id(plain: str, numeral: Numeral) -> bool:
    """Whether a lone number is said digit by digit: leading zeros, long ones, years, and short ones after a word like 尾号."""
    size = len(numeral.digits)
    if (size > 1 and numeral.digits[0] == "0") or size > 16:
        return True
    if _is_year(plain, numeral):
        return True
    if counted(plain, numeral.end) or TO in (plain[numeral.start - 1 : numeral.start], plain[numeral.end : numeral.end + 1]):
        return False
    if numeral.digits in _EMERGENCY and plain[max(0, numeral.start - 2) : numeral.start].rstrip().endswith(("打", "拨", "叫")):
        return True
    labelled = _LABEL.search(plain, 0, numeral.start) is not None or _ROOM.match(plain, numeral.end) is not None
    return size >= 4 or (size > 1 and labelled)


def _is_year(plain: str, numeral: Numeral) -> bool:
    """Whether four figures are a year: before 年, also with another year between, or from year to year."""
    if len(numeral.digits) != 4:
        return False
    ranged = (
        _YEARS.match(plain, numeral.end) is not None
        or _YEARS_BEFORE.search(plain, max(0, numeral.start - 6), numeral.start) is not None
    )
    return plain.startswith("年", numeral.end) or (ranged and "1900" <= numeral.digits <= "2099")


def _number(plain: str, numeral: Numeral) -> Spoken:
    """A quantity, with 两 before what it counts, and the sign of a unit in words."""
    written = f"{numeral.digits}.{numeral.fraction}" if numeral.fraction else numeral.digits
    words = decimal_words(written)
    if numeral.percent:
        words = f"百分之{words}"
    elif _counts(plain, numeral):
        words = two(words)
    return _measured(plain, numeral.start, numeral.end, ("负" if numeral.negative else "") + words)


def _counts(plain: str, numeral: Numeral) -> bool:
    """Whether a number counts what follows it; 第2次 is the second time."""
    ordinal = plain[numeral.start - 1 : numeral.start] == "第" or plain[numeral.end : numeral.end + 1] in tuple(ORDINAL_AFTER)
    return counted(plain, numeral.end) and not ordinal


def _measured(plain: str, start: int, end: int, words: str) -> Spoken:
    sign = UNIT_SIGN.match(plain, end)
    return (start, end, words) if sign is None else (start, sign.end(), words + UNIT_SIGNS[sign[1]])
