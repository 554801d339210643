"""The baseline in real calls: tools it has never seen, nothing it must not see, no value out of nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st
from pydantic import JsonValue

from core.bundle import Bundle, load_bundle, shipped_bundle
from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswer, ToolAnswers
from core.grading.actions import grade_actions
from core.line import AuthoredLines, LineFactory, TextLines
from core.runs.play import Parties, Played, play_case
from core.schemas.base import Condition, Difficulty
from core.schemas.call_trace import CodeVersion, EndReason, Role, Trace
from core.schemas.grade import Label
from core.schemas.run import CaseKey
from core.spoken import Kind, read
from models.parties.baseline import BaselineCandidate
from models.parties.baseline.hearing import joined
from models.parties.scripted import ScriptedCaller
from tests.models.fixtures.desk import INSTRUCTIONS, TOOLS

WORKSHOP = Path(__file__).parents[1] / "bundles" / "workshop"
BUNDLES = {"workshop": WORKSHOP, "frontdesk": shipped_bundle("frontdesk")}
LINES: dict[Condition, LineFactory] = {Condition.TEXT: TextLines(), Condition.AUTHORED: AuthoredLines()}


@cache
def bundle(name: str) -> Bundle:
    """A bundle, read once."""
    return load_bundle(BUNDLES[name])


class Witness(BaselineCandidate):
    """The baseline, and everything it was ever given."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        self.given += [view.instructions, *(tool.model_dump_json() for tool in view.tools)]
        return super().open(view, seed)

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        self.given.append(repr(observation))
        return super().respond(observation)


def play(name: str, scenario: str, condition: Condition = Condition.TEXT, witness: Witness | None = None) -> Trace:
    """One call of a bundle between the offline parties."""
    parties = Parties(
        caller=lambda played: ScriptedCaller(played.offline),
        candidate=lambda _scenario: witness or BaselineCandidate(),
        lines=LINES,
    )
    case = CaseKey(scenario=scenario, condition=condition, repeat=0)
    played = play_case(case, bundle(name), parties, 7, CodeVersion(version="0"))
    assert isinstance(played, Played)
    return played.trace


def unmet(trace: Trace, name: str) -> list[str]:
    """Expected actions that were not met."""
    items = grade_actions(trace, bundle(name).scenarios[trace.header.scenario])
    return [f"{item.id}: {item.reason}" for item in items if item.label is not Label.MET]


@pytest.mark.parametrize("scenario", ["tune-up-slot", "extra-work-price", "lost-slip"])
def test_it_serves_a_trade_it_has_never_seen(scenario: str) -> None:
    """On another trade's tools every expected action is met under `text`, the easy scenario's first of all."""
    assert [] == unmet(play("workshop", scenario), "workshop")


def test_a_garbled_price_is_repaired_by_reading_back() -> None:
    """What the line garbles and the caller corrects does not reach the tool."""
    trace = play("workshop", "extra-work-price", Condition.AUTHORED)
    assert any(event.applied for turn in trace.caller_turns for event in turn.events)
    assert [] == unmet(trace, "workshop")


def test_secrets_of_backend_and_brief_never_reach_it() -> None:
    """The words planted in hidden state and in the brief are in nothing that it was given."""
    witness = Witness()
    trace = play("workshop", "tune-up-slot", witness=witness)
    scenario = bundle("workshop").scenarios["tune-up-slot"]
    assert "quicksilver" in scenario.backend.model_dump_json()
    assert "heliotrope" in scenario.caller.model_dump_json()
    seen = " ".join(witness.given)
    assert "S-18" in seen
    assert [] == [secret for secret in ("quicksilver", "heliotrope") if secret in seen]
    assert EndReason.TOOL_END is trace.end


@pytest.mark.parametrize("scenario", ["charge-recognized", "checkup-booking", "outage-whole-house", "redelivery-friday"])
def test_easy_calls_of_the_shipped_bundle_are_all_met(scenario: str) -> None:
    """An easy scenario of the shipped bundle is done in full under `text`."""
    assert Difficulty.EASY is bundle("frontdesk").scenarios[scenario].difficulty
    assert [] == unmet(play("frontdesk", scenario), "frontdesk")


def test_the_same_call_twice_is_the_same_trace() -> None:
    """Nothing but the case decides a call."""
    assert play("frontdesk", "outage-whole-house", Condition.AUTHORED) == play(
        "frontdesk", "outage-whole-house", Condition.AUTHORED
    )


# -- no value out of nowhere ------------------------------------------------------------------------------------------------


def understood(text: str, now: str) -> Iterator[str]:
    """Every value that can be read in a text, of any kind, and its pieces of a number put together."""
    for kind in Kind:
        if kind is not Kind.CHOICE:
            yield from (str(reading.value).casefold() for reading in read(text, kind, now=now))
    digits = [str(reading.value) for reading in read(text, Kind.DIGITS)]
    yield from ("".join(digits[first:last]) for first in range(len(digits)) for last in range(first + 2, len(digits) + 1))


