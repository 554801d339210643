"""What a synthesiser is given: the words as a person says them, with every number, date, amount and code in words."""

from __future__ import annotations

import unicodedata

from core.spoken import say_text

SCRIPTS = {"en": "LATIN"}
"""Primary language to the script, as Unicode names it, that its voices can read."""


def spoken_form(text: str, language: str) -> str:
    """`text` as it is said in `language` (BCP 47), on one line. What cannot be said, such as markup, is left to the voice.

    Raises:
        UsageError: no rules for the language.
    """
    return " ".join(say_text(text, language).split())


def is_speakable(text: str, language: str) -> bool:
    """Whether a voice of `language` (BCP 47) finds anything to say in a spoken form: one letter of its script, or a digit."""
    script = SCRIPTS.get(language.split("-")[0].lower(), "")
    letters = (unicodedata.name(character, "") for character in text if character.isalpha())
    return any(character.isdecimal() for character in text) or any(name.startswith(script) for name in letters)
