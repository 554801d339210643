"""Numerals of Indian languages, as chunks: "एक लाख पच्चीस हज़ार", "साढ़े पाँच सौ", "डबल नौ", "1,25,000", "१२.५".

The number library knows the words from 0 to 99 in every language; hundreds, thousands, lakhs and crores are put together here,
since it stops below a hundred crores and has some of them wrong.
"""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise

from core.spoken.english.number_words import UNITS
from core.spoken.english.numerals import Chunk, joined
from core.spoken.folding import Token
from core.spoken.indic.folded import FRACTIONS, folded
from core.spoken.indic.ordinals import Changes, OrdinalWords, changed, longest_first, make_ordinals
from core.spoken.indic.table import Numbers, Scale, Words


class Role(StrEnum):
    """What a word does in a number."""

    SMALL = "small"
    """A number from 0 to 99."""
    TENS = "tens"
    """Tens that wait for a digit: "இருபத்து"; a word that also stands alone is SMALL."""
    HUNDREDS = "hundreds"
    """Hundreds, or a number from 101 to 1999, in one word."""
    THOUSANDS = "thousands"
    """Thousands in one word: "இரண்டாயிரம்"."""
    SCALE = "scale"
    BEFORE = "before"
    """Adds to the number behind it."""
    FRACTION = "fraction"
    LOAN = "loan"
    """An English digit, a numeral only beside another one."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The numeral words of a language, folded, and how numbers are said in it."""

    words: dict[str, tuple[Role, Decimal]]
    says: tuple[str, ...]
    """0 to 99 as they are said."""
    scales: tuple[Scale, ...]
    hundreds: tuple[tuple[str, str], ...]
    """100 to 900 in one word, alone and linked; empty where they are a count and a word."""
    thousands: tuple[tuple[str, str], ...]
    """0 to 99 thousands as one word, alone and linked; empty where they are a count and a word."""
    tens_link: frozenset[str]
    """Words for tens that take a digit behind them."""
    weak: frozenset[str]
    behind: frozenset[str]
    """Numerals that are none right behind a word."""
    support: frozenset[str]
    """Words beside which a weak numeral is one."""
    repeats: dict[str, int]
    point: tuple[str, ...]
    minus: tuple[str, ...]
    to: str
    """The word between the ends of a range."""
    ordinals: OrdinalWords
    before_noun: Changes
    halves: tuple[tuple[str, Decimal], ...]
    """Words that add to the number behind them."""
    mixed: tuple[tuple[str, Decimal], ...]
    """Words that are a number and a half or a quarter."""
    quarter: str
    """The word for a quarter where it can be counted: "तीन चौथाई"; "" where it is also an everyday word."""
    endings: tuple[str, ...]
    never: frozenset[str]
    year_hundreds: str
    hundred_inside: bool

    def digit(self, word: str) -> str:
        """The digit that a folded word is, "" for none."""
        if len(word) == 1 and word.isdecimal():
            return word
        role, value = self.words.get(word, (Role.SCALE, Decimal(0)))
        return str(value) if role in (Role.SMALL, Role.LOAN) and value < 10 else ""

    def split(self, word: str) -> tuple[tuple[int, str], ...]:
        """The numeral and the ending that a folded word is made of: where each ends, and its fold."""
        if word in self.words or word in self.never:
            return ()
        stems = (len(word) - len(ending) for ending in self.endings if word.endswith(ending))
        size = next((size for size in stems if self.words.get(word[:size], (None,))[0] in _COUNTS), 0)
        if size:
            return (size, word[:size]), (len(word), word[size:])
        parted = self.ordinals.parted(word, self.words)
        if parted is None or self.words[parted[0]][0] not in _COUNTS:
            return ()
        numeral, ending, size = parted
        return (size, numeral), (len(word), ending)

    def ordinal(self, chunk: Chunk, tokens: Sequence[Token]) -> str:
        """The folded ending of a chunk that is an ordinal."""
        word = tokens[chunk.last - 1].fold
        own = self.ordinals.words.get(word)
        return own[1] if own is not None else self.ordinals.ending(chunk.digits, word)


_COUNTS = frozenset({Role.SMALL, Role.HUNDREDS, Role.THOUSANDS, Role.SCALE, Role.FRACTION})


