"""A chat model on this machine, behind a real HTTP address."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import UsageError
from models import registry, weights
from models.local_chat import LocalChat, serve
from models.specs import ModelKind

MODEL = "qwen-coder-500m"
QUESTION = [{"role": "user", "content": "Name three colours."}]


@pytest.fixture(scope="module")
def served(weights_cache: Path) -> Iterator[LocalChat]:
    """The small model, answering."""
    with serve(MODEL, weights_cache, port=0, threads=1, context=1024, slots=1) as chat:
        yield chat


def _ask(chat: LocalChat, **more: Any) -> dict[str, Any]:
    body = json.dumps({"model": chat.model, "messages": QUESTION, "max_tokens": 12, "temperature": 1.5, **more}).encode()
    request = urllib.request.Request(f"{chat.address}/v1/chat/completions", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def test_every_chat_model_is_the_published_file() -> None:
    """The catalogue pins the hashes under which Qwen publishes the two files (Qwen2.5-Coder-*-Instruct-GGUF, q4_k_m)."""
    chats = {spec.id: spec.files[0].sha256 for spec in registry.catalogue().values() if spec.kind is ModelKind.CHAT}
    assert {
        "qwen-coder-500m": "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        "qwen-coder-1500m": "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    } == chats


@pytest.mark.slow
@pytest.mark.engine
def test_a_seed_decides_the_reply(served: LocalChat) -> None:
    """The same seed gives the same words, another gives others; the model answers under its catalogue id."""
    first, again, other = (_ask(served, seed=seed) for seed in (7, 7, 8))
    words = [answer["choices"][0]["message"]["content"] for answer in (first, again, other)]
    assert words[0] == words[1]
    assert words[0] != words[2]
    assert MODEL == first["model"]
    assert f"litellm:openai/{MODEL}?api_base={served.address}/v1" == served.party


@pytest.mark.slow
@pytest.mark.engine
def test_a_schema_is_kept(served: LocalChat) -> None:
    """A reply that is to be JSON of a schema is, whatever the model would rather say."""
    shape = {
        "type": "object",
        "properties": {"done": {"type": "boolean"}},
        "required": ["done"],
        "additionalProperties": False,
    }
    answer = _ask(served, response_format={"type": "json_schema", "json_schema": {"name": "reply", "schema": shape}}, seed=1)
    assert {"done"} == set(json.loads(answer["choices"][0]["message"]["content"]))


@pytest.mark.engine
def test_a_taken_port_is_one_clear_error(served: LocalChat, weights_cache: Path) -> None:
    """Two models cannot answer at one port, and the error says which port and what to do."""
    port = int(served.address.rsplit(":", 1)[1])
    with (
        pytest.raises(UsageError, match=f"port {port}.*choose another"),
        serve(MODEL, weights_cache, port=port, threads=1, context=256, slots=1),
    ):
        pass


def test_only_chat_models_are_served(weights_cache: Path) -> None:
    """Another kind of model is refused with the ids that can be served."""
    with (
        pytest.raises(UsageError, match="unknown chat 'whisper-base': choose one of qwen-coder-1500m, qwen-coder-500m"),
        serve("whisper-base", weights_cache, port=0, threads=1, context=256, slots=1),
    ):
        pass


@pytest.mark.engine
def test_the_address_is_gone_with_the_context(weights_cache: Path) -> None:
    """When the context closes nothing answers any more."""
    with serve(MODEL, weights_cache, port=0, threads=1, context=256, slots=1) as chat:
        pass
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{chat.address}/health", timeout=2)
    assert weights.WeightState.READY is weights.state(MODEL, weights_cache)
