"""Amounts and quantities in English: "$129.50", "one hundred and twenty nine dollars and fifty cents", "45 pounds", "2.5".

A currency is not part of the value. Where no currency is said anywhere in the text, a lone decimal or whole number counts
as an amount; bare pairs such as "twelve fifty" do not, since they could be 12.50 or 1250.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from decimal import Decimal

from core.spoken.english.numerals import SCALES, Chunk, cardinal, digit_words
from core.spoken.english.sentence import Sentence, is_content, is_pronoun

_SIGNS = {"$": "dollars", "£": "pounds", "€": "euros", "₹": "rupees"}
_UNITS = {
    "dollar": "dollars", "dollars": "dollars", "buck": "dollars", "bucks": "dollars", "usd": "dollars", "pound": "pounds",
    "pounds": "pounds", "quid": "pounds", "gbp": "pounds", "euro": "euros", "euros": "euros", "eur": "euros",
    "rupee": "rupees", "rupees": "rupees", "inr": "rupees",
}  # fmt: skip
_CENTS = {"cent": "cents", "cents": "cents", "pence": "pence", "penny": "pence", "p": "pence"}
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class SaidAmount:
    """An amount as said; `unit` is the plural of the currency ("cents" when only cents were said), empty for a bare number."""

    first: int
    last: int
    value: Decimal
    unit: str = ""


def find_amounts(sentence: Sentence) -> list[SaidAmount]:
    """Every amount whose currency is said, in order."""
    found: list[SaidAmount] = []
    for chunk in sentence.chunks:
        if (found and chunk.first < found[-1].last) or chunk.ordinal:
            continue
        amount = _signed(sentence, chunk) or _worded(sentence, chunk) or _only_cents(sentence, chunk)
        if amount is not None:
            found.append(amount)
    return found


def scaled(sentence: Sentence, chunk: Chunk) -> tuple[Decimal, int]:
    """The chunk's quantity with a scale said after a decimal ("1.5 million") and the token after it."""
    scale = SCALES.get(sentence.fold(chunk.last), 0) if sentence.gap(chunk.last) == "" else 0
    return (chunk.value * scale, chunk.last + 1) if scale else (chunk.value, chunk.last)


def _signed(sentence: Sentence, chunk: Chunk) -> SaidAmount | None:
    """$129.50, £45, € 12,50, $1.5 million, $5 and 50 cents."""
    unit = _SIGNS.get(sentence.fold(chunk.first - 1))
    if unit is None or sentence.gap(chunk.first) != "":
        return None
    value, last = scaled(sentence, chunk)
    if not chunk.fraction and last < len(sentence.tokens):
        comma = sentence.tokens[last]
        if comma.gap == "," and comma.fold.isdecimal() and len(comma.fold) == 2:
            value, last = value + Decimal(comma.fold) * _CENT, last + 1
    value, last = _with_cents(sentence, value, last)
    return SaidAmount(chunk.first - 1, last, value, unit)


def _worded(sentence: Sentence, chunk: Chunk) -> SaidAmount | None:
    """ "forty five pounds", "five dollars fifty", "one twenty nine dollars", "45 €"."""
    before = sentence.ending.get(chunk.first)
    if before is not None and sentence.gap(chunk.first) in ("", "-") and not before.ordinal:
        return None
    if _in_code(sentence, chunk):
        return None
    value, last = scaled(sentence, chunk)
    second = sentence.at.get(chunk.last)
    if second is not None and last == chunk.last and sentence.gap(second.first) in ("", "-"):
        colloquial = chunk.whole and second.whole and len(second.digits) == 2 and len(chunk.digits) <= 2
        if not colloquial or chunk.digits.startswith("0"):
            return None
        value, last = Decimal(chunk.digits + second.digits), second.last
    unit = _UNITS.get(sentence.fold(last)) or _SIGNS.get(sentence.fold(last))
    if sentence.fold(last) == "us" and sentence.fold(last + 1) in _UNITS:
        unit, last = "dollars", last + 1
    if unit is None or sentence.gap(last) not in ("", "-"):
        return None
    if sentence.fold(last) in _SIGNS and last + 1 in sentence.at and sentence.glued(last + 1):
        return None
    value, last = _with_cents(sentence, value, last + 1)
    return SaidAmount(chunk.first, last, value, unit)


def _with_cents(sentence: Sentence, value: Decimal, last: int) -> tuple[Decimal, int]:
    """Add "and fifty cents" (also miswritten "and $50 cents"), "fifty cents" or a bare "fifty" right after the currency."""
    at = last + 1 if sentence.fold(last) == "and" else last
    at += sentence.fold(at) in _SIGNS
    cents = sentence.at.get(at)
    if cents is None or not cents.whole or len(cents.digits) > 2 or value != value.to_integral_value():
        return value, last
    if sentence.gap(at) not in ("", ","):
        return value, last
    if sentence.fold(cents.last) in _CENTS and sentence.gap(cents.last) == "":
        return value + int(cents.digits) * _CENT, cents.last + 1
    spoken_unit = sentence.fold(last - 1) in _UNITS
    alone = cents.last not in sentence.at and not is_content(sentence, cents.last) and sentence.gap(at) == ""
    if spoken_unit and at == last and len(cents.digits) == 2 and alone:
        return value + int(cents.digits) * _CENT, cents.last
    return value, last


