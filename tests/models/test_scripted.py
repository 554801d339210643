"""The scripted caller: a plan in order, and a person's reactions from the brief alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.caller import PublicTurn, parse_reply, reply_faults
from core.errors import UsageError
from core.schemas.scenario import Fact, Offline, OfflineStep
from models.parties.scripted import PATIENCE, REPETITIONS, ScriptedCaller
from tests.models.fixtures.desk import FACTS, Person, member

AGENT_SENTENCES = (
    "",
    "Hello, Harbor Gym, how can I help you?",
    "What is your member number, please?",
    "Which day should it start?",
    "Could you spell your surname?",
    "I heard two zero four, five one one. Is that right?",
    "I heard two zero four, five one two. Is that right?",
    "Your surname is Okafur, is that right?",
    "What is your locker code?",
    "What is the name of your dog?",
    "Sorry, could you repeat that?",
    "One moment while I check.",
    "It is done.",
    "Is there anything else I can help you with?",
    "Thank you for calling, goodbye.",
    "Would you like a letter about it?",
)


def test_takes_a_step_without_cues_at_once() -> None:
    """A step without cues is taken as soon as it is next, whatever the agent said."""
    reply = Person().hear("Harbor Gym, good morning.")
    assert ("Hi, I'd like to pause my membership.", ("say_freeze",)) == (reply.speech, reply.expressed)


def test_waits_for_the_cue_as_whole_words() -> None:
    """A cue inside another word is no cue: "date" is not heard in "update"."""
    steps = {"say_date_1": OfflineStep(cues=("date",), line="In June.")}
    assert () == Person(steps=steps).hear("We send an update.").expressed
    assert ("say_date_1",) == Person(steps=steps).hear("And the date?").expressed


def test_says_facts_in_spoken_form() -> None:
    """A fact in a line is said as people say it, grouped by breath."""
    person = Person()
    person.hear("Hello?")
    assert "It's two zero four, five one one." == person.says("Your member number, please?")


def test_a_question_for_the_fact_of_the_next_step_is_its_trigger() -> None:
    """An agent that asks for the fact in words no cue has gets the step that tells it."""
    steps = {"give_start": OfflineStep(cues=("first day",), line="From {start_date}, please.")}
    reply = Person(steps=steps).hear("When would you like to start?")
    assert ("give_start",) == reply.expressed


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is your surname, please?", "It's Okafor."),
        ("From which day should it start?", "It's June fifteenth, twenty twenty six."),
    ],
)
def test_a_question_in_another_order_is_answered_and_takes_no_step(question: str, answer: str) -> None:
    """The plan holds meanings, not a script: what is asked early is answered from the facts, and the next step stays next."""
    person = Person()
    person.hear("Hello?")
    reply = person.hear(question)
    assert (answer, ()) == (reply.speech, reply.expressed)
    assert ("give_number",) == person.hear("And your member number?").expressed


def test_of_three_questions_one_is_answered() -> None:
    """The agent has to ask again for the others."""
    person = Person()
    person.hear("Hello?")
    reply = person.hear("What is your member number? What is your surname? From which day should it start?")
    assert ("It's two zero four, five one one.", ("give_number",)) == (reply.speech, reply.expressed)


def test_confirms_a_right_read_back() -> None:
    """A read-back that agrees with the facts is confirmed."""
    assert member().says("I have two zero four, five one one. Is that right?").startswith("Yes")


@pytest.mark.parametrize(
    ("read_back", "reply"),
    [
        ("I have two zero four, five one two. Is that right?", "No, it's two zero four, five one one."),
        ("So that's June sixteenth, correct?", "No, it's June fifteenth, twenty twenty six."),
        (
            "The number is 204511 and the day is June 16, is that right?",
            "No, the start date is June fifteenth, twenty twenty six.",
        ),
    ],
)
def test_corrects_a_wrong_read_back(read_back: str, reply: str) -> None:
    """A wrong value is corrected; among several, the right one is named."""
    assert reply == member().says(read_back)


def test_spells_a_name_that_is_read_back_wrong_twice() -> None:
    """The second correction of a name spells it."""
    person = Person(steps={"give_name_1": OfflineStep(line="This is {surname_1}.")})
    person.hear("Hello?")
    assert "No, it's Okafor." == person.says("Your surname is Okafur, is that right?")
    assert "No, it's Okafor, spelled O, K, A, F, O, R." == person.says("Your surname is Okaford, is that right?")


def test_digits_of_a_telephone_number_are_no_wrong_quantity() -> None:
    """A quantity is not taken as misread because other numbers are read back."""
    facts = FACTS | {"days_wanted": Fact.model_validate({"value": 5, "kind": "number"})}
    person = Person(facts=facts, steps={"say_both": OfflineStep(line="{member_number}, for {days_wanted} days.")})
    person.hear("Hello?")
    assert person.says("Your number is two zero four, five one one. Is that right?").startswith("Yes")


def test_repeats_the_last_fact_and_spells_when_asked() -> None:
    """Asked to repeat, it says the fact again; asked to spell, it spells."""
    person = Person(steps={"give_name_1": OfflineStep(line="This is {surname_1}.")})
    person.hear("Hello?")
    assert "This is Okafor." == person.says("Sorry, I didn't catch that.")
    assert "It's Okafor, spelled O, K, A, F, O, R." == person.says("Sorry, I still didn't catch that.")
    assert "It's O, K, A, F, O, R." == person.says("Could you spell your surname, please?")


def test_does_not_know_what_is_unknown_or_no_fact() -> None:
    """What is listed as unknown, and what stands nowhere, is not known."""
    assert "don't know" in member().says("What is your locker code?")
    assert "don't know" in member().says("What is the colour of your bag?")


def test_answers_silence_like_a_person() -> None:
    """Hello? Are you still there? And after four silent turns it hangs up."""
    person = Person()
    said = [person.hear("") for _ in range(4)]
    assert ["Hello?", "Are you still there?", "Are you still there?"] == [reply.speech for reply in said[:3]]
    assert [False, False, False, True] == [reply.done for reply in said]


def test_an_open_invitation_takes_the_next_step_or_ends_the_call() -> None:
    """Asked for anything else, it goes on with its plan, and says goodbye when nothing is left."""
    person = Person()
    person.hear("Hello?")
    assert ("give_number",) == person.hear("Is there anything else?").expressed
    reply = member().hear("It is done. Is there anything else I can help you with?")
    assert (True, ()) == (reply.done, reply.expressed)
    assert "Goodbye" in reply.speech


def test_thanks_and_leaves_after_the_report() -> None:
    """With nothing left to say, a report without a question ends the call."""
    assert member().hear("Your membership is paused.").done


def test_waits_while_the_agent_works() -> None:
    """A request for patience is granted and ends nothing."""
    reply = member().hear("One moment while I check.")
    assert ("Sure, take your time.", False) == (reply.speech, reply.done)


def test_never_waits_for_ever_for_a_cue() -> None:
    """After two turns without a cue the next step is taken anyway."""
    person = Person()
    person.hear("Hello?")
    waited = [person.hear("I see.").expressed for _ in range(PATIENCE + 1)]
    assert [()] * PATIENCE + [("give_number",)] == waited


def test_answers_a_right_read_back_before_a_question_in_the_same_breath() -> None:
    """A read-back followed by a cue is confirmed and the step rides along."""
    person = Person()
    person.hear("Hello?")
    person.hear("Your member number?")
    assert person.says("I have 204511, is that right? And the date?").startswith("Yes. From June fifteenth")


def test_gives_up_after_saying_the_same_three_times() -> None:
    """A conversation that does not move is ended politely."""
    person = member()
    said = [person.hear("Sorry, I didn't catch your member number.") for _ in range(REPETITIONS + 1)]
    left = next(reply for reply in said if reply.done)
    assert "I'm sorry, I have to go now. Goodbye." == left.speech


def test_the_same_view_and_seed_give_the_same_reply() -> None:
    """A turn is a function of view and seed, not of what the object did before."""
    person = member()
    person.hear("Is that right?")
    first, again = person.raw(), person.raw()
    fresh = ScriptedCaller(Offline(steps={}))
    assert first == again
    assert first["speech"] == parse_reply(fresh.speak(person.view(), 1)).speech


def test_refuses_what_it_cannot_play() -> None:
    """Another language, a step without a line and a line with an unknown fact are usage errors that say what to do."""
    with pytest.raises(UsageError, match=r"speaks en, hi, zh, .*, not 'pt'"):
        Person().raw(language="pt")
    person, caller = Person(), ScriptedCaller(Offline())
    person.conversation.append(PublicTurn("agent", "Hello, Harbor Gym."))
    with pytest.raises(UsageError, match="no line for plan step 'say_freeze'"):
        caller.speak(person.view(), 1)
    with pytest.raises(UsageError, match="'no_fact', which is no fact"):
        Person(steps={"say_x1": OfflineStep(line="It's {no_fact}.")}).hear("Hello?")


@given(st.lists(st.sampled_from(AGENT_SENTENCES), min_size=1, max_size=12), st.integers(0, 2**31))
def test_every_reply_may_be_carried(agent: list[str], seed: int) -> None:
    """Whatever the agent says: at most one step, in order, nothing empty, leaked or marked up."""
    person = Person(seed=seed)
    scenario = person.scenario()
    for speech in agent:
        before = tuple(person.expressed)
        reply = person.hear(speech)
        assert () == reply_faults(reply, scenario, before)
        if reply.done:
            break
