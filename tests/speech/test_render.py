"""Calls become recordings: the same bytes everywhere, siblings alike while their words are, no delivery dropped in silence."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ClipError, EngineError, UsageError
from core.schemas.base import sha256
from core.schemas.snapshots import CallVoices, Delivery, Label, SnapshotCall
from core.schemas.trees import BuildConfig
from core.schemas.voicing import RenderConfig
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import load_cases
from models.snapshots.offline import offline_agents
from models.specs import ModelSpec
from speech import render
from speech.clip import Clip
from speech.level import active_power, decibels
from speech.render import Refused, Rendered
from speech.rendering import quality, timeline
from speech.rendering.delivery import engine_pace
from speech.rendering.tables import delivery_table
from speech.rendering.timeline import SAMPLE_RATE
from speech.studio import Studio, build_studio
from tests.speech.dialogues import HARMFUL, call
from tests.support.voices import WatchedVoice, muted

pytestmark = pytest.mark.engine

ROBOTS = "espeak-f2,espeak-f4,espeak-m3,espeak-m7"
CONFIG = RenderConfig(seed=7, voices=ROBOTS, channels=("mobile",))


def _failing(_clip: Clip) -> Clip:
    raise EngineError("the engine went away")


def _wired(monkeypatch: pytest.MonkeyPatch, studio: Studio, **how: Any) -> dict[str, WatchedVoice]:
    """The studio's voices, watched, by id."""
    real = studio.voice
    watched: dict[str, WatchedVoice] = {}

    def voice(spec: ModelSpec, _options: object) -> WatchedVoice:
        return watched.setdefault(spec.id, WatchedVoice(real(spec), **how))

    monkeypatch.setattr(studio, "voice", voice)
    return watched


@pytest.fixture
def quiet(cold_root: Path) -> Studio:
    """A studio without a single clip."""
    return build_studio(cold_root, channel="clean")


def _voices(calls: list[SnapshotCall], studio: Studio, config: RenderConfig = CONFIG) -> CallVoices:
    return render.assign(calls, config, studio)[calls[0].tree_id]


def _rendered(of: SnapshotCall, studio: Studio, config: RenderConfig = CONFIG) -> Rendered:
    made = render.render_call(of, _voices([of], studio, config), config, studio)
    assert isinstance(made, Rendered), made
    return made


def _sound(made: Rendered) -> Clip:
    return quality.read_wav(made.wav)[0]


def test_a_call_is_a_mono_wav_of_16_bits_at_24_khz_with_its_turns_in_order(quiet: Studio, tmp_path: Path) -> None:
    """The header says so, the row's figures are the file's, each turn sounds where it stands, and the file appears as it is."""
    made = _rendered(call(), quiet)
    path = render.write_audio(tmp_path / "month", made)

    assert made.wav == path.read_bytes()
    assert [path] == [found for found in (tmp_path / "month").rglob("*") if found.is_file()]
    assert f"audio/{call().sample_id}.wav" == made.audio.path
    assert sha256(made.wav) == made.audio.sha256
    with wave.open(str(path)) as header:
        assert (24000, 1, 2) == (header.getframerate(), header.getnchannels(), header.getsampwidth())
        assert made.audio.samples == header.getnframes()
    assert [0, 1, 2, 3] == [span.turn for span in made.audio.spans]
    line = _sound(made).cut(0, made.audio.spans[0].start_sample)
    for before, span in zip((None, *made.audio.spans), made.audio.spans, strict=False):
        turn = _sound(made).cut(span.start_sample, span.end_sample)
        assert decibels(active_power(turn)) > decibels(active_power(line)) + 10
        wait = (span.start_sample - before.end_sample) / SAMPLE_RATE if before else timeline.EDGE_S
        assert timeline.GAP_RANGE_S[0] <= wait <= timeline.GAP_RANGE_S[1]
    assert made.audio.checks == tuple(each for each in made.audio.checks if each.passed)
    assert {voices.voice_id for voices in (_voices([call()], quiet).caller, _voices([call()], quiet).receiver)} == set(
        made.audio.engines
    )