def make_lexicon(language: str, numbers: Numbers, support: Words, to: str) -> Lexicon:
    """The numerals of a language; `support` are words that only a number has beside it, such as a currency; `to` joins ranges."""
    library, quarter = _library(language), numbers.parts["¼"]
    said = {number: word for word, number in numbers.say.items()}
    says = tuple(said.get(number, library(number)[0]) for number in range(100))
    words: dict[str, tuple[Role, Decimal]] = {}
    links: set[str] = set()

    def learn(form: str, role: Role, value: Decimal | int) -> None:
        words.setdefault(folded(form), (role, Decimal(value)))

    known = [*zip(says, range(100), strict=True), *numbers.also.items()]
    known += [(form, number) for number in range(100) for form in library(number)]
    for form, number in known:
        tens, _, rest = form.partition(" ")
        if rest:
            links.add(folded(tens))
        else:
            learn(form, Role.SMALL if number < 100 else Role.HUNDREDS, number)
    for form, number in known:
        if " " in form:
            learn(form.partition(" ")[0], Role.TENS, number // 10 * 10)
    _learn_scales(learn, library, numbers, says)
    for digit, forms in enumerate(numbers.loan):
        for form in (*forms, UNITS[digit]):
            learn(form, Role.LOAN, digit)
    for form, value in numbers.before.items():
        learn(form, Role.BEFORE, value)
    for form, value in numbers.fractions.items():
        learn(form, Role.FRACTION, value)
    for sign, form in numbers.parts.items():
        if " " not in form:
            learn(form, Role.FRACTION, Decimal(unicodedata.numeric(sign)))
    return Lexicon(
        words=words,
        says=says,
        scales=numbers.scales,
        hundreds=tuple(zip(numbers.hundreds, numbers.hundreds_linked or numbers.hundreds, strict=True)),
        thousands=_thousands(library) if numbers.thousands_joined else (),
        tens_link=frozenset(links),
        weak=frozenset(map(folded, numbers.weak)) | {word for word, (role, _) in words.items() if role is Role.LOAN},
        behind=frozenset(map(folded, numbers.behind)),
        support=frozenset(map(folded, (*support, *numbers.endings))),
        repeats={folded(word): times for times, forms in ((2, numbers.double), (3, numbers.triple)) for word in forms},
        point=tuple(map(folded, numbers.point)),
        minus=tuple(map(folded, numbers.minus)),
        to=folded(to),
        ordinals=make_ordinals(numbers.ordinals, numbers.cases),
        before_noun=longest_first(numbers.before_noun),
        halves=tuple(numbers.before.items()),
        mixed=tuple(numbers.fractions.items()),
        quarter="" if quarter in numbers.weak else folded(quarter),
        endings=tuple(sorted(map(folded, numbers.endings), key=len, reverse=True)),
        never=frozenset(map(folded, numbers.never)),
        year_hundreds=numbers.year_hundreds,
        hundred_inside=numbers.hundred_inside,
    )


def _learn_scales(
    learn: Callable[[str, Role, Decimal | int], None], library: Callable[[int], list[str]], numbers: Numbers, says: Sequence[str]
) -> None:
    for place, (alone, linked) in enumerate(zip(numbers.hundreds, numbers.hundreds_linked or numbers.hundreds, strict=True), 1):
        for form in (alone, linked):
            learn(form, Role.HUNDREDS, place * 100)
    for scale in numbers.scales:
        for form in (scale.say, scale.linked, scale.one, scale.one_linked, *scale.also):
            if form and " " not in form:
                learn(form, Role.SCALE, scale.value)
    for count in range(11, 20):
        form = numbers.year_hundreds.format(says[count])
        if form and " " not in form:
            learn(form, Role.HUNDREDS, count * 100)
    if numbers.hundreds_joined:
        for number in range(101, 1000):
            for form in library(number) if number % 10 else ():
                if " " not in form:
                    learn(form, Role.HUNDREDS, number)
    for count, forms in enumerate(_thousands(library) if numbers.thousands_joined else ()):
        for form in forms if count > 1 else ():
            tens, _, rest = form.rpartition(" ")
            learn(rest, Role.THOUSANDS, (count % 10 if tens else count) * 1000)


def _thousands(library: Callable[[int], list[str]]) -> tuple[tuple[str, str], ...]:
    pairs = [(library(count * 1000)[0], library(count * 1000 + 1)[0].rpartition(" ")[0]) for count in range(1, 100)]
    return (("", ""), *((folded(alone), folded(linked)) for alone, linked in pairs))


def _library(language: str) -> Callable[[int], list[str]]:
    num2words = importlib.import_module("indic_numtowords").num2words
    return lambda number: [unicodedata.normalize("NFC", form) for form in num2words(number, lang=language, variations=True)]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads numerals out of the tokens of one text."""

    tokens: Sequence[Token]
    lexicon: Lexicon

    def chunks(self) -> list[Chunk]:
        """Every numeral, in order, none overlapping."""
        found: list[Chunk] = []
        index = 0
        while index < len(self.tokens):
            chunk = self._own_ordinal(index) or self._repeated(index) or self._written(index) or self._worded(index)
            if chunk is None:
                index += 1
                continue
            chunk = chunk if chunk.ordinal else self._with_ordinal(self._with_point(chunk))
            found.append(chunk)
            index = chunk.last
        return [*(self._in_scale(one, other) for one, other in pairwise(found)), *found[-1:]]

    def _in_scale(self, chunk: Chunk, following: Chunk) -> Chunk:
        """The lower end of a range with the scale that is only said of the upper one: "20-30 लाख" begins at twenty lakh."""
        last = following.last - 1
        role, scale = self._role(last)
        ranged = following.first == chunk.last + 1 and self._word(chunk.last) == self.lexicon.to
        if not ranged or role is not Role.SCALE or last == following.first or not chunk.whole:
            return chunk
        if any(self._role(at)[0] in (Role.SCALE, Role.HUNDREDS, Role.THOUSANDS) for at in range(following.first, last)):
            return chunk
        count = following.value / scale
        if chunk.value >= count or count >= 1000 or self._role(chunk.last - 1)[0] not in (Role.SMALL, None):
            return chunk
        return Chunk(chunk.first, chunk.last, format(chunk.value * scale, "f"))

    def _own_ordinal(self, index: int) -> Chunk | None:
        number, ending = self.lexicon.ordinals.words.get(self._word(index), (0, ""))
        return Chunk(index, index + 1, str(number), ordinal=True) if ending else None

    def _word(self, index: int) -> str:
        return self.tokens[index].fold if 0 <= index < len(self.tokens) else ""

    def _goes_on(self, index: int) -> bool:
        return index < len(self.tokens) and joined(self.tokens[index])

    def _role(self, index: int) -> tuple[Role | None, Decimal]:
        """What a token does in a number; a weak numeral does nothing without another beside it."""
        word = self._word(index)
        role, value = self.lexicon.words.get(word, (None, Decimal(0)))
        follows = index > 0 and self._goes_on(index)
        if (word in self.lexicon.weak or (follows and word in self.lexicon.behind)) and not self._supported(index):
            return None, value
        return (Role.SMALL if role is Role.LOAN else role), value

    def _supported(self, index: int) -> bool:
        before, after = self._word(index - 1), self._word(index + 1)
        if self._numeral(before) and joined(self.tokens[index]):
            return True
        ranged = before == self.lexicon.to and self._numeral(self._word(index - 2))
        if (ranged or before in self.lexicon.minus) and joined(self.tokens[index]):
            return True
        return self._goes_on(index + 1) and (self._numeral(after) or after in self.lexicon.support)

    def _numeral(self, word: str) -> bool:
        return word.isdecimal() or word in self.lexicon.words or word in self.lexicon.repeats

    def _repeated(self, index: int) -> Chunk | None:
        times = self.lexicon.repeats.get(self._word(index))
        digit = self.lexicon.digit(self._word(index + 1)) if times and self._goes_on(index + 1) else ""
        return Chunk(index, index + 2, digit * (times or 0)) if digit else None

    def _written(self, index: int) -> Chunk | None:
        """Figures: 4412, 1,25,000, 1,093.34; those before a scale are left to `_worded`."""
        if not self._word(index).isdecimal():
            return None
        digits, last = self._grouped(index)
        mixed = False
        if self._dotted(last) and not self._dotted(last + 1) and not self._dotted(index):
            fraction, last = self._word(last), last + 1
        elif self._word(last) in FRACTIONS and self.tokens[last].gap.strip(" ") == "":
            fraction, last, mixed = _DECIMALS[self._word(last)], last + 1, True
        else:
            fraction = ""
        role, scale = self._role(last)
        if role is Role.SCALE and self._goes_on(last):
            if not fraction and len(digits) <= 3:
                return self._worded(index)
            value = Decimal(f"{digits}.{fraction or 0}") * scale
            return _chunk(index, last + 1, value)
        return Chunk(index, last, digits, fraction, literal=not mixed)

    def _grouped(self, index: int) -> tuple[str, int]:
        """Figures with thousands or lakhs parted by commas, and the token after them."""
        digits, sizes, last = self._word(index), [len(self._word(index))], index + 1
        while last < len(self.tokens) and self.tokens[last].gap == "," and self._word(last).isdecimal():
            sizes.append(len(self._word(last)))
            last += 1
        indian = set(sizes[1:-1]) <= {2} and sizes[0] <= 2
        western = set(sizes[1:-1]) <= {3} and sizes[0] <= 3
        if len(sizes) > 1 and sizes[-1] == 3 and digits[0] != "0" and (indian or western):
            return "".join(self._word(at) for at in range(index, last)), last
        return digits, index + 1

    def _dotted(self, at: int) -> bool:
        """Whether a full stop alone stands between the figures on both sides of a gap."""
        inside = 0 < at < len(self.tokens) and self.tokens[at].gap == "."
        return inside and self._word(at).isdecimal() and self._word(at - 1).isdecimal()

    def _worded(self, index: int) -> Chunk | None:
        """A number with its crores, lakhs, thousands and hundreds."""
        total, ceiling = Decimal(0), Decimal("Infinity")
        group = self._group(index)
        value, last = group or (Decimal(0), index)
        while last < len(self.tokens) and (last == index or joined(self.tokens[last])):
            role, scale = self._role(last)
            if role is Role.THOUSANDS and scale < ceiling and self._takes(last - 1, index, value):
                total, ceiling = total + value * 1000 + scale, Decimal(1000)
            elif role is Role.SCALE and 100 < scale < ceiling:
                total, ceiling = total + (value or 1) * scale, scale
            elif role is Role.SCALE and scale == 10**7 and ceiling < scale:
                total, ceiling = (total + value) * scale, scale
            else:
                break
            last += 1
            value = Decimal(0)
            rest = self._rest(last, ceiling)
            if rest is not None:
                value, last = rest
        return _chunk(index, last, total + value) if last > index else None

    def _takes(self, index: int, first: int, value: Decimal) -> bool:
        """Whether thousands in one word go on from what stands before them: nothing, or tens that wait for a digit."""
        waiting = index >= first and self._role(index)[0] is Role.TENS
        return not value or waiting

    def _rest(self, index: int, limit: Decimal) -> tuple[Decimal, int] | None:
        """What follows a scale and belongs to its number; digits that go on are not: "आठ सौ पाँच पाँच" is 800, 5, 5."""
        if not self._goes_on(index):
            return None
        group = self._group(index) if limit > 100 else self._below_hundred(index)
        if group is None or not 0 < group[0] < limit:
            return None
        last = group[1]
        role, scale = self._role(last)
        if not self._goes_on(last) or role is None:
            return group if not (self._goes_on(last) and self._word(last).isdecimal()) else None
        goes_up = role is Role.SCALE and (scale < limit or limit == 100 or scale == 10**7)
        return group if goes_up or (role is Role.THOUSANDS and self._takes(last - 1, index, group[0])) else None

    def _group(self, index: int) -> tuple[Decimal, int] | None:
        """A number below a thousand, or a count of hundreds, with the token after it."""
        role, value = self._role(index)
        part, hundreds = self._role(index + 1)
        if role is Role.BEFORE and part is Role.HUNDREDS and hundreds % 100 == 0 and self._goes_on(index + 1):
            return hundreds + 100 * value, index + 2
        if role is Role.HUNDREDS or (role is Role.SCALE and value == 100):
            last = index + 1
        else:
            below = self._below_hundred(index)
            if below is None:
                return None
            value, last = below
            role, scale = self._role(last)
            if role is not Role.SCALE or scale != 100 or not self._goes_on(last) or not 0 < value < 100:
                return value, last
            value, last = value * 100, last + 1
        rest = self._rest(last, Decimal(100)) if value % 100 == 0 else None
        return (value + rest[0], rest[1]) if rest is not None else (value, last)

    def _below_hundred(self, index: int) -> tuple[Decimal, int] | None:
        """A number below a hundred, with a half or a quarter, or figures of up to three digits before or behind a scale."""
        role, value = self._role(index)
        if role is Role.BEFORE:
            following = self._below_hundred(index + 1) if self._goes_on(index + 1) else None
            if following is not None:
                return following[0] + value, following[1]
            return (1 + value, index + 1) if self._role(index + 1)[0] is Role.SCALE and self._goes_on(index + 1) else None
        if role is Role.FRACTION:
            return value, index + 1
        if role in (Role.SMALL, Role.TENS) and self._word(index) in self.lexicon.tens_link and self._goes_on(index + 1):
            unit_role, unit = self._role(index + 1)
            if unit_role is Role.SMALL and 0 < unit < 10:
                return value + unit, index + 2
        if role is Role.SMALL and 0 < value < 4 and self._word(index + 1) == self.lexicon.quarter and self._goes_on(index + 1):
            return value / 4, index + 2
        word = self._word(index)
        if role in (Role.SMALL, Role.TENS):
            return value, index + 1
        return (Decimal(word), index + 1) if word.isdecimal() and len(word) <= 3 else None

    def _with_point(self, chunk: Chunk) -> Chunk:
        """Add the digits said after a decimal point."""
        at = chunk.last
        if chunk.fraction or self._word(at) not in self.lexicon.point or not self._goes_on(at) or not self._goes_on(at + 1):
            return chunk
        fraction, last = "", at + 1
        while self._goes_on(last):
            digit = self._word(last) if self._word(last).isdecimal() else self.lexicon.digit(self._word(last))
            if not digit:
                break
            fraction, last = fraction + digit, last + 1
        if not fraction:
            below = self._below_hundred(last)
            if below is None or below[0] != below[0].to_integral_value():
                return chunk
            fraction, last = str(below[0]), below[1]
        return Chunk(chunk.first, last, chunk.digits, fraction, literal=chunk.literal)

    def _with_ordinal(self, chunk: Chunk) -> Chunk:
        close = chunk.last < len(self.tokens) and self.tokens[chunk.last].gap in ("", "-" if chunk.literal else "")
        if not close or chunk.fraction or not self.lexicon.ordinals.ending(chunk.digits, self._word(chunk.last)):
            return chunk
        return Chunk(chunk.first, chunk.last + 1, chunk.digits, ordinal=True, literal=chunk.literal)


_DECIMALS = {sign: format(Decimal(unicodedata.numeric(sign)), "f").partition(".")[2] for sign in FRACTIONS}


def _chunk(first: int, last: int, value: Decimal) -> Chunk:
    whole, _, fraction = format(value, "f").partition(".")
    return Chunk(first, last, whole, fraction.rstrip("0"))


def cardinal(number: int, lexicon: Lexicon, *, noun: bool = False) -> str:
    """A whole number of 0 or more in words, by lakhs and crores; `noun` where what it counts stands right behind it."""
    words = _cardinal(number, lexicon, inside=False)
    return changed(words, lexicon.before_noun) if noun else words


def _cardinal(number: int, lexicon: Lexicon, *, inside: bool) -> str:
    if number < 100:
        return lexicon.says[number]
    if number < 1000 and lexicon.hundreds:
        count, rest = divmod(number, 100)
        word = lexicon.hundreds[count - 1][1 if rest or (inside and lexicon.hundred_inside) else 0]
        return f"{word} {lexicon.says[rest]}" if rest else word
    scale = next(scale for scale in lexicon.scales if scale.value <= number)
    count, rest = divmod(number, scale.value)
    one = (rest and scale.one_linked) or scale.one
    word = (rest and scale.linked) or scale.say
    if scale.value == 1000 and count > 1 and lexicon.thousands:
        head = lexicon.thousands[count][1 if rest else 0]
    else:
        head = one if count == 1 and one else f"{_cardinal(count, lexicon, inside=False)} {word}"
    return f"{head} {_cardinal(rest, lexicon, inside=True)}" if rest else head


def digit_words(digits: str, lexicon: Lexicon) -> str:
    """Digits one by one."""
    return " ".join(lexicon.says[int(digit)] for digit in digits)


def say_number(written: str, lexicon: Lexicon, *, minus: str, point: str, noun: bool = False) -> str:
    """A number in words; every digit behind the point is said, trailing zeros too."""
    whole, _, fraction = format(Decimal(written), "f").lstrip("-").partition(".")
    spoken = cardinal(int(whole), lexicon, noun=noun and not fraction)
    spoken += f" {point} {digit_words(fraction, lexicon)}" if fraction else ""
    return f"{minus} {spoken}" if written.startswith("-") else spoken


def say_mixed(whole: int, part: Decimal, lexicon: Lexicon) -> str:
    """A number and a half, a quarter or three quarters as people name it, "डेढ़" or "साढ़े तीन"; "" where they have no words."""
    joined = (word for word, value in lexicon.mixed if value == whole + part)
    added = (f"{word} {cardinal(whole, lexicon)}" for word, value in lexicon.halves if value == part)
    missing = (f"{word} {cardinal(whole + 1, lexicon)}" for word, value in lexicon.halves if value == part - 1)
    return next((said for forms in (joined, added, missing) for said in forms), "")


def say_year(year: int, lexicon: Lexicon) -> str:
    """A year: nineteen hundreds where the language counts them so."""
    century, rest = divmod(year, 100)
    if not lexicon.year_hundreds or not 11 <= century <= 19:
        return cardinal(year, lexicon)
    spoken = lexicon.year_hundreds.format(lexicon.says[century])
    return f"{spoken} {lexicon.says[rest]}" if rest else spoken
