"""The guard: what a recogniser makes up is taken out or flagged, what a caller says stays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.asr.guard import Guarded, GuardHit, HitKind, guard, repetition
from speech.clip import Clip
from speech.engines import Segment, Synthesizer, Transcript
from speech.level import at_level
from speech.line import open_line
from speech.studio import Studio, build_studio

RATE = 16000
SURE = {"avg_logprob": -0.2, "no_speech_prob": 0.05, "compression_ratio": 1.0}


def _guarded(text: str, seconds: float = 5.0, speech_s: float | None = None, **figures: float) -> Guarded:
    """The guard's verdict on one segment that fills a clip, of which a detector found `speech_s` (all, unless given)."""
    segment = Segment(0.0, seconds, text, **{**SURE, **figures})
    spans = ((0, round((seconds if speech_s is None else speech_s) * RATE)),)
    return guard(Transcript(text, (segment,), "en"), Clip.silence(seconds, RATE), spans)


def _only(guarded: Guarded) -> GuardHit:
    (hit,) = guarded.hits
    return hit


@pytest.mark.parametrize(
    "text",
    [
        "My member number is 4729 1530.",
        "No, no, no, no, that is not what I said.",
        "It is zero zero zero zero zero seven.",
        "0000 0000 0000 0000",
        "Five, five, five, five, five, five, one.",
        "Hello? Hello? Hello? Can you hear me?",
        "Bye. Bye bye. Bye bye. Bye.",
        "好的好的好的，没问题。",
        "नहीं नहीं नहीं, यह गलत है।",
        "",
    ],
)
def test_what_callers_say_is_left_alone(text: str) -> None:
    """Sure words in plausible time are no hit, with digits and words repeated as people repeat them, in any script."""
    assert Guarded(_guarded(text).transcript, text) == _guarded(text)
    assert text == _guarded(text).transcript.text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Thank you. " * 12, "Thank you."),
        ("So I said I am going to the bank, " * 4 + "you see", "So I said I am going to the bank, you see"),
        ("no " * 30, "no"),
        ("ha" * 60, "ha"),
        ("谢谢大家" * 8, "谢谢大家"),
        ("धन्यवाद आपका " * 6, "धन्यवाद आपका"),
        ("1 " * 200, "1"),
        ("My number is four one, four one, four one, four one, four one, four one.", "My number is four one."),
    ],
)
def test_loops_are_cut_to_one_repetition(text: str, left: str) -> None:
    """A unit that comes four times (a short one eight times) is left once; digits only where nobody could say so many."""
    words = " ".join(text.split())

    guarded = _guarded(words)

    assert HitKind.LOOP == _only(guarded).kind
    assert (words, left) == (guarded.raw, guarded.transcript.text)
    assert (words, left) == (_only(guarded).before, _only(guarded).after)
    assert (left,) == tuple(segment.text for segment in guarded.transcript.segments)


def test_text_that_compresses_too_well_is_flagged() -> None:
    """Above Whisper's published ratio of 2.4 the words are flagged as a loop, and kept where no repetition can be cut."""
    guarded = _guarded("a b c d", compression_ratio=2.5)

    assert (HitKind.LOOP, "a b c d") == (_only(guarded).kind, guarded.transcript.text)
    assert {"compression_ratio": 2.5} == _only(guarded).figures


def test_words_without_speech_are_silence() -> None:
    """Where a detector found less than 0.1 s of speech words are dropped; sure ones, as on a very bad line, only flagged."""
    dropped = _guarded("you", speech_s=0.05, avg_logprob=-0.87, no_speech_prob=0.68)
    kept = _guarded("My number is 4729.", speech_s=0.0)

    assert ("", "you") == (dropped.transcript.text, dropped.raw)
    assert dropped.transcript.confidence is None
    assert GuardHit(HitKind.SILENCE, "you", "", {"speech_s": 0.05, "avg_logprob": -0.87, "no_speech_prob": 0.68}) == _only(
        dropped
    )
    assert ("My number is 4729.", HitKind.SILENCE) == (kept.transcript.text, _only(kept).kind)


def test_whispers_own_rule_of_silence_is_applied_and_recorded() -> None:
    """Above 0.6 of no speech and below -1.0 of log-probability the words are dropped although a detector found speech."""
    assert HitKind.NO_SPEECH == _only(_guarded("you", avg_logprob=-1.2, no_speech_prob=0.7)).kind
    assert "" == _guarded("you", avg_logprob=-1.2, no_speech_prob=0.7).transcript.text
    assert () == _guarded("you", avg_logprob=-0.9, no_speech_prob=0.7).hits


def test_unsure_and_hurried_words_are_only_flagged() -> None:
    """Low confidence, and more words than can be said in the time, change no word."""
    unsure = _guarded("Expend, ARF-S-A.", avg_logprob=-1.2, no_speech_prob=0.35)
    hurried = _guarded("I would like to know whether anybody is going to come here today.", seconds=0.5)

    assert (HitKind.LOW_CONFIDENCE, "Expend, ARF-S-A.") == (_only(unsure).kind, unsure.transcript.text)
    assert (HitKind.TOO_FAST, hurried.raw) == (_only(hurried).kind, hurried.transcript.text)


