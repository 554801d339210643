"""Real models on this machine as detectors of the calls of a month, over HTTP: one that reads, and one that hears and reads."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.schemas.detections import EvaluationRun, EvaluationSummary, Response
from core.schemas.snapshots import Label, ManifestRow, SnapshotCall
from core.schemas.voicing import RenderConfig
from core.snapshots.parsing import read_label
from models.chat.prompts import prompt
from models.local_chat import LocalChat, serve
from speech.studio import Studio, build_studio
from tests.speech.dialogues import HARMFUL, LAWFUL, call
from tests.support.cascade_server import cascade_server
from tests.support.shell import Shell
from tests.support.small_months import small_month, spoken, written

MODEL = "qwen-coder-500m"
WEAK = "temperature=0&max_tokens=8&timeout=300"
CONFIG = RenderConfig(seed=7, voices="espeak-f2,espeak-f4,espeak-m3,espeak-m7", channels=("landline",))


@dataclass(frozen=True)
class Month:
    """A month with sound."""

    folder: str
    rows: list[ManifestRow]
    wavs: dict[str, bytes]
    studio: Studio

    @property
    def recordings(self) -> set[str]:
        """Hashes of its files."""
        return {row.audio.sha256 for row in self.rows if row.audio is not None}


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


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path) -> Month:
    """Two calls with recordings."""
    studio = build_studio(engine_cache, channel="clean", recogniser="whisper-base")
    rows, wavs = spoken(_calls(2), CONFIG, studio)
    return Month(str(small_month(tmp_path_factory.mktemp("months") / "spoken", rows, wavs)), rows, wavs, studio)


def test_a_cascade_hears_two_calls(shell: Shell, tmp_path: Path, month: Month, chat: LocalChat) -> None:
    """The frozen bytes arrive, our recogniser hears them, and the model answers about the words; no transcript is recorded."""
    with cascade_server(month.studio, "en", chat.address) as server:
        party = f"audio-chat:openai/{MODEL}?api_base={server.base}&{WEAK}"
        asked = ("snapshot", "evaluate", month.folder, "--detector", party, "--mode", "audio", "--concurrency", "1")
        assert 0 == shell(*asked, "--out", "heard", "-q"), shell.err
        (_, silence), *heard = server.heard
        assert "" == silence  # the check before the first call
    run, answers = _sound(tmp_path / "heard", 2)
    assert month.recordings == {sha for sha, _ in heard} == {answer.audio_sha256 for answer in answers}
    assert all(len(text.split()) > 10 for _, text in heard)
    assert ({None}, None) == ({answer.transcript_id for answer in answers}, run.recogniser)
    kept = [path.read_text("utf-8") for path in (tmp_path / "cache" / "chat" / "replies").rglob("*.json")]
    assert 2 == len(kept)
    sounds = [base64.b64encode(wav).decode()[200:400] for wav in month.wavs.values()]
    assert [] == [sound for sound in sounds for reply in kept if sound in reply]


def test_all_who_read_a_recording_read_one_transcript(
    shell: Shell, tmp_path: Path, engine_cache: Path, month: Month, chat: LocalChat
) -> None:
    """The chat model and the detector that counts words are given the same transcript of the same recording, by its id."""
    (tmp_path / "cache").mkdir()
    for name in ("weights", "transcripts"):
        (engine_cache / name).mkdir(exist_ok=True)
        (tmp_path / "cache" / name).symlink_to(engine_cache / name)
    asked = ("snapshot", "evaluate", month.folder, "--mode", "asr", "--recogniser", "whisper-base", "-q")
    assert 0 == shell(*asked, "--detector", f"{chat.party}&{WEAK}", "--out", "read"), shell.err
    assert 0 == shell(*asked, "--detector", "offline:keywords", "--out", "counted"), shell.err
    run, answers = _sound(tmp_path / "read", 2)
    counted = {answer.sample_id: answer for answer in _answers(tmp_path / "counted")}
    assert month.recordings == {answer.audio_sha256 for answer in answers}
    assert 2 == len({answer.transcript_id for answer in answers} - {None})
    for answer in answers:
        same = counted[answer.sample_id]
        assert (same.transcript_id, same.audio_sha256) == (answer.transcript_id, answer.audio_sha256)
    assert run.recogniser is not None
    assert "whisper-base" in json.dumps(run.recogniser)
