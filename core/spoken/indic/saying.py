"""Saying values in the languages of India."""

from __future__ import annotations

import unicodedata

from core.spoken.english.saying import breath_groups
from core.spoken.indic.clock import say_time
from core.spoken.indic.dates import say_date
from core.spoken.indic.emails import letter_name, say_email
from core.spoken.indic.grammar import Grammar
from core.spoken.indic.numerals import cardinal, digit_words, say_number
from core.spoken.indic.reading import read_values
from core.spoken.kinds import Kind, Value


def say_value(value: Value, kind: Kind, grammar: Grammar, *, spell: bool = False) -> str:
    """A canonical value as a person says it; `spell` gives names and addresses letter by letter."""
    text, lexicon, table = str(value), grammar.lexicon, grammar.table
    match kind:
        case Kind.DIGITS:
            return say_digits(text, grammar)
        case Kind.CODE:
            return say_code(text, grammar)
        case Kind.MONEY:
            return say_money(float(value), grammar)
        case Kind.NUMBER:
            return say_number(text, lexicon, minus=table.numbers.minus[0], point=table.numbers.point[0])
        case Kind.DATE:
            return say_date(text, grammar)
        case Kind.TIME:
            return say_time(text, grammar)
        case Kind.EMAIL:
            return say_address(text, grammar, spell=spell)
        case Kind.YES_NO:
            return table.talk.yes[0] if value else table.talk.no[0]
        case Kind.NAME | Kind.CHOICE | Kind.TEXT:
            return _spell(text, grammar) if spell else text.replace("_", " ") if kind is Kind.CHOICE else text


def say_digits(digits: str, grammar: Grammar) -> str:
    """Digits one by one, grouped as people breathe."""
    return ", ".join(digit_words(group, grammar.lexicon) for group in breath_groups(digits))


def say_code(code: str, grammar: Grammar) -> str:
    """ "QX338805" is "क्यू, एक्स, तीन तीन आठ, आठ शून्य पाँच"; letters stay Latin where their names would be taken for words."""
    forms = (_code(code, grammar, named=True), _code(code, grammar, named=False))
    return next((form for form in forms if _reads(form, code, Kind.CODE, grammar)), forms[-1])


def _code(code: str, grammar: Grammar, *, named: bool) -> str:
    parts: list[str] = []
    digits = ""
    for char in [*code, ""]:
        if char.isdecimal():
            digits += char
            continue
        parts += [say_digits(digits, grammar)] if digits else []
        parts += [letter_name(char, grammar) if named else char] if char else []
        digits = ""
    return ", ".join(parts)


def say_address(address: str, grammar: Grammar, *, spell: bool = False) -> str:
    """An address as words and signs; spelled where asked, and where a listener would take its words for others."""
    forms = [
        say_email(address, grammar),
        say_email(address, grammar, spell_local=True),
        say_email(address, grammar, spell_local=True, spell_host=True),
        say_email(address, grammar, spell_local=True, spell_host=True, named=False),
    ]
    forms = forms[1:] if spell else forms
    return next((form for form in forms if _reads(form, address, Kind.EMAIL, grammar)), forms[-1])


def _reads(spoken: str, value: str, kind: Kind, grammar: Grammar) -> bool:
    """Whether a listener reads the value back."""
    return [item.value for item in read_values(spoken, kind, grammar.code)] == [value]


def say_money(value: float, grammar: Grammar) -> str:
    """129.5 is "एक सौ उनतीस रुपये पचास पैसे"; below one rupee only paise are said."""
    table = grammar.table
    cents = round(abs(value) * 100)
    notes, coins = divmod(cents, 100)
    minus = f"{table.numbers.minus[0]} " if value < 0 else ""
    change = _coins(coins, "cents", table.money.cents[0], grammar)
    if coins and not notes:
        return minus + change
    whole = _coins(notes, "rupees", table.money.rupees[0], grammar)
    return minus + (f"{whole} {change}" if coins else whole)


def _coins(count: int, unit: str, word: str, grammar: Grammar) -> str:
    """So many rupees or paise; one of them has a word of its own in some languages."""
    one = grammar.table.money.one.get(unit) if count == 1 else None
    return one or f"{cardinal(count, grammar.lexicon, noun=True)} {word}"


def _spell(name: str, grammar: Grammar) -> str:
    """A name letter by letter, words parted by full stops: Latin letters by their names, others sign by sign."""
    return ". ".join(", ".join(_letters(word, grammar)) for word in name.replace("-", " ").split())


def _letters(word: str, grammar: Grammar) -> list[str]:
    signs: list[str] = []
    for char in word:
        if signs and (unicodedata.category(char)[0] == "M" or unicodedata.combining(signs[-1][-1]) == _VIRAMA):
            signs[-1] += char
        elif char.isalpha():
            signs.append(letter_name(char, grammar) if char.isascii() else char)
    return signs


_VIRAMA = 9
"""The combining class of a sign that ties two consonants into one character."""
