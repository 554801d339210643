"""The scripted caller in languages other than English: cues, read-backs and silence, from the brief and a few phrases."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.bundle import load_bundle
from core.caller import CallerReply, CallerView, PublicTurn, parse_reply
from core.schemas.scenario import Brief, Fact, Offline, OfflineStep, PlanStep
from core.scripts import scripts_of
from core.spoken import Kind, say
from core.text import script_share
from models.parties.manners import MANNERS
from models.parties.scripted import PATIENCE, REPETITIONS, ScriptedCaller
from tests.repository.tree import ROOT

BUNDLE = ROOT / "tests" / "bundles" / "abroad"


class Person:
    """The caller of one scenario of the bundle, spoken to turn by turn."""

    def __init__(self, scenario: str, folder: Path = BUNDLE) -> None:
        self._scenario = load_bundle(folder).scenarios[scenario]
        self._said: list[PublicTurn] = []
        self._expressed: tuple[str, ...] = ()

    def hear(self, speech: str) -> CallerReply:
        """What it answers."""
        self._said.append(PublicTurn("agent", speech))
        view = CallerView(
            self._scenario.caller, self._scenario.language, self._scenario.script, tuple(self._said), self._expressed
        )
        reply = parse_reply(ScriptedCaller(self._scenario.offline).speak(view, 1))
        self._expressed += reply.expressed
        self._said.append(PublicTurn("caller", reply.speech))
        return reply

    def talk(self, *speeches: str) -> CallerReply:
        """Its last answer."""
        return [self.hear(speech) for speech in speeches][-1]


HINDI, MANDARIN = "hi-cylinder", "zh-lost-parcel"
CALLS = {
    HINDI: ("नमस्ते, उजाला गैस।", "आपको किस दिन चाहिए?"),
    MANDARIN: ("你好，顺达快递。", "包裹值多少钱？"),
}


@pytest.mark.parametrize(
    ("scenario", "read_back", "answer"),
    [
        (HINDI, "नंबर 04412907, 20 मार्च, सही है?", "जी हाँ, सही है।"),
        (HINDI, "नंबर 04412901, 20 मार्च, सही है?", "नहीं, शून्य चार चार एक, दो नौ शून्य सात।"),
        (HINDI, "नंबर 04412907, 21 मार्च, सही है?", "नहीं, बीस मार्च दो हज़ार छब्बीस।"),
        (HINDI, "20 मार्च, सुबह नौ से एक के बीच, सही है?", "जी हाँ, सही है।"),
        (MANDARIN, "零零七幺，八二六五，一百二十八块五毛，对吗？", "对，没错。"),
        (MANDARIN, "00718255，128.5元，对吗？", "不对，是零零七幺，八二六五。"),
        (MANDARIN, "00718265，138.5元，对吗？", "不对，是一百二十八块五毛。"),
    ],
)
def test_confirms_and_corrects_what_it_told(scenario: str, read_back: str, answer: str) -> None:
    """A read-back that agrees with what was told is confirmed, a wrong value in it is corrected, however it is written."""
    assert answer == Person(scenario).talk(*CALLS[scenario], read_back).speech


@pytest.mark.parametrize(("scenario", "again"), [(HINDI, "कृपया दोबारा बोलिए।"), (MANDARIN, "对不起，没听清。")])
def test_says_it_again(scenario: str, again: str) -> None:
    """Asked to repeat, it says its last telling words again, and takes no step by it."""
    person = Person(scenario)
    told = person.hear(CALLS[scenario][0])
    assert (told.speech, ()) == ((reply := person.hear(again)).speech, reply.expressed)


@pytest.mark.parametrize("scenario", [HINDI, MANDARIN])
def test_a_question_asked_twice_is_answered_twice(scenario: str) -> None:
    """An agent that understood nothing and asks for the same again gets the same line, which is no new step."""
    person = Person(scenario)
    told = person.talk(*CALLS[scenario])
    assert (told.speech, ()) == ((reply := person.hear(CALLS[scenario][1])).speech, reply.expressed)


@pytest.mark.parametrize(("scenario", "telling"), [(HINDI, "मैं देखती हूँ।"), (MANDARIN, "我看一下。")])
def test_waits_and_then_goes_on(scenario: str, telling: str) -> None:
    """An agent that only tells things is given its turns; then the next step is taken, and at the end it takes leave."""
    person = Person(scenario)
    steps = [len(person.hear(CALLS[scenario][0]).expressed), *(len(person.hear(telling).expressed) for _ in range(PATIENCE + 1))]
    assert [1, *[0] * PATIENCE, 1] == steps
    assert person.hear(telling).done


@pytest.mark.parametrize("scenario", [HINDI, MANDARIN])
def test_never_talks_for_ever(scenario: str) -> None:
    """Silence, and one read-back without end, are left politely."""
    silent = [Person(scenario).talk(*[""] * turns).done for turns in range(1, 5)]
    assert ([False] * 3 + [True]) == silent
    wrong = {HINDI: "04412901, सही है?", MANDARIN: "00718255，对吗？"}[scenario]
    assert Person(scenario).talk(*CALLS[scenario], *[wrong] * (REPETITIONS + 1)).done


NUMBER = "04412907"
BRIEF = Brief(
    context="",
    reason="",
    now="2026-03-18T09:00",
    facts={"account_number": Fact(value=NUMBER, kind=Kind.DIGITS)},
    plan=(PlanStep(id="give_number", trigger="asked", meaning="the number"),),
)
OFFLINE = Offline(steps={"give_number": OfflineStep(line="{account_number}")})


def answers(language: str, *speeches: str) -> list[str]:
    """What the caller of one number says to each speech of an agent."""
    said: list[PublicTurn] = []
    for number, speech in enumerate(speeches):
        said.append(PublicTurn("agent", speech))
        expressed = ("give_number",) if number else ()
        view = CallerView(BRIEF, language, scripts_of(language)[0], tuple(said), expressed)
        said.append(PublicTurn("caller", parse_reply(ScriptedCaller(OFFLINE).speak(view, 1)).speech))
    return [turn.speech for turn in said if turn.speaker == "caller"]


@pytest.mark.parametrize("language", MANNERS)
def test_every_language_has_its_manners(language: str) -> None:
    """It tells its number, confirms and corrects it, answers silence, and says it again for each phrase that asks for it."""
    manners, spoken = MANNERS[language], say(NUMBER, Kind.DIGITS, language=language)
    wrong = say("04412901", Kind.DIGITS, language=language)
    assert [spoken, manners.yes] == answers(language, "?", f"{spoken}?")
    assert [spoken, manners.no.format(spoken)] == answers(language, "?", f"{wrong}?")
    assert [spoken, manners.hello] == answers(language, "?", "")
    for phrase in manners.again:
        assert [spoken, spoken] == answers(language, "?", f"{phrase}."), phrase


@pytest.mark.parametrize("language", MANNERS)
def test_manners_are_written_in_the_languages_own_script(language: str) -> None:
    """Not a letter of another script, so that no turn is refused for it."""
    manners = MANNERS[language]
    words = (manners.hello, manners.waits, manners.yes, manners.no, manners.goodbye, *manners.again)
    assert {1.0} == {max(script_share(text, script) for script in scripts_of(language)) for text in words}


@pytest.mark.parametrize("language", ["en", "gu"])
def test_a_step_may_take_leave(language: str) -> None:
    """With `ends` the line of a step is the caller's last."""
    view = CallerView(BRIEF, language, scripts_of(language)[0], (PublicTurn("agent", "?"),), ())
    last = Offline(steps={"give_number": OfflineStep(line="{account_number}", ends=True)})
    assert (False, True) == tuple(parse_reply(ScriptedCaller(offline).speak(view, 1)).done for offline in (OFFLINE, last))
