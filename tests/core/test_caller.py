"""SPEC 3.3: what a caller's reply must keep, and the forms of JSON that are understood."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.caller import CallerReply, parse_reply, reply_faults
from core.schemas.scenario import Scenario
from tests.support.parties import say
from tests.support.scenes import put, scenario

LIBRARY = scenario()
HINDI = scenario(
    put("language", "hi"),
    put("script", "Deva"),
    put("caller.facts.reader_mail", {"value": "meena.rao@example.com", "kind": "email"}),
    put("caller.facts.reader_name", {"value": "Rosa Imanov", "kind": "name"}),
)


def _faults(speech: str, *steps: str, expressed: tuple[str, ...] = (), scene: Scenario = LIBRARY) -> tuple[str, ...]:
    return reply_faults(CallerReply(speech=speech, expressed=steps), scene, expressed)


# -- reading the reply --------------------------------------------------------------------------------------------------

PLAIN = '{"speech": "Hello there.", "expressed": ["ask_renewal"], "done": false}'
READ = CallerReply(speech="Hello there.", expressed=("ask_renewal",), done=False)


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN,
        f"  \n{PLAIN}\n ",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```",
        f"Here is my turn:\n{PLAIN}",
        f"Sure!\n```json\n{PLAIN}\n```\nI hope this helps.",
        f"<think>The agent greeted me, so {{this}} holds.</think>\n{PLAIN}",
        f"<think>\n```json\n{{}}\n```\n</think>```json\n{PLAIN}\n```",
        PLAIN.replace("false", '"false"'),
    ],
)  # fmt: skip
def test_fenced_prefixed_and_thoughtful_json_is_parsed(raw: str) -> None:
    """Fences, words before the object, thoughts and booleans written as text do not make a reply invalid."""
    assert READ == parse_reply(raw)


def test_done_and_expressed_may_be_left_out() -> None:
    """A routine turn needs only its words."""
    assert CallerReply(speech="One moment.") == parse_reply('{"speech": "One moment."}')


def test_a_string_true_is_true() -> None:
    """Some models quote their booleans."""
    assert parse_reply('{"speech": "Bye.", "done": "true"}').done


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "not valid JSON: Expecting value"),
        ("Hello there.", "not valid JSON: Expecting value"),
        (PLAIN[:-1], "not valid JSON"),
        (PLAIN[:20], "not valid JSON: Unterminated string"),
        (f"{PLAIN}\n{PLAIN}", "not valid JSON: Extra data"),
        (f"```json\n{PLAIN[:-1]}\n```", "not valid JSON"),
        ('"Hello"', "wrong reply: reply"),
        ("[]", "wrong reply: reply"),
        ("{}", "wrong reply: speech: Field required"),
        ('{"speech": 5}', "wrong reply: speech"),
        ('{"speech": null}', "wrong reply: speech"),
        ('{"speech": "Hi", "expressed": "ask_renewal"}', "wrong reply: expressed"),
        ('{"speech": "Hi", "expressed": [1]}', "wrong reply: expressed.0"),
        ('{"speech": "Hi", "done": "perhaps"}', "wrong reply: done"),
        ('{"speech": "Hi", "mood": "calm"}', "wrong reply: mood: Extra inputs are not permitted"),
        ('{"speech": "Hi \\ud800"}', "wrong reply: half of a surrogate pair"),
        ('{"speech": ' + "[" * 100_000, "not valid JSON: nested too deeply"),
    ],
    ids=lambda text: text[:40],
)
def test_anything_else_is_refused_with_one_reason(raw: str, reason: str) -> None:
    """A reply that is not the typed JSON says why in one line, so that the second attempt can do better."""
    with pytest.raises(ValueError, match=reason.split(":")[0]) as caught:
        parse_reply(raw)
    assert str(caught.value).startswith(reason)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.booleans())
def test_any_speech_survives_the_journey(speech: str, done: bool) -> None:
    """What a caller sends is what is read, whatever characters it holds."""
    assert CallerReply(speech=speech, done=done) == parse_reply(say(speech, done=done))


# -- plan steps -----------------------------------------------------------------------------------------------------------


def test_a_step_or_none_may_be_taken() -> None:
    """A turn advances at most one step: none, or the next one."""
    assert () == _faults("One moment, please.")
    assert () == _faults("I want to renew a book.", "ask_renewal")
    assert () == _faults("It is four four.", "give_card", expressed=("ask_renewal",))


@pytest.mark.parametrize(
    ("steps", "expressed", "reason"),
    [
        (("ask_renewal", "give_card"), (), "more than one step expressed: ask_renewal, give_card"),
        (("ask_renewal", "ask_renewal"), (), "more than one step expressed: ask_renewal, ask_renewal"),
        (("give_card",), (), "step 'give_card' is out of order: 'ask_renewal' is next"),
        (("give_title",), ("ask_renewal",), "step 'give_title' is out of order: 'give_card' is next"),
        (("ask_renewal",), ("ask_renewal",), "step 'ask_renewal' was already expressed"),
        (("give_title",), ("ask_renewal", "give_card", "give_title"), "step 'give_title' was already expressed"),
        (("thank_agent_1",), (), "unknown step 'thank_agent_1'"),
        (("",), (), "unknown step ''"),
    ],
    ids=str,
)
def test_more_than_one_step_a_step_out_of_order_or_twice_is_rejected(
    steps: tuple[str, ...], expressed: tuple[str, ...], reason: str
) -> None:
    """The plan is taken one step at a time, in order, each once."""
    assert reason in _faults("Well.", *steps, expressed=expressed)


# -- the words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speech", ["", " ", "\n\t ", "\u00a0"], ids=repr)
def test_empty_speech_is_rejected(speech: str) -> None:
    """A caller turn has words; whitespace is none."""
    assert ("empty speech",) == _faults(speech)


@pytest.mark.parametrize(
    ("speech", "name"),
    [
        ("My card_number is 04412907.", "card_number"),
        ("card_number", "card_number"),
        ("Now give_card, then.", "give_card"),
        ("That was (ask_renewal)!", "ask_renewal"),
        ("Card_Number: four four", "card_number"),
        ("WEEKS_WANTED", "weeks_wanted"),
        ('{"speech": "hello"}', "speech"),
        ("speech: hello", "speech"),
        ("Hello. done=true", "done"),
        ('Hello. "expressed" is empty.', "expressed"),
    ],
)
def test_an_internal_name_in_speech_is_rejected(speech: str, name: str) -> None:
    """A fact key or step id as a whole token, or a field of the reply written as one, is a leak."""
    assert f"internal name in speech: {name!r}" in _faults(speech)


@pytest.mark.parametrize(
    "speech",
    [
        "My card number is four four one two.",
        "I am done, thanks.",
        "Are we done?",
        "I expressed myself badly, my speech is slow today.",
        "My card_numbers are gone.",
        "The xcard_number thing.",
        "Please give card holders more time.",
    ],
)
def test_plain_words_stay_sayable(speech: str) -> None:
    """Words that are part of a name, or contain one, are no leak."""
    assert () == _faults(speech)


@pytest.mark.parametrize(
    "speech",
    [
        "I want **three** weeks.",
        "I want *three* weeks.",
        "I want __three__ weeks.",
        "The book is `The Long Harbor`.",
        "- a book\n- a card",
        "Two things:\n* a book\n* a card",
        "• a book",
        "1. my card\n2. my book",
        "1) my card",
        "# Renewal",
        "### Renewal",
        "> quoted",
        "See [my card](http://card).",
        "| card | book |\n|---|---|",
    ],
)
def test_markdown_and_lists_are_rejected(speech: str) -> None:
    """A caller speaks; nobody hears an asterisk."""
    assert ("markdown or list syntax in speech",) == _faults(speech)


@pytest.mark.parametrize(
    "speech",
    [
        "It's 4 - no, wait - 5 weeks.",
        "Three, please. Not 4.",
        "Is it 2 * 3?",
        "Well... three!",
        "It is number 1. That one.",
        "The Long Harbor, for 3 weeks; the card's 0441-2907.",
        "Half past 10, # 5 on the list.",
    ],
)
def test_everyday_punctuation_is_no_markdown(speech: str) -> None:
    """Dashes, numbers and signs inside a sentence are how a recogniser writes speech."""
    assert () == _faults(speech)


# -- the script -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "speech",
    [
        "मेरा कार्ड नंबर बता दीजिए",
        "मेरा पता meena.rao@example.com है",
        "मैं Rosa Imanov बोल रही हूँ",
        "मेरा PNR और OTP क्या है",
        "हाँ OTP",
        "04412907",
        "meena.rao@example.com",
        "ठीक है ok",
    ],
)
def test_known_values_and_latin_acronyms_may_stand_in_any_script(speech: str) -> None:
    """Only the other letters count towards the required script."""
    assert () == _faults(speech, scene=HINDI)


@pytest.mark.parametrize(
    ("speech", "share"),
    [
        ("I want to renew my book", "0%"),
        ("mera card number bata dijiye", "0%"),
        ("हाँ please renew my book", "6%"),
        ("meena.rao@example.org", "0%"),
    ],
)
def test_the_wrong_script_is_rejected(speech: str, share: str) -> None:
    """Under 60 % of the letters in the required script: the turn is not in the caller's script."""
    (fault,) = _faults(speech, scene=HINDI)
    assert fault == f"wrong script: {share} of the letters are Deva"


def test_exactly_sixty_percent_is_enough() -> None:
    """The bound itself is allowed."""
    assert () == _faults("ककक bb", scene=HINDI)
    assert ("wrong script: 50% of the letters are Deva",) == _faults("कक bb", scene=HINDI)


def test_every_fault_of_a_turn_is_given() -> None:
    """The reason given back names all that was wrong, not the first only."""
    faults = _faults("**card_number** please", "give_title", scene=HINDI)
    assert ["step 'give_title' is out of order: 'ask_renewal' is next", "internal name in speech: 'card_number'"] == list(
        faults[:2]
    )
    assert "markdown or list syntax in speech" == faults[2]
    assert faults[3].startswith("wrong script")


def test_a_reply_has_exactly_three_fields() -> None:
    """The typed JSON of the specification, no more."""
    assert {"speech", "expressed", "done"} == set(CallerReply.model_fields)
    assert {"speech": "Hi", "expressed": [], "done": False} == json.loads(CallerReply(speech="Hi").model_dump_json())
