"""Chat models as detectors, through litellm against a real HTTP server: what it is sent, and what becomes of its answers."""

from __future__ import annotations

import base64
import io
import json
import logging
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import ContextOverflowError, ModeratedError, OperatorError, ProviderError, RefusedError, UsageError
from core.schemas.base import sha256
from core.schemas.detections import DetectionError, InputMode
from core.schemas.snapshots import Label
from core.schemas.trees import BuildConfig
from core.schemas.usage import Usage
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from core.snapshots.detector import CallSound, CallWords, Given, Said
from core.snapshots.parsing import read_label
from models.chat.prompts import prompt
from models.detectors.chat import PROMPTS, SILENCE, ChatDetector, PromptLanguage
from models.snapshots.offline import offline_agents
from tests.support.chat import client
from tests.support.chat_server import (
    Answer,
    ChatServer,
    Item,
    broken,
    chat_server,
    error,
    hang,
    no_setting,
    rate_limited,
    refused_key,
    say,
    thinking,
    too_long,
)

WORDS = CallWords("caller: 您好，请把验证码告诉我。\nreceiver: 不行。")


def _sound(samples: int = 2400, amplitude: int = 900) -> CallSound:
    numbers = (np.arange(samples) * 7919 % (2 * amplitude) - amplitude).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(24_000)
        out.writeframes(numbers.tobytes())
    return CallSound(numbers.astype(np.float32) / np.float32(32768), 24_000, file.getvalue())


def _detector(
    server: ChatServer, folder: Path, options: str = "", *, language: PromptLanguage = "zh", audio: bool = False
) -> ChatDetector:
    return ChatDetector(client(server.party("m", options), folder, role="detector"), language, audio=audio)


def _asked(folder: Path, items: Sequence[Item], given: Given = WORDS, options: str = "") -> Said:
    """What a detector says where the provider answers so."""
    with chat_server({"m": items}) as server:
        return _detector(server, folder, options, audio=isinstance(given, CallSound)).detect(given, 3)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_request_holds_the_prompt_and_the_call_and_nothing_else(tmp_path: Path, language: PromptLanguage) -> None:
    """Two messages; the seed is the call's; a reply has room for thoughts before its one word."""
    with chat_server({"m": ["NONFRAUD"]}) as server:
        _detector(server, tmp_path, "temperature=0", language=language).detect(WORDS, 5)
        messages = [
            {"role": "system", "content": prompt(f"detector-{language}-1").text},
            {"role": "user", "content": WORDS.text},
        ]
        assert [{"model": "m", "messages": messages, "temperature": 0.0, "seed": 5, "max_tokens": 2048}] == server.bodies()


def test_nothing_that_tells_the_label_reaches_the_model(tmp_path: Path) -> None:
    """Of a call the words are sent; neither ids, path, actions, states, deliveries, rationale nor file are."""
    library = load_cases("zh")
    config = BuildConfig(namespace="telling", seed=2, language="zh", trees=1)
    (tree,) = build_calls(config, library, offline_agents(library))
    known = next(call for call in tree.calls if call.label is Label.FRAUD)
    with chat_server({"m": ["FRAUD", "FRAUD"]}) as server:
        for language in PROMPTS:
            _detector(server, tmp_path, language=language).detect(CallWords(known.text), 5)
        for body in server.bodies():
            sent = body["messages"][1]["content"]
            assert sent == "\n".join(f"{turn.side}: {turn.text}" for turn in known.turns)
            telling = {known.sample_id, known.tree_id, known.family_id, known.abstract_id, *known.leaf_path, ".wav", "audio/"}
            telling |= {known.rationale.evidence, known.rationale.separating_action, *(turn.action for turn in known.turns)}
            telling |= {turn.delivery.value for turn in known.turns}
            assert set() == {word for word in telling if word in sent}
            assert [] == [label for label in Label if label in sent.upper()]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_prompt_names_both_labels_once_and_gives_no_example(language: PromptLanguage) -> None:
    """The task in both languages: what is asked for, whether checking stays possible, how it ends; one label as the answer."""
    words = prompt(PROMPTS[language]).text
    last = words.splitlines()[-1]
    assert words.count("FRAUD") == last.count("FRAUD") == 2
    assert 1 == last.count("NONFRAUD")
    assert 3 == sum(line.startswith("- ") for line in words.splitlines())
    assert "{{" not in words


