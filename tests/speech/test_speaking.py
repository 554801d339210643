"""From text to a sound clip: caches that load nothing, attempts and fallbacks that are recorded, and changed clips."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import ClipError
from core.schemas.scenario import Scenario
from speech import audiofile
from speech.casting import Cast
from speech.engines import Synthesizer
from speech.level import LEVEL_DBFS, active_power, decibels
from speech.line import Booth
from speech.speaking import Speaker
from speech.studio import build_studio
from tests.support.voices import WatchedVoice, muted

pytestmark = pytest.mark.engine

TEXT = "I would like to move my appointment."


@pytest.fixture
def speaker(cold_root: Path) -> Speaker:
    """A speaker with an empty cache."""
    return Speaker(cold_root)


def test_warm_gives_the_same_samples_and_asks_no_engine(speaker: Speaker, heart: Synthesizer, cold_root: Path) -> None:
    """The second time the clip comes from the cache, equal to the first, and the engine is not asked."""
    voice = WatchedVoice(heart, 0, muted)

    cold = speaker.say(TEXT, [voice], language="en", seed=5, pace=1.0)
    warm = Speaker(cold_root).say(TEXT, [voice], language="en", seed=5, pace=1.0)

    assert cold.clip.sha256 == warm.clip.sha256
    assert [(5, 1.0)] == [(asked.seed, asked.pace) for asked in voice.asked]
    assert ("hibari-heart", TEXT, ()) == (warm.voice, warm.text, warm.rejected)


def test_a_seed_that_changes_nothing_is_no_part_of_the_address(speaker: Speaker, joe: Synthesizer, heart: Synthesizer) -> None:
    """A voice without chance is asked once for all seeds; a seeded one once per seed."""
    plain, seeded = WatchedVoice(joe, 0, muted), WatchedVoice(heart, 0, muted)

    for seed in (1, 2):
        speaker.say(TEXT, [plain], language="en", seed=seed, pace=1.0)
        speaker.say(TEXT, [seeded], language="en", seed=seed, pace=1.0)

    assert (1, 2) == (len(plain.asked), len(seeded.asked))


def test_every_voice_speaks_at_the_same_level(speaker: Speaker, joe: Synthesizer, heart: Synthesizer) -> None:
    """Whatever an engine's own level, its speech lies at the common one."""
    for voice in (joe, heart):
        clip = speaker.say(TEXT, [voice], language="en", seed=0, pace=1.0).clip
        assert LEVEL_DBFS == pytest.approx(decibels(active_power(clip)), abs=0.3)


def test_a_second_attempt_has_another_seed_and_pace(speaker: Speaker, heart: Synthesizer, cold_root: Path) -> None:
    """One spoilt clip: it is made again with another seed and pace, the fault is recorded, and remembered for a warm run."""
    voice = WatchedVoice(heart, 1, muted)

    spoken = speaker.say(TEXT, [voice], language="en", seed=5, pace=1.0)
    again = Speaker(cold_root).say(TEXT, [voice], language="en", seed=5, pace=1.0)

    assert [(5, 1.0), (6, 0.95)] == [(asked.seed, asked.pace) for asked in voice.asked]
    assert 1 == len(spoken.rejected)
    assert "hibari-heart, attempt 1: silence_share 1 is not within 0 to 0.85" in spoken.rejected[0]
    assert (spoken.rejected, spoken.clip.sha256) == (again.rejected, again.clip.sha256)


def test_the_next_voice_stands_in_and_says_so(speaker: Speaker, heart: Synthesizer, joe: Synthesizer) -> None:
    """A voice that fails twice is replaced by the next of the list; which one spoke and why is recorded."""
    spoken = speaker.say(TEXT, [WatchedVoice(heart, 2, muted), joe], language="en", seed=5, pace=1.0)

    assert "piper-joe" == spoken.voice
    assert ["hibari-heart, attempt 1", "hibari-heart, attempt 2"] == [fault.partition(":")[0] for fault in spoken.rejected]


