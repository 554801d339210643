"""`ringback qc` and what `ringback hear` refuses: exit codes, one line each, and no words where nobody spoke."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from core.errors import EXIT_GATE, EXIT_INPUT, EXIT_OK
from gateway.cli.main import main
from speech import audiofile
from speech.clip import Clip, concat
from speech.level import at_level
from tests.speech.sounds import bursts, tone
from tests.support.command import Command, SpokenRun
from tests.support.hostile_audio import Hostile, encoded, refused, wav

HOSTILE = refused()
REFUSED = [("hear", each) for each in HOSTILE] + [("qc", each) for each in HOSTILE if "cancel" not in each.name]
"""A call of two channels may well be two sides that cancel each other, so `qc` takes those."""
SECOND = 16000


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A sound clip of three seconds."""
    path = tmp_path / "clip.wav"
    audiofile.write(path, at_level(bursts(3.0), -23))
    return path


def _stereo(path: Path, left: Clip, right: Clip) -> Path:
    pcm = np.stack([left.to_pcm16(), right.to_pcm16()], axis=1)
    path.write_bytes(audiofile.encode(pcm, left.sample_rate, "FLAC"))
    return path


def test_a_sound_clip_passes(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every check is shown with its value and bounds; the length is judged only against a text."""
    assert EXIT_OK == main(["qc", str(clip)])
    assert f"{clip}: 8 checks passed" in capsys.readouterr().out
    assert EXIT_OK == main(["qc", str(clip), "--text", "I would like to move my appointment."])
    assert "  ok    duration_s                        3   0.725 to 11.1667" in capsys.readouterr().out


def test_a_failing_clip_exits_1(clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Too short for its words: the check, its value and its bounds, in words and as JSON."""
    words = "It is far too much to say in three seconds. " * 5
    assert EXIT_GATE == main(["qc", str(clip), "--text", words])
    assert "1 of 9 checks failed" in capsys.readouterr().out
    assert EXIT_GATE == main(["qc", str(clip), "--text", words, "--json"])
    (sound,) = json.loads(capsys.readouterr().out)["sounds"]
    assert [("duration_s", 3.0)] == [(check["name"], check["value"]) for check in sound["checks"] if not check["passed"]]
    assert (False, None) == (sound["passed"], sound["checks"][0]["high"])


def test_a_call_of_two_channels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two voices pass; one voice on both sides is crosstalk; of several sounds only what failed is shown."""
    one, other = (at_level(bursts(6.0, seed=seed), -23) for seed in (1, 2))
    call = _stereo(tmp_path / "call.flac", one, other)
    same = _stereo(tmp_path / "same.flac", one, one)

    assert EXIT_GATE == main(["qc", str(call), str(same)])

    lines = capsys.readouterr().out.splitlines()
    assert [f"{call}: 12 checks passed", f"{same}: 2 of 12 checks failed"] == [line for line in lines if line[:1] != " "]
    assert ["caller.crosstalk_db", "agent.crosstalk_db"] == [line.split()[1] for line in lines if "FAIL" in line]


def test_what_was_converted_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An 8-bit file under a FLAC's name is inspected, with a note of both."""
    path = tmp_path / "call.flac"
    path.write_bytes(encoded("WAV", "PCM_U8"))

    main(["qc", str(path)])

    out = capsys.readouterr().out
    assert "note  named .flac and is WAV" in out
    assert "note  PCM_U8 samples were brought to 32-bit float" in out


def test_words_are_held_against_clips_alone(clip: Path, spoken: SpokenRun, capsys: pytest.CaptureFixture[str]) -> None:
    """A run's words stand in its traces, and no words are none to hold a clip against: each is refused, not passed over."""
    for target, text, said in ((spoken.folder, "hello", "--text is for single clips"), (clip, " ", "--text is empty")):
        assert EXIT_INPUT == main(["qc", str(target), "--text", text])
        assert said in capsys.readouterr().err


def test_detail_adds_figures_for_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pitch of a tone, and a band that ends above it."""
    path = tmp_path / "tone.wav"
    audiofile.write(path, at_level(concat(tone(220, 1.5), Clip.silence(0.1, SECOND)), -23))

    assert EXIT_OK == main(["qc", str(path), "--detail", "--json"])

    (sound,) = json.loads(capsys.readouterr().out)["sounds"]
    assert sound["figures"]["clip"]["pitch_hz"] == pytest.approx(220, abs=2)
    assert sound["figures"]["clip"]["rolloff_hz"] < 400


@pytest.mark.engine
@pytest.mark.slow
def test_runs_and_cases_are_inspected(spoken: SpokenRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every recording of a real run passes; a cut of one fails for its duration; a case without sound is said so."""
    assert EXIT_OK == main(["qc", str(spoken.folder)])
    assert 2 == capsys.readouterr().out.count("checks passed")
    case = next(path for path in (spoken.folder / "cases").iterdir() if path.name.endswith("--asr--r0"))
    assert EXIT_OK == main(["qc", str(case)])
    assert "silent_segments" in capsys.readouterr().out
    cut = tmp_path / "cut"
    shutil.copytree(case, cut)
    samples, rate = audiofile.read_channels(cut / "call.flac")
    (cut / "call.flac").write_bytes(audiofile.encode((samples[: 8 * rate] * 32768).astype(np.int16), rate, "FLAC"))
    assert EXIT_GATE == main(["qc", str(cut)])
    out = capsys.readouterr().out
    assert "FAIL  duration_s" in out
    (cut / "call.flac").write_bytes((case / "call.flac").read_bytes()[:5000])
    assert EXIT_INPUT == main(["qc", str(cut)])
    assert 1 == len(capsys.readouterr().err.splitlines())
    trace = json.loads((cut / "trace.json").read_bytes())
    (cut / "trace.json").write_text(json.dumps({**trace, "recording": None}), encoding="utf-8")
    assert EXIT_INPUT == main(["qc", str(cut)])
    assert "this call has no recording" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "hostile"), REFUSED, ids=[f"{command} {each.name}" for command, each in REFUSED])
