"""A provider of chat models that follows a script: a real HTTP server on a loopback port, for one test.

    script = {"candidate": [say("Hello."), tools(("book", {"id": 7})), rate_limited(1), say("Done.")], "judge": judge_of_mine}
    with chat_server(script) as server:
        party = server.party("candidate", "timeout=2&attempts=3")  # litellm:openai/candidate?api_base=http://127.0.0.1:.../v1&...
        ...
        server.bodies("candidate")  # every request body of that model so far, in order of arrival

A script is keyed by model name, so one server can be caller, candidate and judge. Its value is a list, each item of which
answers one request, or a function of the request's body, for cases that run at the same time. An item of a list may be a
function too. Texts stand for `say(text)`. A request past the end of a list, or for a model without a script, is
answered 400 with words that say so. `refuse(..., then=function)` gives trouble to the first requests and the function's answers
to all others. Every path is served, so that other providers' dialects reach it too; a model that only the path names is
found there.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]
"""A request, or a part of one, as JSON."""


@dataclass(frozen=True)
class Answer:
    """What the server does with one request."""

    body: bytes = b""
    """Sent as it is."""
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: bool = False
    """Say nothing until the server is closed."""
    drip: bool = False
    """Send a space every tenth of a second, as providers do to keep a connection alive, and never the body."""


Item = Answer | str | Callable[[Body], "Answer | str"]
Script = Mapping[str, Sequence[Item] | Callable[[Body], Answer | str]]


def say(text: Any, *, finish: str = "stop", **message: Any) -> Answer:
    """A reply of words, of none (None), or of a shape that is none; further fields of the message as keywords."""
    return _reply({"role": "assistant", "content": text, **message}, finish)


def fenced(value: Any) -> Answer:
    """A JSON value in a fence with words around it."""
    return say(f"Here you are:\n```json\n{json.dumps(value, ensure_ascii=False)}\n```\nI hope that this helps.")


def thinking(thought: str, text: str) -> Answer:
    """A reply after thoughts in tags."""
    return say(f"<think>{thought}</think>\n{text}")


def truncated(value: Any) -> Answer:
    """The first half of a JSON value, ended by the limit of tokens."""
    text = json.dumps(value, ensure_ascii=False)
    return say(text[: len(text) // 2], finish="length")


def tools(*calls: tuple[str, Any], speech: str | None = None) -> Answer:
    """Tool calls with arguments as the text of an object; a `str` is sent as it is, so that it may be broken."""
    made = [
        {
            "id": f"call_{place}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)},
        }
        for place, (name, given) in enumerate(calls)
    ]
    return _reply({"role": "assistant", "content": speech, "tool_calls": made}, "tool_calls")


def tools_as_objects(*calls: tuple[str, Body]) -> Answer:
    """Tool calls with arguments as an object, as some servers send them against the rule."""
    made = [
        {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": given}}
        for place, (name, given) in enumerate(calls)
    ]
    return _reply({"role": "assistant", "content": None, "tool_calls": made}, "tool_calls")


def no_choices() -> Answer:
    """A success without a reply in it."""
    return Answer(json.dumps({**_FRAME, "choices": []}).encode())


def error(
    status: int, words: str, code: str | None = None, headers: Mapping[str, str] | None = None, param: str | None = None
) -> Answer:
    """An error in OpenAI's form."""
    body = {"error": {"message": words, "type": "invalid_request_error", "param": param, "code": code}}
    return Answer(json.dumps(body).encode(), status, headers=headers or {})


def rate_limited(
    retry_after: str | float | None = None, code: str = "rate_limit_exceeded", headers: Mapping[str, str] | None = None
) -> Answer:
    """429, with `Retry-After` where one is given, and further headers."""
    asked = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return error(429, "slow down", code, {**asked, **(headers or {})})


def broken(status: int = 500) -> Answer:
    """A server's own failure."""
    return error(status, "engine on fire")


def refused_key() -> Answer:
    """401."""
    return error(401, "Incorrect API key provided", "invalid_api_key")


def no_model(name: str = "nobody") -> Answer:
    """404."""
    return error(404, f"The model `{name}` does not exist", "model_not_found")


def no_setting(name: str) -> Answer:
    """400 for a parameter it does not know."""
    return error(400, f"Unrecognized request argument supplied: {name}", "unknown_parameter", param=name)


def too_long() -> Answer:
    """400 for a conversation longer than the model can read."""
    words = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    return error(400, words, "context_length_exceeded")


def web_page(status: int = 200) -> Answer:
    """HTML where JSON was asked for."""
    return Answer(b"<!DOCTYPE html><html><body>Sign in</body></html>", status, "text/html")


def hang() -> Answer:
    """Silence."""
    return Answer(hang=True)


def drip() -> Answer:
    """A connection kept alive without an answer."""
    return Answer(drip=True)


def refuse(*trouble: Item, then: Callable[[Body], Answer | str]) -> Callable[[Body], Answer | str]:
    """A function whose first requests get the given answers and all others `then`'s; safe under threads."""
    left, lock = list(trouble), threading.Lock()

    def answer(body: Body) -> Answer | str:
        with lock:
            item = left.pop(0) if left else then
        return item(body) if callable(item) else item

    return answer


class ChatServer:
    """The running server."""

    def __init__(self, script: Script) -> None:
        self.closing = threading.Event()
        self.requests: list[tuple[Mapping[str, str], Body]] = []
        """Headers (names in lower case) and body of every request so far."""
        self._script = {name: value if callable(value) else list(value) for name, value in script.items()}
        self._lock = threading.Lock()
        self._http = _Server(self)

    @property
    def base(self) -> str:
        """The address for `api_base`."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def party(self, model: str, options: str = "") -> str:
        """The name of a party that this server answers for."""
        return f"litellm:openai/{model}?api_base={self.base}{'&' if options else ''}{options}"

    def bodies(self, model: str | None = None) -> list[Body]:
        """Request bodies so far, of one model or of all."""
        return [body for _, body in self.requests if model in (None, body.get("model"))]

    def answer(self, headers: Mapping[str, str], body: Body) -> Answer:
        """Record a request and look up what is done with it."""
        with self._lock:
            self.requests.append((headers, body))
            found = self._script.get(str(body.get("model")))
            item: Item
            if found is None:
                item = error(400, f"the script has no model {body.get('model')!r}")
            elif callable(found):
                item = found
            else:
                item = found.pop(0) if found else error(400, f"the script of {body.get('model')!r} is at its end")
        made = item(body) if callable(item) else item
        return say(made) if isinstance(made, str) else made

    def run(self) -> None:
        """Serve until closed."""
        self._http.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        """Let go of those who wait, and stop."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


@contextlib.contextmanager
def chat_server(script: Script) -> Iterator[ChatServer]:
    """A server that follows the script while the context is open."""
    server = ChatServer(script)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(timeout=10)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, scripted: ChatServer) -> None:
        self.scripted = scripted
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no error of ours."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        scripted = self.server.scripted
        named = re.search(r"/models/([^:/]+)", self.path)
        answer = scripted.answer(headers, {"model": named[1], **body} if named else body)
        if answer.hang:
            scripted.closing.wait(60)
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body) + (1000 if answer.drip else 0)))
        self.end_headers()
        while answer.drip and not scripted.closing.wait(0.1):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.wfile.write(answer.body)


_FRAME: Body = {
    "id": "chatcmpl-scripted",
    "object": "chat.completion",
    "created": 0,
    "model": "scripted",
    "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
}


def _reply(message: Body, finish: str) -> Answer:
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return Answer(json.dumps({**_FRAME, "choices": [choice]}, ensure_ascii=False).encode())