def test_every_segment_is_judged_alone() -> None:
    """In a long sound the good segments stay as they are beside a bad one."""
    good = Segment(0.0, 30.0, "Good morning.", **SURE)
    bad = Segment(30.0, 60.0, "you", **{**SURE, "avg_logprob": -1.5, "no_speech_prob": 0.8})
    transcript = Transcript("Good morning. you", (good, bad), "en")

    guarded = guard(transcript, Clip.silence(60, RATE), ((0, 20 * RATE),))

    assert (good,) == guarded.transcript.segments
    assert "Good morning." == guarded.transcript.text


UNITS = st.lists(st.sampled_from("alpha beta gamma delta epsilon zeta eta theta".split()), min_size=2, max_size=6, unique=True)


@given(UNITS, st.integers(4, 12), st.sampled_from(["", "well now "]), st.sampled_from(["", " so there"]))
def test_a_cut_loop_is_no_loop(unit: list[str], times: int, before: str, after: str) -> None:
    """Whatever goes round, what is left holds it once, the words around it stay, and a second look finds nothing."""
    text = f"{before}{' '.join(unit * times)}{after}"

    offsets = repetition(text)

    assert offsets is not None
    left = text[: offsets[0]] + text[offsets[1] :]
    assert f"{before}{' '.join(unit)}{after}" == left
    assert repetition(left) is None


@given(st.lists(st.sampled_from("alpha beta gamma".split()), max_size=30), st.floats(-3, 0), st.floats(0, 1), st.floats(0, 5))
def test_the_guard_adds_no_word(words: list[str], logprob: float, no_speech: float, speech_s: float) -> None:
    """What counts as heard is what was heard with words left out, and every change is recorded."""
    text = " ".join(words)

    guarded = _guarded(text, speech_s=speech_s, avg_logprob=logprob, no_speech_prob=no_speech)

    rest = iter(words)
    assert all(word in rest for word in guarded.transcript.text.split())
    assert text == guarded.raw
    assert (guarded.transcript.text != text) == any(hit.before != hit.after for hit in guarded.hits)


def _crowd(voice: Synthesizer) -> Clip:
    """Two sentences at four paces on top of each other, backwards and quiet: no word can be told."""
    texts = ("The train was late again and nobody said why.", "I told her that the kettle was broken last week.")
    said = [voice.synthesize(text, language="en", seed=0, pace=pace) for text in texts for pace in (0.9, 1.0, 1.1, 1.2)]
    length = min(map(len, said))
    mixed = np.sum([np.roll(clip.samples[:length], 4001 * place) for place, clip in enumerate(said)], axis=0)
    return at_level(Clip.of(mixed[::-1], said[0].sample_rate), -35.0).resampled(RATE)


@pytest.mark.engine
@pytest.mark.slow
def test_no_words_are_made_up_where_nobody_speaks(studio: Studio, heart: Synthesizer) -> None:
    """Whisper answers silence, noise, music and a crowd with words; after the guard none is left, and each is recorded."""
    rng = np.random.default_rng(5)
    notes = np.repeat(rng.choice([261.6, 293.7, 329.6, 392.0, 440.0], 16), RATE // 4)
    phase = np.cumsum(2 * np.pi * notes / RATE)
    sounds = {
        "silence": Clip.silence(8, RATE),
        "noise": Clip.of(0.1 * rng.standard_normal(3 * RATE), RATE),
        "music": Clip.of(0.2 * (np.sin(phase) + np.sin(2 * phase) / 2), RATE),
        "crowd": _crowd(heart),
    }
    found = {name: studio.listener("en").understand(clip.quantised(), "en") for name, clip in sounds.items()}

    assert dict.fromkeys(sounds, "") == {name: guarded.transcript.text for name, guarded in found.items()}
    assert {name for name, guarded in found.items() if guarded.raw} == {name for name, guarded in found.items() if guarded.hits}
    assert 3 <= sum(bool(guarded.raw) for guarded in found.values())


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.parametrize("channel", ["landline", "landline:snr=5,loss=0.05"])
def test_the_guard_eats_no_speech(warm_root: Path, heart: Synthesizer, joe: Synthesizer, channel: str) -> None:
    """Short turns, and words and digits said again and again, come through whole, on a bad line too."""
    studio = build_studio(warm_root, channel)
    texts = ("Yes.", "No, no, no.", "Five, five, five, five, five, five.", "My number is zero zero zero four.")
    for number, (text, voice) in enumerate(zip(texts, (heart, joe, heart, joe), strict=True)):
        spoken = studio.speaker.say(text, [voice], language="en", seed=0, pace=1.0).clip.resampled(RATE)
        arrived = studio.channel.apply(open_line([spoken]), np.random.default_rng(number)).quantised()

        guarded = studio.listener("en").understand(arrived, "en")

        assert guarded.raw == guarded.transcript.text, (text, guarded.hits)
