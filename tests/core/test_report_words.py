"""Marks between what was said and what was heard."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.report.words import Piece, compare_words


def test_a_misheard_number_is_marked_on_both_sides() -> None:
    """Only the digits that differ are marked, in the spelling of each side."""
    marked = compare_words("It is 4417 2093, thanks.", ["It is 4417 2903, thanks."], "generic-v1")

    assert (Piece("It is 4417 ", "same"), Piece("2093", "changed"), Piece(", thanks.", "same")) == marked.said
    assert ((Piece("It is 4417 ", "same"), Piece("2903", "changed"), Piece(", thanks.", "same")),) == marked.heard
    assert marked.differs


def test_another_spelling_of_the_same_number_is_no_difference() -> None:
    """English numbers are compared by value, so digits for words are not marked."""
    marked = compare_words("It is four four one seven.", ["it is 4417"], "en-v4")

    assert not marked.differs


def test_lost_and_added_words_are_told_apart() -> None:
    """A word that never arrived is `lost`, one nobody said is `added`."""
    marked = compare_words("please call me back", ["call me back now"], "generic-v1")

    assert Piece("please", "lost") == marked.said[0]
    assert Piece("now", "added") == marked.heard[0][-1]


def test_a_turn_that_was_cut_keeps_its_fragments() -> None:
    """Each fragment is marked in its own text, and a cut alone is no difference."""
    marked = compare_words("one apple and two pears", ["one apple", "and to pears"], "generic-v1")

    second = (Piece("and ", "same"), Piece("to", "changed"), Piece(" pears", "same"))

    assert ((Piece("one apple", "same"),), second) == marked.heard


def test_silence_loses_every_word() -> None:
    """Nothing heard: all that was said is lost and the fragment has no pieces."""
    marked = compare_words("hello there", [""], "generic-v1")

    assert (Piece("hello there", "lost"),) == marked.said
    assert ((),) == marked.heard


WORDS = st.lists(st.sampled_from(["four", "4", "two", "O'Neil,", "naïve", "—", "12.50", "Ünïcode!"]), max_size=8).map(" ".join)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(["raw-v1", "generic-v1", "en-v4"]))
def test_pieces_join_to_the_texts_they_came_from(said: str, heard: list[str], normaliser: str) -> None:
    """No character is lost, added or moved by marking, whatever the normaliser."""
    marked = compare_words(said, heard, normaliser)

    assert said == "".join(piece.text for piece in marked.said)
    assert heard == ["".join(piece.text for piece in pieces) for pieces in marked.heard]
    assert all(a.mark != b.mark for pieces in (marked.said, *marked.heard) for a, b in pairwise(pieces))


@given(WORDS)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    """Heard as said: no marks."""
    assert not compare_words(text, [text], "en-v4").differs


def test_a_name_heard_as_two_words_is_one_change() -> None:
    """Edits side by side are shown as one, whatever the alignment calls each of them."""
    marked = compare_words("My surname is Okonkwo.", ["My surname is Aakon Kwaow."], "generic-v1")

    assert (Piece("My surname is ", "same"), Piece("Aakon Kwaow", "changed"), Piece(".", "same")) == marked.heard[0]