def test_prompts_in_both_languages_are_known_by_their_hashes(tmp_path: Path) -> None:
    """The record tells the prompt; only the prompt differs between languages, and nothing of it between words and sound."""
    with chat_server({}) as server:
        made = {
            (language, audio): _detector(server, tmp_path, language=language, audio=audio)
            for language in PROMPTS
            for audio in (False, True)
        }
    assert made["zh", False].prompt_sha256 == made["zh", True].prompt_sha256 == prompt("detector-zh-1").sha256
    assert made["en", False].prompt_sha256 == prompt("detector-en-1").sha256 != made["zh", False].prompt_sha256
    for (language, _), detector in made.items():
        assert {PROMPTS[language]: detector.prompt_sha256} == detector.record().settings["prompts"]
    zh, en = (made[language, False].record() for language in PROMPTS)
    assert zh.party == en.party
    assert {"prompts"} == {name for name in zh.settings if zh.settings[name] != en.settings[name]}


def test_a_detector_of_sound_has_its_own_name(tmp_path: Path) -> None:
    """The same model that hears is another party than the one that reads, and each takes its own modes."""
    with chat_server({}) as server:
        reads, hears = _detector(server, tmp_path), _detector(server, tmp_path, audio=True)
        assert f"litellm:openai/m?api_base={server.base}&max_tokens=2048" == reads.record().party
        assert f"audio-chat:openai/m?api_base={server.base}&max_tokens=2048" == hears.record().party
        assert ((InputMode.ASR, InputMode.REF), (InputMode.AUDIO,)) == (tuple(reads.modes), tuple(hears.modes))
        assert reads.waits
        with pytest.raises(UsageError, match=r"takes a recording, and was given words: choose another mode or detector"):
            hears.detect(WORDS, 1)
        with pytest.raises(UsageError, match=r"takes words, and was given a recording"):
            reads.detect(_sound(), 1)
        assert [] == server.bodies()


def test_a_recording_arrives_as_its_bytes(tmp_path: Path) -> None:
    """One part of OpenAI's form in the user's message, base64 of the very file; the prompt is the system message."""
    given = _sound()
    with chat_server({"m": ["FRAUD"]}) as server:
        said = _detector(server, tmp_path, audio=True).detect(given, 5)
        (body,) = server.bodies()
    system, user = body["messages"]
    assert {"role": "system", "content": prompt("detector-zh-1").text} == system
    (part,) = user["content"]
    assert ({"type", "input_audio"}, {"data", "format"}, "wav") == (
        part.keys(), part["input_audio"].keys(), part["input_audio"]["format"],
    )  # fmt: skip
    assert sha256(given.wav) == sha256(base64.b64decode(part["input_audio"]["data"], validate=True))
    assert "FRAUD" == said.raw


def test_without_a_system_role_the_prompt_is_a_part_before_the_recording(tmp_path: Path) -> None:
    """Nothing of the recording becomes text."""
    with chat_server({"m": ["FRAUD"]}) as server:
        _detector(server, tmp_path, "system=off", audio=True).detect(_sound(), 5)
        ((message,),) = [body["messages"] for body in server.bodies()]
    assert "user" == message["role"]
    assert ["text", "input_audio"] == [part["type"] for part in message["content"]]
    assert prompt("detector-zh-1").text == message["content"][0]["text"]


