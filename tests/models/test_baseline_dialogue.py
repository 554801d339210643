"""The baseline on the phone: one thing at a time, out of what it heard, confirmed, repaired, reported, closed."""

from __future__ import annotations

import pytest

from core.candidate import CandidateView, ToolAnswer, ToolAnswers
from models.parties.baseline import BaselineCandidate
from models.parties.baseline.moves import MAX_ROUNDS
from tests.models.fixtures.desk import END, FIND, FREEZE, INSTRUCTIONS, TOOLS, Desk, tool

FREEZE_PLEASE = "Hi, I'd like to pause my membership."
NUMBER = "It's two zero four, five one one."
ENDED = {"status": "ended"}


def at_the_date() -> Desk:
    """A call in which the member is found and the day is asked for."""
    desk = Desk()
    desk.talk(FREEZE_PLEASE, NUMBER, "Yes.")
    return desk


def test_greets_with_what_the_instructions_give() -> None:
    """It says who it is and asks an open question."""
    assert "Hello, this is Ada from Harbor Gym. How can I help you today?" == Desk().greeting


def test_asks_for_one_value_at_a_time_and_finds_the_member_first() -> None:
    """The member number belongs to the tool that comes first, the day to the one that was asked for."""
    desk = Desk()
    assert "What is the member number, please?" == desk.hear(FREEZE_PLEASE)
    assert "Let me read that back: the member number is two zero four, five one one. Is that right?" == desk.hear(NUMBER)
    said = desk.hear("Yes, that's right.")
    assert [("find_member", {"member_number": "204511"})] == desk.calls
    assert "One moment while I check that. Thank you. What is the first day of the pause, please?" == said


def test_uses_what_was_volunteered() -> None:
    """A number and a day given with the request are not asked for; they are read back."""
    desk = Desk()
    said = desk.hear("Please pause my membership from June fifteenth, my member number is 204511.")
    assert "the member number is two zero four, five one one" in said
    desk.hear("Yes.")
    desk.hear("Yes.")
    assert [{"member_number": "204511", "start_date": "2026-06-15"}] == desk.sent("freeze_membership")


def test_a_day_mentioned_in_passing_is_not_taken() -> None:
    """ "Today" in a story is no answer to a question that was not asked."""
    desk = Desk()
    desk.talk("I lost my card today and want to pause my membership.", NUMBER, "Yes.")
    assert "What is the first day of the pause, please?" in desk.spoken[-1]


def test_fragments_are_one_utterance() -> None:
    """A number that arrives in pieces is one number, whatever stops the recogniser put between them."""
    desk = Desk()
    desk.hear(FREEZE_PLEASE)
    assert "two zero four, five one one" in desk.hear("It's 204.", "511.")


def test_relative_days_count_from_the_day_in_the_instructions() -> None:
    """This Friday is resolved against today's date."""
    assert "Friday, June twelfth" in at_the_date().hear("This Friday, please.")


def test_a_corrected_value_is_read_back_again() -> None:
    """ "No, it's ..." replaces the value, and the new one is confirmed."""
    desk = at_the_date()
    desk.hear("June sixteenth.")
    assert "So the first day of the pause is Monday, June fifteenth. Is that right?" in desk.hear("No, it's June fifteenth.")
    desk.hear("Yes.")
    assert "2026-06-15" == desk.sent("freeze_membership")[0]["start_date"]


def test_a_value_is_read_back_at_most_twice() -> None:
    """After two rounds the last correction stands, right or not."""
    desk = at_the_date()
    desk.hear("June fourteenth.")
    desk.hear("No, it's June thirteenth.")
    desk.hear("No, it's June twelfth.")
    assert MAX_ROUNDS == sum("day of the pause is" in said for said in desk.spoken)
    assert ["2026-06-12"] == [sent["start_date"] for sent in desk.sent("freeze_membership")]


def test_of_two_values_the_wrong_one_is_found() -> None:
    """A correction goes to the slot it fits, the other counts as agreed."""
    two = tool(
        "book_court",
        "Book a court.",
        ["court_date", "phone"],
        court_date={"type": "string", "format": "date"},
        phone={"type": "string", "pattern": "^[0-9]{10}$", "description": "phone number"},
    )
    desk = Desk((two, END), "Today is Monday, June 8, 2026.")
    desk.talk("I want to book a court.", "June ninth.", "It's 404 555 0177.")
    assert "your phone number is four zero four, five five five, zero one seven eight" in desk.hear(
        "No, the number is 404 555 0178."
    )
    desk.hear("Yes.")
    assert [{"court_date": "2026-06-09", "phone": "4045550178"}] == desk.sent("book_court")


