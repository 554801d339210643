"""Guards against words that a recogniser makes up: where nobody spoke, in loops, unsurely, or faster than anybody speaks.

It knows no engine: it judges a transcript by its own figures and by where a detector found speech. The raw transcript stays in
the cache; what is taken out of it, and why, is kept as hits. A caller's own repetitions ("no, no, no", "0000") are no loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from core.text import Word, words
from speech import qc
from speech.clip import Clip
from speech.engines import Segment, Transcript
from speech.vad import Span

VERSION = 1
"""Goes up with any change that alters what is taken out of the same transcript."""

SILENCE_S = 0.1
"""Seconds of speech below which a detector found none."""
SURE_LOGPROB, SURE_NO_SPEECH = -0.5, 0.4
"""Better than both, words are real although the detector found no speech: on a very bad line it hears less than a recogniser.
Over forty kinds of silence, noise and tones no words came near them."""
NO_SPEECH, UNSURE_LOGPROB = 0.6, -1.0
"""Whisper's published rule: above one and below the other there was no speech, whatever the words."""
LOW_LOGPROB, LOW_NO_SPEECH = -1.0, 0.3
"""Below one and above the other the words are flagged as hardly better than guessed."""
COMPRESSION = 2.4
"""Whisper's published bound: text that compresses better repeats itself."""
LONG_UNIT, SHORT_UNIT = 4, 8
"""Repetitions that make a loop: of two words or more (four characters where no spaces are used), and of less."""
LONGEST_UNIT = 24
"""Words that a repeated unit has at most."""
LONGEST_WORD = 40
"""Characters of a word above which it may loop within itself."""
MOST_DIGITS = 10.0
"""Digits a second up to which a digit that comes again and again is somebody's number."""
HURRY = 1.5
"""Pace, against the fastest that quality control allows of a voice, above which nobody speaks."""


class HitKind(StrEnum):
    """What was wrong."""

    SILENCE = "silence"
    """A detector found no speech, but words came."""
    NO_SPEECH = "no_speech"
    """The recogniser itself doubts that anybody spoke."""
    LOOP = "loop"
    """The words go round in a circle."""
    TOO_FAST = "too_fast"
    """More words than can be said in the time."""
    LOW_CONFIDENCE = "low_confidence"
    """Words hardly better than guessed."""


@dataclass(frozen=True)
class GuardHit:
    """One thing the guard found."""

    kind: HitKind
    """What was wrong."""
    before: str
    """The words it is about."""
    after: str
    """What was left of them: nothing, one repetition, or all of them where they were only flagged."""
    figures: dict[str, float]
    """The figures it was judged by."""


@dataclass(frozen=True)
class Guarded:
    """A transcript after the guard, with all that was found."""

    transcript: Transcript
    """What counts as heard."""
    raw: str
    """The words as the recogniser gave them."""
    hits: tuple[GuardHit, ...] = ()
    """What was found, segment by segment."""


def guard(transcript: Transcript, clip: Clip, speech: Sequence[Span]) -> Guarded:
    """The transcript of `clip` without what was made up; `speech` are the spans in which a detector found speech."""
    found_s = sum(end - start for start, end in speech) / clip.sample_rate
    kept, hits = [], []
    for segment in transcript.segments:
        text, hit = _judged(segment, min(segment.end_s, clip.duration_s) - segment.start_s, found_s)
        if hit is not None:
            hits.append(hit)
        if text:
            kept.append(replace(segment, text=text))
    text = " ".join(segment.text for segment in kept)
    if not hits:
        return Guarded(transcript, transcript.text)
    return Guarded(replace(transcript, text=text, segments=tuple(kept)), transcript.text, tuple(hits))


def repetition(text: str) -> tuple[int, int] | None:
    """Where a loop's second and further rounds stand in the text, as offsets; None where nothing goes round."""
    tokens = words(text)
    if any(len(token.text) > LONGEST_WORD for token in tokens):
        tokens = [Word(char, char, at, at + 1) for at, char in enumerate(text) if not char.isspace()]
    folds = [token.fold for token in tokens]
    best: tuple[int, int, int] | None = None  # start, unit, tokens covered
    for unit in range(1, min(LONGEST_UNIT, len(folds) // 2) + 1):
        start, covered = _longest_run(folds, unit)
        if covered // unit >= _many(tokens[start : start + unit]) and (best is None or covered > best[2]):
            best = (start, unit, covered)
    if best is None:
        return None
    start, unit, covered = best
    return tokens[start + unit - 1].end, tokens[start + covered - 1].end


def too_fast(text: str, seconds: float) -> bool:
    """Whether nobody could say so much in the time."""
    return seconds < qc.duration_bounds(text, HURRY)[0]


def _judged(segment: Segment, seconds: float, found_s: float) -> tuple[str, GuardHit | None]:
    """What is left of a segment that lasts `seconds`, of which a detector found `found_s` in the whole clip to be speech."""
    text, logprob, no_speech = segment.text, segment.avg_logprob, segment.no_speech_prob
    sureness = {"avg_logprob": logprob, "no_speech_prob": no_speech}

    def hit(kind: HitKind, after: str, **figures: float) -> tuple[str, GuardHit]:
        return after, GuardHit(kind, text, after, {name: round(value, 3) for name, value in figures.items()})

    if not text:
        return "", None
    if found_s < SILENCE_S:
        real = logprob > SURE_LOGPROB and no_speech < SURE_NO_SPEECH
        return hit(HitKind.SILENCE, text if real else "", speech_s=found_s, **sureness)
    if no_speech > NO_SPEECH and logprob < UNSURE_LOGPROB:
        return hit(HitKind.NO_SPEECH, "", **sureness)
    rounds, hurried = repetition(text), too_fast(text, seconds)
    if rounds is not None and not _is_number(text[slice(*rounds)], seconds):
        return hit(HitKind.LOOP, text[: rounds[0]] + text[rounds[1] :], compression_ratio=segment.compression_ratio)
    if segment.compression_ratio > COMPRESSION:
        return hit(HitKind.LOOP, text, compression_ratio=segment.compression_ratio)
    if hurried:
        return hit(HitKind.TOO_FAST, text, seconds=seconds, needed_s=qc.duration_bounds(text, HURRY)[0])
    if logprob < LOW_LOGPROB and no_speech > LOW_NO_SPEECH:
        return hit(HitKind.LOW_CONFIDENCE, text, **sureness)
    return text, None


def _longest_run(folds: Sequence[str], unit: int) -> tuple[int, int]:
    """Start and number of tokens of the longest stretch in which every token equals the one `unit` before it."""
    best, start = (0, 0), 0
    for at in range(len(folds) - unit + 1):
        if at + unit == len(folds) or folds[at] != folds[at + unit]:
            if at > start and at - start + unit > best[1]:
                best = (start, at - start + unit)
            start = at + 1
    return best


def _many(unit: Sequence[Word]) -> int:
    """How often a unit must come for a loop."""
    weight = sum(0.5 if len(token.text) == 1 and not token.text.isascii() else 1 for token in unit)
    return LONG_UNIT if weight >= 2 else SHORT_UNIT


def _is_number(rounds: str, seconds: float) -> bool:
    """Whether what goes round is digits alone that can be said in the time."""
    digits = sum(char.isdecimal() for char in rounds)
    return not any(char.isalpha() for char in rounds) and digits <= MOST_DIGITS * seconds