def known(value: JsonValue, sources: set[str], words: str, choices: set[str]) -> bool:
    """Whether a sent value was heard, returned, or is a choice of which a word was heard."""
    if isinstance(value, bool):
        return True
    said = str(value).casefold()
    if isinstance(value, int | float) and (str(float(value)) in sources or str(int(value)) in sources):
        return True
    named = said in choices and any(part[:4] in words for part in said.replace("_", " ").split())
    return said in sources or said.rstrip(".") in words or named


def strays(trace: Trace) -> list[str]:
    """Arguments that came from nowhere; those of call-ending tools tell how the call went and are left out."""
    agent = bundle(trace.header.bundle).agents[trace.header.agent]
    now = bundle(trace.header.bundle).scenarios[trace.header.scenario].caller.now
    results = {event.result_message: event.result for event in trace.tool_events}
    sources: set[str] = set()
    heard: list[str] = []
    found = []
    for message in trace.messages:
        if message.role is Role.CALLER:
            heard.append(message.content)
            sources |= set(understood(message.content, now)) | set(understood(joined(heard[-2:]), now))
        elif message.role is Role.TOOL:
            sources |= {str(value).casefold() for value in _scalars(results[message.index])}
        elif "latest possible day" in message.content:
            sources |= set(understood(message.content, now))
        for call in message.tool_calls:
            tool = agent.tool(call.tool)
            assert tool is not None
            assert isinstance(call.arguments, dict)
            if not tool.ends_call:
                choices = {str(option).casefold() for option in _choices(tool.parameters)}
                words = " ".join(heard).casefold()
                found += [f"{call.tool}.{k}={v}" for k, v in call.arguments.items() if not known(v, sources, words, choices)]
    return found


def _scalars(value: JsonValue) -> Iterator[JsonValue]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    if inner is None:
        yield value
    else:
        for item in inner:
            yield from _scalars(item)


def _choices(parameters: dict[str, JsonValue]) -> Iterator[JsonValue]:
    properties = parameters.get("properties")
    for schema in properties.values() if isinstance(properties, dict) else ():
        options = schema.get("enum") if isinstance(schema, dict) else None
        yield from options if isinstance(options, list) else ()


CASES = [(name, path.stem) for name, root in BUNDLES.items() for path in sorted(root.glob("scenarios/*/*.yaml"))]


@pytest.mark.parametrize("condition", list(LINES))
@pytest.mark.parametrize(("name", "scenario"), CASES)
def test_every_value_sent_was_heard_or_returned(name: str, scenario: str, condition: Condition) -> None:
    """In every call of both bundles, no argument came from nowhere: it was heard, returned, or a limit offered and accepted."""
    assert [] == strays(play(name, scenario, condition))


WORDS = (
    "I'd like to pause my membership.",
    "I have a new e-mail address.",
    "It's two zero four, five one one.",
    "204512",
    "It's 204",
    "June fifteenth, please.",
    "From tomorrow.",
    "ada at example dot org",
    "Yes.",
    "No.",
    "No, it's June sixteenth.",
    "No, the number is 309 112.",
    "I don't know.",
    "Hold on, let me check.",
    "Can you repeat that?",
    "The weather is fine.",
    "",
    "Thanks, goodbye.",
)
RESULTS: tuple[dict[str, JsonValue], ...] = (
    {"status": "ok"},
    {"status": "not_found"},
    {"status": "unavailable"},
    {"error": "refused"},
    {"status": "ok", "email": "x@y.org"},
)


@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=2), max_size=14),
    st.lists(st.sampled_from(RESULTS), max_size=20),
)
@budget(max_examples=150)
def test_no_value_out_of_nowhere_whatever_is_said(turns: list[list[str]], results: list[dict[str, JsonValue]]) -> None:
    """Random words and random results: what is sent was said or returned, speech is never empty, calls come one by one."""
    candidate = BaselineCandidate()
    turn = candidate.open(CandidateView(INSTRUCTIONS, TOOLS), 0)
    sources: set[str] = set()
    answers = iter(results)
    for fragments in turns:
        text = joined(fragments)
        sources |= set(understood(text, "2026-06-08"))
        turn = candidate.respond(Hearing(tuple(fragments)))
        for _ in range(10):
            assert turn.speech.strip()
            if not turn.calls:
                break
            (call,) = turn.calls
            assert isinstance(call.arguments, dict)
            assert {} == {k: v for k, v in call.arguments.items() if k not in ("outcome", "team", "notify") and v not in sources}
            result = next(answers, RESULTS[0])
            sources |= {str(value) for value in result.values()}
            turn = candidate.respond(ToolAnswers((ToolAnswer("c", call.tool, result),)))
        else:
            pytest.fail("more than ten calls in a chain")