def test_a_bare_no_is_followed_up() -> None:
    """Without the right value it asks for it."""
    desk = at_the_date()
    desk.hear("June sixteenth.")
    assert "What is the right first day of the pause?" in desk.hear("No.")


def test_says_how_many_digits_it_heard_and_asks_once_more() -> None:
    """A number of the wrong length is not sent."""
    desk = Desk()
    desk.hear(FREEZE_PLEASE)
    assert desk.hear("It's 20451.").startswith("I heard five digits, but there should be six.")
    assert [] == desk.calls


def test_asks_again_once_and_then_offers_a_person() -> None:
    """Nothing readable twice: no value is made up."""
    desk = Desk()
    desk.hear("I'd like to pause my membership and its billing.")
    assert "once more" in desk.hear("Blue skies over the harbor.")
    assert "put you through to a person" in desk.hear("Blue skies over the harbor.")
    desk.hear("Yes, please.")
    assert [] == desk.sent("find_member")


def test_no_person_is_offered_where_it_is_unclear_which() -> None:
    """A transfer whose team neither the request nor the instructions name is not offered."""
    desk = Desk()
    assert "put you through" not in desk.talk(FREEZE_PLEASE, "I don't know.")
    told = INSTRUCTIONS.replace("change anything.", "change anything. If that fails, transfer the call to training.")
    helped = Desk(instructions=told)
    assert "put you through to a person" in helped.talk(FREEZE_PLEASE, "I don't know.")
    helped.hear("Yes, please.")
    assert {"team": "training"} == helped.sent("transfer_call")[0]


def test_a_day_beyond_the_limit_is_refused_and_the_last_one_offered() -> None:
    """The day is never sent; pressed, it refuses; the last possible day is taken on agreement."""
    limit = "Today is Monday, June 8, 2026. The start date may be at most two weeks after today."
    desk = Desk((FREEZE, END), limit)
    said = desk.talk("Please pause my membership, number 204511.", "From July first.")
    assert "The latest possible day is Monday, June twenty second. Would that day work for you?" in said
    assert desk.hear("Couldn't you just try it?").startswith("I'm sorry, I can't accept a later day.")
    desk.talk("Fine, the latest day then.", "Yes.")
    assert ["2026-06-22"] == [sent["start_date"] for sent in desk.sent("freeze_membership")]


def test_verification_is_explained_once() -> None:
    """Before details are asked for that only prove who it is, the caller hears why."""
    verify = tool(
        "verify_member", "Verify the member before anything else.", ["pin"], pin={"type": "string", "pattern": "^[0-9]{4}$"}
    )
    desk = Desk((verify, FREEZE, END))
    assert "First I need to confirm a few details. What is the pin, please?" == desk.hear(FREEZE_PLEASE)


def test_a_caller_who_does_not_know_is_not_pressed() -> None:
    """What the caller does not know is not asked again."""
    desk = Desk()
    desk.hear(FREEZE_PLEASE)
    assert "can't go on without the member number" in desk.hear("I don't know that, sorry.")


def test_waits_repeats_and_introduces_itself() -> None:
    """Patience, repetition and its name on request, none of which costs an attempt."""
    desk = Desk()
    question = desk.hear(FREEZE_PLEASE)
    assert "Of course, take your time." == desk.hear("Hold on, let me check.")
    assert question == desk.hear("Could you repeat that?")
    assert f"This is Ada from Harbor Gym. {question}" == desk.hear("Who is this?")
    assert f"Yes, I'm here. {question}" == desk.hear("Hello? Are you still there?")
    assert "Is that right?" in desk.hear(NUMBER)


def test_a_failed_call_is_made_again_once() -> None:
    """When the system fails, it says so and tries the same once more."""
    desk = Desk(find_member=[{"status": "unavailable", "message": "The system did not answer."}])
    said = desk.talk(FREEZE_PLEASE, NUMBER, "Yes.")
    assert 2 == len(desk.sent("find_member"))
    assert "The system did not answer. Let me try that again." in said


