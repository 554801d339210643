"""A speech server of others, spoken to over HTTP: tried again where that may help, its failures in our words.

The only place that knows the key. It goes into one header and nowhere else: no signature, message or log holds it.
"""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass, field
from typing import Any

from core.errors import OperatorError, ProviderError
from speech import extras

log = logging.getLogger("ringback.speech.endpoint")

SUCCESS = range(200, 300)
TRIED_AGAIN = (408, 429, *range(500, 600))
"""Answers after which the same request may succeed."""
LONGEST_WAIT_S = 60.0
"""Longest wait that a server may ask for, seconds."""
FIRST_PAUSE_S = 0.5
"""Pause before the second attempt where the server asks for none; it doubles with each further one."""
LARGEST_ANSWER = 64 * 2**20
"""Bytes."""
SAID = 200
"""Characters of a server's own complaint that are passed on."""
SETTINGS = "RINGBACK_SPEECH_URL and RINGBACK_SPEECH_KEY"


@dataclass(frozen=True)
class Endpoint:
    """Where a speech server is and how patient we are with it."""

    url: str
    """Address before `/audio/...`, as in `https://speech.example/v1`."""
    key: str = field(default="", repr=False)
    """Bearer token; empty for a server that wants none."""
    timeout_s: float = 60.0
    """Longest silence while waiting for an answer, seconds."""
    attempts: int = 4
    """How often a request is tried."""

    @property
    def mark(self) -> str:
        """Tells servers apart in a signature without naming them."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Answer:
    """A successful answer."""

    body: bytes
    """Whole body."""
    content_type: str
    """As the server says; empty where it says nothing."""


@dataclass(frozen=True)
class _Failure:
    """An attempt that may go better another time."""

    said: str
    """What happened, after "the server of ..."."""
    pause_s: float | None
    """Seconds the server asks us to wait."""


def post(endpoint: Endpoint | None, path: str, who: str, **content: Any) -> Answer:
    """The answer to a request; `content` are httpx's `json`, `data` and `files`, `who` is the model that is asked.

    Too many requests, a server's own failure, silence and a broken answer are tried again, as late as the server asks.

    Raises:
        OperatorError: no endpoint, nobody there, the key or the request is refused.
        ProviderError: it failed in every attempt.
    """
    if endpoint is None:
        raise OperatorError(f"{who} is spoken to over HTTP, but no server is named: set {SETTINGS}")
    outcome = _attempt(endpoint, path, who, content)
    for number in range(1, endpoint.attempts):
        if isinstance(outcome, Answer):
            break
        pause = min(FIRST_PAUSE_S * 2 ** (number - 1) if outcome.pause_s is None else outcome.pause_s, LONGEST_WAIT_S)
        log.warning("the server of %s %s; trying again in %.1f s", who, outcome.said, pause)
        time.sleep(pause)
        outcome = _attempt(endpoint, path, who, content)
    if isinstance(outcome, Answer):
        return outcome
    raise ProviderError(f"the server of {who} {outcome.said}, in the last of {endpoint.attempts} attempts")


def _attempt(endpoint: Endpoint, path: str, who: str, content: dict[str, Any]) -> Answer | _Failure:
    httpx = extras.load("httpx", package="httpx", extra="speech", purpose=f"speaking to the server of {who}")
    headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
    try:
        with (
            httpx.Client(timeout=endpoint.timeout_s, headers=headers) as client,
            client.stream("POST", endpoint.url.rstrip("/") + path, **content) as answer,
        ):
            body = _read(answer, who)
            status, kind, asked = answer.status_code, answer.headers.get("content-type", ""), answer.headers.get("retry-after")
    except httpx.ConnectError as error:
        raise OperatorError(f"the server of {who} cannot be reached: {_line(str(error), endpoint)}: check {SETTINGS}") from None
    except httpx.HTTPError as error:
        return _Failure(f"gave no whole answer: {type(error).__name__}: {_line(str(error), endpoint)}", None)
    if status in SUCCESS:
        return Answer(body, kind)
    said = f"answered {status}: {_line(body[: SAID * 4].decode(errors='replace'), endpoint)}"
    if status in TRIED_AGAIN:
        return _Failure(said, float(asked) if asked and asked.isdecimal() else None)
    raise OperatorError(f"the server of {who} {said}: check the model's name, its options, and {SETTINGS}")


def _read(answer: Any, who: str) -> bytes:
    """The whole body, never more than the bound."""
    body = bytearray()
    for block in answer.iter_bytes():
        body += block
        if len(body) > LARGEST_ANSWER:
            raise ProviderError(f"the server of {who} sent more than {LARGEST_ANSWER // 2**20} MB, which is no answer to a turn")
    return bytes(body)


def _line(text: str, endpoint: Endpoint) -> str:
    """What a server or a library said, in one short line without the key."""
    line = " ".join(text.split())
    return (line.replace(endpoint.key, "***") if endpoint.key else line)[:SAID] or "nothing"
