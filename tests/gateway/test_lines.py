"""The doors to the speech layer: every channel is read, and a recording is held against the trace that describes it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from core.errors import UsageError
from core.runs.play import Played, play_case
from core.runs.replay import Difference
from core.schemas.base import Condition
from core.schemas.call_trace import Channel, Message, Role, Trace
from core.schemas.run import CaseKey
from gateway.lines import LineSettings, line_of_trace, make_lines, recording_differences
from gateway.settings import Settings
from speech import audiofile, recording
from speech.clip import Clip
from tests.support.parties import GREETING, say, turn
from tests.support.runs import CODE, parties
from tests.support.scenes import minimal


@pytest.mark.parametrize(
    ("channel", "reason"),
    [("foo", "unknown channel 'foo'"), ("landline:volume=11", "unknown setting 'volume'"), ("landline:loss=2", "loss=2")],
)
def test_a_channel_is_read_although_nothing_sounds(tmp_path: Path, channel: str, reason: str) -> None:
    """A slip in `--channel` is told at once, not first where a call is spoken."""
    with pytest.raises(UsageError, match=reason):
        make_lines([Condition.TEXT], LineSettings(tmp_path, channel))


@pytest.mark.parametrize(
    ("voices", "reason"),
    [("nobody", "unknown voice 'nobody'"), ("whisper-base", "unknown voice 'whisper-base'"), (",", "no voices in ','")],
)
def test_voices_are_read_although_nothing_sounds(tmp_path: Path, voices: str, reason: str) -> None:
    """A slip in `--voices` is told at once, not first where a call is spoken."""
    with pytest.raises(UsageError, match=reason):
        make_lines([Condition.TEXT], LineSettings(tmp_path, voices=voices))


def test_a_line_is_made_again_with_the_voices_of_its_trace(tmp_path: Path) -> None:
    """What `--voices` said stands in the settings of a spoken line, and a replay takes it from there."""
    trace = _recorded(tmp_path)
    assert "standard" == line_of_trace(trace, Settings(cache_root=tmp_path)).settings()["voices"]

    header = trace.header.model_copy(update={"line": {"voices": "all"}})
    again = line_of_trace(trace.model_copy(update={"header": header}), Settings(cache_root=tmp_path))

    assert "all" == again.settings()["voices"]


def _recorded(folder: Path) -> Trace:
    """A call of three short sounds beside its trace, written as a line writes it."""
    timeline, messages = recording.Timeline(), []
    for index, channel in enumerate((Channel.AGENT, Channel.CALLER, Channel.AGENT)):
        sound = Clip.of(np.full(1600, 0.1 * (index + 1), np.float32), recording.SAMPLE_RATE)
        role = Role.AGENT if channel is Channel.AGENT else Role.CALLER
        messages.append(Message(index=index, role=role, content="Hm.", audio=timeline.add(channel, sound)))
    recording.save(timeline, folder, messages)
    played = play_case(
        CaseKey(scenario="renew-loan", condition=Condition.TEXT),
        minimal(),
        parties((turn(GREETING), turn("Bye.")), (say("Bye.", done=True),)),
        7,
        CODE,
    )
    assert isinstance(played, Played)
    return played.trace.model_copy(update={"recording": recording.describe(timeline, messages)})


def test_a_recording_is_the_one_its_trace_describes(tmp_path: Path) -> None:
    """The whole call and every clip agree with their hashes; a call without sound has nothing to agree with."""
    trace = _recorded(tmp_path)
    assert [] == recording_differences(trace, tmp_path)
    assert [] == recording_differences(trace.model_copy(update={"recording": None}), tmp_path)


def test_each_clip_that_is_changed_missing_or_added_is_named(tmp_path: Path) -> None:
    """By its name, with the hash that is described and the one that is there."""
    trace = _recorded(tmp_path)
    assert trace.recording is not None
    clips, hashes = tmp_path / "clips", trace.recording.clips
    shutil.copyfile(clips / "000.flac", clips / "007.flac")
    shutil.copyfile(clips / "000.flac", clips / "001.flac")
    (clips / "002.flac").unlink()
    assert [
        Difference("recording.clips.001", hashes["001"], hashes["000"]),
        Difference("recording.clips.002", hashes["002"], None),
        Difference("recording.clips.007", None, hashes["000"]),
    ] == recording_differences(trace, tmp_path)


def test_a_changed_call_is_named(tmp_path: Path) -> None:
    """The two channels together have a hash of their own."""
    trace = _recorded(tmp_path)
    assert trace.recording is not None
    samples = np.zeros((trace.recording.samples, 2), np.int16)
    (tmp_path / "call.flac").write_bytes(audiofile.encode(samples, recording.SAMPLE_RATE, "FLAC"))
    assert ["recording.pcm_sha256"] == [item.where for item in recording_differences(trace, tmp_path)]
