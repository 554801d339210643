"""Saying canonical values in Chinese, as a caller says them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from core.spoken.chinese.clock import say_time
from core.spoken.chinese.dates import say_date
from core.spoken.chinese.emails import find_emails, say_email
from core.spoken.chinese.identifiers import say_code, say_digits
from core.spoken.chinese.money import say_money
from core.spoken.chinese.names import spell_name
from core.spoken.chinese.numerals import decimal_words
from core.spoken.kinds import Kind, Value


def say_address(address: str, spell: bool = False) -> str:
    """An e-mail address as words and signs; spelled where asked, and where a listener would not read it back otherwise."""
    plain = say_email(address)
    read_back = [item.text for item in find_emails(plain)] == [address]
    return plain if read_back and not spell else say_email(address, spell=True)


def say_value(value: Value, kind: Kind, *, spell: bool = False) -> str:
    """A canonical value as a person says it; `spell` gives names and addresses character by character."""
    text = str(value)
    match kind:
        case Kind.DIGITS:
            return say_digits(text)
        case Kind.CODE:
            return say_code(text)
        case Kind.MONEY:
            return say_money(Decimal(text))
        case Kind.NUMBER:
            return decimal_words(text)
        case Kind.DATE:
            day = date.fromisoformat(text)
            return say_date(day.year, day.month, day.day)
        case Kind.TIME:
            return say_time(text)
        case Kind.EMAIL:
            return say_address(text, spell)
        case Kind.YES_NO:
            return "是的" if value else "不是"
        case Kind.NAME | Kind.CHOICE | Kind.TEXT:
            return spell_name(text) if spell else text.replace("_", " ") if kind is Kind.CHOICE else text
