"""The currency that an amount is said in, where it is said in one."""

from __future__ import annotations

from collections.abc import Iterable

from core.spoken.chinese.claims import claims_of as chinese_claims
from core.spoken.english.claims import claims_of as english_claims
from core.spoken.english.currencies import COINS
from core.spoken.indic import INDIC
from core.spoken.indic.claims import understand

_CHINESE = {
    "元": "yuan", "美元": "US dollars", "欧元": "euros", "英镑": "pounds", "港币": "Hong Kong dollars", "日元": "yen",
    "卢比": "rupees", "新台币": "Taiwan dollars", "新加坡元": "Singapore dollars", "澳元": "Australian dollars",
    "加元": "Canadian dollars", "新西兰元": "New Zealand dollars", "韩元": "Korean won", "瑞士法郎": "Swiss francs",
    "泰铢": "baht", "塔卡": "taka",
}  # fmt: skip
_COINS = {"pence": "pounds", "paise": "rupees"}
"""Coins of one currency; cents are coins of several."""
_EITHER = "¥"
"""A sign that yen and yuan share."""


def currency_of(text: str, language: str) -> str:
    """The one currency named with the amounts of a text, by its English plural; empty where none is, or several are.

    Words are read in the language and, where it finds none, in English.
    """
    primary = language.split("-")[0].lower()
    return (_one(_units(text, primary)) or _one(_units(text, "en"))) if primary != "en" else _one(_units(text, "en"))


def same_currency(left: str, right: str) -> bool:
    """Whether two currencies may be one: a currency that is not named may be any, and dollars those of any country."""
    if not left or not right or left == right:
        return True
    if "cents" in (left, right):
        return COINS.get(left if right == "cents" else right) == "cents"
    return left == right.split()[-1] or right == left.split()[-1]


def _units(text: str, primary: str) -> Iterable[str]:
    if primary == "zh":
        return (_CHINESE.get(amount.unit, amount.unit) for amount in chinese_claims(text).amounts)
    if primary in INDIC:
        # Of these languages only the rupee's coins are known.
        return ("rupees" if amount.unit == "cents" else amount.unit for amount in understand(text, primary).claims.amounts)
    if _EITHER in text and "jp" not in text.casefold():
        return ()
    return (_COINS.get(amount.unit, amount.unit) for amount in english_claims(text, "").amounts)


def _one(units: Iterable[str]) -> str:
    found = {unit for unit in units if unit}
    return found.pop() if len(found) == 1 else ""
