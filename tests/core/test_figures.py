"""Figures of hearing pooled over calls: sums over sums, with what would flatter them counted and shown."""

from __future__ import annotations

import pytest

from core.runs.figures import figures, headline, sliced
from core.runs.hearing import CaseHearing, case_hearing
from core.schemas.base import Condition
from tests.core.hearing_samples import Turn, call, spoken_scenario


def _hearing(*turns: Turn, language: str = "en", script: str = "Latn", voice: str = "joe") -> CaseHearing:
    return case_hearing(call(*turns, language=language, voice=voice), spoken_scenario(language, script))


def test_rates_are_summed_edits_over_summed_units() -> None:
    """A short turn heard badly does not outweigh a long one heard well."""
    found = figures(
        [_hearing(Turn("no", "yes")), _hearing(Turn("please send it to my other house", "please send it to my other house"))]
    )
    assert found.wer is not None
    assert (1, 8, 0.125) == (found.wer.substitutions, found.wer.reference, found.wer.rate)
    assert 2 == found.turns


def test_a_turn_of_which_nothing_was_heard_loses_all_its_words() -> None:
    """It is counted as empty, and its words as deleted, in characters too."""
    found = figures([_hearing(Turn("please help me", ""), Turn("thank you", "thank you"))])
    assert found.wer is not None
    assert found.cer is not None
    assert (1, 3, 5, 0.6) == (found.empty, found.wer.deletions, found.wer.reference, found.wer.rate)
    assert (12, 20) == (found.cer.deletions, found.cer.reference)


def test_words_heard_where_none_was_said_are_inserted_and_shown() -> None:
    """They count in the pooled rate, whose reference they do not enlarge, and again by themselves."""
    found = figures([_hearing(Turn("Uh.", "thanks for watching"), Turn("one two three four", "one two three four"))])
    assert found.wer is not None
    assert (1, 3) == (found.silent, found.silent_insertions)
    assert (3, 4, 0.75) == (found.wer.insertions, found.wer.reference, found.wer.rate)
    assert 0 == found.empty


def test_nothing_said_and_nothing_heard_is_neither_empty_nor_an_error() -> None:
    """A filler that is not written down costs nothing."""
    found = figures([_hearing(Turn("Um.", ""))])
    assert found.wer is not None
    assert (0, 1, 0, None) == (found.empty, found.silent, found.silent_insertions, found.wer.rate)


def test_confidence_is_that_of_fragments() -> None:
    """Mean and share below -1, over the fragments whose confidence is known."""
    found = figures([_hearing(Turn("a b", "a b", -0.2), Turn("c d", "c d", -1.4), Turn("e f", "e f"))])
    assert (-0.8, 0.5, 2) == (found.confidence.mean, found.confidence.low_share, found.confidence.fragments)
    assert figures([_hearing(Turn("a", "a"))]).confidence.mean is None


def test_hits_of_the_guard_are_counted_by_kind() -> None:
    """One for each note, over all turns; they stand with their turn too."""
    hearing = _hearing(Turn("hello", "", guard=("silence",)), Turn("no", "no", guard=("loop", "silence")))
    assert {"loop": 1, "silence": 2} == figures([hearing]).guard
    assert [("silence",), ("loop", "silence")] == [turn.guard for turn in hearing.shown]


def test_known_values_are_counted_by_kind() -> None:
    """Survived over occurring, wherever text arrived."""
    found = figures([_hearing(Turn("it is 4820197355, zip 47906", "it is 4820197355, zip 47960"))])
    assert (1, 2) == (found.known_values.survived, found.known_values.occurring)
    assert {"digits": 0.5} == {kind: held.rate for kind, held in found.by_kind.items()}


def test_another_indic_script_costs_the_first_rate_and_not_the_folded_one() -> None:
    """Gujarati heard right but written in Devanagari: wrong as it stands, right whatever the script; both are shown."""
    found = figures([_hearing(Turn("મારું નામ", "मारुं नाम"), language="gu-IN", script="Gujr")])
    assert found.cer is not None
    assert found.folded_cer is not None
    assert (1.0, 0.0, "gu-v3-folded") == (found.cer.rate, found.folded_cer.rate, found.folded_cer.normaliser)
    assert "cer" == found.headline
    assert figures([_hearing(Turn("my name", "my name"))]).folded_cer is None


def test_slices_hold_the_calls_of_one_language_script_or_voice() -> None:
    """Each with figures of its own calls alone."""
    english = _hearing(Turn("one two", "one too"), voice="heart")
    hindi = _hearing(Turn("नमस्ते जी", "नमस्ते जी"), language="hi", script="Deva")
    found = sliced([english, hindi])
    assert {"language": ["en", "hi"], "script": ["Deva", "Latn"], "voice": ["heart", "joe"]} == {
        name: list(values) for name, values in found.items()
    }
    rates = {value: held.wer.rate for value, held in found["language"].items() if held.wer is not None}
    assert {"en": 0.5, "hi": 0.0} == rates


def test_where_nothing_was_transcribed_there_is_no_rate() -> None:
    """Null rates and no slices, but known values of what arrived as text."""
    text = case_hearing(call(Turn("zip 47906", "zip 47906"), condition=Condition.AUTHORED), spoken_scenario())
    found = figures([text])
    assert (0, None, None, 1) == (found.turns, found.wer, found.cer, found.known_values.survived)
    assert {} == sliced([text])
    assert "wer" == figures([]).headline


@pytest.mark.parametrize(
    ("languages", "expected"), [(["en", "de"], "wer"), (["zh-CN", "hi"], "cer"), (["en", "zh"], "both"), ([], "wer")]
)
def test_the_headline_of_pooled_languages(languages: list[str], expected: str) -> None:
    """One rate where all languages agree on it, else both."""
    assert expected == headline(languages)