def _only_cents(sentence: Sentence, chunk: Chunk) -> SaidAmount | None:
    unit = _CENTS.get(sentence.fold(chunk.last))
    if unit is None or sentence.gap(chunk.last) not in ("", "-") or not chunk.whole or chunk.first in sentence.ending:
        return None
    if _in_code(sentence, chunk):
        return None
    return SaidAmount(chunk.first, chunk.last + 1, chunk.value * _CENT, unit)


def _in_code(sentence: Sentence, chunk: Chunk) -> bool:
    """KR72P: digits written right behind letters are no amount, whatever follows them."""
    return sentence.glued(chunk.first) and sentence.fold(chunk.first - 1).isalpha()


def bare_amounts(sentence: Sentence, taken: Set[int]) -> list[SaidAmount]:
    """Lone numerals that could be an amount, outside the tokens `taken` by something else."""
    found = [SaidAmount(chunk.first, scaled(sentence, chunk)[1], scaled(sentence, chunk)[0]) for chunk in _bare(sentence, taken)]
    return [item for item in found if not _neighbours(sentence, item) and sentence.fold(item.last) not in ("%", "percent")]


def quantities(sentence: Sentence, taken: Set[int]) -> list[SaidAmount]:
    """Numbers outside the tokens `taken`; digits said one after the other are one number, "minus" goes with what follows."""
    groups: list[list[Chunk]] = []
    for chunk in _bare(sentence, taken):
        if groups and groups[-1][-1].last == chunk.first and sentence.gap(chunk.first) == "":
            groups[-1].append(chunk)
        else:
            groups.append([chunk])
    return [_quantity(sentence, group) for group in groups if len(group) == 1 or all(chunk.whole for chunk in group)]


def _quantity(sentence: Sentence, group: list[Chunk]) -> SaidAmount:
    first = group[0].first
    value, last = scaled(sentence, group[-1])
    if len(group) > 1:
        value, last = Decimal("".join(chunk.digits for chunk in group)), group[-1].last
    if sentence.fold(first - 1) in ("minus", "negative"):
        return SaidAmount(first - 1, last, -value)
    gap = sentence.tokens[first].gap
    signed = gap.endswith("-") and (gap != "-" or first == 0)
    return SaidAmount(first, last, -value if signed else value)


def _bare(sentence: Sentence, taken: Set[int]) -> list[Chunk]:
    return [
        chunk
        for chunk in sentence.chunks
        if not (chunk.ordinal or chunk.first in taken or is_pronoun(sentence, chunk) or _touches_letters(sentence, chunk))
    ]


def _neighbours(sentence: Sentence, item: SaidAmount) -> bool:
    """Whether another numeral stands on either side as part of the same run."""
    signs = ("", "-", ".", ":", "/")
    before = item.first in sentence.ending and (sentence.gap(item.first) in signs or sentence.tokens[item.first].gap == ",")
    after = item.last in sentence.at and (sentence.gap(item.last) in signs or sentence.tokens[item.last].gap == ",")
    return before or after


def _touches_letters(sentence: Sentence, chunk: Chunk) -> bool:
    """A2, QX-338805, 10th-floor, 3/14: written into something that is no quantity."""
    if not chunk.literal:
        return False
    before, after = chunk.first - 1, chunk.last
    if sentence.fold(before) in ("/", "@", "_", "#", "&") or sentence.fold(after) in ("/", "@", "_", "&"):
        return True
    hyphen_before = before >= 0 and sentence.tokens[chunk.first].gap == "-" and sentence.fold(before).isalpha()
    return _in_code(sentence, chunk) or hyphen_before or (sentence.glued(after) and sentence.fold(after).isalpha())


def say_money(value: float, unit: str = "dollars", small: str = "cents") -> str:
    """129.5 is "one hundred twenty nine dollars and fifty cents"; below one unit only the small ones are said."""
    cents = round(abs(value) * 100)
    notes, coins = divmod(cents, 100)
    minus = "minus " if value < 0 else ""
    change = f"{cardinal(coins)} {_ONE.get(small, small) if coins == 1 else small}"
    if coins and not notes:
        return minus + change
    whole = f"{cardinal(notes)} {_ONE.get(unit, unit) if notes == 1 else unit}"
    return minus + (f"{whole} and {change}" if coins else whole)


_ONE = {
    "dollars": "dollar", "cents": "cent", "pounds": "pound", "pence": "penny", "euros": "euro", "rupees": "rupee",
    "paise": "paisa",
}  # fmt: skip


def say_number(written: str) -> str:
    """ "-3.14" is "minus three point one four"; whole numbers are cardinals, trailing zeros are said."""
    whole, _, fraction = format(Decimal(written), "f").lstrip("-").partition(".")
    spoken = cardinal(int(whole)) + (f" point {digit_words(fraction)}" if fraction else "")
    return f"minus {spoken}" if written.startswith("-") else spoken
