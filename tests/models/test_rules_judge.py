"""The rules judge measures what a program can know, says why, cites messages, and leaves the rest unjudged."""

from __future__ import annotations

from typing import Any

import pytest

from core.grading.building import build_checks, build_conversation_view, build_task_view
from core.grading.measured.channel_recovery import damages_of
from core.grading.measured.spoken_form import spoken_faults
from core.grading.measured.tool_speech import failed_result
from core.grading.measured.turns import caller_turns
from core.schemas.base import Diagnostic
from core.schemas.call_trace import EndReason, Trace
from core.schemas.grade import Judgement, Label
from models.parties.rules import RulesJudge
from tests.core.grading_samples import PROMPT, Called, CallScript, scenario, substituted

ANCHORS = {"met": "yes", "partial": "half", "not_met": "no"}
FAILED = {"status": "rejected"}


def _rate(diagnostic: Diagnostic, trace: Trace, **fields: Any) -> Judgement | None:
    view = build_conversation_view(trace, scenario(**fields))
    found = [j for j in RulesJudge().judge_conversation(view, 1) if j.id == diagnostic.value]
    return found[0] if found else None


def _rating(diagnostic: Diagnostic, trace: Trace, **fields: Any) -> int | None:
    judgement = _rate(diagnostic, trace, **fields)
    assert judgement is not None
    assert judgement.reason.strip()
    return judgement.rating


def _not_applicable(diagnostic: Diagnostic, trace: Trace) -> bool:
    judgement = _rate(diagnostic, trace)
    return judgement is not None and judgement.not_applicable


# -- criteria -----------------------------------------------------------------------------------------------------------


def test_criteria_are_labelled_by_their_check_and_left_alone_without_one() -> None:
    """A criterion with a check gets its label; one without gets no judgement at all."""
    criteria = [
        {
            "id": "greeted_1",
            "diagnostic": "outcome",
            "statement": "s",
            "anchors": ANCHORS,
            "check": {"met": {"said": {"role": "agent", "matcher": {"contains": "hello"}}}},
        },
        {"id": "polite_1", "diagnostic": "outcome", "statement": "s", "anchors": ANCHORS},
    ]
    made = scenario(criteria=criteria)
    view = build_task_view(CallScript().agent("Hello.").trace(), made, PROMPT)
    (only,) = RulesJudge().with_checks(build_checks(made)).judge_task(view, 1)

    assert ("greeted_1", Label.MET, (1,)) == (only.id, only.label, only.evidence)


def test_the_record_names_the_version_of_the_rules() -> None:
    """A change of the rules changes the judge key."""
    assert {"rules": "rules-2"} == RulesJudge().record().settings


# -- memory -------------------------------------------------------------------------------------------------------------


def _asked_again(*turns: tuple[str, ...]) -> Trace:
    script = CallScript().agent("Hello, how can I help you today?").caller("My power is out.")
    for said, *heard in turns:
        script.agent("What is your account number?").caller(said, *heard)
    return script.agent("Thank you. Goodbye.").trace()


NUMBER = "It's four eight two zero one nine seven three five five."


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([(NUMBER,)], 5),
        ([(NUMBER,), (NUMBER,)], 3),
        ([(NUMBER,), (NUMBER,), (NUMBER,)], 2),
        ([(NUMBER,)] * 5, 1),
        ([("One moment, let me look.",), (NUMBER,)], 5),
        ([("What do you need it for?",), (NUMBER,)], 5),
        ([("On June tenth at six thirty.",), (NUMBER,)], 5),
        ([(NUMBER, "It's four eight two."), (NUMBER,)], 5),
    ],
)
def test_memory_counts_questions_that_were_answered_and_heard_right(turns: list[tuple[str, ...]], expected: int) -> None:
    """Asked again after a clear answer: 3, 2, 1. After a pause, a question back, another kind of answer or damage: free."""
    assert expected == _rating(Diagnostic.MEMORY, _asked_again(*turns))


def test_memory_cites_the_needless_question() -> None:
    """Evidence is the message that asked again."""
    judgement = _rate(Diagnostic.MEMORY, _asked_again((NUMBER,), (NUMBER,)))

    assert judgement is not None
    assert (5,) == judgement.evidence


