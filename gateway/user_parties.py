"""`python:<module>:<object>`: a user's own caller, candidate, judge or detector, held to what its role promises.

A class that cannot be made or lacks a method is refused before any call. After that a candidate's exceptions are its own
fault and graded, a caller's make its turn invalid, a judge's leave the call ungraded, and a detector's are no answer to that
call: each in one line that names the party.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import sys
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from core.caller import CallerInvalid, CallerView
from core.candidate import (
    AgentDisconnected,
    AgentProtocolError,
    AgentTurn,
    CandidateView,
    Hearing,
    ToolAnswers,
)
from core.errors import ContextOverflowError, OperatorError, ProviderError, RefusedError, RingbackError, UsageError
from core.grading.views import ConversationView, TaskView
from core.own_thread import LateError, OwnThread
from core.schemas.base import encodable, is_json
from core.schemas.call_trace import PartyRecord, RejectedAttempt, ToolCall
from core.schemas.detections import DetectionError, InputMode
from core.schemas.grade import Judgement
from core.schemas.usage import Usage
from core.snapshots.detector import Given, Said
from gateway.party_spec import PartySpec

log = logging.getLogger("ringback.gateway.user_parties")
_T = TypeVar("_T")
_FAULTS = (Exception, SystemExit)
"""What a user's code may raise and does not end the command."""
_OWN_WORDS = (AgentDisconnected, AgentProtocolError, ProviderError)
_NO_ANSWER = (ContextOverflowError, RefusedError, TimeoutError, ProviderError)
"""By which a detector says why it has no answer, the narrower ones first."""
"""By which a party says whose fault it was; their words are written into traces and journals."""


class UserParty:
    """A user's own object, which has the methods of its role."""

    def __init__(self, spec: PartySpec, inner: object, *methods: str) -> None:
        missing = [name for name in ("record", *methods) if not callable(getattr(inner, name, None))]
        if missing:
            raise UsageError(f"{spec.text!r}: a {type(inner).__name__} has no method {', '.join(missing)}")
        self._spec = spec
        self._user: Any = inner

    def record(self) -> PartyRecord:
        """The inner party's record, without secrets."""
        made = self._ask("record", PartyRecord, UsageError)
        return PartyRecord.model_validate(self._spec.hide(made.to_json()))

    def _ask(self, method: str, kind: type[_T], error: type[RingbackError], *arguments: object) -> _T:
        """What a method answers, which must be a `kind`; whatever else happens is an `error` of one line."""
        try:
            answer = self._call(method, *arguments)
        except ProviderError as own:
            raise _without_secrets(self._spec, own) from own
        except RingbackError:
            raise
        except _FAULTS as fault:
            raise error(f"{self._spec.text!r}: {method} raised {_told(self._spec, fault)}") from fault
        if not isinstance(answer, kind):
            raise error(f"{self._spec.text!r}: {method} answered with a {type(answer).__name__}, not a {kind.__name__}")
        return answer

    def _call(self, method: str, *arguments: object) -> Any:
        """What the user's method gives back or raises."""
        return getattr(self._user, method)(*arguments)

    def _hangs(self) -> bool:
        """Whether it was left behind and is not to be asked any more."""
        return False


class _Reports(UserParty):
    """A user's own object that says what it used."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._known = Usage()
        self._listeners: list[Callable[[Usage], None]] = []
        self.usage()  # so that one that reports something else is refused before any call

    def usage(self) -> Usage:
        """What it says that it used since it was made, and of one that hangs what it said last; raises UsageError."""
        if not self._hangs():
            self._known = self._ask("usage", Usage, UsageError)
        return self._known

    def tell(self, told: Callable[[Usage], None]) -> None:
        """Tell `told` of what is used from now on, after every turn and judgement."""
        self._listeners.append(told)

    def _call(self, method: str, *arguments: object) -> Any:
        if method in ("record", "usage") or not self._listeners:
            return super()._call(method, *arguments)
        before = self._known
        try:
            return super()._call(method, *arguments)
        finally:
            used = self.usage().since(before)
            for told in self._listeners if used != Usage() else ():
                told(used)


class _CallerFailed(RingbackError):
    """A user's caller gave no reply."""


class UserCaller(UserParty):
    """A user's own caller; a turn in which it raises is invalid like one in which it replies with nonsense."""

    def speak(self, view: CallerView, seed: int) -> str:
        """The inner caller's reply. Where it gives none: a text that is rejected, then CallerInvalid with the reason."""
        try:
            return self._ask("speak", str, _CallerFailed, view, seed)
        except _CallerFailed as error:
            log.info("%s", error, exc_info=log.isEnabledFor(logging.DEBUG))
            raw = str(error).replace("{", "(")  # no brace, so that nothing in it can be read as a reply
            if not view.rejection:
                return raw
            turn = 1 + sum(said.speaker == "caller" for said in view.conversation)
            raise CallerInvalid(turn, (RejectedAttempt(raw=raw, reasons=(str(error),)),)) from error


