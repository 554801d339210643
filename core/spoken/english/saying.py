"""Saying single values in English, as a caller says them."""

from __future__ import annotations

from core.spoken.english.clock import say_time
from core.spoken.english.dates import say_date
from core.spoken.english.emails import say_email
from core.spoken.english.money import say_money, say_number
from core.spoken.english.number_words import digit_words
from core.spoken.english.reading import read_values
from core.spoken.kinds import Kind, Value


def breath_groups(digits: str) -> list[str]:
    """Digits in groups of three and four, as people breathe: 8 are 4 4, 7 are 3 4, 10 are 3 3 4; up to 5 stay together."""
    size = len(digits)
    if size <= 5:
        return [digits]
    fours = size % 3
    lengths = [3] * ((size - 4 * fours) // 3) + [4] * fours
    starts = [sum(lengths[:place]) for place in range(len(lengths))]
    return [digits[start : start + length] for start, length in zip(starts, lengths, strict=True)]


def say_digits(digits: str) -> str:
    """ "04412907" is "zero four four one, two nine zero seven"."""
    return ", ".join(digit_words(group) for group in breath_groups(digits))


def say_code(code: str) -> str:
    """ "QX338805" is "Q, X, three three eight, eight zero five"."""
    parts: list[str] = []
    digits = ""
    for char in [*code, ""]:
        if char.isdecimal():
            digits += char
            continue
        parts += [say_digits(digits)] if digits else []
        parts += [char] if char else []
        digits = ""
    return ", ".join(parts)


def say_address(address: str, spell: bool = False) -> str:
    """An e-mail address as words and signs; spelled where asked, and where a listener would take its words for others."""
    forms = [say_email(address), say_email(address, spell_local=True), say_email(address, spell_local=True, spell_host=True)]
    forms = forms[1:] if spell else forms
    return next((form for form in forms if _reads(form, address)), forms[-1])


def _reads(spoken: str, address: str) -> bool:
    """Whether a listener reads the address back also where words go before it."""
    return [item.value for item in read_values(f"to {spoken}", Kind.EMAIL)] == [address]


def say_value(value: Value, kind: Kind, *, spell: bool = False) -> str:
    """A canonical value as a person says it; `spell` gives names and addresses letter by letter."""
    text = str(value)
    match kind:
        case Kind.DIGITS:
            return say_digits(text)
        case Kind.CODE:
            return say_code(text)
        case Kind.MONEY:
            return say_money(float(value))
        case Kind.NUMBER:
            return say_number(text)
        case Kind.DATE:
            return say_date(text)
        case Kind.TIME:
            return say_time(text)
        case Kind.EMAIL:
            return say_address(text, spell)
        case Kind.YES_NO:
            return "yes" if value else "no"
        case Kind.NAME | Kind.CHOICE | Kind.TEXT:
            return _spell(text) if spell else text.replace("_", " ") if kind is Kind.CHOICE else text


def _spell(name: str) -> str:
    """ "Okafor" is "O, K, A, F, O, R"; words are parted by full stops, the longer pause."""
    words = [[char for char in word.upper() if char.isalpha()] for word in name.replace("-", " ").split()]
    return ". ".join(", ".join(letters) for letters in words)
