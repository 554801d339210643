"""The boundary to litellm: one request, one attempt, and what became of it. Nothing else imports litellm; `wire.py` is below it.

litellm retries, caches and streams in ways an evaluation cannot use, and raises one and the same error for a server that is
broken and for an address that is wrong. So nothing of it is used but the translation of requests, and of replies that have not
OpenAI's form; every exception is told apart here, by what the server really sent and by what lies at the bottom of its causes.
"""

from __future__ import annotations

import atexit
import contextlib
import copy
import importlib.util
import inspect
import math
import queue
import re
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from typing import Any

from core.errors import MissingExtraError
from core.schemas.base import encodable
from models.chat.bodies import clean, count, read_reply, told_error, without_sound
from models.chat.reply import Answered, CallRequest, Json
from models.chat.request import reckoned_reply, reckoned_sent, recordings
from models.chat.wire import LARGEST_ANSWER, Exchange, Wire, watching

NO_KEY = "none"
"""What a server of one's own is sent where it wants no key: the library refuses to send nothing."""
SHORTEST_PAUSE_S = 0.05
"""Shortest pause of a provider that has too much to do, seconds, whatever it asks for."""
LONGEST_WAIT_S = 86_400.0
"""Longest wait of a server that is believed, seconds."""
GRACE_S = 5.0
"""How much later than its limit a reply is given up that comes in drops; a process's first request loads modules, too."""
SAID = 200
"""Characters of a server's own words that are passed on."""
_DROPPABLE = {
    "temperature": ("temperature",),
    "top_p": ("top_p", "topP"),
    "top_k": ("top_k", "topK"),
    "seed": ("seed",),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "reasoning_effort": ("reasoning_effort", "reasoning", "thinking"),
    "parallel_tool_calls": ("parallel_tool_calls",),
    "tool_choice": ("tool_choice",),
    "response_format": ("response_format", "json_schema", "responseSchema"),
}
"""Settings that a request can do without, by the names under which endpoints refuse them."""
_NOT_LISTED = ("top_k", "tool_choice")
"""What litellm's lists of settings do not tell."""
_USELESS_WAIT = re.compile(r"insufficient_quota|exceeded your current quota|billing|credit balance", re.IGNORECASE)
_MODERATED = re.compile(r"moderation|flagged|content (?:management |usage )?policy|content_policy|safety", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size|limit)|maximum (?:prompt|input|model) length|(?:prompt|input) is too long"
    r"|too many (?:input )?tokens|input tokens exceed|maximum number of tokens|`inputs` tokens|model token limit"
    r"|current length is .* while limit is",
    re.IGNORECASE,
)
"""How servers say that a conversation is longer than the model can read."""
_MISSET = re.compile(
    r"api[ _]key (?:is )?(?:not valid|invalid|expired)|(?:invalid|incorrect) api[ _]key"
    r"|model\b.{0,80}\b(?:does not exist|not found)",
    re.IGNORECASE,
)
"""How servers that answer 400 for everything say that the key or the model is wrong."""
_OVERLOADED = re.compile(r"rate.?limit|too many requests|quota", re.IGNORECASE)
_OWN_TOOL = "json_tool_call"
"""The tool by which litellm asks for JSON where a provider has no other way; its call is the reply's text."""
_PAGE = re.compile(r"<!doctype html|<html", re.IGNORECASE)
_MESSAGE = re.compile(r"[\"']message[\"']: ?([\"'])((?:(?!\1)[^\\]|\\.)+)\1")
_FRAMES = re.compile(r"^(?:litellm\.\w+: |\w+(?:Error|Timeout): |\w+Exception - )+")


@dataclass(frozen=True)
class Stop:
    """It cannot work as it is set up."""

    said: str


@dataclass(frozen=True)
class Refused:
    """This one request is refused, and would be again."""

    said: str
    moderated: bool = False
    """Whether for what was said in it."""


@dataclass(frozen=True)
class TooLong:
    """The conversation is longer than the model can read."""

    said: str


