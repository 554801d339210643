"""Amounts in Chinese: 一百二十九块五毛, 三块五, 12块9毛9, ¥129.50, 3.5万元, 五毛, 八分钱, 20美元."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.spoken.chinese.dates import small
from core.spoken.chinese.numerals import Numeral, cardinal, decimal_words

_UNITS = {"块": "元", "元": "元", "圆": "元", "人民币": "元", "rmb": "元", "cny": "元"} | {
    "美元": "美元", "美金": "美元", "美刀": "美元", "usd": "美元", "欧元": "欧元", "eur": "欧元", "英镑": "英镑", "gbp": "英镑",
    "港币": "港币", "港元": "港币", "hkd": "港币", "日元": "日元", "卢比": "卢比",
}  # fmt: skip
_SIGNS = {"¥": "元", "$": "美元", "€": "欧元", "£": "英镑", "₹": "卢比"}
_UNIT = re.compile(f" ?({'|'.join(sorted(_UNITS, key=len, reverse=True))})(?:(?<=[块元])(?:人民币|钱))?")
_SIGN = re.compile(r"(?:rmb|cny|usd|eur|gbp|hkd|[¥$€£₹]) ?$")
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


def find_amounts(plain: str, numerals: Sequence[Numeral]) -> list[SaidAmount]:
    """Every amount whose currency is said or written."""
    found: list[SaidAmount] = []
    for numeral in numerals:
        if numeral.percent or (found and numeral.start < found[-1].end):
            continue
        amount = _after(plain, numeral) or _before(plain, numeral)
        if amount is not None:
            found.append(amount)
    for match in _SMALL.finditer(plain):
        if all(match.end() <= item.start or match.start() >= item.end for item in found):
            found.append(SaidAmount(*match.span(), _change(match), "元"))
    return sorted(found, key=lambda item: item.start)


def _after(plain: str, numeral: Numeral) -> SaidAmount | None:
    """A numeral with its currency behind it, and the small coins behind that."""
    match = _UNIT.match(plain, numeral.end)
    if match is None or _PIECES.match(plain, match.start(1)) or _TOGETHER.match(plain, numeral.start):
        return None
    value, end, sign = numeral.value, match.end(), _SIGN.search(plain, 0, numeral.start)
    start = numeral.start if sign is None else sign.start()
    if match[1] in ("块", "元", "圆") and end == match.end(1) and not numeral.fraction:
        change = _CHANGE.match(plain, end)
        if change is not None:
            value, end = value + _change(change) * (-1 if numeral.negative else 1), change.end()
    return SaidAmount(start, end, value, _UNITS[match[1]])


def _before(plain: str, numeral: Numeral) -> SaidAmount | None:
    """ "¥129.50", "RMB 100"."""
    match = _SIGN.search(plain, 0, numeral.start)
    if match is None:
        return None
    sign = match.group().strip()
    return SaidAmount(match.start(), numeral.end, numeral.value, _SIGNS.get(sign) or _UNITS[sign])


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