def test_confirming_and_offering_are_no_questions_for_facts() -> None:
    """Reading back and `anything else` may come as often as they like."""
    script = CallScript().agent("Hello.")
    for _ in range(3):
        script.agent("I have 4820197355. Is that right? Can I help you with anything else?").caller("Yes, it's right.")

    assert 5 == _rating(Diagnostic.MEMORY, script.trace())


def test_asking_again_after_a_denial_is_right() -> None:
    """The caller denied what was read back, so the same question is no failure of memory."""
    script = CallScript().agent("What is your account number?").caller(NUMBER)
    script.agent("Four eight, is that right?").caller("No, that's wrong.").agent("What is your account number?").caller(NUMBER)

    assert 5 == _rating(Diagnostic.MEMORY, script.trace())


def test_asking_for_what_was_volunteered() -> None:
    """The caller opened with the value, named by its words; asking for it is needless."""
    script = CallScript().agent("Hello.").caller("My account number is 4820197355 and the power is out.")
    script.agent("What is your account number?").caller("As I said, 4820197355.")

    assert 3 == _rating(Diagnostic.MEMORY, script.trace())


def test_memory_needs_two_turns() -> None:
    """One caller turn leaves nothing to remember."""
    assert _not_applicable(Diagnostic.MEMORY, CallScript().agent("Hi.").caller("bye").trace())


# -- channel recovery ---------------------------------------------------------------------------------------------------


def _misheard(reply: str, number: str | None, then: str = "Goodbye.") -> Trace:
    event = substituted("three five five", "three six five")
    script = CallScript().agent("Your number?").caller(NUMBER, NUMBER.replace("five five", "six five"), events=(event,))
    script.agent(reply).caller("Yes.")
    if number is not None:
        script.agent("One moment.", Called("find", {"number": number}))
    return script.agent(then).trace()


@pytest.mark.parametrize(
    ("reply", "number", "expected"),
    [
        ("I will look.", "4820197365", 1),
        ("I will look.", "4820197355", 5),
        ("Could you repeat that?", None, 5),
        ("Could you repeat that?", "4820197365", 1),
        ("Thanks.", None, 1),
        ("Thanks, 4820197355.", None, 5),
        ("So 4820197365, is that right?", "4820197355", 5),
    ],
)
def test_a_damaged_number_is_recovered_or_lost(reply: str, number: str | None, expected: int) -> None:
    """The last call that carries it decides; without one, asking or saying it right is a recovery, going on is not."""
    assert expected == _rating(Diagnostic.CHANNEL_RECOVERY, _misheard(reply, number))


def test_an_undamaged_call_has_nothing_to_recover() -> None:
    """No event applied and every word arrived: not applicable."""
    assert _not_applicable(Diagnostic.CHANNEL_RECOVERY, CallScript().agent("Hi.").caller("my number is 5").trace())


def test_another_spelling_is_no_damage() -> None:
    """Digits for number words are the same words."""
    trace = CallScript().agent("Hi.").caller("four eight two", "482").agent("Thanks.").trace()

    assert _not_applicable(Diagnostic.CHANNEL_RECOVERY, trace)


def test_damage_on_which_nothing_hung_is_not_applicable() -> None:
    """A misheard word that no later call or number depends on earns no points."""
    trace = CallScript().agent("Hi.").caller("the dog barked", "the fog barked").agent("I see. Goodbye.").trace()

    assert _not_applicable(Diagnostic.CHANNEL_RECOVERY, trace)


def test_a_misheard_name_in_a_call_is_lost() -> None:
    """Words are traced into arguments like numbers."""
    script = CallScript().agent("Name?").caller("Whitlock", "wet lock").agent("One moment.", Called("find", {"name": "Wet Lock"}))

    assert 1 == _rating(Diagnostic.CHANNEL_RECOVERY, script.trace())


@pytest.mark.parametrize(("number", "expected"), [("4820197355", 5), ("197355", 1), ("4820", 5)])
def test_a_split_number_must_be_joined(number: str, expected: int) -> None:
    """A number cut by a pause: the longer half alone is a hasty reading; the shorter half is traced to nothing."""
    script = CallScript().agent("Number?").caller("4820, 197355", "4820,", "197355").agent("So 4820197355?").caller("Yes.")
    script.agent("One moment.", Called("find", {"number": number}))

    assert expected == _rating(Diagnostic.CHANNEL_RECOVERY, script.trace())


