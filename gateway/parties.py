"""Parties by name: `scheme:name?key=value&...` to something that calls, answers or judges. A new party is one entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from core.caller import Caller
from core.candidate import Candidate
from core.grading.judges import Judge
from core.grading.panel import Panel
from core.own_thread import LIMIT_S
from core.schemas.bundle import Agent
from core.schemas.scenario import Scenario
from gateway.defaults import DEFAULT_CALLER, DEFAULT_CANDIDATE, DEFAULT_JUDGE, JUDGES_JOIN
from gateway.party_registry import PartyRegistry
from gateway.party_spec import PartySpec
from gateway.settings import chat_access
from gateway.user_parties import user_caller, user_candidate, user_factory, user_judge
from models.parties.manners import LANGUAGES

if TYPE_CHECKING:
    from models.chat.author import ChatAuthor
    from models.chat.client import ChatClient
    from models.chat.settings import Role

MakeCaller = Callable[[Scenario], Caller]
MakeCandidate = Callable[[Scenario], Candidate]
MakeAuthor: TypeAlias = "Callable[[Agent, str], ChatAuthor]"
USER_PARTY = "python:<module>:<object>"
CHAT_PARTY = "litellm:<provider>/<model>"


def make_caller(text: str) -> MakeCaller:
    """A factory of callers, one for each attempt at a call; raises UsageError for an unknown party."""
    return CALLERS.make(text)


def make_candidate(text: str, turn_timeout_s: float = LIMIT_S) -> MakeCandidate:
    """A factory of candidates, one for each attempt at a call; raises UsageError for an unknown party.

    A class of a user's has `turn_timeout_s` seconds for each turn; the others have limits of their own.
    """
    return CANDIDATES.make(text, turn_timeout_s)


def check_languages(caller: str, candidate: str, scenarios: Iterable[Scenario]) -> None:
    """Refuse, before any call, parties that cannot speak the language of a scenario; raises UsageError."""
    spoken: dict[str, str] = {}
    for scenario in scenarios:
        spoken.setdefault(scenario.language, scenario.id)
    CALLERS.check_languages(caller, spoken)
    CANDIDATES.check_languages(candidate, spoken)


def make_judge(text: str) -> Judge:
    """A judge, or several with ` + ` between them, which vote; raises UsageError for an unknown party."""
    made = [JUDGES.make(name) for name in text.split(JUDGES_JOIN)]
    members = [member for judge in made for member in (judge.members if isinstance(judge, Panel) else (judge,))]
    return made[0] if len(members) == 1 else Panel(members)


def make_author(text: str, agent: Agent, template: str) -> ChatAuthor:
    """Who writes scenarios for an agent; raises UsageError for an unknown party."""
    return AUTHORS.make(text)(agent, template)


def _scripted(_spec: PartySpec) -> MakeCaller:
    from models.parties.scripted import ScriptedCaller

    return lambda scenario: ScriptedCaller(scenario.offline)


def _baseline(_spec: PartySpec) -> MakeCandidate:
    from models.parties.baseline.candidate import BaselineCandidate

    return lambda _scenario: BaselineCandidate()


def _reference(_spec: PartySpec) -> MakeCandidate:
    from models.parties.reference import ReferenceCandidate

    return ReferenceCandidate


def _rules(_spec: PartySpec) -> Judge:
    from models.parties.rules import RulesJudge

    return RulesJudge()


def chat_client(spec: PartySpec, role: Role) -> ChatClient:
    """The client of a chat party with its key; raises UsageError for options that the role cannot take."""
    from models.chat.client import ChatClient
    from models.chat.settings import chat_settings

    settings = chat_settings(spec.name, spec.options, spec.text, role)
    return ChatClient(settings, chat_access(settings))


def _chat_caller(spec: PartySpec) -> MakeCaller:
    from models.chat.caller import ChatCaller

    client = chat_client(spec, "caller")
    return lambda _scenario: ChatCaller(client)


def _chat_candidate(spec: PartySpec) -> MakeCandidate:
    from models.chat.candidate import ChatCandidate

    client = chat_client(spec, "candidate")
    return lambda _scenario: ChatCandidate(client)


def _chat_judge(spec: PartySpec) -> Judge:
    from models.chat.judge import ChatJudge, judge_settings

    settings = judge_settings(spec.options, spec.text)
    judge = ChatJudge(chat_client(spec, "judge"), settings)
    return judge if settings.votes == 1 else Panel([judge] * settings.votes)


def _chat_author(spec: PartySpec) -> MakeAuthor:
    from models.chat.author import ChatAuthor

    client = chat_client(spec, "caller")  # an author takes the settings that a caller takes
    return lambda agent, template: ChatAuthor(client, agent, template)


def _user_caller(spec: PartySpec) -> MakeCaller:
    made = user_factory(spec)
    return lambda _scenario: user_caller(spec, made)


def _user_candidate(spec: PartySpec) -> MakeCandidate:
    made = user_factory(spec)
    return lambda _scenario: user_candidate(spec, made, spec.turn_timeout_s)


def _user_judge(spec: PartySpec) -> Judge:
    return user_judge(spec, user_factory(spec))


CALLERS: PartyRegistry[MakeCaller] = PartyRegistry("caller")
CALLERS.register(DEFAULT_CALLER, _scripted, languages=LANGUAGES)
CALLERS.register(CHAT_PARTY, _chat_caller, options=True)
CALLERS.register(USER_PARTY, _user_caller, options=True)

CANDIDATES: PartyRegistry[MakeCandidate] = PartyRegistry("candidate")
CANDIDATES.register(DEFAULT_CANDIDATE, _baseline, languages=("en",))
CANDIDATES.register("offline:reference", _reference)
CANDIDATES.register(CHAT_PARTY, _chat_candidate, options=True)
CANDIDATES.register(USER_PARTY, _user_candidate, options=True)

JUDGES: PartyRegistry[Judge] = PartyRegistry("judge")
JUDGES.register(DEFAULT_JUDGE, _rules)
JUDGES.register(CHAT_PARTY, _chat_judge, options=True)
JUDGES.register(USER_PARTY, _user_judge, options=True)

AUTHORS: PartyRegistry[MakeAuthor] = PartyRegistry("author")
AUTHORS.register(CHAT_PARTY, _chat_author, options=True)