def test_hostile_sound_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], hostile: Hostile, command: str
) -> None:
    """Exit 2, one line on stderr, nothing on stdout, no traceback, whatever writes to either."""
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "sounds"
    folder.mkdir()
    code = main([command, str(hostile.at(folder))])

    out, err = capfd.readouterr()
    assert (EXIT_INPUT, "") == (code, out)
    (line,) = err.splitlines()
    assert line.startswith("ringback: error: ")
    assert line.isprintable()


@pytest.mark.engine
@pytest.mark.slow
def test_no_words_where_nobody_spoke(
    tmp_path: Path, engine_cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Silence, noise, tones, clicks and a single sample are heard as nothing, and that is no error."""
    monkeypatch.setenv("RINGBACK_CACHE", str(engine_cache))
    rng = np.random.default_rng(0)
    click = np.zeros(2 * SECOND)
    click[SECOND] = 1
    mute = {
        "silence": Clip.silence(3, SECOND),
        "one sample": Clip.of([0.5], 8000),
        "a hundredth of a second": bursts(0.01),
        "white noise": Clip.of(rng.normal(0, 0.1, 3 * SECOND), SECOND),
        "faint noise": Clip.of(rng.normal(0, 1e-4, 12 * SECOND), SECOND),
        "hum": tone(50, 3, SECOND, 0.3),
        "a dial tone": Clip.of(tone(350, 4).samples + tone(440, 4).samples, SECOND),
        "an offset": Clip.of(np.full(2 * SECOND, 0.3), SECOND),
        "a click": Clip.of(click, SECOND),
        "noise in syllables": bursts(5.0),
    }
    for name, sound in mute.items():
        path = tmp_path / f"{name}.wav"
        audiofile.write(path, sound)
        assert (name, EXIT_OK, ("\n", "")) == (name, main(["hear", str(path)]), tuple(capfd.readouterr()))


@pytest.mark.engine
@pytest.mark.slow
def test_converted_sound_is_heard(
    tmp_path: Path, engine_cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One sentence as 8 bits, A-law and stereo floats beyond full scale is heard as said, and what was done to it is told."""
    monkeypatch.setenv("RINGBACK_CACHE", str(engine_cache))
    source = tmp_path / "source.wav"
    assert EXIT_OK == main(["speak", "Good morning, I have a question about my bill.", "-o", str(source)])
    capfd.readouterr()
    said = audiofile.read(source)
    pcm = said.to_pcm16()
    loud = np.repeat(pcm[:, None], 2, axis=1).astype("<f4").tobytes()
    forms = {
        "PCM_U8 samples": encoded("WAV", "PCM_U8", pcm, said.sample_rate),
        "ALAW samples": encoded("WAV", "ALAW", pcm, said.sample_rate),
        "2 channels were averaged": wav(loud, tag=3, bits=32, channels=2, rate=said.sample_rate),
    }
    for note, data in forms.items():
        path = tmp_path / "form.wav"
        path.write_bytes(data)
        assert EXIT_OK == main(["hear", str(path), "--json"])
        heard = json.loads(capfd.readouterr().out)
        assert "question about my bill" in heard["text"]
        assert any(each.startswith(note) for each in heard["taken"])


@pytest.mark.slow
def test_the_command_itself_refuses_in_one_line(ringback: Command, tmp_path: Path) -> None:
    """The installed command, in a process of its own: an error page and a pipe are one line each, and exit 2."""
    chosen = {each.name: each for each in HOSTILE}
    for name in ("a page of an error", "a pipe"):
        folder = tmp_path / name
        folder.mkdir()
        assert chosen[name].says.split()[0] in ringback.fails(EXIT_INPUT, "hear", chosen[name].at(folder))