def test_a_long_recording_is_neither_logged_nor_kept(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A minute of sound, a failed attempt and an answer in sound leave a few lines in cache and log, and none of the sound."""
    given = _sound(24_000 * 60)
    spoken = {"id": "audio_1", "data": base64.b64encode(given.wav).decode(), "transcript": "FRAUD", "expires_at": 9}
    with caplog.at_level(logging.DEBUG):
        said = _asked(tmp_path, [broken(), say(None, audio=spoken)], given, "attempts=2")
    assert ("FRAUD", None, 1) == (said.raw, said.error, len(said.attempts))
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [] == [path for path in kept if path.stat().st_size > 4096]
    (reply,) = (tmp_path / "chat" / "replies").rglob("*.json")
    assert '"audio":{"expires_at":9,"id":"audio_1","transcript":"FRAUD"}' in reply.read_text("utf-8")
    assert max((len(record.getMessage()) for record in caplog.records), default=0) < 4096


def test_a_second_of_sound_is_reckoned_as_tokens_and_not_as_letters(tmp_path: Path) -> None:
    """Where the endpoint does not count, a minute comes to 1,500 tokens and the prompt, not to a million."""
    body = b'{"choices": [{"message": {"role": "assistant", "content": "FRAUD"}, "finish_reason": "stop"}]}'
    said = _asked(tmp_path, [Answer(body)], _sound(24_000 * 60))
    assert said.usage is not None
    assert 1500 < said.usage.prompt_tokens < 2500
    assert 1 == said.usage.estimated


@pytest.mark.parametrize("audio", [False, True])
def test_a_call_is_asked_about_once_over_two_runs(tmp_path: Path, audio: bool) -> None:
    """The answer is kept by the call and costs nothing again; another call, seed or prompt is asked about anew."""
    given: Given = _sound() if audio else WORDS
    other: Given = _sound(amplitude=901) if audio else CallWords(f"{WORDS.text}。")
    with chat_server({"m": ["FRAUD", "NONFRAUD", "NONFRAUD", "FRAUD"]}) as server:
        first = _detector(server, tmp_path, audio=audio).detect(given, 5)
        again = _detector(server, tmp_path, audio=audio)
        second = again.detect(given, 5)
        assert (first.raw, 1, Usage(cached=1)) == (second.raw, len(server.bodies()), second.usage)
        assert "NONFRAUD" == again.detect(other, 5).raw
        assert "NONFRAUD" == again.detect(given, 6).raw
        assert "FRAUD" == _detector(server, tmp_path, language="en", audio=audio).detect(given, 5).raw
        assert 4 == len(server.bodies())
        assert Usage(requests=2, cached=1, prompt_tokens=200, completion_tokens=20, unpriced=2) == again.usage()


@pytest.mark.parametrize(
    ("answer", "raw", "flag", "read"),
    [
        (say("FRAUD"), "FRAUD", None, Label.FRAUD),
        (thinking("It asks for FRAUD.", "NONFRAUD"), "<think>It asks for FRAUD.</think>\nNONFRAUD", None, Label.NONFRAUD),
        (say("NONFRAUD", reasoning_content="hm"), "<think>hm</think>NONFRAUD", None, Label.NONFRAUD),
        (say("Maybe fraud"), "Maybe fraud", None, DetectionError.PARSE),
        (say(""), "", None, DetectionError.EMPTY),
        (say(None), "", None, DetectionError.EMPTY),
        (say("I cannot help with that."), "I cannot help with that.", None, DetectionError.REFUSAL),
        (say("FRAUD", finish="length"), "FRAUD", DetectionError.PARSE, Label.FRAUD),
        (say("", finish="length"), "", DetectionError.EMPTY, DetectionError.EMPTY),
        (say("<think>so", finish="length"), "<think>so", DetectionError.EMPTY, DetectionError.EMPTY),
        (say("FRAUD", finish="content_filter"), "FRAUD", DetectionError.REFUSAL, Label.FRAUD),
        (say(None, refusal="No, FRAUD"), "No, FRAUD", DetectionError.REFUSAL, DetectionError.PARSE),
    ],
)
def test_an_answer_is_kept_as_it_came(
    tmp_path: Path, answer: Answer, raw: str, flag: DetectionError | None, read: Label | DetectionError
) -> None:
    """Its words unchanged, with a flag where they are no label whatever they say: cut off, withheld or declined."""
    said = _asked(tmp_path, [answer])
    assert (raw, flag, read) == (said.raw, said.error, next(found for found in read_label(said.raw) if found is not None))


def test_an_answer_that_was_cut_off_says_so(tmp_path: Path) -> None:
    """In the attempts, in words."""
    assert ("cut off at its largest length",) == _asked(tmp_path, [say("FRAUD", finish="length")]).attempts


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        (too_long(), ContextOverflowError),
        (error(400, "Your input was flagged by our moderation"), ModeratedError),
        (error(400, "this is no request of mine"), RefusedError),
        (refused_key(), OperatorError),
        (broken(), ProviderError),
        (hang(), TimeoutError),
    ],
)
@pytest.mark.parametrize("given", [WORDS, _sound()], ids=["words", "sound"])
def test_a_failure_has_its_kind(tmp_path: Path, given: Given, trouble: Answer, kind: type[Exception]) -> None:
    """By what can be done about it; the recording stands in no message."""
    with pytest.raises(kind) as caught:
        _asked(tmp_path, [trouble], given, "attempts=1&timeout=0.3")
    assert kind is type(caught.value)
    assert len(str(caught.value)) < 500


def test_a_server_that_fails_is_asked_again(tmp_path: Path) -> None:
    """5xx and 429 cost attempts or waits, which stand beside the answer; nothing is asked more often than that."""
    said = _asked(tmp_path, [rate_limited(0), broken(503), "FRAUD"], options="attempts=2")
    assert ("FRAUD", None) == (said.raw, said.error)
    assert ["429", "503"] == [attempt[:3] for attempt in said.attempts]


def test_a_setting_that_the_endpoint_does_not_take_is_left_out_and_told(tmp_path: Path) -> None:
    """As for any other chat party."""
    said = _asked(tmp_path, [no_setting("temperature"), "FRAUD"], options="temperature=0")
    assert ("FRAUD", ("temperature left out: the endpoint does not take it",)) == (said.raw, said.attempts)


def test_a_transcript_without_a_word_is_no_empty_message(tmp_path: Path) -> None:
    """Many endpoints refuse one; what stands in its place is told in the record."""
    with chat_server({"m": ["NONFRAUD"]}) as server:
        detector = _detector(server, tmp_path)
        detector.detect(CallWords(" \n"), 5)
        assert SILENCE == server.bodies()[0]["messages"][1]["content"] == detector.record().settings["silence"]


def test_a_model_that_never_got_the_recording_gives_no_answer(tmp_path: Path) -> None:
    """litellm leaves recordings out of what it sends to some providers; what is answered then is about nothing."""
    message = {"id": "x", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
    told = {**message, "content": [{"type": "text", "text": "FRAUD"}], "usage": {"input_tokens": 5, "output_tokens": 1}}
    answer = Answer(json.dumps(told).encode())
    with chat_server({"m": [answer, answer]}) as server:
        party = f"litellm:anthropic/m?api_base={server.base.removesuffix('/v1')}"
        detector = ChatDetector(client(party, tmp_path, role="detector"), "en", audio=True)
        for ask in (detector.check, lambda: detector.detect(_sound(), 5)):
            with pytest.raises(OperatorError, match="takes no recordings: they are left out of what is sent"):
                ask()
        assert 2 == len(server.bodies())


def test_a_provider_of_another_dialect_gets_the_recording_as_its_bytes(tmp_path: Path) -> None:
    """Gemini's form has other names around the same base64."""
    told = {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "FRAUD"}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 1, "totalTokenCount": 6},
    }
    given = _sound()
    with chat_server({"m": [Answer(json.dumps(told).encode())]}) as server:
        party = f"litellm:gemini/m?api_base={server.base.removesuffix('/v1')}"
        said = ChatDetector(client(party, tmp_path, role="detector"), "en", audio=True).detect(given, 5)
        assert base64.b64encode(given.wav).decode() in json.dumps(server.bodies())
    assert "FRAUD" == said.raw


