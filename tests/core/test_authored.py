"""SPEC 4, `authored`: recognition errors, the seeded one-word mode and splits at real pauses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.authored import apply_program, split_text
from core.candidate import Hearing
from core.confusions import VERSIONS, confusions
from core.line import AuthoredLine, LineTurn, TextLine
from core.schemas.base import Condition
from core.schemas.call_trace import ChannelEvent
from core.schemas.scenario import Scenario
from core.seeds import generator
from core.text import words
from tests.support.parties import GREETING, ListCandidate, play, say, turn
from tests.support.scenes import put, scenario

SPOKEN_CARD = "zero four four one, two nine zero seven"


def _scene(**channel: Any) -> Scenario:
    return scenario(*(put(f"channel.{key}", value) for key, value in channel.items()))


def _event(kind: str, span: str, at: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"id": "event_1", "at": at or {"turn": 1}, "kind": kind, "span": span, **more}


def _arrives(
    scene: Scenario, speech: str, number: int = 1, *steps: str, seed: int = 1
) -> tuple[tuple[str, ...], tuple[ChannelEvent, ...]]:
    return apply_program(scene, number, speech, steps, np.random.default_rng(seed))


def _one(kind: str, span: str, speech: str, **more: Any) -> tuple[str, ChannelEvent]:
    pieces, events = _arrives(_scene(asr_events=[_event(kind, span, **more)]), speech)
    assert (1, 1) == (len(pieces), len(events))
    return pieces[0], events[0]


# -- recognition errors ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "more", "heard", "after"),
    [
        ("drop", {}, "I want to renew a, please.", ""),
        ("double", {}, "I want to renew a book book, please.", "book book"),
        ("substitute", {"with": "brook"}, "I want to renew a brook, please.", "brook"),
    ],
)
def test_an_event_drops_doubles_or_substitutes_its_span(kind: str, more: dict[str, str], heard: str, after: str) -> None:
    """The three kinds, with what was there before and what became of it."""
    text, event = _one(kind, "book", "I want to renew a book, please.", **more)
    assert heard == text
    assert ("event_1", kind, True, "book", after) == (event.id, event.kind, event.applied, event.before, event.after)


@pytest.mark.parametrize(
    ("span", "speech", "before"),
    [
        ("book", "BOOK or book?", "BOOK"),
        ("Book", "A book.", "book"),
        ("ｂｏｏｋ", "a book", "book"),
        ("strasse", "Die Straße ist lang", "Straße"),
        ("card  number", "My card number", "card number"),
        ("card number", "My card\nnumber", "card\nnumber"),
        ("card", "cards, a card-holder and a card", "card"),
        ("10", "110 or 10.50 or 10!", "10"),
    ],
)
def test_the_first_whole_word_occurrence_counts_whatever_its_case_and_width(span: str, speech: str, before: str) -> None:
    """Spans are found NFKC-casefolded and as whole words, and only the first is changed."""
    text, event = _one("substitute", span, speech, **{"with": "***"})
    assert before == event.before
    assert 1 == text.count("***")
    assert speech == text.replace("***", before, 1)


def test_only_the_first_occurrence_is_changed() -> None:
    """A second occurrence of the span stays."""
    assert "and a book" == _one("drop", "a book", "a book and a book")[0]


@pytest.mark.parametrize("span", ["book", "$caller.facts.card_number"])
def test_an_event_whose_span_was_not_said_does_not_apply(span: str) -> None:
    """The event is recorded all the same, and says why; the words are untouched."""
    text, event = _one("drop", span, "I have bookings on 04412908.")
    assert "I have bookings on 04412908." == text
    assert (False, "", "", f"{span!r} was not said") == (event.applied, event.before, event.after, event.detail)


@pytest.mark.parametrize(
    "said",
    [
        "04412907", "0441 2907", "0441-2907", SPOKEN_CARD, "zero four four one two nine zero seven",
        "oh four four one, two nine oh seven", "zero double four one, two nine zero seven",
    ],
)  # fmt: skip
def test_a_fact_is_found_in_any_form_in_which_it_is_said(said: str) -> None:
    """`$caller.facts.<key>` means the value as it was spoken or written."""
    text, event = _one("substitute", "$caller.facts.card_number", f"It is {said}, I think.", **{"with": "mumble"})
    assert ("It is mumble, I think.", said) == (text, event.before)


@pytest.mark.parametrize(
    ("speech", "span", "heard"),
    [
        ("Hello, I'd like to renew.", "hello", "I'd like to renew."),
        ("I'd like to renew, please.", "please", "I'd like to renew,."),
        ("I'd like to renew", "renew", "I'd like to"),
        ("renew", "renew", ""),
        ("a very long wait", "very long", "a wait"),
    ],
)
def test_a_drop_leaves_no_hole(speech: str, span: str, heard: str) -> None:
    """What is left reads as one sentence, with single spaces."""
    assert heard == _one("drop", span, speech)[0]


def test_a_turn_that_is_dropped_whole_arrives_as_silence() -> None:
    """One empty fragment: the candidate is still called."""
    assert ("",) == _arrives(_scene(asr_events=[_event("drop", "hello")]), "Hello")[0]


def test_a_substitution_by_the_same_words_changed_nothing() -> None:
    """`applied` says whether the words changed."""
    text, event = _one("substitute", "book", "A book.", **{"with": "book"})
    assert ("A book.", False) == (text, event.applied)


@pytest.mark.parametrize(
    ("at", "number", "steps", "meant"),
    [
        ({"turn": 2}, 2, (), True),
        ({"turn": 2}, 1, ("give_card",), False),
        ({"step": "give_card"}, 3, ("give_card",), True),
        ({"step": "give_card"}, 3, ("give_title",), False),
        ({"step": "give_card"}, 3, (), False),
    ],
)
def test_an_event_befalls_its_turn_by_number_or_by_step(
    at: dict[str, Any], number: int, steps: tuple[str, ...], meant: bool
) -> None:
    """Other turns neither change nor mention it."""
    scene = _scene(asr_events=[_event("double", "card", at)])
    pieces, events = _arrives(scene, "My card.", number, *steps)
    assert (("My card card.",), 1) == (pieces, len(events)) if meant else (("My card.",), 0) == (pieces, len(events))


def test_events_apply_in_their_order_each_to_what_the_last_one_left() -> None:
    """Two events of one turn both leave their record."""
    first, second = _event("drop", "red"), {**_event("double", "book"), "id": "event_2"}
    pieces, events = _arrives(_scene(asr_events=[first, second]), "The red book, the book.")
    assert ("The book book, the book.",) == pieces
    assert [("event_1", True), ("event_2", True)] == [(event.id, event.applied) for event in events]


# -- splits ---------------------------------------------------------------------------------------------------------------


def test_a_split_after_a_span_cuts_behind_it_and_its_punctuation() -> None:
    """Two halves of a thought arrive as two messages."""
    pieces, (event,) = _arrives(_scene(splits=[{"at": {"turn": 1}, "after": "a book"}]), "I want to renew a book, please.")
    assert ("I want to renew a book,", "please.") == pieces
    assert ("split_0", "split", True, "a book") == (event.id, event.kind, event.applied, event.before)
    assert "I want to renew a book, | please." == event.after


def test_a_split_inside_a_fact_lands_at_the_pause_nearest_its_middle() -> None:
    """A long number breaks where a speaker breathes: at its comma."""
    scene = _scene(splits=[{"at": {"turn": 1}, "inside": "$caller.facts.card_number"}])
    pieces, _ = _arrives(scene, f"It is {SPOKEN_CARD}.")
    assert ("It is zero four four one,", "two nine zero seven.") == pieces


@pytest.mark.parametrize(
    ("span", "pieces"),
    [
        ("the long harbor", ("I mean the long", "harbor of Rosa.")),
        ("the long harbor of", ("I mean the long", "harbor of Rosa.")),
        ("I mean the long harbor of Rosa", ("I mean the long", "harbor of Rosa.")),
    ],
)
def test_a_split_inside_words_lands_at_a_word_boundary(span: str, pieces: tuple[str, ...]) -> None:
    """No word is cut; the boundary nearest the middle of the span is taken."""
    assert pieces == _arrives(_scene(splits=[{"at": {"turn": 1}, "inside": span}]), "I mean the long harbor of Rosa.")[0]


@pytest.mark.parametrize(
    "split",
    [{"inside": "book"}, {"inside": "harbor"}, {"after": "harbor"}, {"after": "a book"}, {"inside": "$caller.facts.card_number"}],
    ids=str,
)
def test_a_split_that_has_no_place_does_not_apply(split: dict[str, str]) -> None:
    """One word has no pause inside, nothing follows the end, and what was not said cannot be cut."""
    pieces, (event,) = _arrives(_scene(splits=[{"at": {"turn": 1}, **split}]), "I want to renew a book.")
    assert ("I want to renew a book.",) == pieces
    assert (False, "") == (event.applied, event.after)
    assert "was not said, or has no place to pause" in event.detail


def test_two_splits_make_three_messages() -> None:
    """The order of the cuts is the order of the words, not of the file."""
    splits = [{"at": {"turn": 1}, "after": "a book"}, {"at": {"turn": 1}, "after": "hello"}]
    pieces, events = _arrives(_scene(splits=splits), "Hello, I want to renew a book, please.")
    assert ("Hello,", "I want to renew a book,", "please.") == pieces
    assert [True, True] == [event.applied for event in events]


def test_a_turn_never_arrives_in_more_than_three_messages() -> None:
    """A fourth piece, possible where turn and step name the same turn, is not cut, and its event says so."""
    splits = [
        {"at": {"turn": 1}, "after": "one"}, {"at": {"turn": 1}, "after": "two"},
        {"at": {"step": "ask_renewal"}, "after": "three"},
    ]  # fmt: skip
    pieces, events = _arrives(_scene(splits=splits), "one two three four", 1, "ask_renewal")
    assert ("one", "two", "three four") == pieces
    assert [True, True, False] == [event.applied for event in events]
    assert "a turn arrives in at most 3 messages" == events[2].detail


def test_splits_see_what_recognition_errors_left() -> None:
    """A pause behind a word that was lost has nowhere to be."""
    scene = _scene(asr_events=[_event("drop", "book")], splits=[{"at": {"turn": 1}, "after": "book"}])
    pieces, events = _arrives(scene, "A book, please.")
    assert (1, [True, False]) == (len(pieces), [event.applied for event in events])


@given(st.text(max_size=60), st.text(min_size=1, max_size=8), st.sampled_from(["inside", "after"]))
def test_splitting_loses_and_invents_nothing(speech: str, span: str, where: str) -> None:
    """Whatever is said and wherever it is cut, the pieces together are the words."""
    pieces, _ = split_text(_scene(splits=[{"at": {"turn": 1}, where: f"{span}x"}]), 1, f"{speech} {span}x and more", ())
    assert "".join(f"{speech} {span}x and more".split()) == "".join("".join(pieces).split())
    assert 1 <= len(pieces) <= 3


def test_an_interruption_is_noted_where_it_cannot_be_played() -> None:
    """Half-duplex lines say that they did not interrupt."""
    scene = _scene(interruptions=[{"turn": 1, "after_ms": 400}])
    pieces, (event,) = _arrives(scene, "Hello.")
    assert (("Hello.",), "interruption", False) == (pieces, event.kind, event.applied)
    assert "after 400 ms; only full-duplex lines play interruptions" == event.detail
    assert () == _arrives(scene, "Hello.", 2)[1]


# -- the seeded word --------------------------------------------------------------------------------------------------------

SEEDED = _scene(seeded_word=True)
FIRST_TURN = "Hello, could you please renew The Long Harbor on my card 04412907 for three weeks today?"


def test_the_seeded_mode_changes_one_word_of_the_first_turn_only() -> None:
    """Later turns are left alone and mention nothing."""
    pieces, (event,) = _arrives(SEEDED, FIRST_TURN)
    assert ("seeded_word", "seeded_word", True) == (event.id, event.kind, event.applied)
    assert (FIRST_TURN,) != pieces
    assert ((FIRST_TURN,), ()) == _arrives(SEEDED, FIRST_TURN, 2)


def test_the_same_seed_changes_the_same_word() -> None:
    """The line's seed alone decides; another seed may decide otherwise."""
    assert _arrives(SEEDED, FIRST_TURN, seed=5) == _arrives(SEEDED, FIRST_TURN, seed=5)
    assert 5 < len({_arrives(SEEDED, FIRST_TURN, seed=seed)[0] for seed in range(40)})


