"""Parties by name: `scheme:name?key=value&...` to something that calls, answers or judges."""

from __future__ import annotations

import importlib
import inspect
import logging
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

from core.caller import Caller, CallerView
from core.candidate import (
    AgentDisconnected,
    AgentProtocolError,
    AgentTurn,
    Candidate,
    CandidateView,
    Hearing,
    ToolAnswers,
)
from core.errors import RingbackError, UsageError
from core.grading.judges import Judge
from core.grading.views import ConversationView, TaskView
from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.grade import Judgement
from core.schemas.scenario import Scenario
from gateway.defaults import DEFAULT_CALLER, DEFAULT_CANDIDATE, DEFAULT_JUDGE

log = logging.getLogger("ringback.gateway.parties")
_T = TypeVar("_T")


class UserParty:
    """A user's own object: it has the methods of its role, and whatever else it does wrong is said in one line."""

    def __init__(self, text: str, inner: object, *methods: str) -> None:
        missing = [name for name in ("record", *methods) if not callable(getattr(inner, name, None))]
        if missing:
            raise UsageError(f"{text!r}: a {type(inner).__name__} has no method {', '.join(missing)}")
        self._text = text
        self._user: Any = inner

    def record(self) -> PartyRecord:
        """The inner party's record."""
        return self._ask("record", PartyRecord)

    def _ask(self, method: str, kind: type[_T], *arguments: object) -> _T:
        """What a method answers, which must be a `kind`; an exception of its own stops the run as a usage error."""
        try:
            answer = getattr(self._user, method)(*arguments)
        except RingbackError:
            raise
        except Exception as error:
            raise UsageError(f"{self._text!r}: {method} raised {type(error).__name__}: {error}") from error
        if not isinstance(answer, kind):
            raise UsageError(f"{self._text!r}: {method} answered with a {type(answer).__name__}, not a {kind.__name__}")
        return answer


class UserCaller(UserParty):
    """A user's own caller."""

    def speak(self, view: CallerView, seed: int) -> str:
        """The inner caller's reply."""
        return self._ask("speak", str, view, seed)


class UserJudge(UserParty):
    """A user's own judge."""

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        """The inner judge's labels."""
        return self._ask("judge_task", tuple, view, seed)

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        """The inner judge's ratings and labels."""
        return self._ask("judge_conversation", tuple, view, seed)


class UserCandidate(UserParty):
    """A user's own candidate, whose unexpected exceptions are its own fault: the call ends as `protocol_error`, graded."""

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """The inner candidate's first turn."""
        return self._guarded(lambda: self._user.open(view, seed))

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The inner candidate's next turn."""
        return self._guarded(lambda: self._user.respond(observation))

    def _guarded(self, turn: Callable[[], AgentTurn]) -> AgentTurn:
        try:
            made = turn()
        except (RingbackError, AgentDisconnected, AgentProtocolError):
            raise
        except Exception as error:
            log.warning("the candidate raised %s: %s", type(error).__name__, error, exc_info=log.isEnabledFor(logging.DEBUG))
            raise AgentProtocolError(f"{type(error).__name__}: {error}") from error
        if not isinstance(made, AgentTurn):
            raise AgentProtocolError(f"answered with a {type(made).__name__}, not an AgentTurn")
        # A user's code need not be typed, so what its types promise is looked at.
        speech, calls = cast(object, made.speech), cast(object, made.calls)
        if not isinstance(speech, str):
            raise AgentProtocolError(f"answered with a {type(speech).__name__} for speech, not a text")
        if not isinstance(calls, tuple) or not all(isinstance(call, ToolCall) for call in calls):
            raise AgentProtocolError("answered with calls that are no tuple of ToolCall")
        return made


@dataclass(frozen=True)
class PartySpec:
    """A party as named on the command line."""

    text: str
    """The whole name."""
    scheme: str
    """What comes before the colon."""
    name: str
    """What comes after it."""
    options: Mapping[str, str]
    """Options after the question mark."""


def parse_party(text: str) -> PartySpec:
    """Take a party's name apart; raises UsageError."""
    head, _, query = text.partition("?")
    scheme, colon, name = head.partition(":")
    if not colon or not scheme or not name:
        raise UsageError(f"{text!r} is no party: write scheme:name, such as {DEFAULT_CANDIDATE}")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query))
    except ValueError:
        raise UsageError(f"{text!r}: options are written ?key=value&key=value") from None
    for place, (key, _) in enumerate(pairs):
        if key in dict(pairs[:place]):
            raise UsageError(f"{text!r}: the option {key!r} is given twice")
    return PartySpec(text, scheme, name, dict(pairs))


def make_caller(text: str) -> Callable[[Scenario], Caller]:
    """A factory of callers; raises UsageError for an unknown party."""
    spec = parse_party(text)
    if spec.scheme == "python":
        made = _user_factory(spec)
        return lambda _scenario: UserCaller(spec.text, made(), "speak")
    _known(spec, "caller", {DEFAULT_CALLER})
    from models.parties.scripted import ScriptedCaller

    return lambda scenario: ScriptedCaller(scenario.offline)


def make_candidate(text: str) -> Callable[[], Candidate]:
    """A factory of candidates; raises UsageError for an unknown party."""
    spec = parse_party(text)
    if spec.scheme == "python":
        made = _user_factory(spec)
        return lambda: UserCandidate(spec.text, made(), "open", "respond")
    _known(spec, "candidate", {DEFAULT_CANDIDATE})
    from models.parties.baseline.candidate import BaselineCandidate

    return BaselineCandidate


def make_judge(text: str) -> Judge:
    """A judge; raises UsageError for an unknown party."""
    spec = parse_party(text)
    if spec.scheme == "python":
        return UserJudge(spec.text, _user_factory(spec)(), "judge_task", "judge_conversation")
    _known(spec, "judge", {DEFAULT_JUDGE})
    from models.parties.rules import RulesJudge

    return RulesJudge()


def _known(spec: PartySpec, role: str, names: set[str]) -> None:
    if f"{spec.scheme}:{spec.name}" not in names:
        valid = ", ".join([*sorted(names), "python:<module>:<object>"])
        raise UsageError(f"no {role} {spec.text!r}; valid: {valid}")
    if spec.options:
        raise UsageError(f"{spec.text!r}: {spec.scheme}:{spec.name} takes no options")


def _user_factory(spec: PartySpec) -> Callable[[], object]:
    """A user's own class or factory, called with the options as keywords for every attempt."""
    module_name, colon, attribute = spec.name.partition(":")
    if not colon:
        raise UsageError(f"{spec.text!r}: write python:<module>:<object>")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)  # where a user's own module most often lies; last, so that it hides nothing
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise UsageError(f"{spec.text!r}: cannot import {module_name!r}: {error}") from error
    made = getattr(module, attribute, None)
    if made is None:
        raise UsageError(f"{spec.text!r}: module {module_name!r} has no {attribute!r}")
    if not callable(made):
        raise UsageError(f"{spec.text!r}: {attribute!r} is not callable")
    try:
        inspect.signature(made).bind(**spec.options)
    except TypeError as error:
        raise UsageError(f"{spec.text!r}: {error}") from None

    def make() -> object:
        try:
            return made(**spec.options)
        except Exception as error:
            raise UsageError(f"{spec.text!r}: cannot be made: {type(error).__name__}: {error}") from error

    return make
