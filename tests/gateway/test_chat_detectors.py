"""Chat models and the baseline on sound, by their names as detectors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import UsageError
from core.schemas.detections import InputMode, Response
from core.schemas.snapshots import Label
from core.snapshots.evaluating.held_out import HeldOut
from gateway.snapshots.detectors import Wanted, make_detector
from models.chat.prompts import prompt
from models.detectors.acoustic import shipped_model
from models.detectors.chat import ChatDetector
from tests.speech.dialogues import call
from tests.support.chat_server import chat_server, refused_key, say, too_long
from tests.support.shell import Shell
from tests.support.small_months import small_month, written


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("scheme", "mode"), [("litellm", "asr"), ("litellm", "ref"), ("audio-chat", "audio")])
def test_a_chat_model_takes_its_modes_and_the_prompt_that_is_wanted(language: str, scheme: str, mode: str) -> None:
    """The language of the prompt is not that of the calls."""
    wanted = Wanted("zh", "zh" if language == "zh" else "en", InputMode(mode))
    made = make_detector(f"{scheme}:openai/m?temperature=0", wanted)
    assert isinstance(made, ChatDetector)
    assert prompt(f"detector-{language}-1").sha256 == made.prompt_sha256
    assert f"{scheme}:openai/m?max_tokens=2048&temperature=0.0" == made.record().party


@pytest.mark.parametrize(
    ("name", "mode", "said"),
    [
        ("litellm:openai/m", "audio", "cannot be asked with --mode audio: it takes asr, ref"),
        ("audio-chat:openai/m", "asr", "cannot be asked with --mode asr: it takes audio"),
        ("offline:acoustic", "ref", "cannot be asked with --mode ref: it takes audio"),
        ("audio-chat:m", "audio", "write audio-chat:<provider>/<model>"),
        ("audio-chat:openai/m?json=prompt", "audio", "unknown option 'json'"),
        ("litellm:openai/m?tools=text", "ref", "unknown option 'tools'"),
        ("offline:acoustic?x=1", "audio", "offline:acoustic takes no options"),
        ("offline:nobody", "ref", "litellm:<provider>/<model>, audio-chat:<provider>/<model>, python:"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(name: str, mode: str, said: str) -> None:
    """Before anything is sent, with what would do."""
    with pytest.raises(UsageError, match=said) as caught:
        make_detector(name, Wanted("en", "en", InputMode(mode)))
    assert "\n" not in str(caught.value)


def test_sound_that_was_learned_from_is_no_month() -> None:
    """The baseline on sound refuses a month with a tree of its training."""
    month = HeldOut(frozenset(shipped_model().trained_on.trees[:1]))
    with pytest.raises(UsageError, match="a month is for testing alone"):
        make_detector("offline:acoustic", Wanted("zh", "zh", InputMode.AUDIO, month))


def test_answers_and_failures_of_a_provider_become_rows(shell: Shell, tmp_path: Path) -> None:
    """A label, an answer that was cut off with a label in it, and a call that is too long: one row each, the raw answer kept."""
    rows = written([call(tree="a"), call(Label.NONFRAUD, tree="a"), call(tree="b")])
    small_month(tmp_path / "month", rows)
    items = [say("NONFRAUD"), say("FRAUD"), say("FRAUD", finish="length"), too_long()]
    with chat_server({"m": items}) as server:
        asked = ("snapshot", "evaluate", "month", "--detector", server.party("m"), "--mode", "ref", "--concurrency", "1")
        assert 0 == shell(*asked, "--out", "eval", "-q"), shell.err
        assert [row.call.text for row in rows] == [body["messages"][1]["content"] for body in server.bodies()[1:]]
    answers = [Response.model_validate_json(line) for line in (tmp_path / "eval" / "responses.jsonl").read_bytes().splitlines()]
    assert [("FRAUD", "FRAUD", None), ("FRAUD", None, "parse"), ("", None, "too_long")] == [
        (answer.raw, answer.parsed, answer.error) for answer in answers
    ]
    assert "cut off at its largest length" in answers[1].attempts
    assert "8192" in answers[2].attempts[0]


def test_a_wrong_key_stops_before_anything_is_written(shell: Shell, tmp_path: Path) -> None:
    """Exit 3, one line, no folder; the next command with the right key starts at the beginning."""
    small_month(tmp_path / "month", written([call(), call(Label.NONFRAUD)]))
    with chat_server({"m": [refused_key(), "FRAUD", "FRAUD", "NONFRAUD"]}) as server:
        asked = ("snapshot", "evaluate", "month", "--detector", server.party("m"), "--mode", "ref", "--concurrency", "1", "-q")
        assert 3 == shell(*asked, "--out", "eval")
        assert 1 == len(shell.err.splitlines())
        assert "check the model's name, its key and its address" in shell.err
        assert not (tmp_path / "eval").exists()
        assert 0 == shell(*asked, "--out", "eval"), shell.err
    assert 1.0 == json.loads((tmp_path / "eval" / "summary.json").read_bytes())["metrics"]["accuracy"]
