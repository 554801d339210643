"""Whether a short window may stand in for the published one: both on the same sentences, preset by preset.

OPENBLAS_NUM_THREADS=1 python -m tests.bench.windows FOLDER [--presets clean landline ...] [--per-carrier 10] [--least 1000 1500]

What was heard is kept in FOLDER/heard.jsonl as it comes, so that a stopped measurement goes on where it was; FOLDER/windows.json
holds the result. Sentences marked `tuned` may decide the gate's bounds; only the others are told.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.hearing import char_errors, known_values, word_errors
from core.seeds import generator
from core.stats.bootstrap import Place, sample_counts
from core.text import normaliser_of
from gateway.settings import read_settings
from models import registry
from speech.asr import short_window
from speech.asr.whisper import WhisperRecognizer
from speech.channel.presets import parse_channel
from speech.clip import Clip
from speech.engines import Segment
from speech.line import open_line
from speech.recording import SAMPLE_RATE
from speech.spoken_form import spoken_form
from speech.studio import build_studio
from tests.bench.sentences import Sentence, sentences

VOICES = ("hibari-heart", "piper-joe")
SEED = 20261129
NORMALISER = normaliser_of("en")
NOW = "2026-03-02T09:00"
FULL = "full"


@dataclass(frozen=True)
class Heard:
    """One sentence through one preset in one window."""

    preset: str
    window: str
    half: str
    carrier: int
    number: int
    text: str
    words: str
    cpu_s: float
    duration_s: float
    segment: dict[str, Any] | None
    errors: int
    units: int
    char_errors: int
    chars: int
    known: int
    survived: int


def main() -> int:
    """Measure what is missing, then tell."""
    args = _arguments()
    args.folder.mkdir(parents=True, exist_ok=True)
    kept = args.folder / "heard.jsonl"
    rows = [Heard(**json.loads(line)) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []
    known = {(row.preset, row.window, row.carrier, row.number) for row in rows}
    with kept.open("a", encoding="utf-8") as out:
        for row in _measure(args, known):
            rows.append(row)
            print(json.dumps(asdict(row), ensure_ascii=False), file=out, flush=True)
    told = [_told(rows, preset, least, half) for preset in args.presets for least in args.least for half in ("tuned", "held_out")]
    (args.folder / "windows.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    for line in told:
        print(" | ".join(f"{name} {value}" for name, value in line.items()))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="a gated short window beside the full one")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--presets", nargs="+", default=["clean", "landline", "mobile", "noisy-street", "bad-cell"])
    parser.add_argument("--per-carrier", type=int, default=10)
    parser.add_argument("--least", nargs="+", type=int, default=[short_window.LEAST_FRAMES], help="shortest windows, in frames")
    return parser.parse_args()


def _measure(args: argparse.Namespace, known: set[tuple[str, str, int, int]]) -> Iterator[Heard]:
    studio = build_studio(read_settings().cache_root)
    recogniser = WhisperRecognizer(registry.get("whisper-base"), studio.cache_root)
    windows: dict[str, Callable[[Clip], Segment | None]] = {FULL: partial(_full, recogniser)}
    windows |= {str(least): partial(_short, recogniser, least) for least in args.least}
    # Presets and carriers take turns, so that a measurement that was stopped is a smaller one of the same kind.
    for sentence in sorted(sentences(args.per_carrier, SEED), key=lambda sentence: sentence.number):
        for preset in args.presets:
            missing = [name for name in windows if (preset, name, sentence.carrier, sentence.number) not in known]
            if not missing:
                continue
            voice = studio.voice(registry.get(VOICES[(sentence.carrier + sentence.number) % len(VOICES)]))
            said = studio.speaker.say(spoken_form(sentence.text, "en"), [voice], language="en", seed=0, pace=1.0)
            rng = generator(SEED, preset, sentence.carrier, sentence.number)
            clip = parse_channel(preset).apply(open_line([said.clip.resampled(SAMPLE_RATE)]), rng).quantised()
            for name in missing:
                started = time.process_time()
                segment = windows[name](clip)
                yield _heard(preset, name, sentence, clip, segment, time.process_time() - started)


def _full(recogniser: WhisperRecognizer, clip: Clip) -> Segment | None:
    segments = recogniser.transcribe(clip, language="en").segments
    return segments[0] if segments else None


def _short(recogniser: WhisperRecognizer, least: int, clip: Clip) -> Segment:
    return short_window.hear(recogniser.model, clip.samples, "en", recogniser.options, least=least)


def _heard(preset: str, window: str, sentence: Sentence, clip: Clip, segment: Segment | None, cpu_s: float) -> Heard:
    words = segment.text if segment else ""
    errors, chars = (count(sentence.text, words, NORMALISER) for count in (word_errors, char_errors))
    facts = {} if sentence.value is None else {"fact_1": (sentence.value, sentence.kind)}
    values = known_values(facts, sentence.text, words, now=NOW)
    return Heard(
        preset,
        window,
        sentence.half,
        sentence.carrier,
        sentence.number,
        sentence.text,
        words,
        round(cpu_s, 4),
        round(clip.duration_s, 3),
        asdict(segment) if segment else None,
        errors.edits,
        errors.reference_units,
        chars.edits,
        chars.reference_units,
        len(values),
        sum(value.survived for value in values),
    )


def _told(rows: Sequence[Heard], preset: str, least: int, half: str) -> dict[str, Any]:
    """The full window beside the gated one on one half of the sentences."""
    here = {(row.window, row.carrier, row.number): row for row in rows if (row.preset, row.half) == (preset, half)}
    both = [row for row in here.values() if row.window == FULL and (str(least), row.carrier, row.number) in here]
    full = sorted(both, key=lambda row: (row.carrier, row.number))
    short = [here[str(least), row.carrier, row.number] for row in full]
    trusted = [_trusted(row) for row in short]
    gated = [one if good else other for one, other, good in zip(short, full, trusted, strict=True)]
    spent = [one.cpu_s + (0 if good else other.cpu_s) for one, other, good in zip(short, full, trusted, strict=True)]
    told: dict[str, Any] = {"preset": preset, "least_frames": least, "half": half, "n": len(full)}
    for name, edits, units in (("wer", "errors", "units"), ("cer", "char_errors", "chars"), ("known", "survived", "known")):
        told |= _compared(name, full, gated, edits, units)
    told["wer_short_alone"] = _percent(sum(row.errors for row in short) / sum(row.units for row in short))
    told["cpu_s_full"] = round(float(np.mean([row.cpu_s for row in full])), 3)
    told["cpu_s_gated"] = round(float(np.mean(spent)), 3)
    told["fallbacks"] = _percent(1 - sum(trusted) / len(trusted))
    return told


def _trusted(row: Heard) -> bool:
    return row.segment is not None and row.duration_s <= short_window.LONGEST_S and short_window.trusted(Segment(**row.segment))


def _compared(name: str, full: Sequence[Heard], gated: Sequence[Heard], edits: str, units: str) -> dict[str, Any]:
    """Pooled rates of both in percent, the interval of the full window's, and of the difference: carriers are redrawn first."""
    counts = sample_counts(tuple(Place(f"{row.carrier:03d}", f"{row.number:03d}", 0) for row in full), SEED)

    def rates(rows: Sequence[Heard]) -> npt.NDArray[np.float64]:
        weights = np.vstack([np.ones(len(rows)), counts])  # the first row is the figure itself
        found: npt.NDArray[np.float64] = (weights @ [getattr(row, edits) for row in rows]) / (
            weights @ [getattr(row, units) for row in rows]
        )
        return found

    one, other = rates(full), rates(gated)
    return {
        f"{name}_full": _percent(one[0]),
        f"{name}_full_interval": [_percent(edge) for edge in np.quantile(one[1:], [0.025, 0.975])],
        f"{name}_gated": _percent(other[0]),
        f"{name}_difference": [_percent(edge) for edge in np.quantile((other - one)[1:], [0.025, 0.975])],
    }


def _percent(share: float) -> float:
    return round(100 * float(share), 2)


if __name__ == "__main__":
    sys.exit(main())
