"""Real models on this machine as detectors of the calls of a month, over HTTP: one that reads, and one that hears and reads."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.schemas.detections import EvaluationRun, EvaluationSummary, Response
from core.schemas.snapshots import Label, SnapshotCall
from core.schemas.voicing import RenderConfig
from core.snapshots.parsing import read_label
from models.chat.prompts import prompt
from models.local_chat import LocalChat, serve
from speech.studio import build_studio
from tests.speech.dialogues import HARMFUL, LAWFUL, call
from tests.support.cascade_server import cascade_server
from tests.support.shell import Shell
from tests.support.small_months import small_month, spoken, written

MODEL = "qwen-coder-500m"
WEAK = "temperature=0&max_tokens=8&timeout=300"
CONFIG = RenderConfig(seed=7, voices="espeak-f2,espeak-f4,espeak-m3,espeak-m7", channels=("landline",))

pytestmark = [pytest.mark.engine, pytest.mark.slow]


@pytest.fixture(scope="module")
def chat(engine_cache: Path) -> Iterator[LocalChat]:
    """The small model, answering."""
    with serve(MODEL, engine_cache, port=0, threads=1, context=2048, slots=1) as served:
        yield served


def _calls(count: int) -> list[SnapshotCall]:
    """Short calls, every second one fraud."""
    made = []
    for number in range(count):
        label, rest = ((Label.FRAUD, HARMFUL), (Label.NONFRAUD, LAWFUL))[number % 2]
        made.append(call(label, [f"{rest[0]} Shall I wait {number} minutes?", rest[1]], tree=f"tree-{number // 2}"))
    return made


def _answers(folder: Path) -> list[Response]:
    return [Response.model_validate_json(line) for line in (folder / "responses.jsonl").read_bytes().splitlines()]


def _sound(folder: Path, count: int) -> tuple[EvaluationRun, list[Response]]:
    """An evaluation whose answers are all there, as they came, each with the label in it or the reason why there is none."""
    answers = _answers(folder)
    assert count == len({answer.sample_id for answer in answers}) == len(answers)
    for answer in answers:
        read = read_label(answer.raw)
        cut = any("cut off" in attempt for attempt in answer.attempts)
        assert (answer.parsed, answer.error) == read or (cut and answer.parsed is None)
        assert answer.usage is not None
        assert (1, True) == (answer.usage.requests, answer.usage.completion_tokens > 0)
    summary = EvaluationSummary.model_validate_json((folder / "summary.json").read_bytes())
    assert count == summary.metrics.n
    assert sum(answer.error is not None for answer in answers) == summary.metrics.fraud_errors + summary.metrics.nonfraud_errors
    return summary.run, answers


def test_a_small_model_reads_four_calls_once(shell: Shell, tmp_path: Path, chat: LocalChat) -> None:
    """Every raw answer is kept, with a label or a flag; the command again asks about none, and with another prompt is refused."""
    small_month(tmp_path / "written", written(_calls(4)))
    asked = ("snapshot", "evaluate", "written", "--detector", f"{chat.party}&{WEAK}", "--mode", "ref", "--out", "read", "-q")
    assert 0 == shell(*asked), shell.err
    run, answers = _sound(tmp_path / "read", 4)
    assert ("en", prompt("detector-en-1").sha256) == (run.prompt_language, run.prompt_sha256)
    assert 8 == run.settings["max_tokens"]
    assert {None} == {answer.audio_sha256 for answer in answers}
    before = (tmp_path / "read" / "responses.jsonl").read_bytes()
    assert 0 == shell(*asked), shell.err
    assert before == (tmp_path / "read" / "responses.jsonl").read_bytes()
    assert 2 == shell(*asked, "--prompt", "zh")
    assert "prompt_language" in shell.err


def test_a_cascade_hears_two_calls(shell: Shell, tmp_path: Path, engine_cache: Path, chat: LocalChat) -> None:
    """The frozen bytes arrive, our recogniser hears them, and the model answers about the words; no transcript is recorded."""
    studio = build_studio(engine_cache, channel="clean", recogniser="whisper-base")
    rows, wavs = spoken(_calls(2), CONFIG, studio)
    small_month(tmp_path / "spoken", rows, wavs)
    with cascade_server(studio, "en", chat.address) as server:
        party = f"audio-chat:openai/{MODEL}?api_base={server.base}&{WEAK}"
        asked = ("snapshot", "evaluate", "spoken", "--detector", party, "--mode", "audio", "--out", "heard", "--concurrency", "1")
        assert 0 == shell(*asked, "-q"), shell.err
        (_, silence), *heard = server.heard
        assert "" == silence  # the check before the first call
    run, answers = _sound(tmp_path / "heard", 2)
    frozen = {row.audio.sha256 for row in rows if row.audio is not None}
    assert frozen == {sha for sha, _ in heard} == {answer.audio_sha256 for answer in answers}
    assert all(len(text.split()) > 10 for _, text in heard)
    assert ({None}, None) == ({answer.transcript_id for answer in answers}, run.recogniser)
    kept: Any = [json.loads(path.read_bytes()) for path in (tmp_path / "cache" / "chat" / "replies").rglob("*.json")]
    assert 2 == len(kept)
    assert not any(base64.b64encode(wav)[:200].decode() in json.dumps(kept) for wav in wavs.values())
