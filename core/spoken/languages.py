"""The languages whose values can be read and said, one entry each; every other language is taken as it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Protocol

from core.errors import UsageError
from core.spoken.chinese import CHINESE
from core.spoken.english import ENGLISH
from core.spoken.indic import INDIC
from core.spoken.kinds import Kind, Reading, Unit, Value
from core.spoken.plain import PLAIN


class Language(Protocol):
    """What a language must be able to do. `region` is the ISO 3166 code of the tag ("GB" in "en-GB"), "" when none."""

    def read(self, text: str, kind: Kind, *, region: str, now: date | None, choices: Sequence[str], past: bool) -> list[Reading]:
        """Values of a kind in a text, in order, none overlapping."""
        ...

    def find(self, value: Value, kind: Kind, text: str, *, region: str, now: date | None) -> tuple[int, int] | None:
        """Where a canonical value stands in a text in any form, None when it does not."""
        ...

    def say(self, value: Value, kind: Kind, *, spell: bool) -> str:
        """A canonical value as a person says it."""
        ...

    def say_text(self, text: str, *, region: str) -> str:
        """A sentence with everything written verbalised."""
        ...

    def units(self, text: str, *, region: str = "") -> list[Unit]:
        """The text as normalised units."""
        ...


LANGUAGES: dict[str, Language] = {"en": ENGLISH, "zh": CHINESE, **INDIC}


def language_of(tag: str) -> tuple[Language, str]:
    """The language of a BCP 47 tag and its region, `PLAIN` for one without rules here; raises UsageError for no such tag."""
    primary, *rest = tag.replace("_", "-").split("-")
    if not re.fullmatch(r"[A-Za-z]{2,3}", primary):
        raise UsageError(f"{tag!r} names no language: write a BCP 47 tag such as en, hi or pt-BR")
    language = LANGUAGES.get(primary.lower(), PLAIN)
    return language, next((part.upper() for part in rest if len(part) == 2), "")


def has_rules(tag: str) -> bool:
    """Whether values of a language are read and said by rules of its own."""
    return language_of(tag)[0] is not PLAIN
