"""Speech over HTTP: real engines behind a real server in another process, and a server that misbehaves in every way."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import OperatorError, ProviderError, RingbackError, UsageError
from speech.asr import make_recogniser
from speech.clip import Clip
from speech.endpoint import Endpoint
from speech.engines import Recognizer, Synthesizer
from speech.naming import recogniser_named, voice_named
from speech.tts import make_voice
from tests.repository.tree import ROOT
from tests.support.speech_server import KEY

pytestmark = [pytest.mark.engine, pytest.mark.slow]

WORDS = "The weather is lovely today."


@pytest.fixture(scope="module")
def server(warm_root: Path) -> Iterator[str]:
    """The address of a speech server in a process of its own."""
    command = [sys.executable, "-m", "tests.support.speech_server", str(warm_root)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = f"http://127.0.0.1:{process.stdout.readline().strip()}"
        _wait_for(f"{address}/seen")
        yield f"{address}/v1"
        process.terminate()


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            _get(url)
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nobody answers at {url}")


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)


@pytest.fixture
def endpoint(server: str) -> Endpoint:
    """The server, with two attempts for each request."""
    return Endpoint(server, KEY, timeout_s=30, attempts=2)


def _voice(name: str, endpoint: Endpoint | None) -> Synthesizer:
    return make_voice(voice_named(f"openai:tts-1/{name}"), Path("unused"), endpoint)


def _recogniser(name: str, endpoint: Endpoint | None) -> Recognizer:
    return make_recogniser(recogniser_named(f"openai:{name}"), Path("unused"), endpoint)


def _say(name: str, endpoint: Endpoint | None) -> Clip:
    return _voice(name, endpoint).synthesize(WORDS, language="en", seed=1, pace=1.0)


def _one_line(error: RingbackError) -> str:
    assert "\n" not in str(error)
    assert KEY not in str(error)
    return str(error)


def test_what_a_server_says_another_model_of_it_understands(server: str, endpoint: Endpoint) -> None:
    """Speech comes as WAV and as bare samples alike; it is heard with figures, or without where the format has none."""
    spoken = _say("real", endpoint)
    assert spoken.sha256 == _say("real?format=pcm", endpoint).sha256
    assert (24000, True) == (spoken.sample_rate, 1.0 < spoken.duration_s < 4.0)

    heard = _recogniser("real", endpoint).transcribe(spoken, language="en-US")
    bare = _recogniser("real?format=json&prompt=Chat.", endpoint).transcribe(spoken, language="en-US")

    assert "the weather is lovely today" == heard.text.lower().rstrip(".")
    assert heard.text == bare.text
    assert (True, None) == (-1 < (heard.confidence or 0) < 0, bare.confidence)
    asked = [request for request in _get(server.replace("/v1", "/seen")) if request.get("model") == "real"]
    sent = {"model": "real", "language": "en", "temperature": "0", "response_format": "json", "prompt": "Chat."}
    assert {**sent, "path": "transcriptions", "key": f"Bearer {KEY}"} == asked[-1]


@pytest.mark.parametrize(
    ("voice", "why"),
    [
        ("down", "answered 503: engine on fire second line, in the last of 2 attempts"),
        ("empty", "is empty: not one byte came"),
        ("html", "HTML|text"),
        ("html?format=pcm", "HTML|text"),
        ("cut", "truncated"),
        ("mp3", "MP3"),
        ("slow-rate", "16000 Hz and not the 24000 Hz"),
    ],
)
def test_what_is_no_speech_is_the_servers_fault(endpoint: Endpoint, voice: str, why: str) -> None:
    """A failure, nothing, a page, half a sound, another form, another rate: one line each, never a clip."""
    with pytest.raises(ProviderError, match=why) as caught:
        _say(voice, endpoint)
    assert "openai-tts-1" in _one_line(caught.value)


@pytest.mark.parametrize(
    ("model", "why"),
    [("down", "503"), ("empty", "no transcript"), ("html", "no transcript"), ("shapeless", "no transcript.*'start'")],
)
def test_what_is_no_transcript_is_the_servers_fault(endpoint: Endpoint, model: str, why: str) -> None:
    """A failure, nothing, a page, segments without figures: one line each, never a made-up transcript."""
    with pytest.raises(ProviderError, match=why) as caught:
        _recogniser(model, endpoint).transcribe(Clip.of(np.zeros(16000), 16000), language="en")
    _one_line(caught.value)


def test_a_busy_server_is_asked_again_when_it_wants(endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    """Too many requests: the same request goes out after the seconds the server asks for, and the key stays out of the log."""
    caplog.set_level(logging.DEBUG, "ringback")
    started = time.monotonic()
    _recogniser("busy", endpoint).transcribe(Clip.of(np.zeros(16000), 16000), language="en")

    assert time.monotonic() - started >= 1.0
    assert "answered 429: slow down; trying again in 1.0 s" in caplog.text
    assert KEY not in caplog.text


def test_a_refused_key_and_a_missing_server_are_the_operators_to_mend(endpoint: Endpoint) -> None:
    """A key that is refused, nobody at the address, no address at all: at once, without a second attempt, and without the key."""
    with pytest.raises(OperatorError, match=r"answered 401: no key Bearer \*\*\*") as caught:
        _say("stranger", endpoint)
    _one_line(caught.value)
    with pytest.raises(OperatorError, match="cannot be reached") as caught:
        _say("real", Endpoint("http://127.0.0.1:9/v1", KEY))
    _one_line(caught.value)
    with pytest.raises(OperatorError, match="no server is named: set RINGBACK_SPEECH_URL"):
        _say("real", None)


def test_the_key_is_nowhere_and_the_server_is_a_mark() -> None:
    """Two servers sign differently, two keys alike; neither key nor address stands in a signature, nor the key in a repr."""
    first, second = Endpoint("http://one/v1", KEY), Endpoint("http://two/v1", KEY)
    for make in (_voice, _recogniser):
        signatures = [make("a/b", place).signature() for place in (first, second, Endpoint("http://one/v1", "other"))]
        assert signatures[0] == signatures[2] != signatures[1]
        assert not any(word in json.dumps(signatures) for word in (KEY, "other", "http://", "one/v1"))
        assert not make("a/b", first).spec.deterministic
    assert KEY not in repr(first)


def test_unknown_options_are_refused() -> None:
    """An option that the engine has not, and a value it does not take, are one line with what it takes."""
    with pytest.raises(UsageError, match="unknown option 'beam': it takes format, prompt"):
        _recogniser("whisper-1?beam=5", None)
    with pytest.raises(UsageError, match="format=mp3 of openai-tts-1-alloy: give wav or pcm"):
        _voice("alloy?format=mp3", None)
