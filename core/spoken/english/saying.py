"""Saying values and whole sentences in English."""

from __future__ import annotations

from collections.abc import Callable

from core.spoken.english.clock import SaidTime, say_time
from core.spoken.english.dates import MONTHS, say_date, say_year
from core.spoken.english.digits import find_codes, find_runs
from core.spoken.english.emails import find_emails, say_email, spell_email
from core.spoken.english.money import find_amounts, say_money, say_number
from core.spoken.english.numerals import cardinal, digit_words, ordinal
from core.spoken.english.reading import dates, read_values, taken, times
from core.spoken.english.sentence import Sentence, parse
from core.spoken.kinds import Kind, Value


def breath_groups(digits: str) -> list[str]:
    """Digits in groups of three and four, as people breathe: 8 are 4 4, 7 are 3 4, 10 are 3 3 4; up to 5 stay together."""
    size = len(digits)
    if size <= 5:
        return [digits]
    fours = size % 3
    sizes = [3] * ((size - 4 * fours) // 3) + [4] * fours
    groups, at = [], 0
    for length in sizes:
        groups.append(digits[at : at + length])
        at += length
    return groups


def say_digits(digits: str) -> str:
    """ "04412907" is "zero four four one, two nine zero seven"."""
    return ", ".join(digit_words(group) for group in breath_groups(digits))


def say_code(code: str) -> str:
    """ "QX338805" is "Q, X, three three eight, eight zero five"."""
    parts: list[str] = []
    digits = ""
    for char in code:
        if char.isdigit():
            digits += char
            continue
        if digits:
            parts.append(say_digits(digits))
            digits = ""
        parts.append(char)
    if digits:
        parts.append(say_digits(digits))
    return ", ".join(parts)


def say_value(value: Value, kind: Kind, *, spell: bool = False) -> str:
    """A canonical value as a person says it; `spell` adds letters one by one for names, codes and addresses."""
    if kind is Kind.YES_NO:
        return "yes" if value else "no"
    if kind is Kind.MONEY:
        return say_money(float(value))
    if kind is Kind.NUMBER:
        return say_number(value if isinstance(value, int) else float(value))
    text = str(value)
    if kind is Kind.DIGITS:
        return say_digits(text)
    if kind is Kind.CODE:
        return say_code(text)
    if kind is Kind.DATE:
        return say_date(text)
    if kind is Kind.TIME:
        return say_time(text)
    if kind is Kind.EMAIL:
        plain = spell_email(text) if spell else say_email(text)
        misread = not spell and [reading.value for reading in read_values(plain, kind)] != [text]
        return spell_email(text) if misread else plain
    return _spell_name(text) if spell else text


def _spell_name(name: str) -> str:
    """ "Okafor" is "O, K, A, F, O, R"; several words are parted by the only commas."""
    words = [[char for char in word.upper() if char.isalpha()] for word in name.split()]
    return ", ".join(words[0]) if len(words) == 1 else ", ".join(" ".join(letters) for letters in words)


def verbalise(text: str, *, region: str = "") -> str:
    """A sentence with digits, amounts, dates, times, addresses and codes in words; what is already in words stays."""
    sentence = parse(text)
    spans: list[tuple[int, int, str]] = []
    used: set[int] = set()

    def add(first: int, last: int, spoken: str) -> None:
        covered = set(range(first, last))
        if covered & used or not any(char.isdigit() or char in "@$£€₹%" for char in _slice(sentence, first, last)):
            return
        used.update(covered)
        start, end = sentence.span(first, last)
        spans.append((start, end, spoken))

    for email in find_emails(sentence):
        add(email.first, email.last, say_email(email.text))
    _add_calendar(sentence, region, add)
    for amount in find_amounts(sentence):
        add(amount.first, amount.last, _amount(float(amount.value), amount.unit))
    for code in find_codes(sentence, taken(sentence, region) | used):
        if not code.text.isdigit() and not code.text.isalpha():
            add(code.first, code.last, say_code(code.text))
    _add_numbers(sentence, taken(sentence, region) | used, add)
    out, at = [], 0
    for start, end, spoken in sorted(spans):
        out += [text[at:start], spoken]
        at = end
    return "".join([*out, text[at:]])


Add = Callable[[int, int, str], None]


def _slice(sentence: Sentence, first: int, last: int) -> str:
    start, end = sentence.span(first, last)
    return sentence.text[start:end]


def _amount(value: float, unit: str) -> str:
    """An amount in its own currency: 45 pounds, 0.99 dollars."""
    spoken = say_money(value)
    if unit in ("dollars", "cents"):
        return spoken
    one = {"pounds": "pound", "euros": "euro", "rupees": "rupee"}.get(unit, "")
    if unit == "pence" or not one:
        return f"{cardinal(round(value * 100))} {unit}"
    small = {"pounds": "pence", "rupees": "paise"}.get(unit, "cents")
    return spoken.replace("dollars", unit).replace("dollar", one).replace("cents", small).replace("cent", small.rstrip("s"))


def _add_calendar(sentence: Sentence, region: str, add: Add) -> None:
    """Dates and times as said: the order of the words stays, only what is written as a number changes."""
    for day in dates(sentence, region):
        if day.month is None or day.day is None:
            continue
        year = f", {say_year(day.year)}" if day.year is not None else ""
        day_first = sentence.at.get(day.first) is not None or sentence.fold(day.first) == "the"
        if day_first and any(sentence.fold(at).isalpha() and len(sentence.fold(at)) > 2 for at in range(day.first, day.last)):
            add(day.first, day.last, f"the {ordinal(day.day)} of {MONTHS[day.month - 1]}{year}")
        else:
            add(day.first, day.last, f"{MONTHS[day.month - 1]} {ordinal(day.day)}{year}")
    for time in times(sentence, region):
        add(time.first, time.last, _time_words(sentence, time))


def _time_words(sentence: Sentence, time: SaidTime) -> str:
    """A time as written, in words; the 24-hour clock becomes the part of day."""
    if time.full or time.hour > 12 or time.hour == 0:
        return say_time(time.clock())
    minutes = (
        "" if not time.minute else f" oh {digit_words(str(time.minute))}" if time.minute < 10 else f" {cardinal(time.minute)}"
    )
    last_words = [sentence.fold(at) for at in range(time.first, time.last)]
    if time.half in ("am", "pm") and last_words[-1] in ("am", "pm", "m"):
        return f"{cardinal(time.hour)}{minutes} {time.half[0]} m"
    tail = next((_slice(sentence, at, time.last) for at in range(time.first + 1, time.last)
                 if sentence.fold(at) in ("in", "at", "this", "tomorrow", "tonight")), "")  # fmt: skip
    clock = cardinal(time.hour) + (minutes or ("" if tail else " o'clock"))
    return f"{clock} {tail}".rstrip()


def _add_numbers(sentence: Sentence, covered: set[int], add: Add) -> None:
    """Ids digit by digit, everything else as a quantity."""
    for run in find_runs(sentence, covered):
        digits = "".join(chunk.digits + chunk.fraction for chunk in run)
        first, last = run[0].first, run[-1].last
        if (
            len(run) > 1
            or (len(digits) >= 5 and "," not in _slice(sentence, first, last))
            or (digits.startswith("0") and len(digits) > 1)
        ):
            add(first, last, say_digits(digits))
    for chunk in sentence.chunks:
        if not chunk.literal or chunk.first in covered:
            continue
        if chunk.ordinal:
            spoken = ordinal(int(chunk.digits)) if int(chunk.digits) < 100 else f"{cardinal(int(chunk.digits))}th"
        else:
            spoken = say_number(float(chunk.value) if chunk.fraction else int(chunk.digits))
        percent = sentence.fold(chunk.last) == "%"
        add(chunk.first, chunk.last + percent, f"{spoken} percent" if percent else spoken)
