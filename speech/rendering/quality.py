"""Quality control of a whole rendered call, by its signal, its turns and its words; nobody listens, no recogniser votes.

What is measured here is measured on the file that is released. `speech/qc.py` looked at every clip before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.schemas.snapshots import CallAudio, QualityCheck, Side, SnapshotCall, TurnSpan
from speech.clip import Clip
from speech.headers import read_header, sniff
from speech.level import LEVEL_DBFS, active_in, active_power, decibels, frame_powers, integrated_loudness
from speech.qc import CLIPPED_SHARE, DC_OFFSET, LOUDNESS_LUFS, Check, check, duration_bounds
from speech.recording_qc import DURATION_S, SILENT_DBFS
from speech.rendering.timeline import EDGE_S, SAMPLE_RATE
from speech.spoken_form import spoken_form

VERSION = "call-quality-1"
"""Goes up with any change of a check or a bound, since that decides which calls a month holds."""
RATE = 8000
"""Hz at which a call is measured: a telephone holds nothing above its half."""
FRAME = 160
"""Samples of a frame at RATE, 20 ms."""
PACE_SLACK = 1.3
"""By how much deliveries may stretch or shorten a turn, pauses included."""
TURN_SLACK_S = 0.6
"""Seconds that the edges of a turn's clip may add."""
OVER_GAPS_DB = 3.0
"""Smallest level of a turn above what is heard between turns; a turn that nobody speaks has none."""
BALANCE_DB = 15.0
"""Largest difference between the levels of the two speakers."""
SILENCE_SHARE = 0.7
"""Largest share of any turn that may be silence."""
PAUSE_S = 1.5
"""Longest silence inside a turn; a longer one is a dropout."""
FLATNESS = (0.02, 0.75)
"""Range of the spectral flatness of every turn: a tone lies below it, noise above it. Real turns of both languages and all
presets were measured from 0.09 to 0.63, white noise behind those presets from 0.81."""
BAND = (8, 68)
"""Lines of a frame's spectrum that are measured, 50 Hz each: what every channel carries."""


def read_wav(data: bytes) -> tuple[Clip, tuple[Check, ...]]:
    """The sound of a released file and whether its header says what it must: WAV, PCM of 16 bits, one channel, 24 kHz.

    Raises:
        InputError: the bytes are no whole WAV.
    """
    kind = sniff(data)
    if kind != "WAV":
        raise InputError(f"the sound is {kind or 'of no known kind'}, not WAV")
    head = read_header("WAV", data)
    found = (
        check("pcm16", head.codec == "PCM_16", 1, 1),
        check("channels", head.channels, 1, 1),
        check("sample_rate", head.sample_rate, SAMPLE_RATE, SAMPLE_RATE),
    )
    sound = all(each.passed for each in found[:2])
    samples = np.frombuffer(head.data, "<i2") if sound else np.zeros(0, np.int16)
    return Clip.from_pcm16(samples, head.sample_rate), found


def inspect_file(data: bytes, call: SnapshotCall, audio: CallAudio) -> tuple[Check, ...]:
    """Every check of a released file against its row; a file that is not even of the right kind gets only those of its header.

    Raises:
        InputError: the bytes are no whole WAV.
    """
    clip, header = read_wav(data)
    if not all(each.passed for each in header):
        return header
    return (*header, *inspect_call(clip, call, audio.spans, audio.samples))


def inspect_call(clip: Clip, call: SnapshotCall, spans: Sequence[TurnSpan], samples: int) -> tuple[Check, ...]:
    """Every check of a call that should have so many samples and its turns where `spans` say.

    Where its structure is wrong, its levels would say nothing and are left out.
    """
    found = _structure(clip, call, spans, samples)
    return (*found, *_levels(clip, call, spans)) if all(each.passed for each in found) else found


def recorded(checks: Sequence[Check]) -> tuple[QualityCheck, ...]:
    """Checks as a manifest keeps them."""
    return tuple(
        QualityCheck(
            name=each.name,
            value=each.value,
            low=each.low if math.isfinite(each.low) else None,
            high=each.high if math.isfinite(each.high) else None,
            passed=each.passed,
        )
        for each in checks
    )


def reasons(checks: Sequence[Check]) -> tuple[str, ...]:
    """What failed, one line each, with what to do where that is known."""
    return tuple(f"{each}{_advice(each)}" for each in checks if not each.passed)


def _advice(failed: Check) -> str:
    return f": bring its speech to {LEVEL_DBFS:g} dBFS" if failed.name == "loudness_lufs" else ""


def _structure(clip: Clip, call: SnapshotCall, spans: Sequence[TurnSpan], samples: int) -> tuple[Check, ...]:
    seconds, declared = clip.duration_s, samples / SAMPLE_RATE
    shortest, longest = (sum(bound) for bound in zip(*(_turn_bounds(call, turn.i) for turn in call.turns), strict=True))
    waits = sum(max(0, after.start_sample - before.end_sample) for before, after in pairwise(spans))
    speech = seconds - waits / SAMPLE_RATE - 2 * EDGE_S
    found = [
        check("sample_rate", clip.sample_rate, SAMPLE_RATE, SAMPLE_RATE),
        check("samples", len(clip), 1, float("inf")),
        check("non_finite_samples", int(np.count_nonzero(~np.isfinite(clip.samples))), 0, 0),
        check("duration_s", seconds, declared - DURATION_S, declared + DURATION_S),
        check("speech_s", speech, shortest, longest),
        check("turns", len(spans), len(call.turns), len(call.turns)),
        check("turns_outside", sum(span.end_sample > len(clip) for span in spans), 0, 0),
        check("turns_out_of_order", _out_of_order(spans), 0, 0),
    ]
    if all(each.passed for each in found):
        found.append(check("turns_off_their_text", sum(_off(call, span) for span in spans), 0, 0))
    return tuple(found)


