"""What really goes over the wire below litellm: one chat request an attempt, its answer as it came, none without end.

litellm sends some conversations a second time, mended in its own way, and hands over what it made of an answer. So every request
of its clients passes through here: a second one to the same address in one attempt is refused, and the answer is kept.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

LARGEST_ANSWER = 16 * 2**20
"""Most bytes of an answer that are read."""
_ENCODED = ("content-encoding", "content-length", "transfer-encoding")
_SECRET = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
"""Headers that carry keys."""


@dataclass
class Exchange:
    """One attempt as the wire saw it; of several posts, such as for a token first, the answer to the last."""

    deadline: float
    """When reading ends, by `time.monotonic`."""
    status: int = 0
    """Status of the answer; 0 where there was none."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Its headers, names in lower case."""
    body: str = ""
    """Its body."""
    repeated: bool = False
    """Whether a second request to the same address was refused."""
    too_large: bool = False
    """Whether the answer was larger than what is read."""
    secrets: tuple[str, ...] = ()
    """Keys that were sent."""
    posted: list[str] = field(default_factory=list)
    """Addresses posted to."""
    recordings: tuple[bytes, ...] = ()
    """What must be in what is sent, as it is."""
    carried: bool = False
    """Whether one post held all of them."""


_watching: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


@contextlib.contextmanager
def watching(exchange: Exchange) -> Iterator[None]:
    """Keep in `exchange` what this thread sends and gets."""
    token = _watching.set(exchange)
    try:
        yield
    finally:
        _watching.reset(token)


class Wire:
    """A transport for httpx's clients. Those that litellm makes may come and go; the connections stay until `hang_up`."""

    def __init__(self, verify: Any) -> None:
        """`verify` is what httpx takes: how servers' certificates are checked. Proxies are those of the environment."""
        import httpx

        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
        self._client = httpx.Client(verify=verify, limits=limits, timeout=None)

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing: others use the connections, too."""

    def close(self) -> None:
        """Nothing, for the same reason."""

    def hang_up(self) -> None:
        """Close the connections."""
        self._client.close()

    def handle_request(self, request: Any) -> Any:
        """Send a request and read its answer whole; raises httpx's errors."""
        import httpx

        exchange = _watching.get() or Exchange(float("inf"))
        if request.method == "POST":
            if str(request.url) in exchange.posted:
                exchange.repeated = True
                raise httpx.RequestError("a second request in one attempt", request=request)
            exchange.posted.append(str(request.url))
            if exchange.recordings and not exchange.carried:
                sent = request.read()
                exchange.carried = all(recording in sent for recording in exchange.recordings)
            keys = (request.headers.get(name, "").removeprefix("Bearer ") for name in _SECRET)
            exchange.secrets += tuple(key for key in keys if key)
        answer = self._client.send(request, stream=True)
        with contextlib.closing(answer):
            data = _read(answer, exchange)
        if request.method == "POST":
            exchange.status, exchange.headers = answer.status_code, dict(answer.headers)
            exchange.body = data.decode(errors="replace")
        kept = [(name, value) for name, value in answer.headers.multi_items() if name.lower() not in _ENCODED]
        headers = [*kept, ("content-length", str(len(data)))]
        return httpx.Response(answer.status_code, headers=headers, stream=httpx.ByteStream(data))


def _read(answer: Any, exchange: Exchange) -> bytes:
    import httpx

    data = bytearray()
    for chunk in answer.iter_bytes():
        data += chunk
        if len(data) > LARGEST_ANSWER:
            exchange.too_large = True
            raise httpx.ReadError("an answer without end", request=answer.request)
        if time.monotonic() > exchange.deadline:
            raise httpx.ReadTimeout("an answer that comes in drops", request=answer.request)
    return bytes(data)