def test_when_every_attempt_fails_one_line_tells_all(speaker: Speaker, heart: Synthesizer, joe: Synthesizer) -> None:
    """With no sound clip from any voice the error names text, voices and checks on one line."""
    with pytest.raises(ClipError, match="no clip of 'I would like") as caught:
        speaker.say(
            TEXT,
            [WatchedVoice(heart, 2, muted), WatchedVoice(joe, 2, lambda clip: clip.cut(0, 0))],
            language="en",
            seed=5,
            pace=1.0,
        )

    for needle in ("hibari-heart, attempt 2", "piper-joe, attempt 2", "silence_share", "samples 0"):
        assert needle in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_kept_clip_replaced_by_silence_is_refused(speaker: Speaker, heart: Synthesizer, cold_root: Path) -> None:
    """Silence in place of a kept clip is not papered over: one line names the file, what is wrong and the way out."""
    speaker.say(TEXT, [heart], language="en", seed=5, pace=1.0)
    (path,) = (cold_root / "clips").rglob("*.wav")
    audiofile.write(path, muted(audiofile.read(path)))

    with pytest.raises(ClipError, match="fails quality control: silence_share 1") as caught:
        speaker.say(TEXT, [heart], language="en", seed=5, pace=1.0)

    assert str(path) in str(caught.value)
    assert "delete it" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_kept_clip_replaced_by_other_speech_is_heard_as_that(heart: Synthesizer, cold_root: Path) -> None:
    """The transcript follows the sound, not the text it was made for."""
    studio = build_studio(cold_root)
    studio.speaker.say(TEXT, [heart], language="en", seed=5, pace=1.0)
    (path,) = (cold_root / "clips").rglob("*.wav")
    audiofile.write(path, heart.synthesize("The weather is lovely this morning.", language="en", seed=1, pace=1.0))

    clip = studio.speaker.say(TEXT, [heart], language="en", seed=5, pace=1.0).clip.resampled(16000).quantised()

    assert "weather is lovely" in studio.listener("en").hear(clip, "en").text


def test_transcripts_are_kept_by_their_samples(heart: Synthesizer, cold_root: Path) -> None:
    """A clip is transcribed once; a broken entry is heard again to the same result; another language is another entry."""
    studio = build_studio(cold_root)
    clip = studio.speaker.say("Yes, that is correct.", [heart], language="en", seed=5, pace=1.0).clip.resampled(16000).quantised()

    cold = studio.listener("en").hear(clip, "en")
    entries = list((cold_root / "transcripts").rglob("*.json"))
    assert cold == studio.listener("en").hear(clip, "en")
    assert 1 == len(entries) == len(list((cold_root / "transcripts").rglob("*.json")))
    entries[0].write_text('{"text": 3}')
    assert cold == studio.listener("en").hear(clip, "en")
    assert "Yes" in cold.text


def test_an_agents_voice_that_stands_in_is_named(
    speaker: Speaker, heart: Synthesizer, joe: Synthesizer, scenario: Scenario
) -> None:
    """When the agent's first voice fails quality control, the reply carries the voice that spoke and the failed attempts."""
    booth = Booth(scenario, 5, Cast(caller=(joe,), agent=(WatchedVoice(heart, 2, muted), joe), caller_pace=1.0), speaker)

    sounded = booth.reply(TEXT)

    assert sounded is not None
    assert "piper-joe" == sounded.voice
    assert 2 == len(sounded.retakes)


def test_what_no_voice_can_say_is_the_agents_silence(
    speaker: Speaker, heart: Synthesizer, joe: Synthesizer, scenario: Scenario
) -> None:
    """Words that fail with every voice drop no call: nothing sounds, and the attempts are kept."""
    agent = (WatchedVoice(heart, 2, muted), WatchedVoice(joe, 2, muted))
    booth = Booth(scenario, 5, Cast(caller=(joe,), agent=agent, caller_pace=1.0), speaker)

    sounded = booth.reply(TEXT)

    assert sounded is not None
    assert (None, None) == (sounded.span, sounded.voice)
    assert "piper-joe, attempt 2" in sounded.retakes[0]
