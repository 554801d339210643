"""English numerals, spoken or written, as chunks: "forty two", "a hundred and five", "double five", "14th", "129.50"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from core.spoken.folding import Token

UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}

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
_ORDINAL_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_NOT_BEFORE_SECOND = frozenset({"a", "per", "every", "few", "last", "split", "each", "another", "any"})
"""After these "second" is the unit of time."""
_NUMBERLIKE = _SMALL.keys() | _TENS.keys() | {"oh", "o"} | _REPEAT.keys()


@dataclass(frozen=True, slots=True)
class Chunk:
    """One numeral over the tokens `first` to `last` (exclusive).

    `digits` is what is said as digits ("forty two" 42, "oh five" stays two chunks), `fraction` the digits after the point.
    """

    first: int
    last: int
    digits: str
    fraction: str = ""
    ordinal: bool = False
    literal: bool = False

    @property
    def value(self) -> Decimal:
        """The quantity."""
        return Decimal(f"{self.digits}.{self.fraction}" if self.fraction else self.digits)

    @property
    def whole(self) -> bool:
        """Whether it is a plain whole number, neither ordinal nor decimal."""
        return not self.ordinal and not self.fraction


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
    """Digits as written: 4412, 1,093.34, 14th, 250 thousand."""
    token = tokens[index]
    if not token.fold.isdecimal():
        return None
    digits, last = token.fold, index + 1
    if len(digits) <= 3 and digits[0] != "0":
        while last < len(tokens) and tokens[last].gap == "," and tokens[last].fold.isdecimal() and len(tokens[last].fold) == 3:
            digits += tokens[last].fold
            last += 1
    if last < len(tokens) and tokens[last].gap == "":
        after = tokens[last].fold
        if after in _ORDINAL_ENDINGS:
            return Chunk(index, last + 1, digits, ordinal=True, literal=True)
    fraction = _written_fraction(tokens, index, last)
    if fraction:
        return Chunk(index, last + 1, digits, fraction, literal=True)
    if len(digits) <= 3:
        scaled = _scaled(tokens, index)
        if scaled is not None and scaled.last > last:
            return scaled
    return Chunk(index, last, digits, literal=True)


def _written_fraction(tokens: Sequence[Token], first: int, last: int) -> str:
    """The digits after a decimal point, none where more dotted groups stand around it (an address, a dotted date)."""

    def dotted(at: int) -> bool:
        return 0 < at < len(tokens) and tokens[at].gap == "." and tokens[at].fold.isdecimal() and tokens[at - 1].fold.isdecimal()

    if dotted(last) and not dotted(last + 1) and not dotted(first):
        return tokens[last].fold
    return ""


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
    ordinal = _ordinal(tokens, index)
    return ordinal or _scaled(tokens, index)


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
    total, last = 0, index
    value, last = group
    ceiling = 10**12
    while last < len(tokens) and joined(tokens[last]) and SCALES.get(tokens[last].fold, ceiling) < ceiling:
        ceiling = SCALES[tokens[last].fold]
        total += value * ceiling
        last += 1
        value = 0
        rest = _remainder(tokens, last, limit=ceiling, comma=True)
        if rest is None:
            break
        value, last = rest
    if last == index + 1 and tokens[index].fold == "a":
        return None
    return Chunk(index, last, str(total + value))


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
    if chunk.ordinal or chunk.fraction or at + 1 >= len(tokens) or not joined(tokens[at]):
        return chunk
    if tuple(token.fold for token in tokens[at : at + 3]) == ("and", "a", "half"):
        return Chunk(chunk.first, at + 3, chunk.digits, "5", literal=chunk.literal)
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
    for word, scale in reversed(SCALES.items()):
        if number >= scale:
            return f"{cardinal(number // scale)} {word}" + (f" {cardinal(number % scale)}" if number % scale else "")
    raise AssertionError(number)


_ORDINAL_WORD = {value: word for word, value in _ORDINAL.items()}


def ordinal(number: int) -> str:
    """An ordinal from 1 to 99 in words: 23 is "twenty third"."""
    if number in _ORDINAL_WORD:
        return _ORDINAL_WORD[number]
    return f"{TENS[number // 10 - 2]} {_ORDINAL_WORD[number % 10]}"


def digit_words(digits: str) -> str:
    """Digits one by one: "04" is "zero four"."""
    return " ".join(UNITS[int(digit)] for digit in digits)