@dataclass(frozen=True)
class Again:
    """The same request may succeed later."""

    said: str
    wait_s: float | None = None
    """Seconds to wait; None where the server leaves that to us."""
    busy: bool = False
    """Whether it is too much for the provider, so that all requests have to wait."""
    late: bool = False
    """Whether no answer came in time."""

    def waiting(self, pause_s: float) -> Again:
        """The same with a wait, which is `pause_s` where the server asks for none."""
        return self if self.wait_s is not None else replace(self, wait_s=pause_s)


@dataclass(frozen=True)
class NotTaken:
    """The endpoint does not take a setting."""

    name: str
    said: str


Outcome = Answered | Stop | Refused | TooLong | Again | NotTaken


def litellm_version() -> str:
    """The installed version; raises MissingExtraError."""
    if importlib.util.find_spec("litellm") is None:
        raise MissingExtraError("litellm", "chat", "a chat model")
    return version("litellm")


def ask(request: Mapping[str, Any], *, key: str, timeout_s: float, grace_s: float = GRACE_S) -> Outcome:
    """Send one request once and wait for the reply: `timeout_s` seconds of silence, or that and `grace_s` in all.

    `request` are arguments of `litellm.completion`. The library counts the silence between two bytes only, and some providers
    send blanks to keep a connection alive, so the request runs in a thread that is left behind when it is late; it hangs up with
    the next byte.
    """
    litellm = _litellm()
    arguments = {**copy.deepcopy(dict(request)), "timeout": timeout_s, "max_retries": 0, **({"api_key": key} if key else {})}
    sound = tuple(recording.encode() for recording in recordings(request["messages"]))
    exchange = Exchange(deadline=time.monotonic() + timeout_s + grace_s, recordings=sound)
    answers: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
    threading.Thread(target=lambda: answers.put(_attempt(litellm, arguments, exchange)), daemon=True).start()
    try:
        outcome = answers.get(timeout=timeout_s + grace_s)
    except queue.Empty:
        return _late(timeout_s)
    return outcome


def unlisted(request: Mapping[str, Any]) -> tuple[str, ...]:
    """Settings of a request that its provider does not know, by litellm's list; empty for a server of one's own."""
    if "api_base" in request:
        return ()
    provider, _, model = str(request["model"]).partition("/")
    try:
        known = _litellm().get_supported_openai_params(model=model, custom_llm_provider=provider)
    except Exception:  # noqa: BLE001 - a list that cannot be read tells nothing; the request itself will
        return ()
    return tuple(name for name in _DROPPABLE if name in request and name not in (*(known or _DROPPABLE), *_NOT_LISTED))


@cache
def _litellm() -> Any:
    """The library, set up to keep to itself."""
    litellm_version()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    _wire(litellm)
    return litellm


def _wire(litellm: Any) -> None:
    """Let all requests pass through one transport."""
    import httpx
    from litellm.llms.custom_httpx.http_handler import get_ssl_configuration

    wire: Any = Wire(get_ssl_configuration())
    litellm.sync_transport = wire
    litellm.client_session = httpx.Client(transport=wire, follow_redirects=True)
    atexit.register(_hang_up, litellm, wire)


def _hang_up(litellm: Any, wire: Wire) -> None:
    """Close the connections that are kept open for the next request, and the library's clients."""
    wire.hang_up()
    for kept in tuple(litellm.in_memory_llm_clients_cache.cache_dict.values()):
        if not inspect.iscoroutinefunction(getattr(kept, "close", None)):
            with contextlib.suppress(Exception):
                kept.close()


def _attempt(litellm: Any, arguments: Mapping[str, Any], exchange: Exchange) -> Outcome:
    # The library passes on what pydantic thinks of its types, and of a server's liberties with them.
    warnings.filterwarnings("ignore", message=r"Pydantic serializer warnings|Items? '", category=UserWarning)
    outcome: Outcome
    response = None
    try:
        with watching(exchange):
            response = litellm.completion(**arguments)
        outcome = _answered(response) if response.choices else Again("no reply in the answer")
    except Exception as error:  # noqa: BLE001 - whatever it raises is told apart below
        outcome = _told_apart(error, arguments, exchange)
    outcome = _as_it_came(outcome, arguments, exchange)
    if isinstance(outcome, Answered) and exchange.recordings and not exchange.carried:
        return Stop("takes no recordings: they are left out of what is sent to this provider")
    return _reckoned(litellm, response, outcome, arguments) if isinstance(outcome, Answered) else outcome


