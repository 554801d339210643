"""What no call may say: numbers that could be somebody's, addresses, and names of real institutions."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from core.schemas.casefile import DeniedNames
from core.text import nfkc_casefold

_BETWEEN = r"[\W_]{0,3}"
"""What may part the digits of one number, however it is written."""
_DIGITS = {"zero": 0, "oh": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_WORD = rf"(?:{'|'.join(_DIGITS)})"
_TIMES = {"double": 2, "triple": 3, "treble": 3}
_MANY = rf"(?:{'|'.join(_TIMES)})"
_SPOKEN = rf"\b(?:{_MANY}[\s\-]+)?{_WORD}(?:[\W_]{{1,3}}(?:{_MANY}[\s\-]+)?{_WORD})*\b"
_HAN_DIGITS = "零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖两"
_HAN = dict(zip(_HAN_DIGITS, "0012345678911234567892", strict=True))
_HAN_NUMBER = rf"[{_HAN_DIGITS}](?:{_BETWEEN}[{_HAN_DIGITS}])*"
_AMOUNT = "十百千万亿拾佰仟萬點点"
_HOTLINES = ("110", "112", "119", "120", "122", "911", "999")
_PARTED = "|".join(r"[\s.\-]{1,2}".join(number) for number in _HOTLINES)
_DIAL = r"(?:\b(?:call|ring|dial|phone)|[拨打]|致电)"
_ENDS = (
    r"com|net|org|info|biz|gov|edu|cn|co|uk|eu|io|app|top|xyz|cc|me|ly|vip|club|online|site|shop|store|tech|wang|link|live|work"
)
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"\S\s?@\s?\S|\w\s*艾特\s*\w|\w\s+at\s+[a-z0-9-]+\s+dot\s+[a-z]+")),
    (
        "url",
        re.compile(
            rf"https?:|www\.|[a-z0-9-]\.(?:{_ENDS})\b|\b[a-z0-9-]+\.[a-z]{{2,24}}/"
            rf"|[a-z0-9]\s*(?:点|\bdot\b|[(\[]dot[)\]])\s*(?:{_ENDS})\b"
        ),
    ),
    ("id_or_card_number", re.compile(rf"\d(?:{_BETWEEN}\d){{11,}}")),
    ("phone_number", re.compile(rf"\d(?:{_BETWEEN}\d){{4,}}")),
    (
        "phone_number",
        re.compile(rf"(?<!\d)(?:911(?!\d)|(?:{_PARTED})(?!\d))|{_DIAL}\W{{0,3}}(?:{'|'.join(_HOTLINES[1:])})(?!\d)"),
    ),
)
"""Code and what is looked for in folded text; the first that is found is reported."""
_DOMAIN = re.compile(r"\b[A-Za-z0-9-]{2,}\.(?:[a-z]{2,24}|[A-Z]{2,24})\b")
"""Any name with any ending, as domains are written: a sentence without a space after its stop goes on with a capital."""
_MORE_NAMES = re.compile(r"(?:中国)?人民银行|[工建农交招中]行(?![业为动程政列走使驶人进军贿李踪情文刑])")
"""Short names of banks; they stand here and not in `denied.yaml`, which is part of the hash of the cases of months."""


def unsafe(text: str, denied: DeniedNames) -> tuple[str, str] | None:
    """Code and what was found where a text says what no call may say; None where it is safe."""
    visible = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Me", "Mn"))
    folded = nfkc_casefold(visible)
    for code, pattern in _PATTERNS:
        if match := pattern.search(folded):
            return code, match.group()
    if match := _DOMAIN.search(unicodedata.normalize("NFKC", visible)):
        return "url", match.group()
    if spoken := _spoken_number(folded):
        return "spoken_number", spoken
    joined = re.sub(r"(?<=[\u4e00-\u9fff])[\s·*_\-]+(?=[\u4e00-\u9fff])", "", folded)
    if match := _MORE_NAMES.search(joined):
        return "denied_name", match.group()
    for name, whole in _names(tuple(name for group in denied.names.values() for name in group)):
        if whole.search(joined) if whole else name in joined:
            return "denied_name", name
    return None


def _spoken_number(folded: str) -> str | None:
    """A number that is said digit by digit: five digits or more, or a hotline."""
    for match in re.finditer(_SPOKEN, folded):
        digits, times = "", 1
        for word in re.findall(rf"{_MANY}|{_WORD}", match.group()):
            digits, times = (digits, _TIMES[word]) if word in _TIMES else (digits + str(_DIGITS[word]) * times, 1)
        if len(digits) > 4 or digits in _HOTLINES:
            return match.group()
    for match in re.finditer(_HAN_NUMBER, folded):
        digits = "".join(_HAN.get(char, "") for char in match.group())
        counted = folded[match.end() : match.end() + 1] in _AMOUNT and match.end() < len(folded)
        if len(digits) > 4 or (digits in _HOTLINES and not counted):
            return match.group()
    mixed = re.search(rf"(?:\d|[{_HAN_DIGITS}])(?:[\s\-]?(?:\d|[{_HAN_DIGITS}])){{6,}}", folded)
    return mixed.group() if mixed else None


@lru_cache(maxsize=8)
def _names(names: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str] | None], ...]:
    """Folded names; those in Latin letters or digits with what finds them as whole words, parted or joined."""
    return tuple((name, _whole(name) if name.isascii() else None) for name in map(nfkc_casefold, names))


def _whole(name: str) -> re.Pattern[str]:
    parts = r"[\W_]{0,2}".join(map(re.escape, name.split()))
    return re.compile(rf"(?<![a-z0-9]){parts}(?![a-z0-9])")
