"""Cutting a turn: the rule on spans by property, and the real detector on real speech."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EngineError
from models import registry
from speech.channel.presets import parse_channel
from speech.clip import Clip, concat
from speech.engines import Synthesizer
from speech.vad import CUT_S, MAX_FRAGMENTS, SAMPLE_RATE, SileroDetector, Span, fragments
from tests.speech.sounds import bursts

edges = st.lists(st.integers(0, 100_000), min_size=2, max_size=14, unique=True).map(sorted)


def _spans(points: list[int]) -> tuple[Span, ...]:
    return tuple(zip(points[::2], points[1::2], strict=False))


@given(edges)
def test_fragments_tile_the_turn(points: list[int]) -> None:
    """One to three fragments cover every sample once, in order, whatever was found; none cuts into speech."""
    speech = _spans(points)

    found = fragments(speech, 100_001)

    assert (0, 100_001) == (found[0][0], found[-1][1])
    assert all(left[1] == right[0] for left, right in pairwise(found))
    assert len(found) == min(max(len(speech), 1), MAX_FRAGMENTS)
    assert not any(start < cut < end for start, end in speech for _, cut in found[:-1])


@given(edges)
def test_the_longest_silences_are_kept(points: list[int]) -> None:
    """Above three fragments no silence that was merged is longer than one that cuts."""
    speech = _spans(points)
    cuts = {cut for _, cut in fragments(speech, 100_001)[:-1]}
    gaps = {(end + start) // 2: start - end for (_, end), (start, _) in pairwise(speech)}

    merged = [length for middle, length in gaps.items() if middle not in cuts]

    assert max(merged, default=0) <= min((gaps[cut] for cut in cuts), default=0)


def test_no_speech_is_one_fragment() -> None:
    """A turn in which nothing was found goes to the recogniser whole."""
    assert ((0, 500),) == fragments((), 500)


@pytest.fixture
def detector(cold_root: Path) -> SileroDetector:
    """The real detector."""
    return SileroDetector(registry.get("silero-vad"), cold_root)


@pytest.mark.engine
@pytest.mark.parametrize("channel", ["clean", "landline", "mobile", "noisy-street", "bad-cell", "landline:snr=5,loss=0.05"])
def test_an_authored_pause_is_a_cut(heart: Synthesizer, detector: SileroDetector, channel: str) -> None:
    """Two pieces 0.9 s apart become two fragments that meet inside the pause, on a clean line and on bad ones."""
    first, second = (
        heart.synthesize(text, language="en", seed=0, pace=1.0).resampled(SAMPLE_RATE)
        for text in ("My member number is four seven two nine.", "One five three zero.")
    )
    clip = concat(first, Clip.silence(0.9, SAMPLE_RATE), second)
    arrived = parse_channel(channel).apply(clip, np.random.default_rng(1)).quantised()

    found = fragments(detector.speech(arrived), len(arrived))

    assert 2 == len(found)
    assert len(first) - 0.3 * SAMPLE_RATE < found[0][1] < len(first) + 1.2 * SAMPLE_RATE


@pytest.mark.engine
def test_short_pauses_do_not_cut(heart: Synthesizer, detector: SileroDetector) -> None:
    """Commas in a sentence leave it whole, and spans lie at least 0.7 s apart."""
    clip = heart.synthesize("Well, yes, on Friday, the ninth, if you can.", language="en", seed=0, pace=1.0).resampled(
        SAMPLE_RATE
    )

    spans = detector.speech(clip)

    assert 1 == len(fragments(spans, len(clip)))
    assert all(right[0] - left[1] >= CUT_S * SAMPLE_RATE for left, right in pairwise(spans))


@pytest.mark.engine
def test_silence_holds_no_speech_and_wrong_rates_are_refused(detector: SileroDetector) -> None:
    """Digital silence has no span; a clip at another rate is an engine error rather than a wrong answer."""
    assert () == detector.speech(Clip.silence(2, SAMPLE_RATE))
    with pytest.raises(EngineError, match="16000 Hz, not 8000"):
        detector.speech(bursts(1, 8000))