def _as_it_came(outcome: Outcome, arguments: Mapping[str, Any], exchange: Exchange) -> Outcome:
    """What the server really answered, where that can be read without the library."""
    if exchange.too_large:
        return Again(f"an answer of more than {LARGEST_ANSWER // 2**20} MiB")
    if exchange.repeated and exchange.status >= 300:
        return _by_status(exchange.status, _words(exchange.body, exchange.secrets), exchange.headers, arguments)
    if not 200 <= exchange.status < 300:
        return outcome
    reply = read_reply(exchange.body)
    if reply is not None and not any(call.name == _OWN_TOOL for call in reply.tool_calls):
        return reply
    told = told_error(exchange.body)
    return outcome if told is None else _inside(*told, arguments, exchange)


def _inside(words: str, code: object, arguments: Mapping[str, Any], exchange: Exchange) -> Outcome:
    """An error that came as a success."""
    said = _words(words, exchange.secrets)
    if str(code).isdecimal() and 400 <= int(str(code)) < 600:
        return _by_status(int(str(code)), said, exchange.headers, arguments)
    busy = _OVERLOADED.search(f"{code} {said}") is not None
    return _by_status(429, said, exchange.headers, arguments) if busy else Again(said, _retry_after(exchange.headers))


def _answered(response: Any) -> Answered:
    """The library's own reading."""
    choice = response.choices[0]
    message: Json = without_sound(clean({"content": "", **choice.message.model_dump(mode="json", exclude_none=True)}))
    calls = tuple(
        CallRequest(id=call["id"], name=call["function"].get("name") or "", arguments=call["function"].get("arguments") or "")
        for call in message.get("tool_calls", ())
    )
    usage = getattr(response, "usage", None)
    return Answered(
        text=message["content"],
        tool_calls=calls,
        finish_reason=str(choice.finish_reason or ""),
        message={**message, "role": "assistant"},
        prompt_tokens=count(getattr(usage, "prompt_tokens", None)),
        completion_tokens=count(getattr(usage, "completion_tokens", None)),
    )


def _reckoned(litellm: Any, response: Any, answered: Answered, arguments: Mapping[str, Any]) -> Answered:
    """The reply with its listed price and, where the endpoint did not count its tokens, with a reckoning of them."""
    known: dict[str, Any] = {"counted": answered.prompt_tokens > 0}
    if not known["counted"]:
        written = "".join([answered.text, *(call.arguments for call in answered.tool_calls)])
        known |= {"prompt_tokens": reckoned_sent(arguments), "completion_tokens": reckoned_reply(written)}
        response = None
    made = answered.model_copy(update=known)
    return made.model_copy(update={"listed_cost": _listed_cost(litellm, response, made, arguments)})


def _listed_cost(litellm: Any, response: Any, answered: Answered, arguments: Mapping[str, Any]) -> float | None:
    """What litellm's price list makes of it; None for a server of one's own and for a model without a price."""
    if "api_base" in arguments:
        return None
    model = arguments["model"]
    try:
        if response is not None:
            cost = float(litellm.completion_cost(completion_response=response, model=model))
        else:
            cost = float(
                sum(
                    litellm.cost_per_token(
                        model=model,
                        prompt_tokens=answered.prompt_tokens,
                        completion_tokens=answered.completion_tokens,
                    )
                )
            )
    except Exception:  # noqa: BLE001 - a model that is not on the list is told by more than one kind of exception
        return None
    return cost if cost > 0 else None


