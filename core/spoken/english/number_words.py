"""English number words, and numbers put into them: 129 is "one hundred twenty nine", 101st "one hundred and first"."""

from __future__ import annotations

UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TEENS = (
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WESTERN = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
INDIAN = {"thousand": 10**3, "lakh": 10**5, "crore": 10**7}
SCALES = WESTERN | INDIAN | {"lakhs": 10**5, "lac": 10**5, "lacs": 10**5, "crores": 10**7}
"""Words that multiply the number before them."""
ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
}  # fmt: skip
ORDINAL_SCALES = {f"{word}th": size for word, size in ({"hundred": 100} | WESTERN | INDIAN).items()}
PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4} | {
    word: size for word, size in ORDINALS.items() if 5 <= size <= 20
}  # fmt: skip
PARTS |= {f"{word}s": size for word, size in PARTS.items() if size > 2}
"""What one of so many equal parts is called, and several of them."""


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
    return _by_scales(number, WESTERN)


def indian_cardinal(number: int) -> str:
    """A whole number by lakhs and crores: 150000 is "one lakh fifty thousand"; from a thousand crores on by billions."""
    return _by_scales(number, INDIAN) if 1000 <= number < 10**10 else cardinal(number)


def _by_scales(number: int, scales: dict[str, int]) -> str:
    for word, scale in reversed(scales.items()):
        if number >= scale:
            rest = f" {_by_scales(number % scale, scales)}" if number % scale else ""
            return f"{_by_scales(number // scale, scales)} {word}{rest}"
    return cardinal(number)


_ORDINAL_WORD = {value: word for word, value in ORDINALS.items()}


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
    if below not in PARTS.values() or not 0 < above < 20:
        return f"{cardinal(above)} over {cardinal(below)}"
    one = {2: "half", 4: "quarter"}.get(below) or ordinal(below)
    several = "halves" if below == 2 else f"{one}s"
    return f"{cardinal(above)} {one if above == 1 else several}"


def digit_words(digits: str) -> str:
    """Digits one by one: "04" is "zero four"."""
    return " ".join(UNITS[int(digit)] for digit in digits)
