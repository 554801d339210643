"""SPEC 9, parties: `scheme:name?key=value&...` to something that calls, answers or judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from core.caller import CallerInvalid, CallerView, PublicTurn, parse_reply
from core.candidate import AgentDisconnected, AgentProtocolError, AgentTurn, CandidateView, Hearing, ToolAnswers
from core.errors import ProviderError, UsageError
from core.metered import usage_by_role
from core.schemas.call_trace import PartyRecord
from core.schemas.usage import Usage
from gateway.defaults import DEFAULT_CALLER, DEFAULT_CANDIDATE, DEFAULT_JUDGE
from gateway.parties import check_languages, make_caller, make_candidate, make_judge
from gateway.party_registry import PartyRegistry
from gateway.party_spec import PartySpec, parse_party, redacted
from gateway.user_parties import ReportingCandidate
from tests.support.parties import GREETING, ListCandidate, turn
from tests.support.scenes import scenario

USER = "python:tests.support.parties:made_for_test"
MAKERS: dict[str, Callable[[str], Any]] = {"caller": make_caller, "candidate": make_candidate, "judge": make_judge}


@pytest.mark.parametrize(
    ("text", "scheme", "name", "options"),
    [
        ("offline:baseline", "offline", "baseline", {}),
        ("litellm:openai/gpt-x?temperature=0&seed=7", "litellm", "openai/gpt-x", {"temperature": "0", "seed": "7"}),
        ("python:my.module:Agent?name=A%20B&empty=", "python", "my.module:Agent", {"name": "A B", "empty": ""}),
        ("dialin:desk?", "dialin", "desk", {}),
        ("realtime:wss://host:8080/v1", "realtime", "wss://host:8080/v1", {}),
    ],
)
def test_a_party_is_scheme_name_and_options(text: str, scheme: str, name: str, options: dict[str, str]) -> None:
    """Taken apart at the first colon and the first question mark; options are decoded."""
    assert PartySpec(text, scheme, name, options) == parse_party(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is no party: write scheme:name, such as offline:baseline"),
        ("baseline", "'baseline' is no party: write scheme:name"),
        ("offline:", "'offline:' is no party: write scheme:name"),
        (":baseline", "':baseline' is no party: write scheme:name"),
        ("offline:baseline?temperature", "'offline:baseline?temperature': options are written ?key=value&key=value"),
        ("offline:baseline?a=1&a=2", "'offline:baseline?a=1&a=2': the option 'a' is given twice"),
    ],
)
def test_what_is_no_party_is_refused(text: str, reason: str) -> None:
    """The message shows how one is written."""
    with pytest.raises(UsageError) as caught:
        parse_party(text)
    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize("role", MAKERS)
@pytest.mark.parametrize("name", ["offline:nobody", "sing:song", "offline:Baseline", "litellm-proxy:x/y"])
def test_an_unknown_party_lists_the_valid_ones(role: str, name: str) -> None:
    """Open sets are registries that refuse unknown names."""
    valid = r"(offline:\w+, )+litellm:<provider>/<model>, python:<module>:<object>"
    with pytest.raises(UsageError, match=rf"no {role} '{name}'; valid: {valid}$"):
        MAKERS[role](name)


def test_a_party_is_held_to_its_languages() -> None:
    """An offline party is refused for a language it does not speak, region or not; a user's own is taken at its word."""
    english, indian = scenario(), scenario().model_copy(update={"id": "other-call", "language": "pt-BR"})
    check_languages(DEFAULT_CALLER, DEFAULT_CANDIDATE, [english, english.model_copy(update={"language": "en-GB"})])
    check_languages("python:any:Caller", "python:any:Agent", [english, indian])
    with pytest.raises(UsageError, match="caller 'offline:scripted' cannot speak 'pt-BR', the language of scenario 'other-call'"):
        check_languages(DEFAULT_CALLER, "python:any:Agent", [english, indian])
    with pytest.raises(UsageError, match=r"or play only what it speaks with --languages en$"):
        check_languages("python:any:Caller", DEFAULT_CANDIDATE, [indian])


def test_the_offline_parties_are_made_by_name() -> None:
    """A fresh object for every attempt, which records itself under its name."""
    scene = scenario()
    assert DEFAULT_CALLER == make_caller(DEFAULT_CALLER)(scene).record().party
    assert DEFAULT_CANDIDATE == make_candidate(DEFAULT_CANDIDATE)(scene).record().party
    assert DEFAULT_JUDGE == make_judge(DEFAULT_JUDGE).record().party
    made = make_candidate(DEFAULT_CANDIDATE)
    assert made(scene) is not made(scene)


