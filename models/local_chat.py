"""A chat model on this machine: llama.cpp's own HTTP server, run inside this process over weights of the catalogue.

It speaks the protocol of chat completions at a loopback address, so a party reaches it as it reaches any other endpoint:
`litellm:openai/<id>?api_base=<address>/v1`.
"""

from __future__ import annotations

import contextlib
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import EngineError, MissingExtraError, UsageError
from models import registry, weights
from models.specs import ModelKind

START_SECONDS = 120.0
"""How long a model may take to load before it is given up."""


@dataclass(frozen=True)
class LocalChat:
    """A model that answers."""

    model: str
    """Catalogue id."""
    address: str
    """Where it answers, such as `http://127.0.0.1:40213`; the protocol's paths begin with `/v1`."""

    @property
    def party(self) -> str:
        """How a party that uses it is named."""
        return f"litellm:openai/{self.model}?api_base={self.address}/v1"


@contextlib.contextmanager
def serve(model_id: str, cache_root: Path, *, port: int, threads: int, context: int, slots: int) -> Iterator[LocalChat]:
    """Let a chat model of the catalogue answer at a loopback address while the context is open.

    `port` 0 takes a free one; `threads` compute each token (more than the machine has idle cores makes it slower, since they
    wait for each other by spinning); `context` tokens fit into one conversation; `slots` requests are answered at a time, and
    replies depend on nothing but their own request only with one.

    Raises:
        UsageError: no such chat model, or the port is taken.
        MissingExtraError, WeightsError, OperatorError: as `models.weights.locate`.
        EngineError: it did not start.
    """
    spec = registry.get(model_id, ModelKind.CHAT)
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtraError("xllamacpp", spec.extra, f"the chat model {spec.id!r}") from error
    folder = weights.locate_spec(spec, cache_root)
    settings = _settings(xllamacpp, folder / spec.files[0].name, port, threads, context, slots)
    settings.model_alias = {spec.id}
    try:
        server = xllamacpp.Server(settings)
    except (RuntimeError, OSError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"{spec.id} cannot answer at port {port}: {reason}: choose another, or 0 for any free one") from error
    try:
        yield LocalChat(spec.id, _ready(server.listening_address, spec.id))
    finally:
        del server


def _settings(library: Any, path: Path, port: int, threads: int, context: int, slots: int) -> Any:
    settings = library.CommonParams()
    settings.model.path = str(path)
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.n_parallel = slots
    settings.n_ctx = context * slots
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.use_jinja = True
    settings.fit_params = False  # the context is what was asked for, not what happens to be free
    settings.verbosity = 1  # errors only
    return settings


def _ready(address: str, model_id: str) -> str:
    """`address`, once the model behind it is loaded."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{address}/health", timeout=5).close()
            return address
        except OSError:  # 503 while it loads
            time.sleep(0.05)
    raise EngineError(f"{model_id} did not start at {address} within {START_SECONDS:.0f} s")
