"""Amounts and quantities in English: "$129.50", "one hundred and twenty nine dollars and fifty cents", "45 pounds", "2.5".

A currency is not part of the value. Where no currency is said anywhere in the text, a lone decimal or whole number counts
as an amount; bare pairs such as "twelve fifty" do not, since they could be 12.50 or 1250.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from decimal import Decimal

from core.spoken.english.currencies import BEFORE_SIGN, CENTS, CODES, COINS, NAME_STARTS, NAMES, SIGNS, one_of
from core.spoken.english.number_words import SCALES, cardinal, digit_words, indian_cardinal, part_words
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import RANGE_WORDS, Sentence, is_content, is_pronoun

_CENT = Decimal("0.01")


_SHARED = frozenset({"dollars", "pounds", "euros", "rupees", "cents", "pence"})
"""Currencies that every language that is read by these rules has words for."""
_LETTERS = {"k": "thousand", "mn": "million", "m": "million", "bn": "billion", "b": "billion", "t": "trillion"} | {
    "cr": "crore", "l": "lakh",
}  # fmt: skip
"""Scales in letters behind an amount."""
_MINUS = frozenset({"minus", "negative"})


@dataclass(frozen=True, slots=True)
class SaidAmount:
    """An amount as said; `unit` is the plural of the currency ("cents" when only cents were said), empty for a bare number."""

    first: int
    last: int
    value: Decimal
    unit: str = ""
    scale: str = ""
    """The scale it was written with, "million" in "$1.5M"."""
    indian: bool = False
    """By lakhs and crores."""
    shared: bool = False
    """The lower end of a range whose currency is written before it and said behind the upper end: $20–30."""
    times: int = 1
    """The scale that is said behind the upper end for both: $2–3 million."""


def find_amounts(sentence: Sentence, foreign: bool = False) -> list[SaidAmount]:
    """Every amount whose currency is said, in order; with `foreign` in any currency that English has a name for here."""
    found: list[SaidAmount] = []
    for chunk in sentence.chunks:
        if (found and chunk.first < found[-1].last) or chunk.ordinal:
            continue
        ranged = _upper_end(sentence, chunk, found[-1]) if found else None
        if ranged is not None:
            found[-1] = _lower_end(found[-1], ranged)
        amount = ranged or _signed(sentence, chunk) or _worded(sentence, chunk) or _only_cents(sentence, chunk)
        if amount is not None and (foreign or amount.unit in _SHARED):
            lower = _said_before(sentence, amount, found[-1].last if found else 0)
            found += [lower] if lower is not None else []
            found.append(_negated(sentence, amount))
    return found


def _said_before(sentence: Sentence, amount: SaidAmount, free: int) -> SaidAmount | None:
    """The lower end of "five to ten dollars", a whole number from the token `free` on."""
    to = amount.first - 1
    chunk = sentence.ending.get(to)
    if chunk is None or sentence.fold(to) not in RANGE_WORDS or chunk.first < free or sentence.gap(amount.first):
        return None
    upper, unit = sentence.at.get(amount.first), amount.unit
    scale = SCALES.get(sentence.fold(upper.last - 1) if upper is not None else "", 0) or SCALES.get(amount.scale, 1)
    alone = chunk.whole and chunk.digits[0] != "0" and chunk.first not in sentence.ending and sentence.gap(to) in ("", "-")
    if upper is None or not alone or _in_code(sentence, chunk) or unit in CENTS.values() or amount.value % 1:
        return None
    times = scale if chunk.value < amount.value / scale else 1
    value = chunk.value * times
    return (
        _negated(sentence, SaidAmount(chunk.first, to, value, unit, shared=True, times=times)) if value < amount.value else None
    )


def _negated(sentence: Sentence, amount: SaidAmount) -> SaidAmount:
    """The amount with the minus before it."""
    minus = sentence.fold(amount.first - 1) in _MINUS and sentence.gap(amount.first) == ""
    either = sentence.fold(amount.first - 2) == "or"
    return replace(amount, first=amount.first - 1, value=-amount.value) if minus and not either else amount


def scaled(sentence: Sentence, chunk: Chunk) -> tuple[Decimal, int]:
    """The chunk's quantity with a scale said after a decimal ("1.5 million") and the token after it."""
    scale = SCALES.get(sentence.fold(chunk.last), 0) if sentence.gap(chunk.last) == "" else 0
    return (chunk.value * scale, chunk.last + 1) if scale else (chunk.value, chunk.last)