@pytest.mark.parametrize("audio", [False, True])
def test_a_check_asks_in_the_form_of_a_call(tmp_path: Path, audio: bool) -> None:
    """Once, before the first call: a second of silence where calls are heard; what it used counts."""
    with chat_server({"m": ["NONFRAUD"]}) as server:
        detector = _detector(server, tmp_path, audio=audio)
        detector.check()
        ((_, user),) = [body["messages"] for body in server.bodies()]
    assert 1 == detector.usage().requests
    if audio:
        with wave.open(io.BytesIO(base64.b64decode(user["content"][0]["input_audio"]["data"]))) as file:
            assert (1, 2, 24_000, 24_000) == (file.getnchannels(), file.getsampwidth(), file.getframerate(), file.getnframes())
    else:
        assert SILENCE == user["content"]


@pytest.mark.parametrize(
    ("trouble", "said"), [(refused_key(), "401"), (error(400, "audio input is not supported"), "audio input is not supported")]
)
def test_a_check_finds_what_no_call_would_survive(tmp_path: Path, trouble: Answer, said: str) -> None:
    """A wrong key, and a model that takes no sound, stop the evaluation before its first call."""
    with chat_server({"m": [trouble]}) as server, pytest.raises(OperatorError, match=said):
        _detector(server, tmp_path, audio=True).check()
