"""English numerals, spoken or written, as chunks: "forty two", "a hundred and five", "double five", "14th", "129.50"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.spoken.english.bars import FRACTION
from core.spoken.english.number_words import ORDINAL_SCALES, ORDINALS, PARTS, SCALES, TEENS, TENS, UNITS
from core.spoken.folding import Token

_UNIT = {word: value for value, word in enumerate(UNITS)} | {"nought": 0}
_SMALL = _UNIT | {word: value for value, word in enumerate(TEENS, start=10)}
_TENS = {word: value for value, word in zip(range(20, 100, 10), TENS, strict=True)} | {"fourty": 40}
_REPEAT = {"double": 2, "triple": 3, "treble": 3}
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
    ending = last < len(tokens) and tokens[last].gap == "" and tokens[last].fold in _ORDINAL_ENDINGS
    in_code = last + 1 < len(tokens) and tokens[last + 1].gap == "" and tokens[last + 1].fold.isdecimal()
    if ending and not part and not in_code:
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
    if _glued_to_figures(tokens, index):
        return written, "", last, False
    while last < len(tokens) and tokens[last].gap in (",", ".") and tokens[last].fold.isdecimal():
        written += tokens[last].gap + tokens[last].fold
        last += 1
    if last == index + 1:
        return written, "", last, False
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
    if token.fold not in ("oh", "o") or (token.fold == "o" and _written_in_code(tokens, index)):
        return None
    spaced = token.fold == "oh" or joined(token)
    after_number = bool(before) and before[-1].last == index and not before[-1].ordinal and spaced
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    before_number = following is not None and joined(following) and (following.fold.isdecimal() or following.fold in _NUMBERLIKE)
    if token.fold == "o":
        before_number = before_number and not (index and len(tokens[index - 1].fold) == 1 and tokens[index - 1].fold.isalpha())
        after_number = after_number and (following is None or len(following.fold) > 1 or following.fold.isdecimal())
    return Chunk(index, index + 1, "0") if after_number or before_number else None


def _written_in_code(tokens: Sequence[Token], index: int) -> bool:
    """Whether a letter is written right beside figures: the O of H2O."""
    before = index > 0 and tokens[index].gap == "" and tokens[index - 1].fold.isdecimal()
    return before or (index + 1 < len(tokens) and tokens[index + 1].gap == "" and tokens[index + 1].fold.isdecimal())


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
    scale = ORDINAL_SCALES.get(tokens[at].fold)
    if scale is not None:
        low = number % scale  # "two thousand one" before "hundredth" is 2000 and 1
        fits = low and (number - low) % (10 * scale) == 0
        return Chunk(chunk.first, at + 1, str(number - low + low * scale), ordinal=True) if fits else None
    tens, unit_word = tokens[at - 1].fold in _TENS, ORDINALS.get(tokens[at].fold, 0)
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
    one = word in ("half", "quarter") or word in ORDINALS
    if word not in PARTS or one != (chunk.digits == "1"):
        return None
    return Chunk(chunk.first, chunk.last + 1, "0", share=(int(chunk.digits), PARTS[word]))


def _ordinal(tokens: Sequence[Token], index: int) -> Chunk | None:
    """ "third", "twenty-third"; "second" only where it is not the unit of time."""
    word = tokens[index].fold
    if word in _TENS and index + 1 < len(tokens) and joined(tokens[index + 1]):
        unit = ORDINALS.get(tokens[index + 1].fold, 0)
        if 0 < unit < 10:
            return Chunk(index, index + 2, str(_TENS[word] + unit), ordinal=True)
    if word not in ORDINALS:
        return None
    if word == "second" and index:
        before = tokens[index - 1].fold
        if before.isdecimal() or before in _NOT_BEFORE_SECOND or before in _NUMBERLIKE:
            return None
    return Chunk(index, index + 1, str(ORDINALS[word]), ordinal=True)


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
        return Chunk(index, index + 2, "0", share=(1, PARTS[word])) if word in ("half", "quarter") else None
    chunk = _scaled(tokens, index)
    share = _parts(tokens, chunk) if chunk is not None else None
    return share if share is not None and share.share and share.share[0] < share.share[1] else None
