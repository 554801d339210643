"""English: how values are read out of words, found in them and said."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.spoken.english.finding import find_value
from core.spoken.english.normal import english_units
from core.spoken.english.reading import read_values
from core.spoken.english.saying import say_value
from core.spoken.english.verbalising import verbalise
from core.spoken.kinds import Kind, Reading, Unit, Value


class English:
    """The English entry of the registry of languages."""

    def read(self, text: str, kind: Kind, *, region: str, now: date | None, choices: Sequence[str], past: bool) -> list[Reading]:
        """Values of a kind in a text, in order, none overlapping."""
        return read_values(text, kind, region=region, now=now, choices=choices, past=past)

    def find(self, value: Value, kind: Kind, text: str, *, region: str, now: date | None) -> tuple[int, int] | None:
        """Where a canonical value stands in a text in any form, None when it does not."""
        return find_value(value, kind, text, region=region, now=now)

    def say(self, value: Value, kind: Kind, *, spell: bool) -> str:
        """A canonical value as a person says it."""
        return say_value(value, kind, spell=spell)

    def say_text(self, text: str, *, region: str) -> str:
        """A sentence with everything written verbalised."""
        return verbalise(text, region=region)

    def units(self, text: str, *, region: str = "") -> list[Unit]:
        """The text as normalised units; a region that writes the day first has other dates in figures."""
        return english_units(text, region)


ENGLISH = English()
