"""What hearing cost: error counts, their pooling and alignment, and the survival of known values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, UsageError
from core.hearing import Aligned, KnownValue, WordErrors, alignment, char_errors, known_values, pool, word_errors
from core.spoken import Kind

COUNTS = [
    ("four four one", "four four one", (0, 0, 0, 3)),
    ("four four one", "441", (0, 0, 0, 3)),
    ("four four one", "four five one", (1, 0, 0, 3)),
    ("four four one", "four one", (0, 1, 0, 3)),
    ("four four one", "four four four one", (0, 0, 1, 3)),
    ("Yes.", "yes", (0, 0, 0, 1)),
    ("my name is Okafor", "", (0, 4, 0, 4)),
    ("my name is Okafor", "...", (0, 4, 0, 4)),
    ("", "thank you", (0, 0, 2, 0)),
    ("", "", (0, 0, 0, 0)),
    ("yes", "no thank you", (1, 0, 2, 1)),
]


@pytest.mark.parametrize(("reference", "heard", "counts"), COUNTS)
def test_errors_are_counted_on_normalised_words(reference: str, heard: str, counts: tuple[int, int, int, int]) -> None:
    """Substitutions, deletions, insertions and reference units, also where a side is empty."""
    assert WordErrors(*counts) == word_errors(reference, heard, "en-v4")


def test_rates() -> None:
    """A rate is edits per reference unit; it may pass 1, and an empty reference counts as one unit."""
    assert 1.0 == word_errors("my name", "", "en-v4").rate
    assert 3.0 == word_errors("yes", "no thank you", "en-v4").rate
    assert 2.0 == word_errors("", "thank you", "en-v4").rate
    assert 0.0 == word_errors("", "", "en-v4").rate


def test_raw_rates_count_what_normalising_forgives() -> None:
    """Casing, punctuation and figures are errors in the raw rate and none in the headline."""
    said, heard = "Yes, at ten fifteen.", "yes at 10:15"
    assert 0.0 == word_errors(said, heard, "en-v4").rate
    assert WordErrors(2, 1, 0, 4) == word_errors(said, heard, "raw-v1")


def test_characters_ignore_the_division_into_words() -> None:
    """Spaces are no characters; letters, marks and digits are."""
    assert WordErrors(0, 0, 0, 5) == char_errors("log in", "login", "generic-v1")
    assert WordErrors(1, 0, 0, 5) == char_errors("我叫王小明", "我叫黄小明", "generic-v1")
    assert WordErrors(0, 4, 0, 4) == char_errors("yes!!!!x", "", "generic-v1")


def test_errors_are_pooled_not_averaged() -> None:
    """One wrong word of ten and one of two pool to two of twelve."""
    pooled = pool([WordErrors(1, 0, 0, 10), WordErrors(0, 0, 1, 2)])
    assert WordErrors(1, 0, 1, 12) == pooled
    assert pytest.approx(2 / 12) == pooled.rate
    assert WordErrors(0, 0, 0, 0) == pool([])


def test_empty_transcripts_count_in_the_pool() -> None:
    """A turn that was not heard at all deletes all its words."""
    assert pytest.approx(0.5) == pool([word_errors("one two", "one two", "en-v4"), word_errors("three four", "", "en-v4")]).rate


def test_the_alignment_shows_what_became_of_each_word() -> None:
    """Stretches in order, whose sides join up to the whole texts."""
    assert [
        Aligned("equal", ("my",), ("my",)),
        Aligned("substitute", ("name",), ("game",)),
        Aligned("equal", ("is",), ("is",)),
        Aligned("delete", ("ann",), ()),
    ] == alignment("My name is Ann.", "my game is", "en-v4")
    assert [Aligned("insert", (), ("hello",))] == alignment("", "hello", "en-v4")
    assert [] == alignment("", "", "en-v4")


def test_unknown_normalisers_are_refused() -> None:
    """Nothing is compared by a rule nobody named."""
    with pytest.raises(UsageError, match=r"'whisper'.*en-v4"):
        word_errors("a", "a", "whisper")


texts = st.lists(
    st.sampled_from(["yes", "no", "four", "one", "10:15", "$1.50", "Okafor", "i'm", "the", "q", "x"]), max_size=8
).map(" ".join)


@given(texts, texts)
def test_counts_hold_together(reference: str, heard: str) -> None:
    """Alignment and counts agree, nothing costs nothing, and edits bound the difference in length."""
    errors = word_errors(reference, heard, "en-v4")
    stretches = alignment(reference, heard, "en-v4")
    hits = sum(len(item.reference) for item in stretches if item.operation == "equal")
    assert errors.reference_units == hits + errors.substitutions + errors.deletions
    assert sum(len(item.heard) for item in stretches) == hits + errors.substitutions + errors.insertions
    assert 0 == word_errors(reference, reference, "en-v4").edits
    assert errors.edits == word_errors(heard, reference, "en-v4").edits


FACTS = {
    "account": ("04412907", Kind.DIGITS),
    "zip": ("94110", Kind.DIGITS),
    "amount": (129.5, Kind.MONEY),
    "visit": ("2026-03-14", Kind.DATE),
    "slot": ("14:30", Kind.TIME),
    "mail": ("maria.santos@example.com", Kind.EMAIL),
    "who": ("Margaret Okafor", Kind.NAME),
    "code": ("QX338805", Kind.CODE),
    "plan": ("premium", Kind.CHOICE),
}

SURVIVAL = [
    ("zero four four one, two nine zero seven", "0441-2907.", {"account": True}),
    ("zero four four one, two nine zero seven", "441-2907.", {"account": False}),
    ("zero four four one, two nine zero seven", "", {"account": False}),
    ("My zip is nine four one one zero.", "My zip is 941-10.", {"zip": True}),
    ("My zip is nine four one one zero.", "My zip is 941102.", {"zip": False}),
    ("one hundred twenty nine dollars and fifty cents", "$129.50", {"amount": True}),
    ("one hundred twenty nine dollars and fifty cents", "$12950", {"amount": False}),
    ("March fourteenth, twenty twenty six", "March 14, 2026", {"visit": True}),
    ("March fourteenth", "March 14th", {"visit": True}),
    ("March fourteenth", "March 4th", {"visit": False}),
    ("two thirty in the afternoon", "2:30 p.m.", {"slot": True}),
    ("two thirty in the afternoon", "2:30 a.m.", {"slot": False}),
    ("maria dot santos at example dot com", "maria.santos@example.com", {"mail": True}),
    ("maria dot santos at example dot com", "mario.santos@example.com", {"mail": False}),
    ("Margaret Okafor", "margaret okafor", {"who": True}),
    ("Margaret Okafor", "Margaret, okay for", {"who": False}),
    ("Q, X, three three eight, eight zero five", "QX338805", {"code": True}),
    ("Q, X, three three eight, eight zero five", "QS338805", {"code": False}),
    ("the premium plan", "the premiums plan", {"plan": False}),
    ("no facts here", "94110", {}),
    ("nine four one one zero, the premium plan", "94110, the premium plan", {"zip": True, "plan": True}),
]


@pytest.mark.parametrize(("intended", "heard", "survived"), SURVIVAL)
def test_known_values_survive_or_not(intended: str, heard: str, survived: dict[str, bool]) -> None:
    """Facts said in the utterance, and only those, with whether the transcript still carries them."""
    assert survived == {item.key: item.survived for item in known_values(FACTS, intended, heard)}


DAMAGED = [
    ("It's zero four four one, two nine zero seven, please.", "It's 441, 2907, please.", "account", "441, 2907"),
    ("It's zero four four one, two nine zero seven.", "It's 0441, 290.", "account", "0441, 290"),
    ("My zip is nine four one one zero.", "My zip is 94010, thanks.", "zip", "94010"),
    ("It was one hundred twenty nine dollars and fifty cents twice.", "It was $129.15 twice.", "amount", "$129.15"),
    ("Could I come at two thirty in the afternoon?", "Could I come at 2:13 in the afternoon?", "slot", "2:13 in the afternoon"),
    ("It's maria dot santos at example dot com.", "It's mario.santos@example.com.", "mail", "mario.santos@example.com"),
    ("My name is Margaret Okafor.", "My name is Margaret O'Connor.", "who", "Margaret O'Connor"),
    ("the premium plan", "the plan", "plan", None),
    ("premium", "", "plan", None),
    ("I want premium.", "I want freedom.", "plan", "freedom"),
]


@pytest.mark.parametrize(("intended", "heard", "key", "damaged"), DAMAGED)
def test_the_damaged_form_stands_where_the_value_was(intended: str, heard: str, key: str, damaged: str | None) -> None:
    """What was heard in the value's place is reported as it stands in the transcript."""
    (found,) = [item for item in known_values(FACTS, intended, heard) if item.key == key]
    assert (False, damaged) == (found.survived, found.heard)


def test_a_surviving_value_shows_both_forms() -> None:
    """The span as said and the span as heard."""
    (found,) = known_values({"slot": ("14:30", Kind.TIME)}, "At two thirty p.m., please", "at 2:30 PM please")
    assert KnownValue("slot", Kind.TIME, "two thirty p.m", True, "2:30 PM") == found


def test_relative_dates_count_from_now() -> None:
    """With a now, "tomorrow" carries the date it means."""
    facts = {"day": ("2026-03-11", Kind.DATE)}
    assert [] == known_values(facts, "Tomorrow, please.", "tomorrow please")
    assert [True] == [item.survived for item in known_values(facts, "Tomorrow.", "Wednesday", now="2026-03-10T09:00")]


def test_a_fact_of_the_wrong_kind_is_refused() -> None:
    """A fact that is no value of its kind is its author's fault and is said."""
    with pytest.raises(InputError, match=r"'soon' is no date"):
        known_values({"day": ("soon", Kind.DATE)}, "soon", "soon")
