"""The phrase sets that ship: nine languages, half held out, every value really said, in the words and in spoken form."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from core.errors import FileError, UsageError
from core.phrases import load_phrases, phrase_languages, read_phrases
from core.schemas.phrases import PhraseSplit
from core.spoken import find_value, say_text
from core.spoken.languages import LANGUAGES
from core.text import script_share

GOOD = """\
language: en
script: Latn
now: 2026-03-02T09:00
phrases:
  - {id: one, split: tuned, text: My number is 0441., values: [{kind: digits, value: "0441"}]}
  - {id: two, split: held_out, text: Good morning.}
"""


def test_every_language_with_spoken_forms_has_phrases() -> None:
    """What can be read and said can be measured too."""
    assert sorted(LANGUAGES) == list(phrase_languages())


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_half_of_forty_phrases_is_held_out(language: str) -> None:
    """Twenty phrases were looked at while rules were made, and as many were not; none stands in both halves."""
    phrases = load_phrases(language).phrases
    assert {PhraseSplit.TUNED: 20, PhraseSplit.HELD_OUT: 20} == Counter(phrase.split for phrase in phrases)
    assert 40 == len({phrase.text for phrase in phrases})


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_value_is_still_said_in_the_spoken_form(language: str) -> None:
    """What a voice is given carries every value, else a perfect recogniser would be blamed for its loss."""
    found = load_phrases(language)
    now = datetime.fromisoformat(found.now)
    lost = [
        (phrase.id, value.value)
        for phrase in found.phrases
        for value in phrase.values
        if find_value(value.value, value.kind, say_text(phrase.text, language), language=language, now=now) is None
    ]
    assert [] == lost


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_phrases_are_in_their_script_and_of_many_kinds(language: str) -> None:
    """Written as the language is, with at least seven kinds of value; leading zeros among them."""
    found = load_phrases(language)
    assert 0.9 < script_share(" ".join(phrase.text for phrase in found.phrases), found.script)
    values = [value for phrase in found.phrases for value in phrase.values]
    assert 7 <= len({value.kind for value in values})
    assert any(str(value.value).startswith("0") for value in values if value.kind == "digits")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("id: two", "id: one", "phrases one stand twice"),
        ('value: "0441"', 'value: "0442"', "phrase 'one': the digits '0442' is not said"),
        ("split: tuned", "split: training", "phrases.0.split"),
        ("script: Latn", "script: latin", "script"),
    ],
)
def test_a_phrase_set_with_a_fault_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    """The line names the file, the place and what is wrong."""
    path = tmp_path / "own.yaml"
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(FileError) as caught:
        read_phrases(path)
    assert said in str(caught.value)
    assert "own.yaml" in str(caught.value)
    assert 1 == len(str(caught.value).splitlines())


def test_a_language_without_phrases_is_refused() -> None:
    """Those that have some are listed."""
    with pytest.raises(UsageError, match=r"no phrases for language 'fr': there are bn, en, "):
        load_phrases("fr")
