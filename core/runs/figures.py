"""Figures of hearing pooled over calls, and over the calls of one language, script or voice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from core.hearing import KnownValue
from core.runs.hearing import PooledHearing, accuracy, error_rate
from core.schemas.hearing import Confidence, ErrorRate, Headline, HearingFigures, ValueAccuracy
from core.text import folded_of, headline_of

LOW_CONFIDENCE = -1.0
"""Mean log-probability below which Whisper, as published, decodes a segment again."""


def figures(cases: Iterable[PooledHearing]) -> HearingFigures:
    """All figures of these calls as one; rates are null where nothing was transcribed."""
    listed = list(cases)
    turns = [turn for case in listed for turn in case.turns]
    values = [value for turn in turns for value in turn.values]
    transcribed = [turn for turn in turns if turn.errors is not None]
    silent = [turn.errors.words.insertions for turn in transcribed if turn.errors and not turn.errors.words.reference_units]
    return HearingFigures(
        turns=len(transcribed),
        headline=headline({case.language for case in listed}),
        wer=word_rate(listed),
        cer=char_rate(listed),
        folded_cer=_folded_rate(listed),
        known_values=accuracy(values),
        by_kind=by_kind(values),
        empty=sum(not turn.heard.strip() for turn in transcribed if turn.errors and turn.errors.words.reference_units),
        silent=len(silent),
        silent_insertions=sum(silent),
        confidence=_confidence([one for turn in transcribed for one in turn.confidences]),
        guard=dict(sorted(Counter(hit for turn in transcribed for hit in turn.guard_hits).items())),
    )


def sliced(cases: Sequence[PooledHearing]) -> dict[str, dict[str, HearingFigures]]:
    """`language`, `script` and `voice` to value to the figures of its transcribed calls."""
    heard = [case for case in cases if any(turn.errors for turn in case.turns)]
    labels = {
        "language": [case.language for case in heard],
        "script": [case.script for case in heard],
        "voice": [case.voice or "unknown" for case in heard],
    }
    return {
        name: {value: figures(case for case, its in zip(heard, own, strict=True) if its == value) for value in sorted(set(own))}
        for name, own in labels.items()
        if own
    }


def word_rate(cases: Iterable[PooledHearing]) -> ErrorRate | None:
    """Word errors of the recogniser pooled over calls; None where nothing was transcribed."""
    found = [(case.normaliser, turn.errors) for case in cases for turn in case.turns if turn.errors is not None]
    if not found:
        return None
    errors = [each for _name, each in found]
    return error_rate([each.words for each in errors], [each.raw_words for each in errors], _names(name for name, _each in found))


def char_rate(cases: Iterable[PooledHearing]) -> ErrorRate | None:
    """Character errors of the recogniser pooled over calls; None where nothing was transcribed."""
    found = [(case.normaliser, turn.errors) for case in cases for turn in case.turns if turn.errors is not None]
    if not found:
        return None
    errors = [each for _name, each in found]
    return error_rate([each.chars for each in errors], [each.raw_chars for each in errors], _names(name for name, _each in found))


def by_kind(values: Iterable[KnownValue]) -> dict[str, ValueAccuracy]:
    """Accuracy of each kind of value that was said."""
    listed = list(values)
    kinds = sorted({value.kind.value for value in listed})
    return {kind: accuracy(value for value in listed if value.kind.value == kind) for kind in kinds}


def headline(languages: Iterable[str]) -> Headline:
    """Which rate to read first where these languages are pooled."""
    wanted = {headline_of(language) for language in languages}
    return "both" if len(wanted) > 1 else wanted.pop() if wanted else "wer"


def _folded_rate(cases: Iterable[PooledHearing]) -> ErrorRate | None:
    found = [
        (folded_of(case.language), turn.errors.folded, turn.errors.raw_folded)
        for case in cases
        for turn in case.turns
        if turn.errors is not None and turn.errors.folded is not None and turn.errors.raw_folded is not None
    ]
    if not found:
        return None
    return error_rate([folded for _, folded, _ in found], [raw for _, _, raw in found], _names(name for name, _, _ in found))


def _confidence(known: Sequence[float]) -> Confidence:
    if not known:
        return Confidence(mean=None, low_share=None)
    low = sum(one < LOW_CONFIDENCE for one in known) / len(known)
    return Confidence(mean=round(sum(known) / len(known), 6), low_share=round(low, 6), fragments=len(known))


def _names(normalisers: Iterable[str]) -> str:
    return "+".join(sorted(set(normalisers)))