def test_the_same_bytes_in_another_process_with_a_warm_and_an_empty_cache(quiet: Studio, tmp_path: Path) -> None:
    """One seed gives one file; another seed gives another."""
    made = _rendered(call(), quiet)
    script = (
        "import json, sys; from pathlib import Path; from core.schemas.snapshots import SnapshotCall, CallVoices;"
        "from core.schemas.voicing import RenderConfig; from speech import render; from speech.studio import build_studio;"
        "call, voices, config = (json.loads(text) for text in sys.argv[2:]);"
        "made = render.render_call(SnapshotCall.model_validate(call), CallVoices.model_validate(voices),"
        " RenderConfig.model_validate(config), build_studio(Path(sys.argv[1]), channel='clean'));"
        "print(made.audio.model_dump_json())"
    )
    given = [part.model_dump_json() for part in (call(), _voices([call()], quiet), CONFIG)]
    for root in (quiet.cache_root, tmp_path / "empty"):
        run = subprocess.run([sys.executable, "-c", script, str(root), *given], capture_output=True, text=True, check=True)
        assert made.audio.model_dump(mode="json") == json.loads(run.stdout)
    other = CONFIG.model_copy(update={"seed": 8})
    assert made.audio.sha256 != _rendered(call(), quiet, other).audio.sha256


def test_siblings_are_alike_to_the_sample_while_their_words_are(quiet: Studio) -> None:
    """Fraud or not: the same opening with the same noise and losses, so that it cannot tell a label."""
    fraud, lawful = _rendered(call(Label.FRAUD), quiet), _rendered(call(Label.NONFRAUD), quiet)
    end = fraud.audio.spans[1].end_sample

    assert fraud.audio.spans[:2] == lawful.audio.spans[:2]
    assert fraud.audio.spans[2].start_sample == lawful.audio.spans[2].start_sample
    assert (fraud.audio.channel, fraud.audio.engines) == (lawful.audio.channel, lawful.audio.engines)
    one, other = _sound(fraud).samples, _sound(lawful).samples
    assert np.array_equal(one[:end], other[:end])
    assert not np.array_equal(one[end : len(other)], other[end : len(one)])


def test_the_label_itself_changes_no_byte(quiet: Studio) -> None:
    """The same words under the other label are the same recording."""
    fraud, lawful = call(Label.FRAUD, HARMFUL), call(Label.NONFRAUD, HARMFUL)

    assert _rendered(fraud, quiet).wav == _rendered(lawful, quiet).wav


