"""Canonical values: one form per kind, so that two values are the same exactly when their forms are equal."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation

from core.errors import InputError
from core.spoken.folding import fold
from core.spoken.kinds import Kind, Value
from core.spoken.languages import language_of

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_GROUPED = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?:\.\d+)?")
"""By thousands, or by lakhs and crores."""
_TRUE, _FALSE = frozenset({"true", "yes"}), frozenset({"false", "no"})


def canonical(value: object, kind: Kind, language: str = "en") -> Value:
    """The canonical form of an authored, returned or spoken value; raises InputError when it is no value of that kind."""
    result = typed(value, kind)
    if result is None and isinstance(value, str):
        readings = language_of(language)[0].read(value, kind, region="", now=None, choices=(), past=False)
        result = readings[0].value if len(readings) == 1 else None
    if result is None:
        raise InputError(f"{value!r} is no {kind.value}: write it as {_FORMS[kind]}")
    return result


_FORMS = {
    Kind.DIGITS: "a string of digits such as '04412907'",
    Kind.CODE: "letters and digits such as 'QX338805'",
    Kind.MONEY: "a number such as 129.5",
    Kind.NUMBER: "a number",
    Kind.DATE: "'YYYY-MM-DD'",
    Kind.TIME: "'HH:MM' on the 24-hour clock",
    Kind.EMAIL: "'name@example.com'",
    Kind.NAME: "a name",
    Kind.CHOICE: "one of the options",
    Kind.TEXT: "text",
    Kind.YES_NO: "true or false",
}


def typed(value: object, kind: Kind) -> Value | None:
    """The canonical form where `value` is already in a plain written form of the kind, else None: nothing is read in words."""
    if kind is Kind.YES_NO:
        return _truth(value)
    if isinstance(value, bool) or value is None:
        return None
    if kind in (Kind.MONEY, Kind.NUMBER):
        return _quantity(value, kind)
    if isinstance(value, datetime | date | time):
        return _moment(value, kind)
    text = " ".join(unicodedata.normalize("NFKC", str(value)).split())
    if not text or not isinstance(value, str | int):
        return None
    if kind is Kind.DIGITS:
        plain = fold(text).text
        bare = re.sub(r"[\s().,+-]", "", plain)
        return bare if bare.isdecimal() and bare.isascii() else None
    if kind is Kind.CODE:
        bare = re.sub(r"[\s.,-]", "", fold(text).text).upper()
        spoken = " " in text and not any(char.isdecimal() for char in bare)
        return bare if bare.isalnum() and bare.isascii() and not spoken else None
    if kind is Kind.DATE:
        return _iso_date(text)
    if kind is Kind.TIME:
        match = _CLOCK.fullmatch(text)
        valid = match is not None and int(match[1]) < 24 and int(match[2]) < 60
        return f"{int(match[1]):02d}:{match[2]}" if match is not None and valid else None
    if kind is Kind.EMAIL:
        return text.lower() if _EMAIL.fullmatch(text) else None
    return _title(text) if kind is Kind.NAME else text


def _title(text: str) -> str:
    if not (text.islower() or text.isupper()):
        return text
    return re.sub(r"(^|[\s'\u2019-])(\w)", lambda match: match.group(1) + match.group(2).upper(), text.lower())


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().casefold()
    return True if word in _TRUE else False if word in _FALSE else None


def _quantity(value: object, kind: Kind) -> int | float | None:
    if not isinstance(value, int | float | str | Decimal):
        return None
    text = fold(str(value)).text.strip()
    if kind is Kind.MONEY:
        text = text.strip("$£€₹ ")
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    if kind is Kind.MONEY:
        return round(float(number), 2)
    return int(number) if number == number.to_integral_value() else float(number)


def _moment(value: datetime | date | time, kind: Kind) -> str | None:
    if kind is Kind.TIME and isinstance(value, datetime | time):
        return f"{value.hour:02d}:{value.minute:02d}"
    if kind is Kind.DATE and isinstance(value, date):
        return f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
    return None


def _iso_date(text: str) -> str | None:
    try:
        return date.fromisoformat(text[:10]).isoformat() if re.fullmatch(r"\d{4}-\d{2}-\d{2}(T.*)?", text) else None
    except ValueError:
        return None


def comparable(value: Value, kind: Kind) -> Value:
    """What is compared: a canonical value, for words folded so that case, apostrophes, hyphens and spaces do not matter."""
    if kind in (Kind.NAME, Kind.CHOICE, Kind.TEXT) and isinstance(value, str):
        text = fold(value).text
        text = text.replace("'", "").replace("-", " ") if kind is Kind.NAME else text
        return " ".join(text.split())
    return value


def same_value(left: object, right: object, kind: Kind, language: str = "en") -> bool:
    """Whether two values of a kind are the same; a value that is none of that kind equals nothing."""
    try:
        return comparable(canonical(left, kind, language), kind) == comparable(canonical(right, kind, language), kind)
    except InputError:
        return False