@pytest.mark.usefixtures("_module")
def test_only_the_reference_looks_at_the_scenario() -> None:
    """Every other candidate learns of the call what its view shows: it is made without any scenario."""
    nothing: Any = None
    assert DEFAULT_CANDIDATE == make_candidate(DEFAULT_CANDIDATE)(nothing).record().party
    assert "python:agents:Agent" == make_candidate("python:ringback_user_agents:Agent")(nothing).record().party
    with pytest.raises(UsageError, match=r"has no offline\.agent"):
        make_candidate("offline:reference")(scenario())


@pytest.mark.parametrize(
    ("role", "name"), [("caller", DEFAULT_CALLER), ("candidate", DEFAULT_CANDIDATE), ("judge", DEFAULT_JUDGE)]
)
def test_an_offline_party_takes_no_options(role: str, name: str) -> None:
    """An option that would be ignored is refused."""
    with pytest.raises(UsageError, match=f"{name} takes no options"):
        MAKERS[role](f"{name}?speed=2")


# -- a user's own classes --------------------------------------------------------------------------------

MODULE = '''
"""A user's own parties."""
from core.candidate import AgentTurn
from core.schemas.call_trace import PartyRecord

class Agent:
    made = 0

    def __init__(self, name="nobody"):
        Agent.made += 1
        self.name = name

    def record(self):
        return PartyRecord(party="python:agents:Agent", settings={"name": self.name})

    def open(self, view, seed):
        return AgentTurn(speech=f"This is {self.name}.")

    def respond(self, observation):
        raise ZeroDivisionError("oh dear")

class NeedsKey:
    def __init__(self, key):
        self.key = key

number = 5
'''


@pytest.fixture
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ringback_user_agents.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "ringback_user_broken.py").write_text("import does_not_exist_anywhere", encoding="utf-8")
    (tmp_path / "ringback_user_typo.py").write_text("def (", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("_module")
def test_a_users_own_class_is_made_anew_with_its_options() -> None:
    """Options become keyword arguments, and every attempt gets its own object."""
    made = make_candidate("python:ringback_user_agents:Agent?name=Rosa")
    first, second = made(scenario()), made(scenario())
    assert first is not second
    assert {"name": "Rosa"} == first.record().settings
    assert "This is Rosa." == first.open(CandidateView("", ()), 1).speech


@pytest.mark.usefixtures("_module")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ringback_user_agents", "write python:<module>:<object>"),
        ("ringback_nowhere:Agent", "cannot import 'ringback_nowhere': No module named 'ringback_nowhere'"),
        ("ringback_user_broken:Agent", "cannot import 'ringback_user_broken': No module named 'does_not_exist_anywhere'"),
        ("ringback_user_typo:Agent", "cannot import 'ringback_user_typo': invalid syntax"),
        (":Agent", "cannot import ''"),
        ("ringback_user_agents:Nobody", "module 'ringback_user_agents' has no 'Nobody'"),
        ("ringback_user_agents:number", "'number' is not callable"),
        ("ringback_user_agents:Agent?nmae=x", "got an unexpected keyword argument 'nmae'"),
        ("ringback_user_agents:NeedsKey", "missing a required argument: 'key'"),
    ],
)
@pytest.mark.parametrize("role", MAKERS)
def test_a_users_class_that_cannot_be_used_is_a_usage_error(role: str, name: str, reason: str) -> None:
    """Before any call, in one line that repeats the party."""
    with pytest.raises(UsageError) as caught:
        MAKERS[role](f"python:{name}")
    assert str(caught.value).startswith(f"'python:{name}': {reason}")
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("_module")
def test_a_users_candidate_that_raises_broke_its_protocol() -> None:
    """Its own fault, graded as it stands; what was raised is told."""
    candidate = make_candidate("python:ringback_user_agents:Agent")(scenario())
    with pytest.raises(AgentProtocolError, match="ZeroDivisionError: oh dear"):
        candidate.respond(Hearing(("Hello.",)))