def test_after_two_failures_it_gives_up_aloud() -> None:
    """It does not pretend, and offers a person."""
    desk = Desk(find_member=[{"status": "failed"}, {"status": "failed"}])
    assert "was not able to do that" in desk.talk(FREEZE_PLEASE, NUMBER, "Yes.")
    assert 2 == len(desk.sent("find_member"))


def test_a_refused_value_is_asked_for_again() -> None:
    """Not found: the value in doubt is heard again, confirmed, and sent once more."""
    desk = Desk(find_member=[{"status": "not_found"}])
    assert "Could you tell me the member number once more?" in desk.talk(FREEZE_PLEASE, NUMBER, "Yes.")
    desk.talk("It's 204512.", "Yes.")
    assert ["204511", "204512"] == [sent["member_number"] for sent in desk.sent("find_member")]


def test_reports_the_result_in_words_and_asks_for_more() -> None:
    """Numbers are spoken, nothing is marked up."""
    desk = Desk(freeze_membership=[{"status": "frozen", "confirmation_number": "5508", "fee": 4.5}])
    said = desk.talk(FREEZE_PLEASE, NUMBER, "Yes.", "June fifteenth.", "Yes.")
    assert "The membership is frozen." in said
    assert "The confirmation number is five five zero eight. The fee is four dollars and fifty cents." in said
    assert said.endswith("Is there anything else I can help you with?")
    assert not set("{}[]*_#") & set(said)


def test_answers_from_the_result() -> None:
    """A question about what was returned is answered, another one honestly not."""
    desk = Desk(freeze_membership=[{"status": "frozen", "last_day": "2026-08-15"}])
    desk.talk(FREEZE_PLEASE, NUMBER, "Yes.", "June fifteenth.", "Yes.")
    assert desk.hear("When is the last day?").startswith("The last day is Saturday, August fifteenth.")
    assert "don't have that information" in desk.hear("Why is the sky blue?")


def test_a_second_request_reuses_who_but_not_what() -> None:
    """The member is not asked for again; the new value is."""
    desk = Desk()
    desk.talk(FREEZE_PLEASE, NUMBER, "Yes.", "June fifteenth.", "Yes.")
    assert "e-mail address" in desk.hear("Yes, I also have a new e-mail address.")
    assert "ada at example dot org, spelled A, D, A, at example dot org" in desk.hear("It's ada at example dot org.")
    desk.hear("Yes.")
    assert [{"member_number": "204511", "email": "ada@example.org"}] == desk.sent("update_contact")
    assert 1 == len(desk.sent("find_member"))


def test_an_optional_flag_is_sent_only_when_it_was_heard() -> None:
    """Nothing optional is filled in by itself."""
    desk = Desk()
    desk.talk(FREEZE_PLEASE, NUMBER, "Yes.", "June fifteenth.", "Yes.")
    assert {"member_number", "start_date"} == set(desk.sent("freeze_membership")[0])


def test_says_goodbye_before_it_hangs_up() -> None:
    """The farewell stands with the call-ending tool, whose outcome tells what happened."""
    desk = Desk(end_call=[ENDED])
    desk.talk(FREEZE_PLEASE, NUMBER, "Yes.", "June fifteenth.", "Yes.")
    assert desk.hear("No, that's everything, thank you. Goodbye.").endswith("Goodbye.")
    assert [{"outcome": "resolved"}] == desk.sent("end_call")


def test_a_call_without_result_is_closed_as_unresolved() -> None:
    """Nothing done is not called resolved."""
    desk = Desk(end_call=[ENDED])
    desk.hear("Oh, wrong number. Goodbye.")
    assert [{"outcome": "unresolved"}] == desk.sent("end_call")


def test_a_failed_hang_up_is_explained_and_tried_once_more() -> None:
    """It says a short sentence, tries again, then says goodbye and waits."""
    desk = Desk(end_call=[{"status": "busy"}, {"status": "busy"}])
    said = desk.hear("Goodbye.")
    assert 2 == len(desk.sent("end_call"))
    assert "did not close" in said
    assert said.endswith("Goodbye.")
    assert "Goodbye." == desk.hear("Hello?")
    assert 2 == len(desk.sent("end_call"))