def _told_apart(error: Exception, arguments: Mapping[str, Any], exchange: Exchange) -> Outcome:
    import httpx
    import litellm

    causes = tuple(_causes(error))
    said = _words(str(error), (str(arguments.get("api_key", "")), *exchange.secrets))
    if any(isinstance(cause, httpx.TimeoutException) for cause in causes):
        return _late(float(arguments["timeout"]))
    if any(isinstance(cause, httpx.ConnectError | httpx.UnsupportedProtocol | httpx.InvalidURL) for cause in causes):
        return Stop(f"cannot be reached: {_words(str(causes[-1]), ())}")
    if any(isinstance(cause, httpx.TooManyRedirects) for cause in causes):
        return Stop("sends requests from one address to the next without end")
    if any(isinstance(cause, httpx.TransportError) for cause in causes):
        return Again("the connection broke")
    if isinstance(error, litellm.ContextWindowExceededError):
        return TooLong(said)
    if isinstance(error, litellm.ContentPolicyViolationError):
        return Refused(f"refused by the provider's own moderation: {said}", moderated=True)
    answer = next((cause.response for cause in causes if isinstance(cause, httpx.HTTPStatusError)), None)
    if answer is not None and answer.status_code >= 300:
        useless = answer.status_code == 429 and _USELESS_WAIT.search(exchange.body)
        return Stop(f"429: {said}") if useless else _by_status(answer.status_code, said, answer.headers, arguments)
    return _without_answer(error, said, arguments)


def _without_answer(error: Any, said: str, arguments: Mapping[str, Any]) -> Outcome:
    """What the library made up itself: nothing was sent, or the server's success could not be read."""
    import litellm

    if isinstance(error, litellm.AuthenticationError) or "credentials" in said or "LLM Provider NOT provided" in said:
        return Stop(said)
    if _PAGE.search(str(error)):
        return Stop("answered with a web page: the address is not that of a chat endpoint")
    status = getattr(error, "status_code", None)
    if status in (400, 429, 502, 503, 504):
        return _by_status(status, said, {}, arguments)
    return Again("a broken answer")


def _by_status(status: int, said: str, headers: Mapping[str, str], arguments: Mapping[str, Any]) -> Outcome:
    if status in (400, 413, 422):
        if _TOO_LONG.search(said):
            return TooLong(said)
        if _MISSET.search(said):
            return Stop(f"{status}: {said}")
        named = _named(said, arguments)
        return NotTaken(named, said) if named else Refused(f"{status}: {said}", moderated=bool(_MODERATED.search(said)))
    if status == 403 and _MODERATED.search(said):
        return Refused(f"refused by the provider's own moderation: {said}", moderated=True)
    if 300 <= status < 400:
        return Stop(f"{status}: sends requests elsewhere, to {headers.get('location', 'nowhere')}")
    if status in (401, 402, 403, 404, 405, 410) or (status == 429 and _USELESS_WAIT.search(said)):
        return Stop(f"{status}: {said}")
    if status == 429:
        return Again("429: too many requests", _retry_after(headers), busy=True)
    return Again(f"{status}: {said}", _retry_after(headers))


def _late(timeout_s: float) -> Again:
    return Again(f"no answer within {timeout_s:g} s", late=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and what lies below it, the deepest last."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _words(text: str, keys: Iterable[str]) -> str:
    """What a server or a library said, in one short line without the library's frames and without the keys."""
    quoted = _MESSAGE.search(text)
    line = _FRAMES.sub("", " ".join((quoted[2] if quoted else text.partition("Traceback")[0]).split()))
    for key in keys:
        line = line.replace(key, "***") if len(key) > len(NO_KEY) else line
    return encodable(line[:SAID]) or "nothing"


def _named(said: str, arguments: Mapping[str, Any]) -> str | None:
    """The setting of the request that a refusal names first: what comes after is often what to do instead."""
    found: list[tuple[int, str]] = []
    for name in _DROPPABLE.keys() & arguments.keys():
        place = re.search(rf"(?<!\w)(?:{'|'.join(_DROPPABLE[name])})(?!\w)", said)
        found += [(place.start(), name)] if place else []
    return min(found)[1] if found else None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a server asks us to wait, given as a number or as a date."""
    asked = headers.get("retry-after", "").strip()
    for text, seconds in ((headers.get("retry-after-ms", ""), 0.001), (asked, 1.0)):
        with contextlib.suppress(ValueError):
            return min(max(0.0, float(text) * seconds), LONGEST_WAIT_S)
    try:
        moment = parsedate_to_datetime(asked)
    except ValueError:
        return None
    # Without a zone it is UTC, as HTTP's dates are.
    left = (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    return float(min(max(0, math.ceil(left)), LONGEST_WAIT_S))
