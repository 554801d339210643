"""The table of hearing: what was made of a language's phrases, as rows with intervals, and tables put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from core.errors import FileError, UsageError
from core.hearing import KnownValue, WordErrors, char_errors, known_values, pool, word_errors
from core.schemas.phrases import HearingRow, HearingTable, Phrase, PhraseSet, PhraseSplit, Rate, Survived
from core.seeds import generator
from core.text import RAW, folded_of, is_indic, normaliser_of
from core.yamlfile import read_data

RESAMPLES = 2000
"""Draws of an interval."""


@dataclass(frozen=True)
class Cell:
    """One combination that is measured."""

    recogniser: str
    """Recogniser as it is named on the command line."""
    model_sha256: str
    """Hash of its model."""
    engine: str
    """Engine of the voice."""
    voice: str
    """Voice id."""
    channel: str
    """Channel, fully written out."""


@dataclass(frozen=True)
class HeardPhrase:
    """A phrase and what came of it."""

    phrase: Phrase
    """The phrase."""
    heard: str
    """What was heard, fragments joined by a space."""
    audio_s: float
    """Seconds of its speech."""


def rows(cell: Cell, phrases: PhraseSet, heard: Sequence[HeardPhrase]) -> list[HearingRow]:
    """A row for each half of the phrases that was heard."""
    found = []
    for split in PhraseSplit:
        half = [item for item in heard if item.phrase.split is split]
        if half:
            found.append(_row(cell, phrases, split, half))
    return found


def merged(kept: HearingTable | None, new: HearingTable) -> HearingTable:
    """The new table with the rows of the kept one that it does not measure again.

    Raises:
        UsageError: the kept rows come from other phrases, another seed, other normalisers or other rules of speaking.
    """
    if kept is None:
        return new
    if kept.seed != new.seed:
        raise UsageError(f"the table was made with seed {kept.seed}, not {new.seed}: make it anew, without --add")
    for what in ("phrases", "normalisers", "spoken"):
        before, now = getattr(kept, what), getattr(new, what)
        differing = sorted(name for name in before.keys() & now.keys() if before[name] != now[name])
        if differing:
            raise UsageError(f"the table's {what} differ for {', '.join(differing)}: make it anew, without --add")
    found = {_place(row): row for row in (*kept.rows, *new.rows)}
    return HearingTable(
        phrases={**kept.phrases, **new.phrases},
        seed=new.seed,
        normalisers={**kept.normalisers, **new.normalisers},
        spoken={**kept.spoken, **new.spoken},
        cpu_features=new.cpu_features,
        rows=tuple(found[place] for place in sorted(found)),
    )


def read_table(path: Path) -> HearingTable:
    """A table from a file.

    Raises:
        FileError: missing or not a table of hearing.
    """
    try:
        return HearingTable.model_validate(read_data(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise FileError(f"{str(path)!r} is no table of hearing: {where}: {first['msg']}") from error


def interval(errors: Sequence[WordErrors]) -> Rate:
    """The pooled rate with its 95 % interval over phrases; whole phrases are drawn, since words of one are heard together."""
    counts = np.array([(item.edits, item.reference_units) for item in errors], dtype=np.float64)
    drawn = generator(0, "hearing-table").multinomial(len(errors), np.full(len(errors), 1 / len(errors)), size=RESAMPLES)
    edits, units = (drawn @ counts).T
    low, high = np.percentile(edits / np.maximum(units, 1), [2.5, 97.5])
    return Rate(rate=round(pool(errors).rate, 4), low=round(float(low), 4), high=round(float(high), 4))


def _place(row: HearingRow) -> tuple[str, str, str, str, str]:
    return row.language, row.recogniser, row.voice, row.channel, row.split


def _row(cell: Cell, phrases: PhraseSet, split: PhraseSplit, heard: Sequence[HeardPhrase]) -> HearingRow:
    name = normaliser_of(phrases.language)
    pairs = [(item.phrase.text, item.heard) for item in heard]
    one_script = folded_of(phrases.language)
    folded = interval([char_errors(*pair, one_script) for pair in pairs]) if is_indic(phrases.language) else None
    return HearingRow(
        language=phrases.language,
        recogniser=cell.recogniser,
        model_sha256=cell.model_sha256,
        engine=cell.engine,
        voice=cell.voice,
        channel=cell.channel,
        preset=cell.channel.partition(":")[0],
        split=split,
        n=len(heard),
        wer=interval([word_errors(*pair, name) for pair in pairs]),
        cer=interval([char_errors(*pair, name) for pair in pairs]),
        folded_cer=folded,
        raw_wer=round(pool(word_errors(*pair, RAW) for pair in pairs).rate, 4),
        raw_cer=round(pool(char_errors(*pair, RAW) for pair in pairs).rate, 4),
        known_values=_survival(phrases, heard),
        empty=sum(not item.heard for item in heard),
        audio_s=round(sum(item.audio_s for item in heard), 2),
    )


def _survival(phrases: PhraseSet, heard: Sequence[HeardPhrase]) -> dict[str, Survived]:
    """Known values by kind, in the order of their names."""
    now = datetime.fromisoformat(phrases.now)
    found: list[KnownValue] = []
    for item in heard:
        facts = {f"value_{number}": (value.value, value.kind) for number, value in enumerate(item.phrase.values)}
        found += known_values(facts, item.phrase.text, item.heard, language=phrases.language, now=now)
    return {
        kind: Survived(
            survived=sum(value.survived for value in found if value.kind.value == kind),
            occurring=sum(value.kind.value == kind for value in found),
        )
        for kind in sorted({value.kind.value for value in found})
    }
