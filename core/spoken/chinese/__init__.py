"""Mandarin Chinese: how values are read out of words, found in them and said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.spoken.chinese.finding import find_value
from core.spoken.chinese.normal import chinese_units
from core.spoken.chinese.reading import read_values
from core.spoken.chinese.saying import say_value
from core.spoken.chinese.verbalising import verbalise
from core.spoken.kinds import Kind, Reading, Unit, Value


class Chinese:
    """The Mandarin entry of the registry of languages; regions make no difference."""

    def read(self, text: str, kind: Kind, *, region: str, now: date | None, choices: Sequence[str], past: bool) -> list[Reading]:
        """Values of a kind in a text, in order, none overlapping."""
        return read_values(text, kind, now=now, choices=choices, past=past)

    def find(self, value: Value, kind: Kind, text: str, *, region: str, now: date | None) -> tuple[int, int] | None:
        """Where a canonical value stands in a text in any form, None when it does not."""
        return find_value(value, kind, text, now=now)

    def say(self, value: Value, kind: Kind, *, spell: bool) -> str:
        """A canonical value as a person says it."""
        return say_value(value, kind, spell=spell)

    def say_text(self, text: str, *, region: str) -> str:
        """A sentence with everything written verbalised."""
        return verbalise(text)

    def units(self, text: str, *, region: str = "") -> list[Unit]:
        """The text as normalised units."""
        return chinese_units(text)


CHINESE = Chinese()