def test_deliveries_are_heard_and_neutral_says_the_same_words(quiet: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pace is asked of the engine, every span tells its delivery, and the neutral variant differs in sound alone."""
    watched = _wired(monkeypatch, quiet)
    made = _rendered(call(), quiet)
    asked = [each for voice in watched.values() for each in voice.asked]
    plain = _rendered(call(), quiet, CONFIG.model_copy(update={"variant": "neutral"}))

    forms = delivery_table().forms
    names = [turn.delivery for turn in call().turns]
    assert [f"{name}:{forms[name]}" for name in names] == [span.rendered for span in made.audio.spans]
    assert {engine_pace(forms[name]) for name in names} == {each.pace for each in asked}
    assert {f"neutral:{forms[Delivery.NEUTRAL]}"} == {span.rendered for span in plain.audio.spans}
    assert ("delivery", "neutral") == (made.audio.variant, plain.audio.variant)
    assert made.audio.channel == plain.audio.channel
    waits = [
        [b.start_sample - a.end_sample for a, b in zip(x.audio.spans, x.audio.spans[1:], strict=False)] for x in (made, plain)
    ]
    assert waits[0] == waits[1]
    again = [each for voice in watched.values() for each in voice.asked][len(asked) :]
    assert {each.text for each in asked} == {each.text for each in [*asked, *again]}
    # the angry turn is said faster than in the neutral variant
    lengths = [x.audio.spans[3].end_sample - x.audio.spans[3].start_sample for x in (made, plain)]
    assert lengths[0] < lengths[1]


def test_words_go_through_the_spoken_form(quiet: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are said in words."""
    watched = _wired(monkeypatch, quiet)
    _rendered(call(), quiet)

    texts = [each.text for voice in watched.values() for each in voice.asked]
    assert "Please read me the three digits on your card now." in texts


def test_a_second_attempt_keeps_the_delivery_and_both_are_recorded(quiet: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """A spoilt first clip of each voice is made again in the same delivery, a little slower; the row tells of both."""
    watched = _wired(monkeypatch, quiet, bad=1, spoil=muted)
    made = _rendered(call(), quiet)

    forms = delivery_table().forms
    first, second = made.audio.attempts
    assert first.startswith(f"turn 0 as professional:{forms[Delivery.PROFESSIONAL]}: ")
    assert "attempt 1: silence_share 1 is not within" in first
    assert second.startswith(f"turn 1 as confused:{forms[Delivery.CONFUSED]}: ")
    slower = forms[Delivery.PROFESSIONAL].model_copy(update={"pace": round(1.03 * 0.95, 4)})
    assert f"professional:{slower}" == made.audio.spans[0].rendered
    assert f"urgent:{forms[Delivery.URGENT]}" == made.audio.spans[2].rendered
    paces = [each.pace for each in next(iter(watched.values())).asked]
    assert paces[1] == pytest.approx(paces[0] * 0.95, abs=1e-3)


def test_a_call_that_cannot_be_spoken_is_refused_with_its_reasons(quiet: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other voice stands in, since siblings share theirs; the reason names turn, delivery, voice and check."""
    _wired(monkeypatch, quiet, bad=99, spoil=muted)
    made = render.render_call(call(), _voices([call()], quiet), CONFIG, quiet)

    assert isinstance(made, Refused)
    assert call().sample_id == made.sample_id
    assert "turn 0 as professional:pace=1.03" in made.reasons[0]
    assert "espeak-f" in made.reasons[0]
    assert "attempt 2: silence_share 1 is not within 0 to 0.85" in made.reasons[0]


def test_a_call_whose_recording_fails_is_refused_with_value_and_bounds(quiet: Studio) -> None:
    """A line so soft that nobody hears it fails the loudness of the file, which says what to do."""
    config = CONFIG.model_copy(update={"channels": ("landline:gain=-28",)})
    made = render.render_call(call(), _voices([call()], quiet), config, quiet)

    assert isinstance(made, Refused)
    assert any(line.startswith("loudness_lufs -") and "is not within -45 to -8: bring" in line for line in made.reasons)


def test_an_engine_that_goes_away_drops_no_delivery(quiet: Studio, cold_root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its failure is the infrastructure's and no verdict on the call; the next try gives what one without failure gives."""
    made = _rendered(call(), quiet)
    (cold_root / "other").mkdir()
    fresh = build_studio(cold_root / "other", channel="clean")
    with monkeypatch.context() as patch:
        _wired(patch, fresh, bad=1, spoil=_failing)
        with pytest.raises(EngineError, match="went away"):
            render.render_call(call(), _voices([call()], fresh), CONFIG, fresh)

    assert made == _rendered(call(), fresh)


def test_a_changed_cached_clip_is_no_fault_of_the_call(quiet: Studio) -> None:
    """Somebody changed a file: that is told, and nobody replaces the call for it."""
    _rendered(call(), quiet)
    for path in (quiet.cache_root / "clips").rglob("*.wav"):
        with wave.open(str(path)) as sound:
            head = sound.getparams()
        blank = io.BytesIO()
        with wave.open(blank, "wb") as out:
            out.setparams(head)
            out.writeframes(bytes(head.nframes * 2))
        path.write_bytes(blank.getvalue())

    with pytest.raises(ClipError, match="delete it, and it is made again"):
        _rendered(call(), quiet)


def test_a_tree_has_one_channel_and_trees_have_several() -> None:
    """All presets are drawn; a preset that needs people in the background is refused, and so is an unknown one."""
    config = CONFIG.model_copy(update={"channels": RenderConfig(seed=1).channels})
    drawn = [render.channel_of(f"tree-{number}", config) for number in range(40)]

    assert set(config.channels) == {channel.preset for channel in drawn}
    assert drawn == [render.channel_of(f"tree-{number}", config) for number in range(40)]
    with pytest.raises(UsageError, match="needs other sound behind the voices"):
        render.channel_of("tree-a", CONFIG.model_copy(update={"channels": ("cafe", "landline")}))


def test_a_voice_from_elsewhere_is_refused(quiet: Studio) -> None:
    """Voices that were assigned from other ones than those of the settings are no voices of this month."""
    voices = _voices([call()], quiet)

    with pytest.raises(UsageError, match="is none of the voices 'hibari-heart,piper-joe'"):
        render.render_call(call(), voices, CONFIG.model_copy(update={"voices": "hibari-heart,piper-joe"}), quiet)


def test_the_settings_tell_all_that_decides_the_sound(quiet: Studio) -> None:
    """Engines with their versions, tables with their hashes, channels, rules; as JSON, and another table is another hash."""
    told = render.settings("en", CONFIG, quiet)

    assert told == json.loads(json.dumps(told))
    assert {"espeak-f2", "espeak-f4", "espeak-m3", "espeak-m7"} == set(told["synthesizers"])  # type: ignore[arg-type]
    assert {"render", "seed", "variant", "assignment", "delivery_table", "voice_table", "quality_control", "spoken_form"} <= set(
        told
    )


def test_people_speak_english(warm_root: Path) -> None:
    """Two natural voices, a landline: the call passes every check."""
    config = RenderConfig(seed=7, voices="hibari-heart,piper-joe", channels=("landline",))
    made = _rendered(call(), build_studio(warm_root, channel="clean"), config)

    assert {"hibari-heart", "piper-joe"} == set(made.audio.engines)
    assert 5 < made.audio.duration_s < 20


@pytest.mark.npm
@pytest.mark.slow
def test_people_speak_mandarin(tmp_path: Path, npm_cache: Path) -> None:
    """Two of Kokoro's Mandarin voices: the call passes every check and lasts as long as its words say."""
    spoken = call(
        rest=["请把短信里的数字念给我。", "这个我不能告诉你。"], opening=["您好，这里是包裹服务台。", "什么事？"], language="zh"
    )
    (tmp_path / "weights").symlink_to(npm_cache / "weights")
    made = _rendered(spoken, build_studio(tmp_path, channel="clean"), RenderConfig(seed=7))

    assert all(voice.startswith("kokoro-z") for voice in made.audio.engines)
    assert 2 == len(made.audio.engines)
    assert 5 < made.audio.duration_s < 20


@pytest.mark.slow
def test_six_mandarin_calls_pass_at_full_and_at_low_level(warm_root: Path) -> None:
    """The first and last two turns of real calls of six trees, spoken by rule, pass as they are and with a gain of 0.3."""
    library = load_cases("zh")
    trees = build_calls(BuildConfig(namespace="six", seed=2, language="zh", trees=6), library, offline_agents(library))
    words = [[turn.text for turn in tree.calls[0].turns] for tree in trees]
    calls = [call(rest=said[-2:], opening=said[:2], language="zh", tree=f"tree-{n}") for n, said in enumerate(words)]
    studio = build_studio(warm_root, channel="clean")
    config = RenderConfig(seed=7, voices=ROBOTS, channels=("landline",))
    voices = render.assign(calls, config, studio)

    assert 6 == len(voices)
    for each in calls:
        made = render.render_call(each, voices[each.tree_id], config, studio)
        assert isinstance(made, Rendered), made
        low = Clip.of(_sound(made).samples * 0.3, SAMPLE_RATE)
        assert () == quality.reasons(quality.inspect_call(low, each, made.audio.spans, made.audio.samples))