@pytest.mark.parametrize("seed", range(60))
def test_the_word_is_long_enough_and_no_part_of_a_known_value(seed: int) -> None:
    """Four letters or more, and never in the title, the number or the weeks that the call depends on."""
    (heard,), (event,) = _arrives(SEEDED, FIRST_TURN, seed=seed)
    assert event.before in {"Hello", "could", "please", "renew", "card", "weeks", "today"}
    start = FIRST_TURN.index(event.before)
    kept = [FIRST_TURN[:start].strip(" ,"), FIRST_TURN[start + len(event.before) :].strip(" ,")]
    assert all(part in heard for part in kept)
    assert "The Long Harbor" in heard
    assert "04412907" in heard
    expected = {"drop": [""], "double": [f"{event.before} {event.before}"]}
    assert event.after in expected.get(event.detail, confusions("en").get(event.before.casefold(), ()))


def test_all_three_kinds_of_damage_happen() -> None:
    """Over many seeds words are dropped, doubled and substituted."""
    details = {_arrives(SEEDED, FIRST_TURN, seed=seed)[1][0].detail for seed in range(60)}
    assert {"drop", "double", "substitute"} == details


@pytest.mark.parametrize(
    "speech",
    [
        "Oh, hi.",
        "The Long Harbor!",
        "04412907",
        f"{SPOKEN_CARD}.",
        f"04412907, I say {SPOKEN_CARD}; the long harbor, The Long Harbor!",
        "2026, 1999",
        "",
    ],
)
def test_without_an_eligible_word_nothing_is_changed(speech: str) -> None:
    """Short words, numbers and every occurrence of known values, written or spoken, are not eligible; the event says so."""
    pieces, (event,) = _arrives(SEEDED, speech)
    assert ((speech,), False, "no eligible word") == (pieces, event.applied, event.detail)


