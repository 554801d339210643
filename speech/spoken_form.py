"""What a synthesiser is given: the words as a person says them, with every number, date, amount and code in words."""

from __future__ import annotations

import unicodedata

from core.scripts import scripts_of
from core.spoken import say_text

LETTERS = {
    "Arab": "ARABIC", "Beng": "BENGALI", "Cyrl": "CYRILLIC", "Deva": "DEVANAGARI", "Grek": "GREEK", "Gujr": "GUJARATI",
    "Guru": "GURMUKHI", "Hans": "CJK", "Hant": "CJK", "Hebr": "HEBREW", "Jpan": "HIRAGANA KATAKANA CJK", "Knda": "KANNADA",
    "Kore": "HANGUL", "Mlym": "MALAYALAM", "Taml": "TAMIL", "Telu": "TELUGU", "Thai": "THAI",
}  # fmt: skip
"""ISO 15924 script to the first words of its letters' Unicode names."""
LATIN = "LATIN"
"""Letters that every voice reads: those of languages with another script read them as English."""
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
    """Whether a voice of `language` (BCP 47) finds anything to say: a digit, a letter of its script, or a Latin one.

    In a language whose script is not known here any letter will do.
    """
    scripts = scripts_of(language)
    known = (LATIN, *" ".join(LETTERS.get(script, "") for script in scripts).split())
    letters = (unicodedata.name(character, "") for character in text if character.isalpha())
    return any(character.isdecimal() for character in text) or any(not scripts or name.startswith(known) for name in letters)