class UserJudge(UserParty):
    """A user's own judge; where it fails no grade is made, since a judge that fails says nothing about the call."""

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        """The inner judge's labels; raises ProviderError."""
        return self._judged("judge_task", view, seed)

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        """The inner judge's ratings and labels; raises ProviderError."""
        return self._judged("judge_conversation", view, seed)

    def _judged(self, method: str, view: TaskView | ConversationView, seed: int) -> tuple[Judgement, ...]:
        answer: tuple[object, ...] = self._ask(method, tuple, ProviderError, view, seed)
        odd = next((item for item in answer if not isinstance(item, Judgement)), None)
        if odd is not None:
            raise ProviderError(f"{self._spec.text!r}: {method} answered with a {type(odd).__name__} among its Judgements")
        return cast(tuple[Judgement, ...], answer)


class ReportingCaller(_Reports, UserCaller):
    """One that says what it used."""


class ReportingJudge(_Reports, UserJudge):
    """One that says what it used."""


class UserCandidate(UserParty):
    """A user's own candidate, whose unexpected exceptions are its own fault: the call ends as `protocol_error`, graded.

    One that does not answer in time is gone, as one that hung up: the call ends as `agent_disconnected`.
    """

    def __init__(self, spec: PartySpec, inner: object, own: OwnThread, limit_s: float) -> None:
        self._own = own
        self._limit_s = limit_s
        super().__init__(spec, inner, "open", "respond")

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """The inner candidate's first turn."""
        return self._guarded("open", view, seed)

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The inner candidate's next turn."""
        return self._guarded("respond", observation)

    def _call(self, method: str, *arguments: object) -> Any:
        return self._own.run(partial(getattr(self._user, method), *arguments), self._limit_s)

    def _hangs(self) -> bool:
        return self._own.late

    def _guarded(self, method: str, *arguments: object) -> AgentTurn:
        try:
            made = self._call(method, *arguments)
        except LateError as late:
            raise AgentDisconnected(f"turn_timeout: {late}") from late
        except _OWN_WORDS as own:
            raise _without_secrets(self._spec, own) from own
        except RingbackError:
            raise
        except _FAULTS as fault:
            told = _told(self._spec, fault)
            log.warning("the candidate raised %s", told, exc_info=log.isEnabledFor(logging.DEBUG))
            raise AgentProtocolError(told) from fault
        if not isinstance(made, AgentTurn):
            raise AgentProtocolError(f"answered with a {type(made).__name__}, not an AgentTurn")
        # A user's code need not be typed, so what its types promise is looked at.
        speech, calls = cast(object, made.speech), cast(object, made.calls)
        if not isinstance(speech, str):
            raise AgentProtocolError(f"answered with a {type(speech).__name__} for speech, not a text")
        if not isinstance(calls, tuple) or not all(isinstance(call, ToolCall) for call in calls):
            raise AgentProtocolError("answered with calls that are no tuple of ToolCall")
        return made


class ReportingCandidate(_Reports, UserCandidate):
    """One that says what it used."""


class UserDetector(UserParty):
    """A user's own detector. What it raises about a call is no answer to that call, and the next one is asked about.

    One that hangs is left behind with its thread, and another one is made for the next call.
    """

    waits = False
    """Asked about one call at a time, since nobody says that its code may be shared by threads."""

    def __init__(self, spec: PartySpec, make: Callable[[], object], limit_s: float) -> None:
        self._make = make
        self._limit_s = limit_s
        self._begin(spec)
        self.modes = self._read_modes()

    def detect(self, given: Given, seed: int) -> Said:
        """The inner detector's answer, a text or a Said.

        Raises:
            RefusedError, TimeoutError, ProviderError: there is none.
            OperatorError: it hung, and cannot be made again.
        """
        if self._own.late:
            self._begin(self._spec)
        try:
            made = self._own.run(partial(self._user.detect, given, seed), self._limit_s)
        except LateError as late:
            raise TimeoutError(f"{self._spec.text!r}: {late}") from late
        except _NO_ANSWER as own:
            plain = next(kind for kind in _NO_ANSWER if isinstance(own, kind))
            raise plain(_line(self._spec, own)) from own
        except RingbackError:
            raise
        except _FAULTS as fault:
            log.info("the detector raised %s", _told(self._spec, fault), exc_info=log.isEnabledFor(logging.DEBUG))
            raise ProviderError(f"{self._spec.text!r}: detect raised {_told(self._spec, fault)}") from fault
        return self._said(made)

    def _begin(self, spec: PartySpec) -> None:
        self._own = OwnThread()
        try:
            super().__init__(spec, self._own.run(self._make, self._limit_s), "detect")
        except LateError as late:
            raise OperatorError(f"{spec.text!r}: cannot be made: {late}") from late

    def _call(self, method: str, *arguments: object) -> Any:
        return self._own.run(partial(getattr(self._user, method), *arguments), self._limit_s)

    def _read_modes(self) -> frozenset[InputMode]:
        said, valid = getattr(self._user, "modes", None), ", ".join(InputMode)
        try:
            modes = frozenset(InputMode(mode) for mode in (said if isinstance(said, Collection) else ()))
        except ValueError:
            modes = frozenset()
        if not modes or isinstance(said, str):
            raise UsageError(f"{self._spec.text!r}: its modes are {said!r}: name some of {valid}, as in modes = ('asr',)")
        return modes

    def _said(self, made: object) -> Said:
        """The answer; a user's code need not be typed, so what its types promise is looked at."""
        said = Said(made) if isinstance(made, str) else made
        if not isinstance(said, Said) or not isinstance(cast(object, said.raw), str):
            raise ProviderError(f"{self._spec.text!r}: detect answered with a {type(made).__name__}, neither a text nor a Said")
        score = cast(object, said.score)
        if score is not None and not (isinstance(score, (int, float)) and 0 <= score <= 1):
            raise ProviderError(f"{self._spec.text!r}: detect answered with a score of {score!r}, which is not between 0 and 1")
        if (odd := _odd_part(said)) is not None:
            raise ProviderError(f"{self._spec.text!r}: detect answered with {odd}")
        return said


