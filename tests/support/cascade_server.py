"""An audio chat model made of two: hears a recording with our recogniser and asks a chat model about the words, over real HTTP.

with cascade_server(studio, "en", chat.address) as server:
    party = f"audio-chat:openai/{chat.model}?api_base={server.base}"
    ...
    server.heard  # hash of each recording and what was heard in it, in order of arrival
"""

from __future__ import annotations

import base64
import contextlib
import json
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from core.schemas.base import sha256
from core.snapshots.evaluating.inputs import sound_of
from speech.clip import Clip
from speech.studio import Studio

PATIENCE_S = 300.0
HEARD_AT = 16_000


class CascadeServer:
    """The running server."""

    def __init__(self, studio: Studio, language: str, chat: str) -> None:
        self.heard: list[tuple[str, str]] = []
        self._studio = studio
        self._language = language
        self._chat = chat
        self._lock = threading.Lock()
        self.http = _Server(self)

    @property
    def base(self) -> str:
        """The address for `api_base`."""
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    def answer(self, body: dict[str, Any]) -> bytes:
        """The chat model's answer to the conversation with every recording as the words in it."""
        messages = [{**message, "content": self._words(message["content"])} for message in body["messages"]]
        asked = json.dumps({**body, "messages": messages}).encode()
        request = urllib.request.Request(f"{self._chat}/v1/chat/completions", asked, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            data: bytes = answer.read()
        return data

    def _words(self, content: Any) -> str:
        if isinstance(content, str):
            return content
        return " ".join(self._hear(part["input_audio"]) if part["type"] == "input_audio" else part["text"] for part in content)

    def _hear(self, sound: dict[str, str]) -> str:
        assert "wav" == sound["format"]
        wav = base64.b64decode(sound["data"], validate=True)
        given = sound_of(wav, Path("input_audio"))
        clip = Clip.of(given.samples, given.sample_rate).resampled(HEARD_AT).quantised()
        with self._lock:
            text = self._studio.listener(self._language).understand(clip, self._language).transcript.text
            self.heard.append((sha256(wav), text))
        return text or "(silence)"


@contextlib.contextmanager
def cascade_server(studio: Studio, language: str, chat: str) -> Iterator[CascadeServer]:
    """A server while the context is open; `chat` is the address of a chat model, without `/v1`."""
    server = CascadeServer(studio, language, chat)
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join(timeout=10)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, cascade: CascadeServer) -> None:
        self.cascade = cascade
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = self.server.cascade.answer(body)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
