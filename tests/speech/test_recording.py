"""Recordings: sample-exact segments, captions, clips, and equal bytes for equal calls."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core.errors import FileError
from core.schemas.call_trace import Channel, Message, Role
from speech import audiofile, recording
from speech.clip import Clip
from speech.recording import SAMPLE_RATE, TURN_GAP_S, Timeline
from tests.speech.sounds import bursts, tone

GAP = round(TURN_GAP_S * SAMPLE_RATE)


def _call() -> tuple[Timeline, list[Message], dict[int, Clip]]:
    """A small call: agent, caller, a silent tool message, agent."""
    timeline = Timeline()
    clips = {1: tone(440, 1.0).quantised(), 2: bursts(0.7).quantised(), 4: tone(220, 0.5001).quantised()}
    sides = {1: Channel.AGENT, 2: Channel.CALLER, 4: Channel.AGENT}
    spans = {index: timeline.add(sides[index], clip) for index, clip in clips.items()}
    words = ["You are a clerk.", "Hello & <welcome>,\n\nhow can I help?", "", '{"ok":true}', "Bye."]
    roles = [Role.SYSTEM, Role.AGENT, Role.CALLER, Role.TOOL, Role.AGENT]
    messages = [
        Message(index=index, role=role, content=text, audio=spans.get(index))
        for index, (role, text) in enumerate(zip(roles, words, strict=True))
    ]
    return timeline, messages, clips


def test_segments_cut_out_exactly_what_was_added(tmp_path: Path) -> None:
    """Each segment of the file, on its own channel, is the clip that was added; the other channel is silent there."""
    timeline, messages, clips = _call()

    recording.save(timeline, tmp_path, messages)

    samples, rate = audiofile.read_channels(tmp_path / "call.flac")
    described = recording.describe(timeline, messages)
    assert (SAMPLE_RATE, described.samples) == (rate, len(samples))
    assert [1, 2, 4] == [segment.message for segment in described.segments]
    for segment in described.segments:
        side = 0 if segment.channel is Channel.CALLER else 1
        span = slice(segment.start_sample, segment.end_sample)
        assert clips[segment.message].sha256 == Clip(samples[span, side].copy(), rate).sha256
        assert not samples[span, 1 - side].any()


def test_turns_follow_each_other_with_a_gap() -> None:
    """Time is counted in samples: a gap, a turn, a gap, a turn, and a gap at the end."""
    timeline, messages, clips = _call()

    segments = recording.describe(timeline, messages).segments

    position = 0
    for segment in segments:
        assert position + GAP == segment.start_sample
        position = segment.start_sample + len(clips[segment.message])
        assert position == segment.end_sample
    assert position + GAP == len(timeline.pcm())


def test_clips_are_named_by_message_and_hashed(tmp_path: Path) -> None:
    """One FLAC per sounding message, whose hash stands in the record."""
    timeline, messages, clips = _call()
    recording.save(timeline, tmp_path, messages)

    hashes = recording.describe(timeline, messages).clips

    assert {"001.flac", "002.flac", "004.flac"} == {path.name for path in (tmp_path / "clips").iterdir()}
    for index, clip in clips.items():
        assert clip.sha256 == hashes[f"{index:03d}"] == audiofile.read(tmp_path / "clips" / f"{index:03d}.flac").sha256


def test_the_record_hashes_the_samples_not_the_file(tmp_path: Path) -> None:
    """`pcm_sha256` is the hash of the interleaved 16-bit samples, which any FLAC decoder gives back."""
    timeline, messages, _ = _call()
    recording.save(timeline, tmp_path, messages)
    samples, _ = audiofile.read_channels(tmp_path / "call.flac")

    expected = hashlib.sha256((samples * 32768).astype("<i2").tobytes()).hexdigest()

    assert expected == recording.describe(timeline, messages).pcm_sha256
    assert expected == recording.pcm_hash(tmp_path / "call.flac")


def test_captions() -> None:
    """Cues carry the message index, times rounded to milliseconds, the speaker, and escaped words on one line."""
    _, messages, _ = _call()

    assert (
        "WEBVTT\n\n"
        "1\n00:00:00.400 --> 00:00:01.400\n<v Agent>Hello &amp; &lt;welcome&gt;, how can I help?\n\n"
        "2\n00:00:01.800 --> 00:00:02.500\n<v Caller>...\n\n"
        "4\n00:00:02.900 --> 00:00:03.400\n<v Agent>Bye.\n"
    ) == recording.captions(messages)


def test_equal_calls_give_equal_bytes(tmp_path: Path) -> None:
    """Saving the same call twice gives the same files byte for byte."""
    for name in ("a", "b"):
        timeline, messages, _ = _call()
        (tmp_path / name).mkdir()
        recording.save(timeline, tmp_path / name, messages)

    first, second = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        for name in ("a", "b")
    )
    assert 5 == len(first)
    assert first == second


def test_a_call_without_a_sound_is_a_short_silence(tmp_path: Path) -> None:
    """A call in which nobody was heard still has a file, without segments."""
    recording.save(Timeline(), tmp_path, [])

    described = recording.describe(Timeline(), [])

    assert ((), GAP) == (described.segments, described.samples)
    assert GAP == len(audiofile.read(tmp_path / "call.flac"))


def test_what_cannot_be_recorded_is_refused(tmp_path: Path) -> None:
    """Another rate is a programming error; a folder that is not there is one line."""
    with pytest.raises(ValueError, match="16000 Hz, not 8000"):
        Timeline().add(Channel.CALLER, bursts(1, 8000))
    with pytest.raises(FileError, match="cannot write the recording into"):
        recording.save(Timeline(), tmp_path / "none", [])