def _odd_part(said: Said) -> str | None:
    """What of an answer is not of its promised type, or cannot be written down; None where all is."""
    attempts, error, usage = cast(object, said.attempts), cast(object, said.error), cast(object, said.usage)
    if not isinstance(attempts, tuple) or not all(isinstance(each, str) for each in attempts):
        return f"attempts {_brief(attempts)}, which are no tuple of texts"
    if error is not None and error not in tuple(DetectionError):
        return f"an error {_brief(error)}, which is none of {', '.join(DetectionError)}"
    if usage is not None and not isinstance(usage, Usage):
        return f"a usage {_brief(usage)}, which is no Usage"
    return next((f"{_brief(text)}, which is no Unicode text" for text in (said.raw, *said.attempts) if not is_json(text)), None)


def _brief(value: object) -> str:
    """A value of a user's in so few letters that a line holds it."""
    return ascii(value)[:80]


def user_caller(spec: PartySpec, make: Callable[[], object]) -> UserCaller:
    """A user's own caller; raises UsageError."""
    inner = make()
    return (ReportingCaller if _reports(inner) else UserCaller)(spec, inner, "speak")


def user_candidate(spec: PartySpec, make: Callable[[], object], limit_s: float) -> UserCandidate:
    """A user's own candidate, made and asked in a thread of its own, with `limit_s` seconds for each; raises UsageError."""
    own = OwnThread()
    try:
        inner = own.run(make, limit_s)
    except LateError as late:
        raise UsageError(f"{spec.text!r}: cannot be made: {late}") from late
    return (ReportingCandidate if _reports(inner) else UserCandidate)(spec, inner, own, limit_s)


def user_detector(spec: PartySpec, make: Callable[[], object], limit_s: float) -> UserDetector:
    """A user's own detector, made and asked in a thread of its own, with `limit_s` seconds for each; raises UsageError."""
    return UserDetector(spec, make, limit_s)


def user_judge(spec: PartySpec, make: Callable[[], object]) -> UserJudge:
    """A user's own judge; raises UsageError."""
    inner = make()
    return (ReportingJudge if _reports(inner) else UserJudge)(spec, inner, "judge_task", "judge_conversation")


def _reports(inner: object) -> bool:
    return callable(getattr(inner, "usage", None))


def user_factory(spec: PartySpec) -> Callable[[], object]:
    """A user's own class or factory, called with the options as keywords for every attempt; raises UsageError."""
    module_name, colon, attribute = spec.name.partition(":")
    if not colon:
        raise UsageError(f"{spec.text!r}: write python:<module>:<object>")
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.append(folder)  # where a user's own module most often lies; last, so that it hides nothing
    try:
        module = importlib.import_module(module_name)
    except _FAULTS as error:
        raise UsageError(f"{spec.text!r}: cannot import {module_name!r}: {_line(spec, error)}") from error
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
        except RingbackError:
            raise
        except _FAULTS as error:
            raise UsageError(f"{spec.text!r}: cannot be made: {_told(spec, error)}") from error

    return make


def _without_secrets(spec: PartySpec, own: Exception) -> Exception:
    """The same fault in one line without secrets; of the plain class, since a user's may be made in other ways."""
    plain = next(kind for kind in _OWN_WORDS if isinstance(own, kind))
    return plain(_line(spec, own))


def _told(spec: PartySpec, fault: BaseException) -> str:
    """What was raised, on one line."""
    return f"{type(fault).__name__}: {_line(spec, fault)}"


def _line(spec: PartySpec, fault: BaseException) -> str:
    return encodable(" ".join(str(spec.hide(str(fault))).split()))