def test_damage_takes_the_whole_number() -> None:
    """One wrong digit damages the number, with the equal digits around it, and not the words around the number."""
    trace = CallScript().agent("Hi.").caller("it is 4 8 2 0 today", "it is 4 8 3 0 today").trace()
    (damage,) = damages_of(caller_turns(build_conversation_view(trace, scenario()))[0])

    assert (("4", "8", "2", "0"), ("4", "8", "3", "0")) == (damage.said, damage.heard)


def test_small_words_are_no_damage() -> None:
    """A lost article or filler is not harm that could matter."""
    trace = CallScript().agent("Hi.").caller("it is the dog", "it is a dog").trace()

    assert [] == list(damages_of(caller_turns(build_conversation_view(trace, scenario()))[0]))


# -- tool speech --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [("One moment.", "It is recorded.", 5), ("", "It is recorded.", 3), ("One moment.", "", 3), ("", "", 1)],
)
def test_waits_are_announced_and_results_told(before: str, after: str, expected: int) -> None:
    """Half of the rating for speech with or before the calls, half for speech after the result."""
    script = CallScript().agent("Hello.").caller("My power is out.").agent(before, Called("report", {})).agent(after)

    assert expected == _rating(Diagnostic.TOOL_SPEECH, script.caller("Thanks.").trace())


def test_a_chain_of_calls_is_one_wait() -> None:
    """Speech before the first of two chained calls covers both, speech after the last tells both."""
    script = CallScript().agent("Hi.").caller("Go on.").agent("One moment.", Called("find", {})).agent("", Called("book", {}))

    assert 5 == _rating(Diagnostic.TOOL_SPEECH, script.agent("Your visit is booked.").trace())


def test_the_call_that_ends_the_call_owes_no_speech_after_it() -> None:
    """Nobody listens any more."""
    script = CallScript().agent("Goodbye.", Called("end_call", {}, {"status": "ended"}, ended=True))

    assert 5 == _rating(Diagnostic.TOOL_SPEECH, script.trace())


@pytest.mark.parametrize(
    ("speech", "expected"),
    [
        ("Your outage is recorded.", 1),
        ("I'm sorry, that was rejected.", 5),
        ("It could not be recorded.", 5),
        ("Shall I try until it is recorded?", 5),
    ],
)
def test_a_failure_announced_as_success_is_the_worst(speech: str, expected: int) -> None:
    """After a failed result and nothing else, a plain claim of success gives 1."""
    script = CallScript().agent("Hi.").caller("Go on.").agent("One moment.", Called("report", {}, FAILED)).agent(speech)

    assert expected == _rating(Diagnostic.TOOL_SPEECH, script.trace())


def test_success_after_a_retry_may_be_announced() -> None:
    """A failed call and then a good one: the claim is true."""
    script = CallScript().agent("Hi.").caller("Go on.").agent("One moment.", Called("report", {}, FAILED))

    assert 5 == _rating(Diagnostic.TOOL_SPEECH, script.agent("", Called("report", {})).agent("It is recorded.").trace())


def test_without_calls_tool_speech_does_not_apply() -> None:
    """No tool, no speech around it."""
    assert _not_applicable(Diagnostic.TOOL_SPEECH, CallScript().agent("Hi.").trace())


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"status": "recorded"}, False),
        ({"status": "not_found"}, True),
        ({"status": "FAILED"}, True),
        ({"error": "chain_limit"}, True),
        ({"error": None, "ok": True}, False),
        ({"success": False}, True),
        ({"status": "account_not_found"}, True),
        ({"state": "delivered today", "status": "found"}, False),
        ({"note": "failed before"}, False),
        ({"status": "blocked"}, False),
        ({"status": "code_mismatch"}, True),
        ({"status": "taken"}, True),
        ({"status": "notified"}, False),
    ],
)
def test_failed_results(result: dict[str, Any], expected: bool) -> None:
    """An error, a false success flag or a status of failure; other fields say nothing."""
    assert expected == failed_result(result)


