"""The spoken line and the recorded lines, with real engines from end to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.line import AuthoredLines, Heard, Line, LineTurn, TextLines
from core.schemas.base import Condition
from core.schemas.call_trace import AudioSpan, Channel, Message, Role
from core.schemas.scenario import ChannelProgram, Place, Scenario, Split
from core.seeds import generator
from speech import audiofile
from speech.asr.guard import VERSION
from speech.clip import Clip
from speech.line import MAX_REPLY, PAUSE_S
from speech.recording import SAMPLE_RATE
from speech.studio import Studio, build_studio
from tests.speech.conftest import SCENARIO

ROOT = Path(__file__).parents[2]
WORDS = "My member number is four seven two nine, one five three zero."

pytestmark = [pytest.mark.engine, pytest.mark.slow]


def _span(line: Line, speech: str) -> AudioSpan | None:
    sounded = line.reply(speech)
    return sounded.span if sounded else None


def _play(line: Line, *turns: str) -> tuple[list[Heard], list[Message]]:
    """Agent greeting, then each turn with a reply."""
    messages: list[Message] = []

    def add(role: Role, text: str, **fields: object) -> None:
        messages.append(Message.model_validate({"index": len(messages), "role": role, "content": text, **fields}))

    add(Role.SYSTEM, "You are a clerk.")
    add(Role.AGENT, "Hello, how can I help?", audio=_span(line, "Hello, how can I help?"))
    heard = []
    for number, words in enumerate(turns, 1):
        heard.append(line.carry(LineTurn(number, words, ()), generator(1, "turn", number)))
        for fragment in heard[-1].fragments:
            add(Role.CALLER, fragment.text, caller_turn=number, audio=fragment.span)
        add(Role.AGENT, "Thank you.", audio=_span(line, "Thank you."))
    return heard, messages


def _split(scenario: Scenario) -> Scenario:
    split = Split(at=Place(turn=1), after="nine,")
    return scenario.model_copy(update={"channel": ChannelProgram(splits=(split,))})


def test_what_was_heard_is_what_the_recording_holds(studio: Studio, scenario: Scenario, tmp_path: Path) -> None:
    """Each fragment's hash is that of its span in the saved recording: the recogniser got exactly those samples."""
    line = studio.spoken_lines().open(scenario, 7)

    (heard,), messages = _play(line, WORDS)
    line.save(tmp_path, messages)

    assert Condition.ASR == line.condition
    samples, _ = audiofile.read_channels(tmp_path / "call.flac")
    described = line.recording(messages)
    assert described is not None
    for fragment, message in zip(heard.fragments, messages[2:], strict=False):
        assert fragment.span is not None
        assert fragment.span.channel is Channel.CALLER
        clip = Clip.of(samples[fragment.span.start_sample : fragment.span.end_sample, 0], SAMPLE_RATE)
        assert fragment.clip == clip.sha256 == described.clips[f"{message.index:03d}"]
    assert "47291530" == "".join(c for c in " ".join(f.text for f in heard.fragments) if c.isdigit())
    assert heard.audio is not None
    assert ("piper-joe", WORDS) == (heard.audio.voice, heard.audio.spoken)
    assert [1, 2, 3] == [segment.message for segment in described.segments]


def test_an_authored_split_is_a_real_pause_and_two_fragments(studio: Studio, scenario: Scenario) -> None:
    """The turn arrives as two messages whose spans meet, and the pause between the pieces lasts at least 0.9 s."""
    line = studio.spoken_lines().open(_split(scenario), 7)

    (heard,), _ = _play(line, WORDS)

    assert 2 == len(heard.fragments)
    first, second = (fragment.span for fragment in heard.fragments)
    assert first is not None
    assert second is not None
    assert first.end_sample == second.start_sample
    assert [("split", True)] == [(event.kind, event.applied) for event in heard.events]
    assert heard.audio is not None
    assert "My member number is four seven two nine, | one five three zero." == heard.audio.spoken
    assert ["4729", "1530"] == ["".join(c for c in fragment.text if c.isdigit()) for fragment in heard.fragments]


