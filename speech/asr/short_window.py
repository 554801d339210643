"""Whisper on a window hardly longer than the clip: a quarter of the work of the published 30 s, and less sure of itself.

What it hears counts only where `trusted` finds nothing wrong with it; else the clip is heard again in the full window.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from speech import extras
from speech.asr import guard
from speech.asr.options import WhisperOptions
from speech.engines import Segment

VERSION = 1
"""Goes up with any change that alters what a gated window puts out."""
LONGEST_S = 10.0
"""Clips above this many seconds go to the full window at once: there is less to be saved, and more to be lost."""
LEAST_FRAMES, MARGIN_FRAMES = 1000, 200
"""Frames of 10 ms that the window has at least, and has more than the clip."""
LEAST_LOGPROB, MOST_NO_SPEECH, MOST_COMPRESSION = -0.4, 0.5, 1.8
"""Bounds of what is trusted, chosen on the tuned half of the sentences of tests/bench/windows.py."""


def settings() -> dict[str, JsonValue]:
    """Everything that decides which window is used, and how long the short one is."""
    return {
        "gate_version": VERSION,
        "short_up_to_s": LONGEST_S,
        "short_frames": [LEAST_FRAMES, MARGIN_FRAMES],
        "trusted": [LEAST_LOGPROB, MOST_NO_SPEECH, MOST_COMPRESSION],
    }


def hear(
    model: Any,
    sound: NDArray[np.float32],
    language: str,
    options: WhisperOptions,
    *,
    least: int = LEAST_FRAMES,
    margin: int = MARGIN_FRAMES,
) -> Segment:
    """What a faster-whisper `model` makes of 16 kHz samples, in a window of `least` frames or `margin` more than they have."""
    package = {"package": "faster-whisper", "extra": "speech", "purpose": "a short window"}
    tokenizers = extras.load("faster_whisper.tokenizer", **package)
    decoding = extras.load("faster_whisper.transcribe", **package)
    tokenizer = tokenizers.Tokenizer(model.hf_tokenizer, model.model.is_multilingual, task="transcribe", language=language)
    before = tokenizer.encode(f" {options.prompt}") if options.prompt else []
    prompt = model.get_prompt(tokenizer, before, without_timestamps=True, hotwords=options.hotwords or None)
    features = model.feature_extractor(sound)
    frames = features.shape[1] - 1
    window = np.zeros((features.shape[0], max(least, frames + margin)), np.float32)
    window[:, :frames] = features[:, :frames]
    found = model.model.generate(
        model.encode(window),
        [prompt],
        beam_size=options.beam,
        length_penalty=1,
        max_length=model.max_length,
        return_scores=True,
        return_no_speech_prob=True,
        suppress_tokens=decoding.get_suppressed_tokens(tokenizer, [-1]),
    )[0]
    tokens = found.sequences_ids[0]
    text = " ".join(tokenizer.decode(tokens).split())
    return Segment(
        start_s=0.0,
        end_s=round(len(sound) / 16000, 3),
        text=text,
        avg_logprob=round(found.scores[0] * len(tokens) / (len(tokens) + 1), 6),
        no_speech_prob=round(found.no_speech_prob, 6),
        compression_ratio=round(decoding.get_compression_ratio(text), 6),
    )


def trusted(segment: Segment) -> bool:
    """Whether nothing about what a short window heard looks wrong."""
    return (
        segment.text != ""
        and segment.avg_logprob > LEAST_LOGPROB
        and segment.no_speech_prob < MOST_NO_SPEECH
        and segment.compression_ratio < MOST_COMPRESSION
        and guard.repetition(segment.text) is None
        and not guard.too_fast(segment.text, segment.end_s)
    )