def _signed(sentence: Sentence, chunk: Chunk) -> SaidAmount | None:
    """$129.50, £45, € 12,50, HK$50, USD 20, $1.5 million, $2M, $5 and 50 cents."""
    at = chunk.first - (sentence.sign(chunk.first - 1) == "minus" and sentence.fold(chunk.first - 2) in SIGNS)
    currency = _before(sentence, at)
    if currency is None or _goes_on_in_figures(sentence, chunk):
        return None
    unit, first = currency
    amount = _scaled_amount(sentence, chunk, unit)
    value, last = _with_cents(sentence, amount.value, amount.last)
    return replace(amount, first=first, last=last, value=value if at == chunk.first else -value)


def _before(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """The currency written before the figures at a token and the token where it starts: "$", "HK$", "USD ", "Rs. "."""
    word = sentence.fold(index - 1)
    if word in SIGNS and sentence.gap(index) == "":
        if not sentence.glued(index - 1) or not sentence.fold(index - 2).isalpha():
            return SIGNS[word], index - 1
        unit = BEFORE_SIGN.get((sentence.fold(index - 2), word))
        return None if unit is None else (unit, index - 2)
    marked = sentence.gap(index) == "" or (word == "rs" and sentence.gap(index) == ".")
    return (CODES[word], index - 1) if word in CODES and marked else None


def _behind(sentence: Sentence, index: int) -> tuple[str, int] | None:
    """The currency said or written from a token on and the token after it: "dollars", "Hong Kong dollars", "USD", "€"."""
    word = sentence.fold(index)
    if sentence.gap(index) not in ("", "-"):
        return None
    if word in SIGNS:
        return None if index + 1 in sentence.at and sentence.glued(index + 1) else (SIGNS[word], index + 1)
    if word in CODES:
        return CODES[word], index + 1
    sizes = (3, 2, 1) if word in NAME_STARTS else ()
    names = ((tuple(sentence.fold(index + place) for place in range(size)), size) for size in sizes)
    return next(((NAMES[name], index + size) for name, size in names if name in NAMES and sentence.has(index, name)), None)


def _goes_on_in_figures(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether more figures are written right behind: a group of them is no amount."""
    dotted = sentence.sign(chunk.last) == "dot"
    return dotted or (chunk.last in sentence.at and sentence.tokens[chunk.last].gap in ("", ",", ".", ":", "-"))


def _scaled_amount(sentence: Sentence, chunk: Chunk, unit: str) -> SaidAmount:
    """The chunk with a scale behind it, in words or letters, as an amount of that currency."""
    value, last = scaled(sentence, chunk)
    letters = sentence.fold(last) if last == chunk.last and sentence.gap(last) == "" else ""
    capital = letters in ("k", "m", "b", "t") and sentence.tokens[last].text.isupper()
    lakhs = letters != "l" or unit == "rupees"
    if letters in _LETTERS and lakhs and (sentence.glued(last) or len(letters) > 1 or capital):
        word = _LETTERS[letters]
        value, last = chunk.value * SCALES[word], last + 1
    else:
        word = sentence.fold(last - 1)
    scale = word if word in SCALES and (sentence.fold(chunk.first).isdecimal() and last == _one_number(sentence, chunk)) else ""
    return SaidAmount(chunk.first, last, value, unit, scale, chunk.indian or scale in ("lakh", "crore"))


def _one_number(sentence: Sentence, chunk: Chunk) -> int:
    """The token after a single written number and one scale behind it."""
    at = chunk.first + 1
    while sentence.fold(at).isdecimal():
        at += 1
    return at + 1


def _upper_end(sentence: Sentence, chunk: Chunk, lower: SaidAmount) -> SaidAmount | None:
    """The upper end of $20–30, a bare number behind the dash of a range."""
    figures = sentence.fold(chunk.first).isdecimal()
    said = sentence.fold(chunk.first - 1) == "to" and sentence.gap(chunk.first) == "" and _may_end(sentence, chunk, lower)
    ranged = (sentence.ranged(chunk.first - 1) or said) and lower.last == chunk.first - 1 and figures
    before = sentence.fold(lower.first) in {*SIGNS, *CODES, "minus"} or sentence.glued(lower.first + 1)
    if not ranged or not before or lower.shared or _goes_on_in_figures(sentence, chunk):
        return None
    if _behind(sentence, chunk.last) is not None or sentence.fold(chunk.last) in ("%", "percent", "am", "pm"):
        return None
    return _scaled_amount(sentence, chunk, lower.unit)


def _may_end(sentence: Sentence, chunk: Chunk, lower: SaidAmount) -> bool:
    """Whether a number behind the word "to" is the higher amount of "$5 to 10": nothing that it counts follows it."""
    follows = sentence.fold(chunk.last)
    scaled_too = follows in SCALES
    return chunk.whole and chunk.value > lower.value and follows != "of" and (scaled_too or not is_content(sentence, chunk.last))


def _lower_end(lower: SaidAmount, upper: SaidAmount) -> SaidAmount:
    """The lower end of a range; it keeps its own currency where either end has cents, as in "$1.50–2.00"."""
    times = SCALES[upper.scale] if upper.scale and not lower.scale else 1
    whole = times > 1 or (lower.value % 1 == 0 and upper.value % 1 == 0)
    return replace(lower, shared=whole or bool(lower.scale), value=lower.value * times, times=times)


def _worded(sentence: Sentence, chunk: Chunk) -> SaidAmount | None:
    """ "forty five pounds", "five dollars fifty", "one twenty nine dollars", "45 €"."""
    before = sentence.ending.get(chunk.first)
    if before is not None and sentence.gap(chunk.first) in ("", "-") and not before.ordinal:
        return None
    if _in_code(sentence, chunk) or _is_group(sentence, chunk):
        return None
    amount = _scaled_amount(sentence, chunk, "")
    value, last = amount.value, amount.last
    second = sentence.at.get(chunk.last)
    if second is not None and last == chunk.last and sentence.gap(second.first) in ("", "-"):
        colloquial = chunk.whole and second.whole and len(second.digits) == 2 and len(chunk.digits) <= 2
        if not colloquial or chunk.digits.startswith("0"):
            return None
        value, last = Decimal(chunk.digits + second.digits), second.last
    currency = _behind(sentence, last)
    if currency is None:
        return None
    unit, last = currency
    value, last = _with_cents(sentence, value, last)
    return replace(amount, last=last, value=value, unit=unit)


def _with_cents(sentence: Sentence, value: Decimal, last: int) -> tuple[Decimal, int]:
    """Add "and fifty cents" (also miswritten "and $50 cents"), "fifty cents" or a bare "fifty" right after the currency."""
    at = last + 1 if sentence.fold(last) == "and" else last
    at += sentence.fold(at) in SIGNS
    cents = sentence.at.get(at)
    if cents is None or not cents.whole or len(cents.digits) > 2 or value != value.to_integral_value():
        return value, last
    if sentence.gap(at) not in ("", ","):
        return value, last
    if sentence.fold(cents.last) in CENTS and sentence.gap(cents.last) == "":
        return value + int(cents.digits) * _CENT, cents.last + 1
    spoken_unit = sentence.fold(last - 1) in _SPOKEN
    alone = cents.last not in sentence.at and not is_content(sentence, cents.last) and sentence.gap(at) == ""
    if spoken_unit and at == last and len(cents.digits) == 2 and alone:
        return value + int(cents.digits) * _CENT, cents.last
    return value, last


_SPOKEN = frozenset(word for unit in COINS for word in (unit.split()[-1], one_of(unit).split()[-1])) | {"bucks", "quid"}
"""Names of currencies after which a bare number is coins."""


def _only_cents(sentence: Sentence, chunk: Chunk) -> SaidAmount | None:
    unit = CENTS.get(sentence.fold(chunk.last))
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
    alone = [item for item in found if not _neighbours(sentence, item) and sentence.fold(item.last) not in ("%", "percent")]
    return [_negated(sentence, item) for item in alone]


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
    return _negated(sentence, SaidAmount(first, last, value))


def _bare(sentence: Sentence, taken: Set[int]) -> list[Chunk]:
    return [
        chunk
        for chunk in sentence.chunks
        if not (chunk.ordinal or chunk.first in taken or is_pronoun(sentence, chunk) or _touches_letters(sentence, chunk))
        if not _is_group(sentence, chunk)
    ]


def _is_group(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether written figures are a group of something longer, which is no number: 12,50,00."""
    before = chunk.first in sentence.ending and sentence.tokens[chunk.first].gap in (",", ".")
    after = chunk.last in sentence.at and sentence.tokens[chunk.last].gap in (",", ".")
    dotted = "dot" in (sentence.sign(chunk.first - 1), sentence.sign(chunk.last))
    return chunk.literal and (before or after or dotted)


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


def say_money(value: float, unit: str = "dollars") -> str:
    """129.5 is "one hundred twenty nine dollars and fifty cents"; below one unit only the small ones are said."""
    cents = round(abs(value) * 100)
    notes, coins = divmod(cents, 100)
    minus = "minus " if value < 0 else ""
    small = COINS.get(unit, "")
    if coins and not small:
        return f"{say_number(f'{value:.2f}')} {unit}"
    change = f"{cardinal(coins)} {one_of(small) if coins == 1 else small}"
    if coins and not notes:
        return minus + change
    whole = f"{cardinal(notes)} {one_of(unit) if notes == 1 else unit}"
    return minus + (f"{whole} and {change}" if coins else whole)


def say_amount(amount: SaidAmount) -> str:
    """An amount as it was written, in its own currency: $1.5M is "one point five million dollars"."""
    value, minus = abs(amount.value), "minus " if amount.value < 0 else ""
    if amount.unit in CENTS.values():
        count = format((value * 100).normalize(), "f")
        return f"{minus}{say_number(count)} {one_of(amount.unit) if count == '1' else amount.unit}"
    if amount.scale:
        number = f"{say_number(format((value / SCALES[amount.scale]).normalize(), 'f'))} {amount.scale}"
    elif amount.indian and value == int(value):
        number = indian_cardinal(int(value))
    elif amount.indian and round(value, 2) == value and amount.unit in COINS:
        whole, coins = divmod(int(value * 100), 100)
        return f"{minus}{indian_cardinal(whole)} {amount.unit} and {say_money(coins / 100, amount.unit)}"
    elif amount.shared:
        number = say_number(format((value / amount.times).normalize(), "f"))
    elif round(value, 2) != value:
        number = say_number(format(value, "f"))
    else:
        return minus + say_money(float(value), amount.unit)
    return minus + (number if amount.shared else f"{number} {amount.unit}")


def say_quantity(chunk: Chunk) -> str:
    """A number as it was written: by lakhs where it is grouped so, with its fraction where it has one."""
    if chunk.share is not None:
        part = part_words(*chunk.share)
        part = {"one half": "a half", "one quarter": "a quarter"}.get(part, part) if chunk.digits != "0" else part
        return f"{cardinal(int(chunk.digits))} and {part}" if chunk.digits != "0" else part
    if chunk.indian and not chunk.fraction:
        return indian_cardinal(int(chunk.digits))
    return say_number(f"{chunk.digits}.{chunk.fraction}" if chunk.fraction else chunk.digits)


def say_number(written: str) -> str:
    """ "-3.14" is "minus three point one four"; whole numbers are cardinals, trailing zeros are said."""
    whole, _, fraction = format(Decimal(written), "f").lstrip("-").partition(".")
    spoken = cardinal(int(whole)) + (f" point {digit_words(fraction)}" if fraction else "")
    return f"minus {spoken}" if written.startswith("-") else spoken