@pytest.mark.parametrize("error", [AgentDisconnected("gone"), AgentProtocolError("broken"), ProviderError("HTTP 503")])
def test_a_users_candidate_may_say_whose_fault_it_was(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """The three exceptions of the seam pass as they are."""
    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: ListCandidate([turn(GREETING), error]), raising=False)
    candidate = make_candidate("python:tests.support.parties:made_for_test")(scenario())
    assert GREETING == candidate.open(CandidateView("", ()), 1).speech
    with pytest.raises(type(error), match=str(error)):
        candidate.respond(Hearing(("Hello.",)))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "answered with a NoneType, not an AgentTurn"),
        ("Hello.", "answered with a str, not an AgentTurn"),
        (AgentTurn(speech=None), "answered with a NoneType for speech, not a text"),  # type: ignore[arg-type]
        (AgentTurn(calls=[]), "answered with calls that are no tuple of ToolCall"),  # type: ignore[arg-type]
        (AgentTurn(calls=("end_call",)), "answered with calls that are no tuple of ToolCall"),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_a_users_candidate_that_answers_with_something_else_broke_its_protocol(
    answer: object, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only an AgentTurn of text and tool calls is an answer."""

    class Odd(ListCandidate):
        def open(self, view: CandidateView, seed: int) -> AgentTurn:
            return answer  # type: ignore[return-value]

    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: Odd([turn(GREETING)]), raising=False)
    with pytest.raises(AgentProtocolError, match=reason):
        make_candidate("python:tests.support.parties:made_for_test")(scenario()).open(CandidateView("", ()), 1)


def test_a_users_candidate_that_hangs_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that hung up: its own fault, by name, and whatever is asked of it then is refused at once."""
    let_go = Event()

    class Slow(ListCandidate):
        def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
            let_go.wait()
            return super().respond(observation)

    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: Slow([turn(GREETING)]), raising=False)
    made = make_candidate(USER, turn_timeout_s=0.2)(scenario())
    assert GREETING == made.open(CandidateView("", ()), 1).speech
    for reason in (r"turn_timeout: no answer within 0\.2 s", "turn_timeout: hangs since an earlier call"):
        with pytest.raises(AgentDisconnected, match=reason):
            made.respond(Hearing(("Hello?",)))
    let_go.set()


def test_a_users_class_that_hangs_when_it_is_made_is_a_usage_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before any call."""
    let_go = Event()
    monkeypatch.setattr("tests.support.parties.made_for_test", let_go.wait, raising=False)
    with pytest.raises(UsageError, match=r"cannot be made: no answer within 0\.1 s"):
        make_candidate(USER, turn_timeout_s=0.1)(scenario())
    let_go.set()


class _Counting(ListCandidate):
    """Says what it used."""

    used: object = Usage(requests=1)

    def usage(self) -> object:
        return self.used


def test_a_users_party_may_say_what_it_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is then metered as a model is; a party without the method is not."""
    made_by = [_Counting([turn(GREETING)]), ListCandidate([turn(GREETING)])]
    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: made_by.pop(0), raising=False)
    make = make_candidate(USER)
    metered, plain = make(scenario()), make(scenario())
    assert ({"candidate": Usage(requests=1)}, {}) == (usage_by_role({"candidate": metered}), usage_by_role({"candidate": plain}))


def test_what_is_used_is_told_turn_by_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """For whoever keeps it while the call goes on."""
    inner = _Counting([turn(GREETING), turn("Bye.")])
    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: inner, raising=False)
    made = make_candidate(USER)(scenario())
    told: list[Usage] = []
    assert isinstance(made, ReportingCandidate)
    made.tell(told.append)
    made.open(CandidateView("", ()), 1)
    inner.used = Usage(requests=3, cost_usd=0.5)
    made.respond(Hearing(("Hello?",)))
    assert [Usage(requests=2, cost_usd=0.5)] == told


def test_a_usage_that_is_none_is_refused_before_any_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that names the party."""
    inner = _Counting([turn(GREETING)])
    inner.used = {"requests": 1}
    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: inner, raising=False)
    with pytest.raises(UsageError, match="usage answered with a dict, not a Usage"):
        make_candidate(USER)(scenario())


# -- what they do wrong ----------------------------------------------------------------------------------


class _Broken:
    """A caller and a judge that do what they are told when they are made."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def record(self) -> PartyRecord:
        return PartyRecord(party="broken")

    def speak(self, *_arguments: object) -> Any:
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer

    judge_task = judge_conversation = speak


REPLY = '{"speech": "Hello."}'
FAULTS = [
    (ZeroDivisionError("by\nzero"), "ZeroDivisionError: by zero"),
    (SystemExit(4), "SystemExit: 4"),
    (ValueError(f"no {REPLY}"), f"ValueError: no {REPLY}"),
]


