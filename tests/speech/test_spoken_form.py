"""What a synthesiser is given."""

from __future__ import annotations

import pytest

from speech.spoken_form import is_speakable, spoken_form


def test_numbers_become_words_on_one_line() -> None:
    """Amounts, ids and line breaks are gone before a voice sees the text."""
    assert "Your total is one hundred twenty nine dollars and fifty cents. Thank you." == spoken_form(
        "Your total is $129.50.\n\n  Thank you.", "en-US"
    )


def test_a_language_without_rules_is_given_as_it_is_written() -> None:
    """No rules of one language are applied to another: its voice says numbers in its own way."""
    assert "Son 25 euros el 3/4." == spoken_form("Son 25 euros\nel 3/4.", "es-MX")


@pytest.mark.parametrize(
    ("text", "language", "speakable"),
    [
        ("Hello", "en", True),
        ("7", "en-US", True),
        ("...", "en", False),
        ("", "en", False),
        ("**😀**", "en", False),
        ("你好", "en", False),
        ("你好", "zh-CN", True),
        ("नमस्ते", "hi", True),
        ("माझे नाव", "mr-IN", True),
        ("કેમ છો", "gu", True),
        ("வணக்கம்", "ta", True),
        ("নমস্কার", "bn", True),
        ("నమస్తే", "te", True),
        ("ನಮಸ್ಕಾರ", "kn", True),
        ("OTP", "hi", True),
        ("ok", "zh", True),
        ("नमस्ते", "ta", False),
        ("你好", "hi", False),
        ("नमस्ते", "en", False),
        ("ひらがな", "ja", True),
        ("ም", "am", True),
        ("।", "hi", False),
        ("।", "am", False),
    ],
)
def test_what_can_be_said(text: str, language: str, speakable: bool) -> None:
    """A letter of the language's script, a Latin one or a digit is needed; signs, emoji and other scripts are silence."""
    assert speakable == is_speakable(text, language)
