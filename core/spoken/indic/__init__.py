"""Languages of India: how values are read out of words, found in them and said; one engine, one table of words each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.spoken.indic.grammar import grammar_of
from core.spoken.indic.normal import indic_units
from core.spoken.indic.reading import find_value, read_values
from core.spoken.indic.saying import say_value
from core.spoken.indic.verbalising import verbalise
from core.spoken.kinds import Kind, Reading, Unit, Value


class Indic:
    """An entry of the registry of languages; its table is read when it is first used. Dates have the day first everywhere."""

    def __init__(self, code: str) -> None:
        self._code = code

    def read(self, text: str, kind: Kind, *, region: str, now: date | None, choices: Sequence[str], past: bool) -> list[Reading]:
        """Values of a kind in a text, in order, none overlapping."""
        return read_values(text, kind, self._code, now=now, choices=choices, past=past)

    def find(self, value: Value, kind: Kind, text: str, *, region: str, now: date | None) -> tuple[int, int] | None:
        """Where a canonical value stands in a text in any form, None when it does not."""
        return find_value(value, kind, text, self._code, now=now)

    def say(self, value: Value, kind: Kind, *, spell: bool) -> str:
        """A canonical value as a person says it."""
        return say_value(value, kind, grammar_of(self._code), spell=spell)

    def say_text(self, text: str, *, region: str) -> str:
        """A sentence with everything written verbalised."""
        return verbalise(text, self._code)

    def units(self, text: str, *, region: str = "") -> list[Unit]:
        """The text as normalised units."""
        return indic_units(text, self._code)


CODES = ("hi", "gu", "ta", "mr", "bn", "te", "kn")
"""Hindi, Gujarati, Tamil, Marathi, Bengali, Telugu, Kannada."""
INDIC = {code: Indic(code) for code in CODES}
