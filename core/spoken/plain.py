"""Languages without rules of their own: values are known as they are written, and the voice says numbers in its own way.

Nothing is put into words here, so a recogniser that writes a number in words is not followed: a value counts as heard only
where it comes back in the same written form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from core.spoken.folding import fold
from core.spoken.kinds import Kind, Reading, Unit, Value

_WRITTEN = {
    Kind.DIGITS: re.compile(r"(?<![\w.,])\d(?:[ -]?\d)*(?![\w]|[.,:]\d)"),
    Kind.NUMBER: re.compile(r"(?<![\w.,:/-])-?\d{1,40}(?:\.\d{1,40})?(?![\w]|[.,:/-]\d)"),
    Kind.MONEY: re.compile(r"(?<![\w.,:/-])\d{1,40}(?:\.\d{1,2})?(?![\w]|[.,:/-]\d)"),
    Kind.CODE: re.compile(r"(?<![\w-])(?=[a-z-]*\d)(?=[\d-]*[a-z])[a-z\d]+(?:-[a-z\d]+)*(?![\w-])"),
    Kind.DATE: re.compile(r"(?<![\w-])\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\w-])"),
    Kind.TIME: re.compile(r"(?<![\w:])(?:[01]?\d|2[0-3]):[0-5]\d(?![\w:])"),
    Kind.EMAIL: re.compile(r"(?<![\w.@-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
}
"""Written forms of a kind in folded text."""
_WORDS = re.compile(r"\w+(?:'\w+)*")


class Plain:
    """A language without rules of its own; regions make no difference."""

    def read(self, text: str, kind: Kind, *, region: str, now: date | None, choices: Sequence[str], past: bool) -> list[Reading]:
        """Values of a kind that stand in a text in their written form, in order; options of a choice by their words."""
        if kind is Kind.CHOICE:
            found = [(place, choice) for choice in choices if (place := _phrase(choice, text)) is not None]
            return [Reading(kind, choice, *place, text[place[0] : place[1]]) for place, choice in sorted(found)]
        return list(_written(text, kind))

    def find(self, value: Value, kind: Kind, text: str, *, region: str, now: date | None) -> tuple[int, int] | None:
        """Where a canonical value stands in a text as it is written, None where it does not."""
        if kind in _WRITTEN:
            return next(((item.start, item.end) for item in _written(text, kind) if item.value == value), None)
        return _phrase(str(value), text)

    def say(self, value: Value, kind: Kind, *, spell: bool) -> str:
        """A canonical value as it is written; `spell` parts its letters."""
        return " ".join(str(value)) if spell else str(value)

    def say_text(self, text: str, *, region: str) -> str:
        """The sentence as it is: the voice says its numbers."""
        return text

    def units(self, text: str, *, region: str = "") -> list[Unit]:
        """Words and numbers, folded."""
        folded = fold(text)
        return [Unit(match.group(), *folded.original(*match.span())) for match in _WORDS.finditer(folded.text)]


def _written(text: str, kind: Kind) -> Iterator[Reading]:
    folded = fold(text)
    pattern = _WRITTEN.get(kind)
    for match in pattern.finditer(folded.text) if pattern else ():
        start, end = folded.original(*match.span())
        yield Reading(kind, _value(match.group(), kind), start, end, text[start:end])


def _value(written: str, kind: Kind) -> Value:
    if kind is Kind.DIGITS:
        return re.sub(r"\D", "", written)
    if kind is Kind.CODE:
        return written.replace("-", "").upper()
    if kind is Kind.TIME:
        return written.zfill(5)
    if kind is Kind.MONEY:
        return round(float(written), 2)
    if kind is Kind.NUMBER:
        return float(written) if "." in written else int(written)
    return written


def _phrase(phrase: str, text: str) -> tuple[int, int] | None:
    """Where the words of a phrase stand in a text in a row."""
    wanted, found = PLAIN.units(phrase), PLAIN.units(text)
    for at in range(len(found) - len(wanted) + 1) if wanted else ():
        if all(found[at + n].text == unit.text for n, unit in enumerate(wanted)):
            return found[at].start, found[at + len(wanted) - 1].end
    return None


PLAIN = Plain()