# -- spoken form, language, closing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your ticket is seven three nine one six, and it's 8:45 on March 10, 2026.", ()),
        ("That costs $129.50, i.e. 5% more.", ()),
        ("**Done**", ("markdown", "a symbol")),
        ("- first\n- second", ("markdown",)),
        ("1. first\n2. second", ("markdown",)),
        ("see https://a.example", ("an address of the web",)),
        ("write to a@b.example", ("a symbol",)),
        ("the account_number please", ("a symbol", "an internal name")),
        ('{"a": 1}', ("a symbol", "an internal name")),
        ("ticket 73916", ("a long run of digits",)),
        ("Great 🎉", ("an emoji or pictogram",)),
        (" ".join(["word"] * 60), ()),
        (" ".join(["word"] * 61), ("61 words",)),
    ],
)
def test_what_cannot_be_spoken_as_written(text: str, expected: tuple[str, ...]) -> None:
    """Markdown, addresses, symbols, internal names, runs of more than four digits, pictograms, more than 60 words."""
    assert set(expected) <= set(spoken_faults(text))
    assert bool(expected) == bool(spoken_faults(text))


@pytest.mark.parametrize(("bad", "expected"), [(0, 5), (1, 4), (2, 3), (3, 2), (4, 1)])
def test_spoken_form_rates_the_share_of_clean_messages(bad: int, expected: int) -> None:
    """Four messages: each faulty one takes a point."""
    script = CallScript()
    for number in range(4):
        script.agent("**Yes**" if number < bad else "Yes.").caller("Go on.")

    assert expected == _rating(Diagnostic.SPOKEN_FORM, script.trace())


@pytest.mark.parametrize(
    ("speech", "language", "script", "expected"),
    [
        ("Thank you for calling, how can I help you with that today?", "en", "Latn", 5),
        ("Gracias por llamar a nuestra empresa, dígame cómo puedo ayudarle hoy.", "en", "Latn", 1),
        ("Okay.", "en", "Latn", 5),
        ("नमस्ते, आपका OTP क्या है?", "hi", "Deva", 5),
        ("Namaste, aapka number kya hai?", "hi", "Deva", 1),
        ("12345", "hi", "Deva", 5),
    ],
)
def test_language_and_script(speech: str, language: str, script: str, expected: int) -> None:
    """Nine tenths of the letters in the script, acronyms left out; English of eight words or more must read like English."""
    trace = CallScript().agent(speech).trace()

    assert expected == _rating(Diagnostic.LANGUAGE, trace, language=language, script=script)


@pytest.mark.parametrize(
    ("speeches", "expected"),
    [
        (("Thanks for calling. Goodbye.",), 5),
        (("Have a nice day!",), 5),
        (("Goodbye.", "One more thing, your bill is due."), 3),
        (("That is all.",), 1),
        ((), 1),
    ],
)
def test_closing_wants_a_goodbye_last(speeches: tuple[str, ...], expected: int) -> None:
    """5 for a goodbye in the last speech, 3 for talk after it, 1 without."""
    script = CallScript().caller("Hi.")
    for speech in speeches:
        script.agent(speech)

    assert expected == _rating(Diagnostic.CLOSING, script.trace(EndReason.CALLER_DONE))


def test_an_agent_that_never_spoke_has_no_form_and_no_language() -> None:
    """Not applicable, while closing is at its worst."""
    trace = CallScript().agent("", Called("find", {})).trace(EndReason.AGENT_IDLE)

    assert _not_applicable(Diagnostic.SPOKEN_FORM, trace)
    assert _not_applicable(Diagnostic.LANGUAGE, trace)
    assert 1 == _rating(Diagnostic.CLOSING, trace)


def test_other_languages_leave_word_lists_unjudged() -> None:
    """Where the rules have no list of phrases they say nothing, rather than guess; form and script are still measured."""
    trace = CallScript().agent("नमस्ते").caller("नमस्ते").agent("धन्यवाद").trace()
    view = build_conversation_view(trace, scenario(language="hi", script="Deva"))

    assert {"spoken_form", "language"} == {j.id for j in RulesJudge().judge_conversation(view, 1)}