def test_a_transfer_names_the_team_the_request_is_about() -> None:
    """Asked for a person, it passes the caller on, tries a failed transfer twice, and says how it went."""
    desk = Desk(transfer_call=[{"status": "busy"}, {"status": "busy"}])
    said = desk.hear("I want to speak to a human about my billing.")
    assert [{"team": "billing"}] * 2 == desk.sent("transfer_call")
    assert "I'm putting you through to the billing team now." in said
    assert "was not able" in said


def test_free_times_are_offered_and_a_picked_id_is_said_by_its_time() -> None:
    """The caller chooses; the id goes to the tool and is never read aloud."""
    find = tool("list_slots", "List free slots.", ["day"], day={"type": "string", "format": "date"})
    slot = {"type": "string", "description": "slot as returned by list_slots"}
    desk = Desk(
        (find, tool("book_lesson", "Book a lesson.", ["slot_id"], slot_id=slot), END),
        "Today is Monday, June 8, 2026.",
        list_slots=[{"slots": [{"slot_id": "Q7", "time": "09:00"}, {"slot_id": "Q8", "time": "10:30"}]}],
    )
    said = desk.talk("I want to book a lesson.", "On June ninth.", "Yes.")
    assert "I can offer nine o'clock in the morning or ten thirty in the morning." in said
    assert "ten thirty in the morning. Is that right?" in desk.hear("Half past ten.")
    desk.hear("Yes.")
    assert [{"slot_id": "Q8"}] == desk.sent("book_lesson")
    assert not any("Q8" in said for said in desk.spoken)


def test_an_amount_above_the_limit_in_the_description_is_never_sent() -> None:
    """It is read back, refused, and not tried."""
    pay = tool("claim_refund", "Claim a refund of up to 50 dollars.", ["amount"], amount={"type": "number"})
    desk = Desk((pay, END), "")
    assert "sixty dollars. Is that right?" in desk.talk("I want to claim a refund.", "Sixty dollars.")
    assert "only do that up to fifty dollars" in desk.hear("Yes.")
    assert [] == desk.sent("claim_refund")


def test_silence_is_asked_about_and_ends_the_call() -> None:
    """Two silent turns are bridged, the third ends the call."""
    desk = Desk(end_call=[ENDED])
    assert desk.hear("").startswith("Sorry, I didn't hear you.")
    desk.hear("   ")
    assert desk.hear("").endswith("Goodbye.")


def test_an_outgoing_call_asks_for_the_person_and_arranges_a_call_back() -> None:
    """It introduces itself; with somebody else on the line it does not pursue what it rang for."""
    back = tool(
        "schedule_callback",
        "Arrange a call back.",
        ["callback_date"],
        callback_date={"type": "string", "format": "date", "description": "day of the call back"},
    )
    instructions = (
        "You are Ada, calling for Harbor Gym. You are calling Ruth Bell. Today is Monday, June 8, 2026.\n\n"
        "## Purpose\n\nFreeze the membership."
    )
    desk = Desk((FIND, FREEZE, back, END), instructions)
    assert "Am I speaking with Ruth Bell?" in desk.greeting
    assert "What is the day of the call back, please?" == desk.hear("No, she is out.")
    other = Desk((FIND, FREEZE, back, END), instructions)
    assert "member number" in other.hear("Yes, this is Ruth Bell.")


def test_speaks_when_no_more_calls_are_allowed() -> None:
    """Past the chain limit it only speaks."""
    candidate = BaselineCandidate()
    candidate.open(CandidateView(INSTRUCTIONS, TOOLS), 0)
    turn = candidate.respond(ToolAnswers((ToolAnswer("c", "find_member", {"status": "ok"}),), calls_allowed=False))
    assert (True, ()) == (bool(turn.speech), turn.calls)


def test_the_seed_decides_nothing() -> None:
    """Two calls with the same words are the same."""
    words = (FREEZE_PLEASE, NUMBER, "Yes.", "Blue.", "June fifteenth.", "Yes.", "Goodbye.")
    one, two = Desk(end_call=[ENDED]), Desk(end_call=[ENDED])
    assert [one.hear(word) for word in words] == [two.hear(word) for word in words]
    assert one.calls == two.calls


def test_answering_before_the_call_is_a_mistake_of_the_program() -> None:
    """The loop must open a call first."""
    with pytest.raises(RuntimeError, match="before open"):
        BaselineCandidate().respond(ToolAnswers(()))
