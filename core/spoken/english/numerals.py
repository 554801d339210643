"""English numerals, spoken or written, as chunks: "forty two", "a hundred and five", "double five", "14th", "129.50"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.spoken.english.bars import FRACTION
from core.spoken.folding import Token

UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_INDIAN = {"thousand": 10**3, "lakh": 10**5, "crore": 10**7}
SCALES = _SCALES | _INDIAN | {"lakhs": 10**5, "lac": 10**5, "lacs": 10**5, "crores": 10**7}
"""Words that multiply the number before them."""

_UNIT = {word: value for value, word in enumerate(UNITS)} | {"nought": 0}
_SMALL = _UNIT | {word: value for value, word in enumerate(TEENS, start=10)}
_TENS = {word: value for value, word in zip(range(20, 100, 10), TENS, strict=True)} | {"fourty": 40}
_ORDINAL = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
}  # fmt: skip
_REPEAT = {"double": 2, "triple": 3, "treble": 3}
_ORDINAL_SCALE = {f"{word}th": size for word, size in ({"hundred": 100} | _SCALES | _INDIAN).items()}
_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4} | {
    word: size for word, size in _ORDINAL.items() if 5 <= size <= 20
}  # fmt: skip
_PARTS |= {f"{word}s": size for word, size in _PARTS.items() if size > 2}
"""What one of so many equal parts is called, and several of them."""
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_NOT_BEFORE_SECOND = frozenset({"a", "per", "every", "few", "last", "split", "each", "another", "any"})
"""After these "second" is the unit of time."""
_NUMBERLIKE = _SMALL.keys() | _TENS.keys() | {"oh", "o"} | _REPEAT.keys()


@dataclass(frozen=True, slots=True)
class Chunk:
    """One numeral over the tokens `first` to `last` (exclusive).

    `digits` is what is said as digits ("forty two" 42, "oh five" stays two chunks), `fraction` the digits after the point,
    `share` numerator and denominator of a fraction beside the whole number ("two thirds", 1 1/2).
    """

    first: int
    last: int
    digits: str
    fraction: str = ""
    ordinal: bool = False
    literal: bool = False
    share: tuple[int, int] | None = None
    indian: bool = False
    """Grouped or said by lakhs and crores."""

    @property
    def value(self) -> Decimal:
        """The quantity."""
        above, below = self.share or (0, 1)
        return Decimal(f"{self.digits}.{self.fraction}" if self.fraction else self.digits) + Decimal(above) / below

    @property
    def whole(self) -> bool:
        """Whether it is a plain whole number, neither ordinal nor decimal nor a fraction."""
        return not self.ordinal and not self.fraction and self.share is None


def joined(token: Token) -> bool:
    """Whether the gap before `token` leaves it in one numeral with the token before: only spaces or a hyphen."""
    return token.gap.strip() in ("", "-")


def find_chunks(tokens: Sequence[Token]) -> list[Chunk]:
    """Every numeral of a text, in order, none overlapping."""
    chunks: list[Chunk] = []
    index = 0
    while index < len(tokens):
        chunk = _literal(tokens, index) or _repeated(tokens, index) or _worded(tokens, index) or _oh(tokens, index, chunks)
        if chunk is None:
            index += 1
            continue
        chunk = _with_point(tokens, chunk)
        chunks.append(chunk)
        index = chunk.last
    return chunks


def _literal(tokens: Sequence[Token], index: int) -> Chunk | None:
    """Figures as written: 4412, 1,093.34, 1,50,000, 1.234,56, 14th, 250 thousand, 1/2, 1 1/2."""
    token = tokens[index]
    if not token.fold.isdecimal():
        return None
    fraction = _fraction(tokens, index)
    if fraction is not None:
        return fraction
    digits, part, last, indian = _figures(tokens, index)
    if last < len(tokens) and tokens[last].gap == "" and tokens[last].fold in _ORDINAL_ENDINGS and not part:
        return Chunk(index, last + 1, digits, ordinal=True, literal=True, indian=indian)
    if not part and len(digits) <= 3:
        scaled = _scaled(tokens, index)
        if scaled is not None and scaled.last > last:
            return scaled
    return Chunk(index, last, digits, part, literal=True, indian=indian)


def _fraction(tokens: Sequence[Token], index: int) -> Chunk | None:
    """1/2, and 1 1/2 with its whole number, where the bar is known to be that of a fraction."""

    def part_at(at: int) -> tuple[int, int] | None:
        if at + 2 >= len(tokens) or tokens[at + 1].fold != FRACTION or not tokens[at + 2].fold.isdecimal():
            return None
        below = int(tokens[at + 2].fold)
        return (int(tokens[at].fold), below) if tokens[at].fold.isdecimal() and below else None

    share = part_at(index)
    if share is not None:
        return Chunk(index, index + 3, "0", literal=True, share=share)
    share = part_at(index + 1) if index + 1 < len(tokens) and tokens[index + 1].gap == " " else None
    mixed = share is not None and share[0] < share[1] and not _glued_to_figures(tokens, index)
    return Chunk(index, index + 4, tokens[index].fold, literal=True, share=share) if mixed else None


def _figures(tokens: Sequence[Token], index: int) -> tuple[str, str, int, bool]:
    """Whole digits, those after the point, the token after them, and whether they are grouped by lakhs.

    Figures joined by commas and points are read as a whole or not at all: no group is taken for an amount of its own.
    """
    written, last = tokens[index].fold, index + 1
    while last < len(tokens) and tokens[last].gap in (",", ".") and tokens[last].fold.isdecimal():
        written += tokens[last].gap + tokens[last].fold
        last += 1
    if last == index + 1 or _glued_to_figures(tokens, index):
        return tokens[index].fold, "", index + 1, False
    if _EUROPEAN.fullmatch(written) or (_COMMA.fullmatch(written) and _in_euros(tokens, index, last)):
        whole, _, fraction = written.replace(".", "").partition(",")
        return whole, fraction, last, False
    indian = _INDIAN_GROUPS.fullmatch(written) is not None
    if not indian and not _GROUPS.fullmatch(written):
        return tokens[index].fold, "", index + 1, False
    whole, _, fraction = written.replace(",", "").partition(".")
    return whole, fraction, last, indian


_GROUPS = re.compile(r"(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?")
_INDIAN_GROUPS = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?")
_EUROPEAN = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d{1,2}")
_COMMA = re.compile(r"\d+,\d{2}")


def _glued_to_figures(tokens: Sequence[Token], index: int) -> bool:
    """Whether figures stand right before those at a token, with only a comma or a point between."""
    return index > 0 and tokens[index].gap in (",", ".") and tokens[index - 1].fold.isdecimal()


def _in_euros(tokens: Sequence[Token], index: int, last: int) -> bool:
    """Whether a currency stands beside figures that is written with a decimal comma."""
    after = tokens[last].fold if last < len(tokens) and tokens[last].gap in ("", " ") else ""
    return (index > 0 and tokens[index - 1].fold in ("€", "$", "£", "eur")) or after in ("€", "eur", "euro", "euros")


def _repeated(tokens: Sequence[Token], index: int) -> Chunk | None:
    """ "double five", "triple oh"."""
    times = _REPEAT.get(tokens[index].fold)
    if times is None or index + 1 >= len(tokens) or not joined(tokens[index + 1]):
        return None
    word = tokens[index + 1].fold
    digit = word if len(word) == 1 and word.isdecimal() else "0" if word in ("oh", "o") else str(_UNIT.get(word, ""))
    return Chunk(index, index + 2, digit * times) if digit else None


def _oh(tokens: Sequence[Token], index: int, before: Sequence[Chunk]) -> Chunk | None:
    """ "oh" and "o" are zero beside another digit: after one, or before one without a comma ("Oh, four" is a sigh)."""
    token = tokens[index]
    if token.fold not in ("oh", "o"):
        return None
    spaced = token.fold == "oh" or joined(token)
    after_number = bool(before) and before[-1].last == index and not before[-1].ordinal and spaced
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    before_number = following is not None and joined(following) and (following.fold.isdecimal() or following.fold in _NUMBERLIKE)
    if token.fold == "o":
        before_number = before_number and not (index and len(tokens[index - 1].fold) == 1 and tokens[index - 1].fold.isalpha())
        after_number = after_number and (following is None or len(following.fold) > 1 or following.fold.isdecimal())
    return Chunk(index, index + 1, "0") if after_number or before_number else None


def _worded(tokens: Sequence[Token], index: int) -> Chunk | None:
    chunk = _ordinal(tokens, index)
    if chunk is None:
        chunk = _scaled(tokens, index)
        chunk = chunk and (_large_ordinal(tokens, chunk) or _parts(tokens, chunk) or chunk)
    return chunk


def _large_ordinal(tokens: Sequence[Token], chunk: Chunk) -> Chunk | None:
    """ "one hundred and first", "two thousandth"; "one hundred second" only where it is not the unit of time."""
    at, number = chunk.last, int(chunk.digits)
    if at >= len(tokens) or not joined(tokens[at]):
        return None
    scale = _ORDINAL_SCALE.get(tokens[at].fold)
    if scale is not None:
        return Chunk(chunk.first, at + 1, str(number * scale), ordinal=True) if number < scale or scale > 100 else None
    tens, unit_word = tokens[at - 1].fold in _TENS, _ORDINAL.get(tokens[at].fold, 0)
    if tens and 0 < unit_word < 10 and number > 100:
        return Chunk(chunk.first, at + 1, str(number + unit_word), ordinal=True)
    linked = tokens[at].fold == "and"
    if number % 100 or not number or at + linked >= len(tokens) or not joined(tokens[at + linked]):
        return None
    unit = _ordinal(tokens, at + linked)
    the = chunk.first > 0 and tokens[chunk.first - 1].fold == "the"
    if unit is None or (tokens[unit.first].fold == "second" and not (linked or the)):
        return None
    return Chunk(chunk.first, unit.last, str(number + int(unit.digits)), ordinal=True)


def _parts(tokens: Sequence[Token], chunk: Chunk) -> Chunk | None:
    """ "two thirds", "one half": so many equal parts."""
    if chunk.last >= len(tokens) or not joined(tokens[chunk.last]) or not 0 < int(chunk.digits) < 20:
        return None
    word = tokens[chunk.last].fold
    one = word in ("half", "quarter") or word in _ORDINAL
    if word not in _PARTS or one != (chunk.digits == "1"):
        return None
    return Chunk(chunk.first, chunk.last + 1, "0", share=(int(chunk.digits), _PARTS[word]))


def _ordinal(tokens: Sequence[Token], index: int) -> Chunk | None:
    """ "third", "twenty-third"; "second" only where it is not the unit of time."""
    word = tokens[index].fold
    if word in _TENS and index + 1 < len(tokens) and joined(tokens[index + 1]):
        unit = _ORDINAL.get(tokens[index + 1].fold, 0)
        if 0 < unit < 10:
            return Chunk(index, index + 2, str(_TENS[word] + unit), ordinal=True)
    if word not in _ORDINAL:
        return None
    if word == "second" and index:
        before = tokens[index - 1].fold
        if before.isdecimal() or before in _NOT_BEFORE_SECOND or before in _NUMBERLIKE:
            return None
    return Chunk(index, index + 1, str(_ORDINAL[word]), ordinal=True)


def _scaled(tokens: Sequence[Token], index: int) -> Chunk | None:
    """A cardinal with hundreds and thousands: "twelve hundred", "a hundred and five", "two thousand twenty six"."""
    group = _group(tokens, index)
    if group is None:
        return None
    total, indian = 0, False
    value, last = group
    ceiling = 10**15
    while last < len(tokens) and joined(tokens[last]) and SCALES.get(tokens[last].fold, ceiling) < ceiling:
        ceiling = SCALES[tokens[last].fold]
        indian = indian or ceiling in (10**5, 10**7)
        total += value * ceiling
        last += 1
        value = 0
        rest = _remainder(tokens, last, limit=ceiling, comma=True)
        if rest is None:
            break
        value, last = rest
    if last == index + 1 and tokens[index].fold == "a":
        return None
    return Chunk(index, last, str(total + value), indian=indian)


def _group(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    """A number below a thousand, or a count of hundreds ("twelve hundred"), with the token after it."""
    token = tokens[index]
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.fold in ("a", "an"):
        if following is None or not joined(following) or following.fold not in ("hundred", "dozen", *SCALES):
            return None
        value, last = 1, index + 1
    elif token.fold.isdecimal():
        if len(token.fold) > 3:
            return None
        value, last = int(token.fold), index + 1
    else:
        below = _below_hundred(tokens, index)
        if below is None:
            return None
        value, last = below
    if last < len(tokens) and joined(tokens[last]) and tokens[last].fold == "dozen" and 0 < value < 100:
        return value * 12, last + 1
    if last < len(tokens) and joined(tokens[last]) and tokens[last].fold == "hundred" and 0 < value < 100:
        value *= 100
        last += 1
        rest = _remainder(tokens, last, limit=100)
        if rest is not None:
            value, last = value + rest[0], rest[1]
    return value, last


def _below_hundred(tokens: Sequence[Token], index: int) -> tuple[int, int] | None:
    word = tokens[index].fold
    if word in _SMALL:
        return _SMALL[word], index + 1
    if word not in _TENS:
        return None
    if index + 1 < len(tokens) and joined(tokens[index + 1]):
        unit = _UNIT.get(tokens[index + 1].fold, 0)
        if unit:
            return _TENS[word] + unit, index + 2
    return _TENS[word], index + 1


def _remainder(tokens: Sequence[Token], index: int, limit: int, comma: bool = False) -> tuple[int, int] | None:
    """What follows a hundred or a thousand and belongs to it.

    Without "and" it must end the numeral: "eight hundred five five five" is 800 and three digits, not 805.
    """
    if index >= len(tokens):
        return None
    with_and = tokens[index].fold == "and" and joined(tokens[index])
    at = index + 1 if with_and else index
    if at >= len(tokens):
        return None
    gap = tokens[at].gap.strip()
    if gap not in ("", "-") and not (comma and gap == ","):
        return None
    if tokens[at].fold in ("a", "an") or (tokens[at].fold.isdecimal() and len(tokens[at].fold) > 3):
        return None
    group = _below_hundred(tokens, at) if limit == 100 and not tokens[at].fold.isdecimal() else _group(tokens, at)
    if group is None or not 0 < group[0] < limit or (gap == "," and group[0] < 100):
        return None
    last = group[1]
    if last < len(tokens) and joined(tokens[last]):
        after = tokens[last].fold
        if after == "hundred" or SCALES.get(after, 0) >= limit > 100:
            return None
        if not with_and and (after in _NUMBERLIKE or after.isdecimal()):
            return None
    return group


def _with_point(tokens: Sequence[Token], chunk: Chunk) -> Chunk:
    """Add what follows the whole number: "three point one four", "two and a half"."""
    at = chunk.last
    if not chunk.whole or at + 1 >= len(tokens) or not joined(tokens[at]):
        return chunk
    if tokens[at].fold == "and":
        share = _share_after(tokens, at + 1)
        return chunk if share is None else replace(chunk, last=share.last, share=share.share)
    if tokens[at].fold != "point":
        return chunk
    fraction, last = "", at + 1
    while last < len(tokens) and joined(tokens[last]):
        word = tokens[last].fold
        digit = word if word.isdecimal() else "0" if word in ("oh", "o") else str(_UNIT.get(word, ""))
        if not digit and not fraction:
            tens = _below_hundred(tokens, last)
            if tens is None:
                return chunk
            return Chunk(chunk.first, tens[1], chunk.digits, str(tens[0]), literal=chunk.literal)
        if not digit:
            break
        fraction += digit
        last += 1
    return Chunk(chunk.first, last, chunk.digits, fraction, literal=chunk.literal) if fraction else chunk


def _share_after(tokens: Sequence[Token], index: int) -> Chunk | None:
    """ "a half", "one third", "three quarters" after "two and"."""
    if tokens[index].fold == "a":
        word = tokens[index + 1].fold if index + 1 < len(tokens) else ""
        return Chunk(index, index + 2, "0", share=(1, _PARTS[word])) if word in ("half", "quarter") else None
    chunk = _scaled(tokens, index)
    share = _parts(tokens, chunk) if chunk is not None else None
    return share if share is not None and share.share and share.share[0] < share.share[1] else None


def cardinal(number: int) -> str:
    """A whole number in words: 129 is "one hundred twenty nine"."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number < 20:
        return (UNITS + TEENS)[number]
    if number < 100:
        return TENS[number // 10 - 2] + (f" {UNITS[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{UNITS[number // 100]} hundred" + (f" {cardinal(number % 100)}" if number % 100 else "")
    return _by_scales(number, _SCALES)


def indian_cardinal(number: int) -> str:
    """A whole number by lakhs and crores: 150000 is "one lakh fifty thousand"."""
    return _by_scales(number, _INDIAN) if abs(number) >= 1000 else cardinal(number)


def _by_scales(number: int, scales: dict[str, int]) -> str:
    for word, scale in reversed(scales.items()):
        if number >= scale:
            rest = f" {_by_scales(number % scale, scales)}" if number % scale else ""
            return f"{_by_scales(number // scale, scales)} {word}{rest}"
    return cardinal(number)


_ORDINAL_WORD = {value: word for word, value in _ORDINAL.items()}


def ordinal(number: int) -> str:
    """An ordinal from 1 on in words: 23 is "twenty third", 101 "one hundred and first"."""
    if number in _ORDINAL_WORD:
        return _ORDINAL_WORD[number]
    if number < 100:
        return f"{TENS[number // 10 - 2]} {_ORDINAL_WORD[number % 10]}"
    rest = number % 100
    return f"{cardinal(number - rest)} and {ordinal(rest)}" if rest else f"{cardinal(number)}th"


def part_words(above: int, below: int) -> str:
    """A fraction in words: 2, 3 are "two thirds"; with a large denominator "fifteen over thirty two"."""
    if below not in _PARTS.values() or not 0 < above < 20:
        return f"{cardinal(above)} over {cardinal(below)}"
    one = {2: "half", 4: "quarter"}.get(below) or ordinal(below)
    several = "halves" if below == 2 else f"{one}s"
    return f"{cardinal(above)} {one if above == 1 else several}"


def digit_words(digits: str) -> str:
    """Digits one by one: "04" is "zero four"."""
    return " ".join(UNITS[int(digit)] for digit in digits)