def test_cold_and_warm_caches_give_the_same_call(cold_root: Path, scenario: Scenario, tmp_path: Path) -> None:
    """A second studio over the filled cache gives equal words, spans, hashes and files."""
    calls = []
    for name in ("cold", "warm"):
        line = build_studio(cold_root, "landline:loss=0.05").spoken_lines().open(scenario, 7)
        heard, messages = _play(line, WORDS, "Thanks, that is all.")
        (tmp_path / name).mkdir()
        line.save(tmp_path / name, messages)
        files = {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        calls.append((heard, messages, files, line.recording(messages), line.settings()))

    assert 7 == len(calls[0][2])
    assert calls[0] == calls[1]


def test_a_warm_call_loads_no_engine(cold_root: Path, scenario: Scenario) -> None:
    """With every clip and transcript in the cache another process plays the call without importing an engine."""
    _play(build_studio(cold_root).spoken_lines().open(scenario, 7), WORDS)
    script = """
import sys, json, pathlib
from core.line import LineTurn
from core.schemas.scenario import Scenario
from core.seeds import generator
from speech.studio import build_studio
line = build_studio(pathlib.Path(sys.argv[1])).spoken_lines().open(Scenario.model_validate(json.loads(sys.argv[2])), 7)
line.reply("Hello, how can I help?")
heard = line.carry(LineTurn(1, sys.argv[3], ()), generator(1, "turn", 1))
print(json.dumps([heard.fragments[0].text, sorted({name.partition(".")[0] for name in sys.modules})]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(cold_root), json.dumps(SCENARIO), WORDS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    text, modules = json.loads(done.stdout)

    assert "number" in text
    assert set() == set(modules) & {"faster_whisper", "ctranslate2", "onnxruntime", "hibari", "piper", "scipy", "av"}


def test_a_bad_line_is_heard_worse_than_a_good_one(warm_root: Path, scenario: Scenario) -> None:
    """At -5 dB with a third of the packets lost the words differ from those a clean channel gives."""
    (clean,), _ = _play(build_studio(warm_root, "clean").spoken_lines().open(scenario, 7), WORDS)
    (bad,), _ = _play(build_studio(warm_root, "landline:snr=-5,loss=0.3").spoken_lines().open(scenario, 7), WORDS)

    assert clean.fragments[0].text != bad.fragments[0].text
    assert clean.fragments[0].confidence is not None
    assert bad.fragments[0].confidence is None or bad.fragments[0].confidence < clean.fragments[0].confidence


def test_words_made_up_on_a_dead_line_are_silence_and_recorded(warm_root: Path, scenario: Scenario) -> None:
    """Where nothing gets through, what the recogniser says all the same is taken out, and a note holds it with its figures."""
    line = build_studio(warm_root, "landline:snr=-10,loss=0.8").spoken_lines().open(scenario, 7)

    (heard,), _ = _play(line, WORDS)

    (note,) = heard.events
    assert ("", None) == (heard.fragments[0].text, heard.fragments[0].confidence)
    assert ("hearing_guard:silence", "note", True, "") == (note.id, note.kind, note.applied, note.after)
    assert note.before
    assert note.detail.startswith("fragment 1: speech_s ")
    assert line.settings()["guard"] == {"version": VERSION}


def test_a_pause_that_a_crowd_fills_is_noted(warm_root: Path, scenario: Scenario) -> None:
    """Among people talking the detector finds no pause: the turn arrives whole, and a note tells of two pieces."""
    line = build_studio(warm_root, "cafe:snr=0").spoken_lines().open(_split(scenario), 7)

    (heard,), _ = _play(line, WORDS)

    assert 1 == len(heard.fragments)
    assert "2 pieces were spoken, 1 arrived" in [event.detail for event in heard.events if event.id == "hearing_pause"]


def test_recorded_text_lines_change_no_word(studio: Studio, scenario: Scenario, tmp_path: Path) -> None:
    """With sound beside it a text line delivers the very words, each with its place in the recording, both sides heard."""
    line = studio.recorded(TextLines()).open(scenario, 7)

    heard, messages = _play(line, WORDS, "Bye.")
    line.save(tmp_path, messages)

    assert Condition.TEXT == line.condition
    assert [WORDS, "Bye."] == [fragment.text for turn in heard for fragment in turn.fragments]
    described = line.recording(messages)
    assert described is not None
    assert [1, 2, 3, 4, 5] == [segment.message for segment in described.segments]
    samples, _ = audiofile.read_channels(tmp_path / "call.flac")
    for segment in described.segments:
        side = 0 if segment.channel is Channel.CALLER else 1
        assert abs(samples[segment.start_sample : segment.end_sample, side]).max() > 0.02


def test_recorded_splits_sound_under_their_own_messages(studio: Studio, scenario: Scenario) -> None:
    """On a recorded authored line each message of a split turn has its own span, with the pause between them."""
    line = studio.recorded(AuthoredLines()).open(_split(scenario), 7)

    (heard,), _ = _play(line, WORDS)

    first, second = (fragment.span for fragment in heard.fragments)
    assert first is not None
    assert second is not None
    assert round(PAUSE_S * SAMPLE_RATE) == second.start_sample - first.end_sample


def test_an_agent_that_says_nothing_speakable_is_silent(studio: Studio, scenario: Scenario) -> None:
    """Speech of mere signs puts no sound on the recording and drops no call."""
    line = studio.spoken_lines().open(scenario, 7)

    assert line.reply("...") is None
    assert line.reply("Hello.") is not None


def test_an_agent_that_never_ends_is_silent(studio: Studio, scenario: Scenario) -> None:
    """More than anybody would listen to in one turn is not spoken, which no voice's memory would hold, and it is kept why."""
    sounded = studio.spoken_lines().open(scenario, 7).reply("and " * (MAX_REPLY // 4) + "so on")

    assert sounded is not None
    assert (None, None) == (sounded.span, sounded.voice)
    assert (f"{MAX_REPLY + 5} characters: at most {MAX_REPLY} are spoken in one turn",) == sounded.retakes


def test_control_characters_reach_no_voice(studio: Studio, scenario: Scenario) -> None:
    """A reply with characters that an engine chokes on sounds like the same reply without them."""
    odd, plain = (studio.spoken_lines().open(scenario, 7).reply(text) for text in ("He\x00llo\x1b \ud800there.", "He llo there."))

    assert odd is not None
    assert odd == plain
