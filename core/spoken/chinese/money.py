"""Amounts in Chinese: 一百二十九块五毛, 三块五, 12块9毛9, ¥129.50, 3.5万元, 五毛, 八分钱, 20美元."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.spoken.chinese.dashes import MINUS, TO
from core.spoken.chinese.dates import small
from core.spoken.chinese.measures import counted
from core.spoken.chinese.numerals import Numeral, cardinal, decimal_words

_CODES = {
    "rmb": "元", "cny": "元", "usd": "美元", "eur": "欧元", "gbp": "英镑", "hkd": "港币", "jpy": "日元", "inr": "卢比",
    "twd": "新台币", "ntd": "新台币", "sgd": "新加坡元", "aud": "澳元", "cad": "加元", "nzd": "新西兰元", "krw": "韩元",
    "chf": "瑞士法郎", "thb": "泰铢", "bdt": "塔卡",
}  # fmt: skip
_UNITS = {"块": "元", "元": "元", "圆": "元", "人民币": "元", "美金": "美元", "美刀": "美元", "港元": "港币"} | {
    "台币": "新台币", "新币": "新加坡元", **{unit: unit for unit in _CODES.values() if unit != "元"}, **_CODES,
}  # fmt: skip
SIGNS = {"¥": "元", "$": "美元", "€": "欧元", "£": "英镑", "₹": "卢比", "৳": "塔卡", "₩": "韩元", "฿": "泰铢"}
"""Signs before an amount."""
_LETTERED = {
    "us$": "美元", "hk$": "港币", "nt$": "新台币", "s$": "新加坡元", "sg$": "新加坡元", "a$": "澳元", "au$": "澳元",
    "c$": "加元", "ca$": "加元", "nz$": "新西兰元", "cn¥": "元", "jp¥": "日元",
}  # fmt: skip
"""Signs with letters before them; with other letters a sign is no currency that is known here."""
_UNIT = re.compile(f" ?({'|'.join(sorted(_UNITS, key=len, reverse=True))})(?:(?<=[块元])(?:人民币|钱))?")
_SIGN = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, (*_LETTERED, *_CODES)))}) ?$|(?<![a-z])[{''.join(SIGNS)}] ?$")
_LONGEST = 8
"""Characters that hold what stands before an amount, and the one before that."""
_SCALE = re.compile(r"(?: ?(thousand|million|billion|lakh|crore)|(k|mn|m|bn|b))(?![a-z0-9])")
_GROUP_BEHIND = re.compile(r"[,.][\d\0]")
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "lakh": 5, "crore": 7, "k": 3, "mn": 6, "m": 6, "bn": 9, "b": 9}
_PIECES = re.compile(r"块(?=蛋糕|手表|表|玻璃|电池|肉|地|砖|木|布|糖|肥皂|毛巾|硬盘|屏|石|豆腐|饼|面包|披萨|板|香皂|牌)")
_TOGETHER = re.compile(r"一块(?![钱\d零一二三四五六七八九两])(?=[^\W\d_])(?![的吧呢吗啊了多])")
_D = r"[一二三四五六七八九两\d]"
_OVER = r"(?=$|[^\w]|[的吧呢吗啊了左以]|一[个斤份张件位杯瓶次])"
"""What may follow a last coin said without its unit."""
_CHANGE = re.compile(
    rf"(?:零?(?P<jiao>{_D})[毛角](?:零?(?P<jiao_fen>{_D})(?:分钱?|{_OVER})|钱)?|零?(?P<fen>{_D})分钱?"
    rf"|(?P<bare>{_D})(?:钱|{_OVER}))"
)
_SMALL = re.compile(
    rf"(?<![\d.零一二三四五六七八九两十百千万])(?:(?P<jiao>{_D})[毛角](?![形洲债铁恋函])"
    rf"(?:(?P<jiao_fen>{_D})(?:分钱?|{_OVER})|钱)?|(?P<fen>十?{_D}|十)分钱)"
)


@dataclass(frozen=True, slots=True)
class SaidAmount:
    """An amount over plain characters; `unit` is the currency, empty where none is said."""

    start: int
    end: int
    value: Decimal
    unit: str = ""
    shared: bool = False
    """The lower end of a range whose currency is written before it and said behind the upper end: ¥20–30."""


def find_amounts(plain: str, numerals: Sequence[Numeral]) -> list[SaidAmount]:
    """Every amount whose currency is said or written."""
    found: list[SaidAmount] = []
    ends = {numeral.end: numeral for numeral in numerals}
    for numeral in numerals:
        if (
            numeral.percent
            or (found and numeral.start < found[-1].end)
            or (numeral.literal and is_group(plain, numeral.start, numeral.end))
        ):
            continue
        amount = _after(plain, numeral) or _before(plain, numeral)
        if amount is None and found and not plain[found[-1].start].isdecimal() and plain[found[-1].end : numeral.start] == TO:
            amount = _scaled(plain, numeral, found[-1].unit) if numeral.literal and not counted(plain, numeral.end) else None
            if amount is not None:
                times = amount.value / numeral.value if numeral.value else 1
                found[-1] = replace(found[-1], value=found[-1].value * times, shared=True)
        if amount is not None:
            found += [lower] if (lower := _lower(plain, amount, ends, found[-1].end if found else 0)) is not None else []
            found.append(amount)
    for match in _SMALL.finditer(plain):
        if all(match.end() <= item.start or match.start() >= item.end for item in found):
            found.append(SaidAmount(*match.span(), _change(match), "元"))
    return sorted(found, key=lambda item: item.start)


def _lower(plain: str, amount: SaidAmount, ends: Mapping[int, Numeral], free: int) -> SaidAmount | None:
    """The lower end of 五到十美元, a whole number; of 一到两万元 only the upper end is sure."""
    chosen = ends.get(amount.start - 1)
    if (
        chosen is None
        or plain[chosen.end] != TO
        or chosen.start < free
        or chosen.fraction
        or chosen.percent
        or not 0 < chosen.value < amount.value
    ):
        return None
    scaled = any(char in plain[amount.start : amount.end] for char in "万亿")
    run = chosen.digits[0] == "0" or (not chosen.whole and len(chosen.digits) > 4)
    if run or (scaled and not any(char in plain[chosen.start : chosen.end] for char in "万亿")):
        return None
    return SaidAmount(chosen.start, chosen.end, chosen.value, amount.unit, shared=True)


def is_group(plain: str, start: int, end: int) -> bool:
    """Whether figures are written as a group of something longer, which is no amount: ¥12,50,00."""
    return re.match(r"[\d\0][,.]", plain[max(0, start - 2) : start]) is not None or _GROUP_BEHIND.match(plain, end) is not None


def _after(plain: str, numeral: Numeral) -> SaidAmount | None:
    """A numeral with its currency behind it, and the small coins behind that."""
    match = _UNIT.match(plain, numeral.end)
    if match is None or _PIECES.match(plain, match.start(1)) or _TOGETHER.match(plain, numeral.start):
        return None
    value, end, sign = numeral.value, match.end(), _SIGN.search(plain, max(0, numeral.start - _LONGEST), numeral.start)
    start = numeral.start if sign is None else sign.start()
    if match[1] in ("块", "元", "圆") and end == match.end(1) and not numeral.fraction:
        change = _CHANGE.match(plain, end)
        if change is not None:
            value, end = value + _change(change) * (-1 if numeral.negative else 1), change.end()
    return SaidAmount(start, end, value, _UNITS[match[1]])


def _before(plain: str, numeral: Numeral) -> SaidAmount | None:
    """ "¥129.50", "HK$50", "RMB 100", "$1.5M", "-$5"."""
    match = _SIGN.search(plain, max(0, numeral.start - _LONGEST), numeral.start)
    if match is None:
        return None
    sign = match.group().strip()
    amount = _scaled(plain, numeral, SIGNS.get(sign) or _LETTERED.get(sign) or _CODES[sign])
    minus = plain[max(0, match.start() - 1) : match.start()] == MINUS
    return replace(amount, start=match.start() - minus, value=-amount.value if minus else amount.value)


def _scaled(plain: str, numeral: Numeral, unit: str) -> SaidAmount:
    """A numeral with the English scale behind it, "1.5M", as an amount."""
    scale = _SCALE.match(plain, numeral.end)
    if scale is None:
        return SaidAmount(numeral.start, numeral.end, numeral.value, unit)
    return SaidAmount(numeral.start, scale.end(), numeral.value.scaleb(_SCALES[scale[1] or scale[2]]), unit)


def _change(match: re.Match[str]) -> Decimal:
    groups = match.groupdict()
    jiao, fen = groups["jiao"] or groups.get("bare"), groups["jiao_fen"] or groups["fen"]
    return Decimal(small(jiao) if jiao else 0) / 10 + Decimal(small(fen) if fen else 0) / 100


def say_money(value: Decimal, unit: str = "块") -> str:
    """129.5 is 一百二十九块五毛, with 元 一百二十九元五角; 45 is 四十五块钱; other currencies keep their decimals."""
    minus, value = ("负", -value) if value < 0 else ("", value)
    if unit not in ("块", "元"):
        return minus + two(decimal_words(format(value.normalize(), "f"))) + unit
    notes, coins = divmod(int((value * 100).to_integral_value()), 100)
    jiao, fen = divmod(coins, 10)
    small_unit = "毛" if unit == "块" else "角"
    words = f"{two(cardinal(notes))}{unit}" if notes or not coins else ""
    words += f"{two(cardinal(jiao))}{small_unit}" if jiao else "零" if fen and notes else ""
    words += f"{two(cardinal(fen))}分" if fen else ""
    return minus + words + ("钱" if (unit == "块" and not coins) or (not notes and not jiao and fen) else "")


def two(words: str) -> str:
    """二 as 两, where it stands alone before a measure word."""
    return "两" if words == "二" else words
