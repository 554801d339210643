"""What a synthesiser is given: the words as a person says them, with every number, date, amount and code in words."""

from __future__ import annotations

import unicodedata

from core.spoken import say_text

SCRIPTS = {"en": "LATIN"}
"""Primary language to the script, as Unicode names it, that its voices can read."""
_UNPRINTED = ("Cc", "Cs", "Co", "Cn")
"""Categories of characters that no voice reads and some engines choke on; joiners and marks of direction stay."""


def spoken_form(text: str, language: str) -> str:
    """`text` as it is said in `language` (BCP 47), on one line and without control characters. Markup is left to the voice.

    Raises:
        UsageError: no rules for the language.
    """
    printable = "".join(" " if unicodedata.category(character) in _UNPRINTED else character for character in text)
    return " ".join(say_text(printable, language).split())


def is_speakable(text: str, language: str) -> bool:
    """Whether a voice of `language` (BCP 47) finds anything to say in a spoken form: one letter of its script, or a digit."""
    script = SCRIPTS.get(language.split("-")[0].lower(), "")
    letters = (unicodedata.name(character, "") for character in text if character.isalpha())
    return any(character.isdecimal() for character in text) or any(name.startswith(script) for name in letters)