def _turn_bounds(call: SnapshotCall, turn: int) -> tuple[float, float]:
    """Shortest and longest plausible duration of a turn in seconds."""
    text = spoken_form(call.turns[turn].text, call.language)
    shortest, longest = duration_bounds(text, 1.0)
    return shortest / PACE_SLACK, longest * PACE_SLACK + TURN_SLACK_S


def _off(call: SnapshotCall, span: TurnSpan) -> bool:
    shortest, longest = _turn_bounds(call, span.turn)
    return not shortest <= (span.end_sample - span.start_sample) / SAMPLE_RATE <= longest


def _out_of_order(spans: Sequence[TurnSpan]) -> int:
    """Turns that do not follow the one before in number and in time, or have no length."""
    wrong = sum(span.turn != place or span.end_sample <= span.start_sample for place, span in enumerate(spans))
    return wrong + sum(after.start_sample < before.end_sample for before, after in pairwise(spans))


def _levels(clip: Clip, call: SnapshotCall, spans: Sequence[TurnSpan]) -> tuple[Check, ...]:
    low = clip.resampled(RATE)
    powers = frame_powers(low)
    active = active_in(powers)
    frames = [_frames(span, len(powers)) for span in spans]
    gap_db = max(decibels(_gap_power(powers, frames)), SILENT_DBFS)
    turn_db = [decibels(float(np.max(_smooth(powers[part])))) - gap_db for part in frames]
    spectra = _spectra(low, len(powers))
    flat = [_flatness(spectra[part][active[part]]) for part in frames if active[part].any()]
    return (
        check("turn_over_gaps_db", min(turn_db), OVER_GAPS_DB, float("inf")),
        check("balance_db", _balance(low, call, spans), -BALANCE_DB, BALANCE_DB),
        check("silence_share", max(1 - float(active[part].mean()) for part in frames), 0, SILENCE_SHARE),
        check("pause_s", max(_longest_pause(active[part]) for part in frames), 0, PAUSE_S),
        check("clipped_share", float(np.mean(np.abs(clip.samples) >= 0.999)), 0, CLIPPED_SHARE),
        check("loudness_lufs", integrated_loudness(low), *LOUDNESS_LUFS),
        check("dc_offset", abs(float(clip.samples.mean(dtype=np.float64))), 0, DC_OFFSET),
        check("tone_flatness", min(flat, default=FLATNESS[1]), FLATNESS[0], 1),
        check("noise_flatness", max(flat, default=FLATNESS[0]), 0, FLATNESS[1]),
    )


def _frames(span: TurnSpan, count: int) -> slice:
    """The whole frames of a turn; at least one."""
    scale = RATE / SAMPLE_RATE / FRAME
    start = min(math.ceil(span.start_sample * scale), count - 1)
    return slice(start, max(start + 1, min(math.floor(span.end_sample * scale), count)))


def _gap_power(powers: NDArray[np.float64], turns: Sequence[slice]) -> float:
    """Median power of the frames between turns, where the line alone is heard."""
    between = np.ones(len(powers), bool)
    for part in turns:
        between[max(0, part.start - 1) : part.stop + 1] = False
    return float(np.median(powers[between])) if between.any() else 0.0


def _smooth(powers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Power over stretches of 0.2 s, so that one click is no speech; over all of it where it is shorter."""
    size = min(10, len(powers))
    windows = np.lib.stride_tricks.sliding_window_view(powers, size)
    smooth: NDArray[np.float64] = windows.mean(axis=1)
    return smooth


def _balance(low: Clip, call: SnapshotCall, spans: Sequence[TurnSpan]) -> float:
    """Level of the caller's speech less that of the receiver's, in dB; 0 where one of them has no turn."""
    level = {}
    for side in Side:
        own = [span for span in spans if call.turns[span.turn].side is side]
        cuts = [low.samples[span.start_sample * RATE // SAMPLE_RATE : span.end_sample * RATE // SAMPLE_RATE] for span in own]
        if cuts:
            level[side] = decibels(active_power(Clip(np.concatenate(cuts), RATE)))
    return level[Side.CALLER] - level[Side.RECEIVER] if len(level) == len(Side) else 0.0


def _longest_pause(active: NDArray[np.bool_]) -> float:
    return max((sum(1 for _ in run) for speaks, run in groupby(active) if not speaks), default=0) * FRAME / RATE


def _spectra(low: Clip, count: int) -> NDArray[np.float64]:
    """Power of every frame in BAND, shape (frames, lines)."""
    frames = low.samples[: count * FRAME].reshape(count, FRAME) * np.hanning(FRAME).astype(np.float32)
    spectra = np.fft.rfft(frames)[:, BAND[0] : BAND[1]]
    powers: NDArray[np.float64] = spectra.real**2 + spectra.imag**2
    return powers


def _flatness(spectra: NDArray[np.float64]) -> float:
    """Geometric over arithmetic mean of the mean spectrum: near 1 for noise, near 0 for a tone."""
    mean = spectra.mean(axis=0) + 1e-20
    return float(np.exp(np.mean(np.log(mean))) / mean.mean())