def test_letters_are_counted_as_a_reader_sees_them() -> None:
    """A letter with its accents is one: three of them are no word of four."""
    assert not _arrives(SEEDED, "e\u0301e\u0301e\u0301")[1][0].applied
    assert _arrives(SEEDED, "e\u0301e\u0301e\u0301e\u0301")[1][0].applied


def test_a_word_outside_the_list_is_dropped_or_doubled() -> None:
    """Substitutions come from the language's list only."""
    assert {"drop", "double"} == {_arrives(SEEDED, "zyzzyva", seed=seed)[1][0].detail for seed in range(30)}


def test_the_confusion_list_is_versioned_and_fits_the_mode() -> None:
    """Every word of it could be drawn, is written as it is looked up, and becomes something else."""
    assert {"en": "en-1"} == dict(VERSIONS)
    for word, choices in confusions("en-GB").items():
        assert word == word.casefold()
        assert 4 <= len(word)
        assert choices
        assert word not in choices
        assert [word] == [found.text for found in words(word)]
    assert {} == confusions("xx")


# -- the line ---------------------------------------------------------------------------------------------------------------


def test_each_fragment_is_its_own_message_and_the_candidate_is_called_once() -> None:
    """After the last fragment, with all of them, and nothing else of the turn."""
    scene = _scene(asr_events=[{**_event("substitute", "book"), "with": "brook"}], splits=[{"at": {"turn": 1}, "after": "hello"}])
    candidate = ListCandidate([turn(GREETING), turn("Goodbye.")])
    trace = play(candidate, [say("Hello, a book.", done=True)], scenario=scene, condition=Condition.AUTHORED)
    assert [Hearing(("Hello,", "a brook."))] == candidate.observations
    assert [(2, "Hello,", 1), (3, "a brook.", 1)] == [(m.index, m.content, m.caller_turn) for m in trace.messages[2:4]]
    (heard,) = trace.caller_turns
    assert "Hello, a book." == heard.intended
    assert [("Hello,", 2), ("a brook.", 3)] == [(item.text, item.message) for item in heard.heard]
    assert ["event_1", "split_0"] == [event.id for event in heard.events]