def _use(answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.parties.made_for_test", lambda: _Broken(answer), raising=False)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [*((fault, f"speak raised {told}") for fault, told in FAULTS), (None, "speak answered with a NoneType, not a str")],
    ids=repr,
)
def test_a_users_caller_that_gives_no_reply_makes_its_turn_invalid(
    answer: object, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop rejects the first attempt, whatever the exception says; the second ends the conversation with the reason."""
    _use(answer, monkeypatch)
    caller = make_caller(USER)(scenario())
    view = CallerView(scenario().caller, "en", "Latn", (PublicTurn("agent", GREETING),), ())
    with pytest.raises(ValueError, match="not valid JSON"):
        parse_reply(str(caller.speak(view, 1)))
    with pytest.raises(CallerInvalid) as caught:
        caller.speak(replace(view, rejection=("not valid JSON",)), 1)
    assert (1, f"{USER!r}: {reason}") == (caught.value.turn, str(caught.value))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        *((fault, f"raised {told}") for fault, told in FAULTS),
        ([], "answered with a list, not a tuple"),
        (("met",), "answered with a str among its Judgements"),
    ],
    ids=repr,
)
def test_a_users_judge_that_fails_is_a_provider_that_failed(answer: object, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line that names the party and the method; no grade is made."""
    _use(answer, monkeypatch)
    judge = make_judge(USER)
    for method, judged in (("judge_task", judge.judge_task), ("judge_conversation", judge.judge_conversation)):
        with pytest.raises(ProviderError) as caught:
            judged(None, 1)  # type: ignore[arg-type]
        assert f"{USER!r}: {method} {reason}" == str(caught.value)


# -- the registry ----------------------------------------------------------------------------------------


def test_a_registry_refuses_duplicates_and_prefers_the_one_party_to_its_scheme() -> None:
    """A name is one entry, with or without placeholders; a party of its own name wins over the rest of its scheme."""
    registry: PartyRegistry[str] = PartyRegistry("singer")
    registry.register("choir:<hall>", lambda spec: f"any {spec.name} {dict(spec.options)}", options=True)
    registry.register("choir:boys", lambda spec: f"one {spec.name}")
    for name in ("choir:boys", "choir:<place>"):
        with pytest.raises(UsageError, match=f"singer '{name}' is registered twice"):
            registry.register(name, lambda spec: spec.name)
    assert "one boys" == registry.make("choir:boys")
    assert "any girls {'n': '3'}" == registry.make("choir:girls?n=3")
    with pytest.raises(UsageError, match="no singer 'solo:bird'; valid: choir:<hall>, choir:boys"):
        registry.make("solo:bird")


# -- secrets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["key", "api_key", "apiKey", "APIKey", "apikey", "token", "access-token", "accesstoken"])
@pytest.mark.parametrize("value", ["hunter2", "hunter2%2B"])
def test_the_value_of_a_secret_option_is_hidden(key: str, value: str) -> None:
    """In the name as it is shown, with what comes before and after it left as it was; the party itself gets the value."""
    text = f"python:m:A?name=Rosa&{key}={value}&max_tokens=9"
    assert f"python:m:A?name=Rosa&{key}=***&max_tokens=9" == redacted(text) == parse_party(text).text
    assert value.replace("%2B", "+") == parse_party(text).options[key]


@pytest.mark.parametrize("text", ["", "runs/first", "--seed=7", "python:m:A?max_tokens=9&monkey=1&name=key", "why? key"])
def test_what_is_no_secret_is_shown(text: str) -> None:
    """Only an option whose name says that its value is a secret is touched."""
    assert text == redacted(text)


def test_a_secret_never_reaches_a_record_or_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the party writes of itself or raises, and settings whose name says that they are secret."""

    class Leaky(ListCandidate):
        def record(self) -> PartyRecord:
            return PartyRecord(party="leaky hunter2", settings={"url": ["x/hunter2"], "password": "other", "max_tokens": 9})

    class Gone(AgentDisconnected):
        def __init__(self, code: int, words: str) -> None:
            super().__init__(f"{code} {words}")

    errors = (ValueError("401 hunter2"), Gone(1006, "bye hunter2"), ProviderError("down hunter2"))
    monkeypatch.setattr("tests.support.parties.made_for_test", lambda api_key: Leaky([turn(api_key), *errors]), raising=False)
    candidate = make_candidate(f"{USER}?api_key=hunter2")(scenario())
    settings = {"url": ["x/***"], "password": "***", "max_tokens": 9}
    assert PartyRecord(party="leaky ***", settings=settings) == candidate.record()
    assert "hunter2" == candidate.open(CandidateView("", ()), 1).speech
    told = (AgentProtocolError, "ValueError: 401 ***"), (AgentDisconnected, "1006 bye ***"), (ProviderError, "down ***")
    for kind, message in told:
        with pytest.raises(kind) as raised:
            candidate.respond(Hearing(("Hello.",)))
        assert message == str(raised.value)
    with pytest.raises(UsageError) as caught:
        make_candidate(f"{USER}?api_key=hunter2&nmae=x")
    assert "hunter2" not in str(caught.value)
