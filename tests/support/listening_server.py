"""A speech server that hears the same words in every recording, at once: for builds whose recogniser is beside the point.

with listening_server() as address:
    command.passes(..., "--recogniser", "openai:patient", RINGBACK_SPEECH_URL=address)
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORDS = "你好请问是哪位"
"""What it hears."""
RECOGNISER = "openai:patient"
"""Its name as a recogniser."""


class _Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = json.dumps({"text": WORDS}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def listening_server() -> Iterator[str]:
    """The address of a running server, as RINGBACK_SPEECH_URL takes it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
