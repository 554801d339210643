"""Whisper's options: what they take, that each stands in the signature, and what they do to real speech."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import UsageError
from models import registry
from speech.asr import short_window
from speech.asr.options import WhisperOptions, whisper_options
from speech.asr.whisper import SAMPLE_RATE, WhisperRecognizer
from speech.clip import Clip, concat
from speech.engines import Segment, Synthesizer

BASE = registry.get("whisper-base")
NAME = "My name is Daniel Okafor."


def test_options_are_read_and_have_defaults() -> None:
    """Without options: greedy, no hints, the language given, the full window, int8; every option can be set."""
    assert WhisperOptions(1, "", "", "pinned", "full", "int8") == whisper_options("w", {})
    given = {"beam": "5", "prompt": " A call.  ", "hotwords": "Okafor", "language": "detect", "compute": "float32"}
    assert WhisperOptions(5, "A call.", "Okafor", "detect", "full", "float32") == whisper_options("w", given)
    assert "gated" == whisper_options("w", {"window": "gated"}).window
    assert ("off", "on") == (whisper_options("w", {}).timestamps, whisper_options("w", {"timestamps": "on"}).timestamps)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"beams": "5"}, "'w': unknown option 'beams': it takes beam, prompt, hotwords, language, window, compute, timestamps"),
        ({"beam": "0"}, "beam=0 of recogniser 'w': give a whole number from 1 to 10"),
        ({"beam": "11"}, "beam=11 "),
        ({"beam": "two"}, "beam=two "),
        ({"beam": "٣"}, "beam=٣ "),
        ({"prompt": " "}, "prompt of recogniser 'w' has 0 characters: give 1 to 400"),
        ({"hotwords": "x" * 401}, "hotwords of recogniser 'w' has 401 characters"),
        ({"language": "en"}, "language=en of recogniser 'w': give pinned or detect"),
        ({"window": "short"}, "window=short of recogniser 'w': give full or gated"),
        ({"compute": "int4"}, "compute=int4 of recogniser 'w': give int8 or float32"),
        ({"timestamps": "yes"}, "timestamps=yes of recogniser 'w': give off or on"),
        ({"window": "gated", "language": "detect"}, "leave out window=gated or language=detect"),
    ],
)
def test_wrong_options_are_one_line(given: dict[str, str], why: str) -> None:
    """An unknown option and a value out of range are refused with what is taken."""
    with pytest.raises(UsageError) as caught:
        whisper_options("w", given)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_option_stands_in_the_signature(tmp_path: Path) -> None:
    """No two settings sign alike, so no transcript of one is taken for another's; a gated window signs its bounds."""
    options = [{}, {"beam": "2"}, {"prompt": "a"}, {"hotwords": "a"}, {"language": "detect"}, {"window": "gated"}]
    signatures = [WhisperRecognizer(BASE, tmp_path, given).signature() for given in [*options, {"compute": "float32"}]]

    assert all(one not in signatures[:place] for place, one in enumerate(signatures))
    settings = signatures[5]["settings"]
    assert isinstance(settings, dict)
    assert short_window.settings().items() <= settings.items()


def _segment(**changes: object) -> Segment:
    figures = {"start_s": 0.0, "end_s": 3.0, "text": "Good morning.", "avg_logprob": -0.1, "no_speech_prob": 0.01}
    return Segment(**{**figures, "compression_ratio": 1.0, **changes})  # type: ignore[arg-type]


def test_a_short_window_is_trusted_only_where_nothing_looks_wrong() -> None:
    """Each doubtful figure alone sends the clip to the full window."""
    assert short_window.trusted(_segment())
    assert not short_window.trusted(_segment(text=""))
    assert not short_window.trusted(_segment(avg_logprob=-1.0))
    assert not short_window.trusted(_segment(no_speech_prob=0.7))
    assert not short_window.trusted(_segment(compression_ratio=2.5))
    assert not short_window.trusted(_segment(text="Thank you. Thank you. Thank you. Thank you."))
    assert not short_window.trusted(_segment(text="I would like to know whether you come.", end_s=0.3))


@pytest.fixture
def spoken(heart: Synthesizer) -> Clip:
    """A sentence with a rare name."""
    edge = Clip.silence(0.3, SAMPLE_RATE)
    return concat(edge, heart.synthesize(NAME, language="en", seed=0, pace=1.0).resampled(SAMPLE_RATE), edge).quantised()


@pytest.mark.engine
@pytest.mark.slow
def test_hints_beam_and_arithmetic_change_what_is_heard(warm_root: Path, spoken: Clip) -> None:
    """The rare name is misheard without a hint and heard with one; beam and arithmetic are used: the figures differ."""
    plain, hinted, prompted, beamed, exact = (
        WhisperRecognizer(BASE, warm_root, given).transcribe(spoken, language="en")
        for given in ({}, {"hotwords": "Okafor"}, {"prompt": "Daniel Okafor"}, {"beam": "5"}, {"compute": "float32"})
    )

    assert "Okafor" not in plain.text
    assert ("Okafor", "Okafor") == tuple(found.text.split()[-1].strip(".") for found in (hinted, prompted))
    assert plain.segments[0].avg_logprob != beamed.segments[0].avg_logprob
    assert plain.segments[0].avg_logprob != exact.segments[0].avg_logprob
    assert plain.detected is None


@pytest.mark.engine
@pytest.mark.slow
def test_a_language_is_found_only_where_it_is_asked_for(warm_root: Path, spoken: Clip) -> None:
    """Left to find the language it finds English, whatever it was told, and says so."""
    found = WhisperRecognizer(BASE, warm_root, {"language": "detect"}).transcribe(spoken, language="zh")

    assert ("zh", "en") == (found.language, found.detected)
    assert "name" in found.text


@pytest.mark.engine
@pytest.mark.slow
def test_a_gated_window_hears_like_the_full_one_or_asks_it(warm_root: Path, heart: Synthesizer, spoken: Clip) -> None:
    """Plain speech is heard in the short window; noise and long clips give exactly what the full window gives."""
    gated, full = (WhisperRecognizer(BASE, warm_root, given) for given in ({"window": "gated"}, {}))
    noise = Clip.of(0.05 * np.random.default_rng(1).standard_normal(3 * SAMPLE_RATE), SAMPLE_RATE).quantised()
    long = concat(*[spoken] * 4).quantised()
    words = heart.synthesize("Good morning, I would like to pay my bill.", language="en", seed=0, pace=1.0)
    easy = words.resampled(SAMPLE_RATE).quantised()
    heard = gated.transcribe(easy, language="en")

    assert long.duration_s > short_window.LONGEST_S
    for clip in (noise, long):
        assert full.transcribe(clip, language="en") == gated.transcribe(clip, language="en")
    assert full.transcribe(easy, language="en") != heard == gated.transcribe(easy, language="en")
    assert "goodmorningiwouldliketopaymybill" == "".join(char for char in heard.text.lower() if char.isalpha())
