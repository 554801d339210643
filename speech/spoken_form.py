"""What a synthesiser is given: the words as a person says them, with every number, date, amount and code in words."""

from __future__ import annotations

from core.spoken import say_text


def spoken_form(text: str, language: str) -> str:
    """`text` as it is said in `language` (BCP 47), on one line. What cannot be said, such as markup, is left to the voice.

    Raises:
        UsageError: no rules for the language.
    """
    return " ".join(say_text(text, language).split())