def test_the_line_takes_all_chance_from_the_generator_it_is_given() -> None:
    """An authored line is the program and a seed, and remembers nothing."""
    line = AuthoredLine(SEEDED)
    spoken = LineTurn(1, FIRST_TURN)
    heard = [line.carry(spoken, generator(9, "turn", 1)) for _ in range(2)]
    assert heard[0] == heard[1]
    assert heard[0] == AuthoredLine(SEEDED).carry(spoken, generator(9, "turn", 1))


def test_the_text_line_carries_the_words_as_spoken() -> None:
    """No program touches them, no event is told."""
    scene = _scene(asr_events=[_event("drop", "book")], splits=[{"at": {"turn": 1}, "after": "hello"}])
    trace = play([turn(GREETING), turn("Bye.")], [say("Hello, a book.", done=True)], scenario=scene)
    assert ("Hello, a book.", ()) == (trace.messages[2].content, trace.caller_turns[0].events)
    assert None is TextLine().reply("Hello.")
    assert None is trace.recording


def test_the_intended_words_of_a_damaged_turn_never_reach_the_candidate() -> None:
    """The caller's public conversation has them, the candidate's hearing does not."""
    scene = _scene(asr_events=[_event("drop", "$caller.facts.card_number")])
    candidate = ListCandidate([turn(GREETING), turn("Pardon?")])
    play(candidate, [say(f"It is {SPOKEN_CARD}.", done=True)], scenario=scene, condition=Condition.AUTHORED)
    assert [Hearing(("It is.",))] == candidate.observations
