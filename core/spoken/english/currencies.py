"""Currencies in English: their signs, codes and names, and the coins they are counted in.

A currency goes by the plural it is said with ("dollars", "Hong Kong dollars"); one without coins here is said with decimals.
"""

from __future__ import annotations

SIGNS = {
    "$": "dollars", "£": "pounds", "€": "euros", "₹": "rupees", "¥": "yen", "৳": "taka", "₩": "Korean won", "₺": "lira",
    "₦": "naira", "₱": "pesos", "₫": "Vietnamese dong", "₪": "shekels", "฿": "baht", "₽": "rubles",
}  # fmt: skip
BEFORE_SIGN = {
    ("us", "$"): "dollars", ("hk", "$"): "Hong Kong dollars", ("nt", "$"): "Taiwan dollars", ("s", "$"): "Singapore dollars",
    ("sg", "$"): "Singapore dollars", ("a", "$"): "Australian dollars", ("au", "$"): "Australian dollars",
    ("c", "$"): "Canadian dollars", ("ca", "$"): "Canadian dollars", ("nz", "$"): "New Zealand dollars", ("r", "$"): "reais",
    ("mx", "$"): "Mexican pesos", ("cn", "¥"): "yuan", ("jp", "¥"): "yen",
}  # fmt: skip
"""Letters written right before a sign, and what the two are together."""
CODES = {
    "usd": "dollars", "gbp": "pounds", "eur": "euros", "inr": "rupees", "rs": "rupees", "jpy": "yen", "cny": "yuan",
    "rmb": "yuan", "hkd": "Hong Kong dollars", "twd": "Taiwan dollars", "ntd": "Taiwan dollars", "sgd": "Singapore dollars",
    "aud": "Australian dollars", "cad": "Canadian dollars", "nzd": "New Zealand dollars", "chf": "Swiss francs",
    "aed": "dirhams", "bdt": "taka", "krw": "Korean won", "brl": "reais", "mxn": "Mexican pesos", "zar": "South African rand",
}  # fmt: skip
"""Written before or behind an amount."""
_ONE = {
    "dollars": "dollar", "cents": "cent", "pounds": "pound", "pence": "penny", "euros": "euro", "rupees": "rupee",
    "paise": "paisa", "dirhams": "dirham", "pesos": "peso", "shekels": "shekel", "rubles": "ruble", "francs": "franc",
    "reais": "real",
}  # fmt: skip


def one_of(unit: str) -> str:
    """The name of one of a currency or coin: "dollars" are one "dollar"."""
    *nation, noun = unit.split()
    return " ".join([*nation, _ONE.get(noun, noun)])


NAMES = {
    tuple(name.lower().split()): unit
    for unit in {*SIGNS.values(), *BEFORE_SIGN.values(), *CODES.values()}
    for name in (unit, one_of(unit))
} | {
    ("buck",): "dollars", ("bucks",): "dollars", ("us", "dollar"): "dollars", ("us", "dollars"): "dollars",
    ("quid",): "pounds", ("renminbi",): "yuan",
}  # fmt: skip
"""Currencies by the words of their names."""
NAME_STARTS = frozenset(name[0] for name in NAMES)
COINS = {"dollars": "cents", "euros": "cents", "pounds": "pence", "rupees": "paise"} | {
    unit: "cents" for unit in BEFORE_SIGN.values() if unit.endswith(" dollars")
}  # fmt: skip
"""What a hundredth of a currency is called."""
CENTS = {"cent": "cents", "cents": "cents", "¢": "cents", "pence": "pence", "penny": "pence", "p": "pence"} | {
    "paise": "paise", "paisa": "paise",
}  # fmt: skip
